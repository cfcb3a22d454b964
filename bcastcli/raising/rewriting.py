"""The code of a program's file, compiled from a changed syntax tree: its places stay the file's."""

import ast
import re
from collections.abc import Iterator, Sequence
from importlib.util import decode_source
from types import CodeType
from typing import Any

from bcastcli.raising.operations import Operations
from bcastcli.raising.trees import DEFINITIONS, Imports, are_numbers, helper, placed
from bcastcli.raising.watching import Site, sites

_COMPILERS = ("numba", "triton", "torch.jit", "taichi", "tensorflow.function")
"""What compiles a function from its source or its bytecode."""
_TRACES = re.compile(r"\bset(?:trace|profile)")
"""With these a program would see what is called to look at its values."""
sources: dict[str, str] = {}
"""The sources of the files that were rewritten."""


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
        changed(tree, file, operations=operations, assignments=assignments)
        sources[file] = source
    if main:
        _note_exit(tree, is_script=main == "script")
    return compile(tree, file, "exec", dont_inherit=True)


def changed(tree: ast.Module, file: str, *, operations: bool, assignments: bool) -> ast.Module:
    """The syntax tree, changed so that its operations or its assignments are looked at."""
    left_alone = set(_left_alone(tree))
    if assignments:
        _Assignments(file, left_alone).visit(tree)
    if operations:
        Operations(file, tree, left_alone).visit(tree)
    return tree


class _Assignments(ast.NodeTransformer):
    """Has the values of names looked at: `x = f(y)` is followed by `seen(x, 7)`.

    Parameters, the variables of loops and those of `with` are looked at first in their block. A
    value that gets no name, as by `return` or `self.x = y`, passes through `seen`.
    """

    def __init__(self, file: str, left_alone: set[ast.AST]) -> None:
        self._file, self._left_alone = file, left_alone
        self._functions: list[str] = []

    def visit(self, node: ast.AST) -> Any:
        """The node in place of this one, and what follows it."""
        if node in self._left_alone or isinstance(node, ast.expr):
            return node
        name = [node.name] if isinstance(node, DEFINITIONS) else []
        self._functions += name
        done = self._looked_at(node, _bound(node))
        if isinstance(node, ast.ClassDef):  # others may read its own names
            for each in node.body:
                if isinstance(each, DEFINITIONS):
                    self.visit(each)
        else:
            self.generic_visit(node)
        if name:
            self._functions.pop()
        return done

    def _looked_at(self, node: Any, names: Sequence[str]) -> Any:
        """A statement with a look at the names that it binds."""
        if names and hasattr(node, "body"):
            start = _after_docstring(node.body)
            first = node.body[min(start, len(node.body) - 1)]
            node.body.insert(start, self._look(node, names, first))
        elif names:
            return [node, self._look(node, names, node)]
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.Return) and node.value:
            node.value = placed(self._seen(node, names, node.value), node.value)
        return node

    def _look(self, node: Any, names: Sequence[str], place: ast.AST) -> ast.stmt:
        """A statement that looks at names, unless they have numbers: loops over these are fast."""
        values = [ast.Name(name, ast.Load()) for name in names]
        if len(values) > 1:
            return placed(
                ast.Expr(self._seen(node, names, ast.Tuple([*values], ast.Load()))), place
            )
        seen = self._seen(node, names, values[0])
        return placed(ast.Expr(ast.BoolOp(ast.Or(), [are_numbers(values), seen])), place)

    def _seen(self, node: Any, names: Sequence[str], value: ast.expr) -> ast.expr:
        line = node.lineno if hasattr(node, "body") else node.end_lineno
        sites.append(Site(self._file, line, ".".join(self._functions), names=tuple(names)))
        return ast.Call(helper("seen"), [value, ast.Constant(len(sites) - 1)], [])


def _bound(node: Any) -> list[str]:
    """The names that a statement binds, or the parameters of a function."""
    targets: list[Any] = []
    match node:
        case ast.FunctionDef(args=given) | ast.AsyncFunctionDef(args=given):
            own = [each.arg for each in ast.iter_child_nodes(given) if isinstance(each, ast.arg)]
            return [name for name in own if name not in ("self", "cls")]
        case ast.Assign():
            targets = node.targets[:1]
        case ast.AnnAssign(value=ast.expr()) | ast.AugAssign() | ast.For() | ast.AsyncFor():
            targets = [node.target]
        case ast.With() | ast.AsyncWith():
            targets = [each.optional_vars for each in node.items if each.optional_vars]
    names = [part for each in targets for part in ast.walk(each) if isinstance(part, ast.Name)]
    return [each.id for each in names if isinstance(each.ctx, ast.Store)]


def _left_alone(tree: ast.Module) -> Iterator[ast.AST]:
    """The functions that a compiler of Python reads: by a decorator, or by a call."""
    imports = Imports(tree)
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    of_compilers = [each for each in calls if imports.full_name(each.func).startswith(_COMPILERS)]
    given = {ast.unparse(argument) for each in of_compilers for argument in each.args}
    for node in ast.walk(tree):
        if isinstance(node, DEFINITIONS):
            own = [getattr(each, "func", each) for each in node.decorator_list]
            is_decorated = any(imports.full_name(each).startswith(_COMPILERS) for each in own)
            if is_decorated or node.name in given:
                yield node


def _note_exit(tree: ast.Module, *, is_script: bool) -> None:
    """Have the status known with which the program ends; a script has no spec and no package."""
    place = _after_docstring(tree.body)
    rest = tree.body[place:]
    if not rest:
        return
    raised = [ast.Expr(ast.Call(helper("ended"), [], [])), ast.Raise()]
    noting = ast.Try(rest, [ast.ExceptHandler(helper("SystemExit"), None, raised)], [], [])
    tree.body[place:] = [placed(noting, rest[-1])]
    if is_script:
        first = next(iter(getattr(rest[0], "decorator_list", ())), rest[0])
        unset = ast.parse("__spec__ = __package__ = None").body[0]
        for node in ast.walk(unset):
            ast.copy_location(node, first)
        tree.body.insert(place, unset)


def _after_docstring(body: list[ast.stmt]) -> int:
    """Where the first statement is that may stand before others."""
    for place, node in enumerate(body):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_text and getattr(node, "module", "") != "__future__":
            return place
    return len(body)
