"""How many lines of code the package has: in all, in each folder, and in its longest files.

    python -m tests.lines [CHECKOUT]

A line of code holds a part of a statement: docstrings, comments and blank lines are left out. Only
Python counts, so that tables and the catalogue of messages are left out too.
"""

import ast
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

HERE = Path(__file__).parents[1]
PACKAGE = "bcastcli"
LONG = 450
"""No file is to be longer than this, all its lines counted."""
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def main(arguments: list[str]) -> None:
    """Print the lines of code of a checkout, by default this one."""
    package = Path(*(arguments or [str(HERE)])) / PACKAGE
    folders = code_by_folder(package)
    for folder, count in [*folders.items(), ("in all", folders.total())]:
        print(f"{count:7,} {folder}")
    for file, count in long_files(package).items():
        print(f"{count:7,} {file}: over {LONG} lines")


def code_by_folder(package: Path) -> Counter[str]:
    """Return the lines of code in each folder of a package, those in its subfolders too."""
    counts: Counter[str] = Counter()
    for path in sorted(package.rglob("*.py")):
        folder, *below = path.relative_to(package).parts
        counts[folder if below else "beside the folders"] += code_lines(path.read_text("utf-8"))
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
