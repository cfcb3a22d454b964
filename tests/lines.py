"""How many lines of code the package has: the base, each feature, and the whole.

    python -m tests.lines [CHECKOUT]

A line of code holds a part of a statement: docstrings, comments and blank lines are left out. Only
Python counts, so that tables and the catalogue of messages are left out too. Of the tests all lines
count, with their docstrings.
"""

import ast
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from tests.rooms import FEATURES, room

HERE = Path(__file__).parents[1]
PACKAGE = "bcastcli"
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def main(arguments: list[str]) -> None:
    checkout = Path(*(arguments or [str(HERE)]))
    rooms = code_by_room(checkout / PACKAGE)
    features = {name: rooms[name] for name in FEATURES}
    base = {name: count for name, count in sorted(rooms.items()) if name not in FEATURES}
    tests = sum(
        len(path.read_text("utf-8").splitlines()) for path in (checkout / "tests").rglob("*.py")
    )
    for name, count in base.items():
        print(f"{count:7,}   {name or 'beside the rooms'}")
    totals = {"base": sum(base.values()), **features, "whole": rooms.total(), "tests": tests}
    for name, count in totals.items():
        print(f"{count:7,} {name}")


def code_by_room(package: Path) -> Counter[str]:
    """Return the lines of code in each room of a package; those beside the folders count too."""
    counts: Counter[str] = Counter()
    for path in package.rglob("*.py"):
        file = path.relative_to(package).as_posix()
        counts[room(file)] += code_lines(path.read_text("utf-8"))
    return counts


def code_lines(text: str) -> int:
    lines = {
        line
        for token in tokenize.generate_tokens(StringIO(text).readline)
        if token.type not in _NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(lines.difference(*_documentation(ast.parse(text))))


def _documentation(tree: ast.Module) -> Iterator[range]:
    """Yield the lines of each docstring, which is a statement of its own that is only a text."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=int(last)):
                yield range(first, last + 1)


if __name__ == "__main__":
    main(sys.argv[1:])
