"""The operations in the source line that raised an error, with the user's names of the operands.

Names are given only where they are certain: the line must be one statement with a single operation
that the message can be about. It is parsed, and never evaluated.
"""

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from bcastcli.why.messages.frames import Frame

LONGEST = 40
_MAX_SOURCE = 400
MODULES = ("np", "numpy", "jnp", "lax", "jax", "torch", "F", "tf", "cp", "mx", "paddle", "K")
PRODUCTS = ("@", "dot", "matmul", "mm", "bmm")
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


class Operation(NamedTuple):
    """An operator, a call or an index in a line, its parts as they are written.

    A part is empty where it is long, or more than a name, an item or a call.
    """

    name: str
    """The function's name without what it belongs to; `@` for a product, `[]` for an index, `[]=`
    for an assignment to one, `Add` and so on for an operator."""
    arrays: int = 0
    """How many of its operands may be arrays, where it is an operation of several."""
    operands: tuple[str, ...] = ()
    """These, or the arrays of an index; empty where one of them has no name."""
    is_in_place: bool = False
    callee: str = ""
    inputs: tuple[str, ...] = ()
    """What stands in its parentheses."""
    owner: tuple[str, ...] = ()
    """The object that a method belongs to."""
    items: tuple[str, ...] = ()
    """Those of a list that is the first input."""
    is_unsure: bool = False
    """Whether it is not known to be an operation of its operands."""


def operation(
    frame: Frame, called: Sequence[str], is_meant: Callable[[str], bool]
) -> Operation | None:
    """The only operation of several arrays in a line of the kinds that are meant, if it is certain.

    `called` has the names of the framework's functions between the line and the message.
    """
    text, is_marked = _marked(frame)
    root = _statement(text)
    if root is None or (is_marked and not _is_whole(root, frame)):
        return None
    is_bare = isinstance(root, ast.Expr) and not isinstance(root.value, ast.Call)
    if not is_marked and is_bare and not frame.is_typed:
        return None  # a - b is never a statement: it is the end of a longer one
    nodes = _nodes(root, is_marked=is_marked)
    apart = [node for node in nodes if isinstance(node, ast.Slice | ast.Lambda)]
    hidden = {id(part) for node in apart for part in ast.walk(node)}
    every = _operations([node for node in nodes if id(node) not in hidden], text)
    meant = [each for each in every if each.arrays > 1 and (each.is_unsure or is_meant(each.name))]
    if len(meant) != 1 or meant[0].is_unsure or not meant[0].operands:
        return None
    is_other = called and meant[0].name not in called[:2] and not WRAPPERS.fullmatch(called[0])
    return None if is_other else meant[0]


def call(frame: Frame, is_meant: Callable[[Operation], bool]) -> Operation | None:
    """The only operation in a line that is meant; None where there are several."""
    text, is_marked = _marked(frame)
    root = _statement(text)
    every = _operations(_nodes(root, is_marked=is_marked), text) if root else ()
    matching = [each for each in every if is_meant(each)]
    return matching[0] if len(matching) == 1 else None


def arrays_of(frame: Frame, name: str) -> tuple[str, ...] | None:
    """The arrays of the only index (`[]`) or assignment to one (`[]=`) in a line."""
    root = _statement(frame.source)
    every = _operations([*ast.walk(root)], frame.source) if root else ()
    matching = [each.operands for each in every if each.name == name and each.operands]
    return matching[0] if len(matching) == 1 else None


def output(frame: Frame) -> tuple[str, ...] | None:
    """The output of an operation in place, or with `out=`."""
    root = _statement(frame.source)
    outputs: list[ast.expr] = []
    for node in ast.walk(root) if root else ():
        match node:
            case ast.AugAssign(target=target):
                outputs.append(target)
            case ast.Call(func=ast.Attribute(value=value, attr=name), keywords=keywords):
                outputs += [each.value for each in keywords if each.arg == "out"]
                is_first = not ast.unparse(value).partition("(")[0].endswith("_")
                if name.endswith("_") and is_first:  # of a chain
                    outputs.append(value)
    return _texts(outputs, frame.source) if len(outputs) == 1 else None


def _statement(text: str) -> ast.stmt | None:
    """The one statement of a line of source, or the head of one; None if it is not one."""
    text = text.rstrip("; ")
    if len(text) > _MAX_SOURCE:
        return None
    for whole in (text, f"{text} pass", f"{text[2:]} pass"):
        errors = suppress(SyntaxError, ValueError, RecursionError, MemoryError)
        with errors, warnings.catch_warnings(action="ignore"):
            body = ast.parse(whole).body
            return body[0] if len(body) == 1 else None
    return None


def _marked(frame: Frame) -> tuple[str, bool]:
    """The part of the source that Python marks, or all of it."""
    marks = frame.marks
    if "^" not in marks:
        return frame.source, False
    return frame.source[len(marks) - len(marks.lstrip()) : len(marks)], True


def _is_whole(root: ast.stmt, frame: Frame) -> bool:
    """Whether marks are those of one operator, or of a call, and not of a part of a line."""
    value = root.value if isinstance(root, ast.Expr) else root
    is_operator = isinstance(value, ast.BinOp) and "~" in frame.marks
    return is_operator or isinstance(value, ast.Call | ast.AugAssign)


def _nodes(root: ast.stmt, *, is_marked: bool) -> Sequence[ast.AST]:
    """The parts of a line that may have raised; of one that is marked, the expression alone."""
    return [root.value] if is_marked and isinstance(root, ast.Expr) else [*ast.walk(root)]


def _operations(nodes: Sequence[ast.AST], text: str) -> Iterator[Operation]:
    """The operations among the nodes of a line."""
    for node in nodes:
        match node:
            case ast.AugAssign(target=left, op=op, value=right):
                yield _of_operator(op, [left, right], text)._replace(is_in_place=True)
            case ast.BinOp(left=left, op=op, right=right):
                yield _of_operator(op, [left, right], text)
            case ast.Compare(left=left, ops=ops, comparators=others):
                if all(isinstance(each, _COMPARISONS) for each in ops):
                    operation = _of_operator(ops[0], [left, *others], text)
                    yield operation._replace(is_unsure=len(ops) > 1)
            case ast.Subscript(value=value, slice=ast.Tuple(elts=parts)):
                inputs = _written([value, *parts], text)
                yield Operation("[]", operands=_texts(parts, text) or (), inputs=inputs)
            case ast.Subscript(value=value, slice=index):
                yield Operation("[]", inputs=_written([value, index], text))
            case ast.Assign(targets=[ast.Subscript(value=array) as target], value=value):
                calls = [each for each in ast.walk(value) if isinstance(each, ast.Call)]
                is_sure = not any(each.args for each in calls)
                operands = (_texts([target, value], text) or ()) if is_sure else ()
                yield Operation("[]=", operands=operands, inputs=_written([array, value], text))
            case ast.Call():
                yield _of_call(node, text)


def _of_operator(
    op: ast.operator | ast.cmpop, operands: Sequence[ast.expr], text: str
) -> Operation:
    """An operator; one of a number has no operands."""
    name = "@" if isinstance(op, ast.MatMult) else type(op).__name__
    count = 0 if any(map(_is_number, operands)) else len(operands)
    inputs = _written(operands, text)
    return Operation(name, count, _texts(operands, text) or (), inputs=inputs)


def _of_call(node: ast.Call, text: str) -> Operation:
    """A call of a function, or of something that is called like one."""
    function, owners = node.func, []
    name = function.id if isinstance(function, ast.Name) else ""
    if isinstance(function, ast.Attribute):
        name = function.attr
        owners = [] if _is_module(function.value) else [function.value]
    first = node.args[0] if node.args else None
    items = first.elts if isinstance(first, ast.List | ast.Tuple) else []
    [callee] = _written([function], text)
    parts = (_written(each, text) for each in (node.args, owners, items))
    inputs, owner, listed = parts
    operation = Operation(name, callee=callee, inputs=inputs, owner=owner, items=listed)

    given = [*owners, *node.args]
    short = name.removesuffix("_")
    keywords = {each.arg for each in node.keywords}
    is_of_two = short in OF_TWO and len(given) == 2 and keywords <= _KEYWORDS
    if isinstance(function, ast.Attribute) and is_of_two:
        count = 0 if any(map(_is_number, given)) else 2
        return operation._replace(name=short, arrays=count, operands=_texts(given, text) or ())
    if short == "where" and len(given) == 3 and not (owners or keywords):
        return operation._replace(arrays=3, operands=_texts(given, text) or ())
    values = [*node.args, *(each.value for each in node.keywords)]
    count = sum(not _is_number(each) for each in values)
    count += bool(count and owners and ast.unparse(owners[0]) != "self")
    return operation._replace(arrays=count, is_unsure=True)


def _is_module(node: ast.expr) -> bool:
    """Whether an expression is a module by its name, or a part of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in MODULES


def _is_number(node: ast.expr) -> bool:
    """Whether an expression is a number or a text by its form alone."""
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    if isinstance(node, ast.Call | ast.Subscript | ast.Attribute):
        return _NUMBER.match(ast.unparse(node)) is not None
    return isinstance(node, ast.Constant | ast.JoinedStr)


def _written(nodes: Sequence[ast.expr], text: str) -> tuple[str, ...]:
    """Expressions as they are written; empty for those that are long, or no names."""
    return tuple((_texts([node], text) or ("",))[0] for node in nodes)


def _texts(operands: Sequence[ast.expr], text: str) -> tuple[str, ...] | None:
    """Operands as they are written, if they are names or the like; "" for a long one."""
    kinds = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
    if not all(isinstance(each, kinds) for each in operands):
        return None
    texts = [" ".join((ast.get_source_segment(text, each) or "").split()) for each in operands]
    short = tuple(each if len(each) <= LONGEST else "" for each in texts)
    return short if any(short) and len({*texts}) == len(texts) else None
