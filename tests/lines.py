"""How many lines of code the package has: the base, each feature, and the whole.

    python -m tests.lines [CHECKOUT]

A line of code holds a part of a statement: docstrings, comments and blank lines are left out. Only
Python counts, so that tables and the catalogue of messages are left out too.
"""

import ast
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path

from tests.rooms import FEATURES, room

HERE = Path(__file__).parents[1]
PACKAGE = "bcastcli"
LONG = 450
"""No file is to be longer than this, all its lines counted."""
MOST = {
    "base": 8_872,
    "compare": 867,
    "picture": 2_414,
    "why": 2_646,
    "model": 3_373,
    "check": 302,
    "deck": 146,
    "quiz": 1_144,
    "raising": 1_397,
    "whole": 21_161,
    "tests": 30_500,
}
"""The limits: who adds makes room first. Of the tests all lines count, with their docstrings."""
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def main(arguments: list[str]) -> None:
    """Print the lines of code of a checkout, by default this one, each beside its limit."""
    checkout = Path(*(arguments or [str(HERE)]))
    rooms = code_by_room(checkout / PACKAGE)
    for name, count in sorted(rooms.items()):
        if name not in FEATURES:
            print(f"{count:7,}          {name or 'beside the rooms'}")
    for name, count in counted(checkout).items():
        print(f"{count:7,} of {MOST[name]:6,} {name}")
    for file, count in long_files(checkout / PACKAGE).items():
        print(f"{count:7,} {file}: over {LONG} lines")


def counted(checkout: Path) -> dict[str, int]:
    """Return the lines of all that has a limit: the base, each feature, the whole, the tests."""
    rooms = code_by_room(checkout / PACKAGE)
    features = {name: rooms[name] for name in FEATURES}
    base = rooms.total() - sum(features.values())
    tests = sum(
        len(path.read_text("utf-8").splitlines()) for path in (checkout / "tests").rglob("*.py")
    )
    return {"base": base, **features, "whole": rooms.total(), "tests": tests}


def over(counts: Mapping[str, int], most: Mapping[str, int] = MOST) -> dict[str, int]:
    """Return by how many lines each count is over its limit."""
    return {name: count - most[name] for name, count in counts.items() if count > most[name]}


def code_by_room(package: Path) -> Counter[str]:
    """Return the lines of code in each room of a package; those beside the folders count too."""
    counts: Counter[str] = Counter()
    for path in package.rglob("*.py"):
        file = path.relative_to(package).as_posix()
        counts[room(file)] += code_lines(path.read_text("utf-8"))
    return counts


def long_files(package: Path) -> dict[str, int]:
    """Return the files of a package that are too long, the longest first, each with its lines."""
    counts = {
        path.relative_to(package).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in package.rglob("*.py")
    }
    longest = sorted(counts, key=lambda file: (-counts[file], file))
    return {file: counts[file] for file in longest if counts[file] > LONG}


def code_lines(text: str) -> int:
    """Return how many lines of a module hold code."""
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
