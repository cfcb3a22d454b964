"""Rewrites a program so that its operands and values are looked at.

Each operator stays where it is, and runs in the program's own frame: `a - b` becomes
`sub(*watch(a, b, 7))`, with the function of the module `operator`. Numbers are told apart first,
since loops over them are the ones that would take longer. `x = f(y)` is followed by `seen(x, 7)`;
parameters, the variables of loops and those of `with` are looked at first in their block. A value
that gets no name, as by `return` or `self.x = y`, passes through `seen`.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from copy import copy
from importlib.util import decode_source
from types import CodeType
from typing import Any

from bcastcli.raising.trees import DEFINITIONS, NAMES, Imports, are_numbers, helper, placed
from bcastcli.raising.watching import Place, Site, place_of, sites

_FUNCTIONS = dict(each.split(":") for each in NAMES["operators"])
"""The function of the module `operator` for each operator that is looked at."""
_Operation = ast.BinOp | ast.Compare
_MOST_REPEATED = 28
"""The most nodes of an operand that is written twice, for numbers and for others."""
_LOSS = re.compile(r"loss|crit|mse|mae|l1|l2|huber|metric|error|objective|score", re.IGNORECASE)
_COMPILERS = ("numba", "triton", "torch.jit", "taichi", "tensorflow.function")
"""What compiles a function from its source or its bytecode."""
_TRACES = re.compile(r"\bset(?:trace|profile)")
"""With these a program would see what is called to look at its values."""
sources: dict[str, str] = {}
"""The sources of the files that were rewritten."""
_PROGRAM = """
__spec__ = __package__ = None
try: pass
except __bcastcli_SystemExit__:
    __bcastcli_ended__()
    raise
"""
"""What a script is: it has no spec and no package, and the status is known with which it exits."""


def lines_of(file: str) -> list[str]:
    """The lines of a file that was rewritten, as Python counts them."""
    return sources[file].removesuffix("\n").split("\n")


class LeftError(Exception):
    """A file runs as it is, for this reason."""


def rewritten(
    data: bytes, file: str, *, operations: bool, assignments: bool, main: str = ""
) -> CodeType:
    """The code of a file; `main` says whether the program starts with it: "script" or "module"."""
    tree = ast.parse(data, file)
    if operations or assignments:
        source = decode_source(data)
        if _TRACES.search(source):
            raise LeftError("it traces its own calls")
        Watched(file, operations=operations, assignments=assignments).visit(tree)
        sources[file] = source
    if main:
        _note_exit(tree, is_script=main == "script")
    return compile(tree, file, "exec", dont_inherit=True)


def _note_exit(tree: ast.Module, *, is_script: bool) -> None:
    """Have the status known with which the program ends."""
    start = _after_docstring(tree.body)
    rest = tree.body[start:]
    if rest:
        unset, noting = ast.parse(_PROGRAM).body
        for new, old in ((unset, rest[0]), (noting, rest[-1])):
            for each in ast.walk(new):
                ast.copy_location(each, old)
        noting.body = rest  # type: ignore[attr-defined]
        tree.body[start:] = [unset, noting] if is_script else [noting]


class Watched(ast.NodeTransformer):
    """Rewrites the operations of one file, its values, or both."""

    def __init__(self, file: str, *, operations: bool, assignments: bool) -> None:
        self._file, self._operations, self._assignments = file, operations, assignments
        self._owners: list[Any] = []
        """The functions and classes around a node."""

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """The whole file."""
        self._imports = Imports(node)
        self._left_alone = set(_left_alone(node, self._imports))
        self._written = set(_written_lines(node))
        shared = [each for each in ast.walk(node) if isinstance(each, ast.Global | ast.Nonlocal)]
        self._rebound = {name for each in shared for name in each.names}
        return self.generic_visit(node)

    def visit(self, node: ast.AST) -> Any:
        """The node in place of this one, and what follows it."""
        if not isinstance(node, DEFINITIONS):
            return self._with_look(super().visit(node))
        if node in self._left_alone:
            return node
        self._owners.append(node)
        body = ast.Interactive(node.body)  # without its annotations and decorators
        node.body = self.generic_visit(body).body  # type: ignore[attr-defined]
        self._with_look(node)
        self._owners.pop()
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """An assignment, whose annotation stays."""
        node.value = node.value and self.visit(node.value)
        return node

    def visit_BinOp(self, node: _Operation) -> Any:
        """An operator whose operands are looked at, unless the left one is made of numbers."""
        if not self._is_watched(node):
            return self.generic_visit(node)
        left = node.left
        numbers, watched = self._watched(node)
        if not numbers:
            return watched
        node.left = left
        return placed(ast.IfExp(are_numbers(numbers), node, watched), node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        """A comparison of two values."""
        return self.visit_BinOp(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """An assignment such as `+=`: `x = iadd(*watch(x, y, 7))`, unless `x` has a number."""
        read = copy(node.target)
        read.ctx = ast.Load()
        operation = placed(ast.BinOp(read, node.op, node.value), node)
        if not (_may_be_read_twice(node, self._rebound) and self._is_watched(operation)):
            return self.generic_visit(node)
        numbers, value = self._watched(operation, "in place")
        watched = placed(ast.Assign([node.target], value), node)
        if not numbers:
            return watched
        node.value = operation.right
        either = placed(ast.If(are_numbers(numbers), [node], [watched]), node)
        looked = self._with_look(watched)
        return [either, *looked[1:]] if isinstance(looked, list) else either

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A call that may be one of an array's functions, of two arrays or more."""
        kind = self._kind_of_call(node)
        if kind is None or not self._is_watching():
            return self.generic_visit(node)
        site = self._site(place_of(node), kind=kind)
        self.generic_visit(node)
        ready = ast.Call(helper("called"), [site, node.func, *node.args], node.keywords)
        return placed(ast.Call(ready, [], []), node)

    def _watched(self, node: _Operation, kind: str = "") -> tuple[list[ast.Name], ast.expr]:
        """The names that may have numbers, and the call of an operator that looks at its operands.

        Its operands are rewritten as well.
        """
        name = f"i{_function(node).rstrip('_')}" if kind else _function(node)
        site = self._site(place_of(node), kind=kind)
        is_short = len([*ast.walk(_right(node))]) <= _MOST_REPEATED
        numbers = _names(node.left) if is_short else []
        self.generic_visit(node)
        pair = ast.Call(helper("watch"), [node.left, _right(node), site], [])
        return numbers, placed(ast.Call(helper(name), [ast.Starred(pair, ast.Load())], []), node)

    def _is_watched(self, node: _Operation) -> bool:
        is_known = self._is_watching() and _function(node) and not self._is_written(node)
        return bool(is_known) and all(map(_may_be_array, (node.left, _right(node))))

    def _is_watching(self) -> bool:
        """Whether operations are looked at: in the body of a class, a metaclass may see that."""
        owner = self._owners[-1] if self._owners else None
        has_metaclass = isinstance(owner, ast.ClassDef) and bool(owner.bases or owner.keywords)
        return self._operations and not has_metaclass

    def _is_written(self, node: ast.expr) -> bool:
        first, _, last, _ = place_of(node)
        return not self._written.isdisjoint(range(first, last + 1))

    def _kind_of_call(self, node: ast.Call) -> str | None:
        """The kind of a site, if the call is to be looked at."""
        has_stars = any(isinstance(each, ast.Starred) for each in node.args)
        if has_stars or any(each.arg is None for each in node.keywords) or self._is_written(node):
            return None
        given = [*node.args, *(each.value for each in node.keywords)]
        function = node.func
        module = self._imports.full_name(function)
        if isinstance(function, ast.Attribute) and not module:
            given.append(function.value)
        if sum(map(_may_be_array, given)) < 2 or module.startswith("math."):
            return None
        own = function.func if isinstance(function, ast.Call) else function  # MSELoss()(x, y)
        name = getattr(own, "attr", getattr(own, "id", ""))
        if name in NAMES["functions"] and (module or isinstance(function, ast.Attribute)):
            return ""
        return "loss" if _LOSS.search(name) else None

    def _site(self, place: Place, names: Sequence[str] = (), kind: str = "") -> ast.expr:
        function = ".".join(each.name for each in self._owners)
        sites.append(Site(self._file, place, function, tuple(names), kind))
        return ast.Constant(len(sites) - 1)

    def _with_look(self, node: Any) -> Any:
        """A statement with a look at the values that it binds or returns."""
        is_of_class = bool(self._owners) and isinstance(self._owners[-1], ast.ClassDef)
        # The names of a class may be read by others.
        if not self._assignments or is_of_class or not isinstance(node, ast.stmt):
            return node
        names, last = _bound(node), node.end_lineno or 0
        if names and hasattr(node, "body"):
            start = _after_docstring(node.body)
            place = node.body[min(start, len(node.body) - 1)]
            node.body.insert(start, self._look(node.lineno, names, place))
        elif names:
            return [node, self._look(last, names, node)]
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.Return) and node.value:
            node.value = placed(self._seen(last, (), node.value), node.value)
        return node

    def _look(self, line: int, names: Sequence[str], place: ast.AST) -> ast.stmt:
        """A statement that looks at names, unless all have numbers: loops over these are fast.

        It is no expression, whose value IPython would show.
        """
        values: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
        value = ast.Tuple(values, ast.Load()) if values[1:] else values[0]
        look = ast.Expr(self._seen(line, names, value))
        return placed(ast.If(are_numbers(values), [ast.Pass()], [look]), place)

    def _seen(self, line: int, names: Sequence[str], value: ast.expr) -> ast.expr:
        return ast.Call(helper("seen"), [value, self._site((line, 0, line, 0), names)], [])


def _left_alone(tree: ast.Module, imports: Imports) -> Iterator[ast.AST]:
    """The functions that a compiler of Python reads: by a decorator, or by a call."""
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    of_compilers = [each for each in calls if imports.full_name(each.func).startswith(_COMPILERS)]
    given = {ast.unparse(argument) for each in of_compilers for argument in each.args}
    for node in ast.walk(tree):
        if isinstance(node, DEFINITIONS):
            own = [getattr(each, "func", each) for each in node.decorator_list]
            is_decorated = any(imports.full_name(each).startswith(_COMPILERS) for each in own)
            if is_decorated or node.name in given:
                yield node


def _written_lines(tree: ast.AST) -> Iterator[int]:
    """The lines that say themselves that an axis is added."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=name):
                if name in NAMES["written"] and not ast.unparse(node).endswith("=False"):
                    yield node.end_lineno or 0
            case ast.Subscript(slice=key):
                parts = key.elts if isinstance(key, ast.Tuple) else [key]
                if any(isinstance(each, ast.Constant) and each.value is None for each in parts):
                    yield node.end_lineno or 0


def _bound(node: Any) -> list[str]:
    """The names that a statement binds, or the parameters of a function."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        given = [each for each in ast.iter_child_nodes(node.args) if isinstance(each, ast.arg)]
        return [each.arg for each in given if each.arg not in ("self", "cls")]
    if getattr(node, "value", node) is None:  # an annotation alone
        return []
    targets = [*getattr(node, "targets", ())[:1], getattr(node, "target", None)]
    targets += [each.optional_vars for each in getattr(node, "items", ())]
    parts = [part for each in targets if each for part in ast.walk(each)]
    names = [each for each in parts if isinstance(each, ast.Name)]
    return [each.id for each in names if isinstance(each.ctx, ast.Store)]


def _may_be_array(node: ast.expr) -> bool:
    """Whether a value need not be a number: a loop of numbers is not to take longer."""
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and _may_be_array(node.operand)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id not in NAMES["numbers"]
    return type(node).__name__ not in NAMES["no_arrays"]


def _may_be_read_twice(node: ast.AugAssign, rebound: set[str]) -> bool:
    """Whether the target is a name, or a part of one that the value leaves where it is.

    It may not where a function that a property calls, or an operator, gives the name another value.
    """
    target = node.target
    if isinstance(target, ast.Name):
        return True
    parts = [target.value, getattr(target, "slice", target.value)]
    is_kept = NAMES["rebinding"].isdisjoint(type(each).__name__ for each in ast.walk(node.value))
    names = {each.id for each in parts if isinstance(each, ast.Name)}
    is_simple = all(isinstance(each, ast.Name | ast.Constant) for each in parts)
    return is_kept and is_simple and names.isdisjoint(rebound)


def _names(node: ast.expr) -> list[ast.Name]:
    """The names of which an operand is computed by arithmetic alone; none if there are others."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node]
    has_others = any(not isinstance(each, ast.Name | ast.Constant) for each in parts)
    return [] if has_others else [each for each in parts if isinstance(each, ast.Name)]


def _right(node: _Operation) -> ast.expr:
    return node.right if isinstance(node, ast.BinOp) else node.comparators[0]


def _function(node: _Operation) -> str:
    """The function of an operator; empty for another operator, or for several."""
    kinds = [node.op] if isinstance(node, ast.BinOp) else node.ops
    return _FUNCTIONS.get(type(kinds[0]).__name__, "") if len(kinds) == 1 else ""


def _after_docstring(body: Sequence[ast.stmt]) -> int:
    """Where the first statement is that may stand before others."""
    for place, node in enumerate(body):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_text and getattr(node, "module", "") != "__future__":
            return place
    return len(body)
