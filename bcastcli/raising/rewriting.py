"""The code of a program's file, compiled from a changed syntax tree: its places stay the file's."""

import ast
from collections.abc import Iterator
from importlib.util import decode_source
from types import CodeType

from bcastcli.raising.assignments import Assignments
from bcastcli.raising.operations import Operations
from bcastcli.raising.trees import DEFINITIONS, Imports, after_docstring, helper, placed

_COMPILERS = (
    "numba",
    "triton",
    "torch.jit",
    "taichi",
    "pythran",
    "cupyx.jit",
    "tensorflow.function",
)
"""What compiles a function from its source or its bytecode."""
_TRACERS = {"settrace", "setprofile", "settrace_all_threads", "setprofile_all_threads"}
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
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in _TRACERS:
                raise LeftError("it traces its own calls")
        changed(tree, file, operations=operations, assignments=assignments)
        sources[file] = decode_source(data)
    if main:
        _note_exit(tree, is_script=main == "script")
    return compile(tree, file, "exec", dont_inherit=True)


def changed(tree: ast.Module, file: str, *, operations: bool, assignments: bool) -> None:
    """Change a syntax tree so that its operations or its assignments are looked at."""
    left_alone = set(_left_alone(tree))
    if assignments:
        Assignments(file, left_alone).visit(tree)
    if operations:
        Operations(file, tree, left_alone).visit(tree)


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
    place = after_docstring(tree.body)
    rest = tree.body[place:]
    if not rest:
        return
    raised = [ast.Expr(ast.Call(helper("ended"), [], [])), ast.Raise()]
    noting = ast.Try(rest, [ast.ExceptHandler(helper("SystemExit"), None, raised)], [], [])
    tree.body[place:] = [placed(noting, rest[-1])]
    if is_script:
        first = next(iter(getattr(rest[0], "decorator_list", ())), rest[0])
        names: list[ast.expr] = [
            ast.Name(name, ast.Store()) for name in ("__spec__", "__package__")
        ]
        unset = ast.Assign(names, ast.Constant(None))
        tree.body.insert(place, placed(unset, first))
