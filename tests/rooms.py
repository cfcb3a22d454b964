"""The rooms of the package: which are the base, which a feature, and what each may import.

A room is a folder of the package. The base answers questions; a feature is one folder with its
command, what it computes and what it shows. Delete the folder, with
those that FEATURES says need it, and everything else runs.
"""

import ast
from collections.abc import Iterator

BASE: dict[str, set[str]] = {
    "core": set(),
    "render": set(),
    "help": set(),
    "rules": {"core"},
    "notation": {"core"},
    "operators": {"core", "rules", "notation"},
    "advice": {"core", "rules", "operators"},
    "reports": {"core", "rules", "operators", "advice", "render"},
    "stream": {"core", "notation", "operators", "reports", "render"},
}
"""The rooms of the base below the command line, each with those that it may import."""
FEATURES: dict[str, set[str]] = {
    "compare": {"picture"},
    "picture": set(),
    "why": set(),
    "model": set(),
    "check": {"compare"},
    "deck": {"compare", "picture"},
    "quiz": set(),
    "raising": {"why"},
}
"""The features, each with the others that it may import; all may import the base."""


def room(file: str) -> str:
    """Return the room of a file of the package: empty for those beside the folders."""
    folder, _, below = file.partition("/")
    return folder if below else ""


def statements(block: ast.AST) -> Iterator[ast.stmt]:
    """Yield each statement of a module, those within others too; it looks into no expression."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(block, field, ()):
            if isinstance(node, ast.stmt):
                yield node
            yield from statements(node)
