"""The code of a program's file, compiled from a changed syntax tree: its places stay the file's."""

import ast
from importlib.util import decode_source
from types import CodeType

from bcastcli.raising.operations import Watched, after_docstring

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


def rewritten(
    data: bytes, file: str, *, operations: bool, assignments: bool, main: str = ""
) -> CodeType:
    """The code of a file; `main` says whether the program starts with it: "script" or "module"."""
    tree = ast.parse(data, file)
    if operations or assignments:
        Watched(file, operations=operations, assignments=assignments).visit(tree)
        sources[file] = decode_source(data)
    if main:
        _note_exit(tree, is_script=main == "script")
    return compile(tree, file, "exec", dont_inherit=True)


def _note_exit(tree: ast.Module, *, is_script: bool) -> None:
    """Have the status known with which the program ends."""
    start = after_docstring(tree.body)
    rest = tree.body[start:]
    if rest:
        unset, noting = ast.parse(_PROGRAM).body
        for new, old in ((unset, rest[0]), (noting, rest[-1])):
            for each in ast.walk(new):
                ast.copy_location(each, old)
        noting.body = rest  # type: ignore[attr-defined]
        tree.body[start:] = [unset, noting] if is_script else [noting]
