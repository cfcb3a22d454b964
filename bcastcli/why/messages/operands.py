"""The user's names of the operands, from the source line that raised the error.

Names are given only where they are certain: the line must be one statement with a single operation
that the message can be about. It is parsed, and never evaluated.
"""

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import NamedTuple

from bcastcli.why.messages.frames import Frame

LONGEST = 40
MAX_SOURCE = 400
MODULES = ("np", "numpy", "jnp", "lax", "jax", "torch", "F", "tf", "cp", "mx", "paddle", "K")
PRODUCTS = ("MatMult", "dot", "matmul", "mm", "bmm")
OF_TWO = {
    *("add", "subtract", "sub", "multiply", "mul", "divide", "div", "true_divide", "power", "pow"),
    *("floor_divide", "mod", "remainder", "fmod", "maximum", "minimum", "fmax", "fmin", "arctan2"),
    *("atan2", "hypot", "logical_and", "logical_or", "logical_xor", "equal", "not_equal", "eq"),
    *("greater", "less", "greater_equal", "less_equal", "ne", "gt", "ge", "lt", "le", "isclose"),
    *("allclose", "mse_loss", "l1_loss", "smooth_l1_loss", *PRODUCTS[1:]),
}
"""Functions of two operands, in the order in which messages show them."""
_KEYWORDS = {"reduction", "name", "alpha", "rtol", "atol", "dtype"}
"""The keywords with values that are not operands."""
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
WRAPPERS = re.compile(
    r"_?op(?:erator_\w+)?|wrapped|\w*binary_op\w*|reraise\w+|error_handler|__\w+__|_wrapped_\w+"
)
"""Functions of frameworks that stand between an operator and its message."""
_NUMBER = re.compile(r"(?:len|int|float|str)\(|.*\.(?:shape\[-?\d+\]|item\(\)|ndim|pi)$")
_UNSURE = "?"


class Operation(NamedTuple):
    """An operation in a line of source."""

    kind: str
    """The class of its operator, or the name of its function; "?": it may be one."""
    operands: Sequence[ast.expr] = ()
    is_in_place: bool = False


class Call(NamedTuple):
    """A call of a function, an index or a product, its parts as they are written.

    A part is empty where it is long, or more than a name, an item or a call.
    """

    name: str
    """The function's name without what it belongs to; `@` for a product, `[]` for an index."""
    callee: str
    inputs: tuple[str, ...] = ()
    """What stands in its parentheses."""
    owner: tuple[str, ...] = ()
    """The object that a method belongs to."""
    items: tuple[str, ...] = ()
    """Those of a list that is the first input."""


class Named(NamedTuple):
    """The operands of an operation as they are written."""

    kind: str
    texts: tuple[str, ...]
    is_in_place: bool


def _silence() -> AbstractContextManager[object]:
    """Return a context without warnings: parsing a line may have its own."""
    return warnings.catch_warnings(action="ignore")


def statement(text: str) -> ast.stmt | None:
    """Return the one statement of a line of source, or the head of one; None if it is not one."""
    text = text.rstrip("; ")
    if len(text) > MAX_SOURCE:
        return None
    for whole in (text, f"{text} pass", f"{text[2:]} pass"):
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError), _silence():
            body = ast.parse(whole).body
            return body[0] if len(body) == 1 else None
    return None


def of_operator(
    frame: Frame, called: Sequence[str], is_meant: Callable[[str], bool]
) -> Named | None:
    """Return the operands of the only operation in a line of the kinds that are meant.

    `called` has the names of the framework's functions between the line and the message.
    """
    text, is_marked = _marked(frame)
    root = statement(text)
    if root is None or (is_marked and not _is_whole(root, frame)):
        return None
    is_bare = isinstance(root, ast.Expr) and not isinstance(root.value, ast.Call)
    if not is_marked and is_bare and not frame.is_typed:
        return None  # a - b is never a statement: it is the end of a longer one
    nodes = [root.value] if is_marked and isinstance(root, ast.Expr) else [*ast.walk(root)]
    apart = [node for node in nodes if isinstance(node, ast.Slice | ast.Lambda)]
    hidden = {id(part) for node in apart for part in ast.walk(node)}
    every = [each for node in nodes if id(node) not in hidden for each in _operations(node)]
    found = [each for each in every if each.kind == _UNSURE or is_meant(each.kind)]
    if len(found) != 1 or found[0].kind == _UNSURE:
        return None
    [(kind, operands, is_in_place)] = found
    if called and kind not in called[:2] and not WRAPPERS.fullmatch(called[0]):
        return None
    texts = _texts(operands, text)
    return Named(kind, texts, is_in_place) if texts else None


def of_call(frame: Frame, is_meant: Callable[[Call], bool]) -> Call | None:
    """The only call in a line that is meant; None where there are several, or the line is open."""
    text, is_marked = _marked(frame)
    root = statement(text)
    if root is None:
        return None
    nodes = [root.value] if is_marked and isinstance(root, ast.Expr) else ast.walk(root)
    calls = [_call(node, text) for node in nodes]
    found = [call for call in calls if call is not None and is_meant(call)]
    return found[0] if len(found) == 1 else None


def _call(node: ast.AST, text: str) -> Call | None:
    """The call that a node of a line is."""
    match node:
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            return Call("@", "", _written([left, right], text))
        case ast.Subscript(value=value, slice=index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            return Call("[]", "", _written([value, *parts], text))
        case ast.Assign(targets=[ast.Subscript(value=target)], value=value):
            return Call("[]=", "", _written([target, value], text))
        case ast.Call(func=ast.Attribute(value=value, attr=name) as function, args=inputs):
            owners = [] if _is_module(value) else [value]
        case ast.Call(func=ast.Name(id=name) as function, args=inputs):
            owners = []
        case _:
            return None
    first = inputs[0] if inputs else None
    items = first.elts if isinstance(first, ast.List | ast.Tuple) else []
    [callee] = _written([function], text)
    return Call(name, callee, *(_written(each, text) for each in (inputs, owners, items)))


def _written(nodes: Sequence[ast.expr], text: str) -> tuple[str, ...]:
    """Expressions as they are written; empty for those that are long, or no names."""
    return tuple((_texts([node], text) or ("",))[0] for node in nodes)


def of_assignment(frame: Frame) -> tuple[str, ...] | None:
    """Return the target and the value of an assignment to a part of an array."""
    match statement(frame.source):
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            calls = [each for each in ast.walk(value) if isinstance(each, ast.Call) and each.args]
            return None if calls else _texts((target, value), frame.source)
    return None


def of_output(frame: Frame) -> tuple[str, ...] | None:
    """Return the output of an operation in place, or with `out=`."""
    root = statement(frame.source)
    if root is None:
        return None
    outputs: list[ast.expr] = []
    for node in ast.walk(root):
        if isinstance(node, ast.AugAssign):
            outputs.append(node.target)
        elif isinstance(node, ast.Call):
            outputs += [each.value for each in node.keywords if each.arg == "out"]
            changed = _changed(node)
            if changed and not _changed(changed):  # the first one of a chain
                outputs.append(changed)
    return _texts(outputs, frame.source) if len(outputs) == 1 else None


def _changed(node: ast.expr) -> ast.expr | None:
    """Return the operand that a call such as `x.add_(y)` changes; None if it is not such a call."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value if node.func.attr.endswith("_") else None
    return None


def of_index(frame: Frame) -> tuple[str, ...] | None:
    """Return the arrays of an index."""
    root = statement(frame.source)
    indices = [
        node.slice.elts
        for node in (ast.walk(root) if root else ())
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple)
    ]
    return _texts(indices[0], frame.source) if len(indices) == 1 else None


def _marked(frame: Frame) -> tuple[str, bool]:
    """Return the part of the source that Python marks, or all of it."""
    marks = frame.marks
    if "^" not in marks:
        return frame.source, False
    return frame.source[len(marks) - len(marks.lstrip()) : len(marks)], True


def _is_whole(root: ast.stmt, frame: Frame) -> bool:
    """Return whether marks are those of one operator, or of a call, and not of a part of a line."""
    value = root.value if isinstance(root, ast.Expr) else root
    is_operator = isinstance(value, ast.BinOp) and "~" in frame.marks
    return is_operator or isinstance(value, ast.Call | ast.AugAssign)


def _operations(node: ast.AST) -> Iterator[Operation]:
    """Yield the operation that a node is, or that it may be."""
    if isinstance(node, ast.AugAssign) and not _is_number(node.value):
        yield Operation(type(node.op).__name__, (node.target, node.value), is_in_place=True)
    elif isinstance(node, ast.BinOp) and not (_is_number(node.left) or _is_number(node.right)):
        yield Operation(type(node.op).__name__, (node.left, node.right))
    elif isinstance(node, ast.Compare):
        compared = [node.left, *node.comparators]
        are_sizes = all(isinstance(each, _COMPARISONS) for each in node.ops)
        if are_sizes and not any(map(_is_number, compared)):
            is_one = len(node.ops) == 1
            yield Operation(type(node.ops[0]).__name__ if is_one else _UNSURE, compared)
    elif isinstance(node, ast.Call):
        yield from _of_call(node)


def _of_call(node: ast.Call) -> Iterator[Operation]:
    """Yield the operation that a call is, or that it may be."""
    owner: list[ast.expr] = []
    name = ""
    if isinstance(node.func, ast.Attribute):
        name = node.func.attr.rstrip("_")
        owner = [] if _is_module(node.func.value) else [node.func.value]
    given = [*owner, *node.args]
    keywords = {each.arg for each in node.keywords}
    if name in OF_TWO and len(given) == 2 and keywords <= _KEYWORDS:
        if not any(map(_is_number, given)):
            yield Operation(name, given)
    elif name == "where" and len(given) == 3 and not (owner or keywords):
        yield Operation(name, given)
    else:
        values = [*node.args, *(each.value for each in node.keywords)]
        arrays = [each for each in values if not _is_number(each)]
        if arrays and owner and ast.unparse(owner[0]) != "self":
            arrays += owner
        if len(arrays) > 1:
            yield Operation(_UNSURE)


def _is_module(node: ast.expr) -> bool:
    """Whether an expression is a module by its name, or a part of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in MODULES


def _is_number(node: ast.expr) -> bool:
    """Return whether an expression is a number or a text by its form alone."""
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    if isinstance(node, ast.Call | ast.Subscript | ast.Attribute):
        return _NUMBER.match(ast.unparse(node)) is not None
    return isinstance(node, ast.Constant | ast.JoinedStr)


def _texts(operands: Sequence[ast.expr], text: str) -> tuple[str, ...] | None:
    """Return operands as they are written, if they are names or the like; "" for a long one."""
    kinds = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
    if not all(isinstance(each, kinds) for each in operands):
        return None
    texts = [" ".join((ast.get_source_segment(text, each) or "").split()) for each in operands]
    short = tuple(each if len(each) <= LONGEST else "" for each in texts)
    return short if any(short) and len({*texts}) == len(texts) else None
