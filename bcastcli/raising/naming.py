"""How a place in a program, and an expression there, are named."""

import ast
import os
import re
from pathlib import Path
from typing import NamedTuple

from bcastcli.why.messages.operands import LONGEST

MAX_COLUMNS = 80
_CELL = re.compile(r"<ipython-input-|[\\/]ipykernel_\d+[\\/]|<cell \d|<timed exec>")


class Where(NamedTuple):
    """A place in a program."""

    file: str
    line: int
    function: str
    """The qualified name of the function; empty for the code of a module."""
    source: str
    """The expression, or the statement."""


def shown_file(file: str) -> str:
    """A file as people name it: from here, or from its package."""
    if _CELL.search(file):
        return "the cell"
    return file.rpartition("-packages" + os.sep)[2].removeprefix(f"{Path.cwd()}{os.sep}")


def place(where: Where, before: str = "") -> str:
    """A place in one line."""
    function = f", in {where.function}" if where.function else ""
    source = f": {where.source}" if where.source else ""
    text = f"{before}{shown_file(where.file)}, line {where.line}{function}{source}"
    return text if len(text) <= MAX_COLUMNS else f"{text[: MAX_COLUMNS - 5]}..."


def shortened(name: str) -> str:
    """An expression that fits into a table, in parentheses where a method needs them."""
    if name and " in " not in name:
        [node] = ast.parse(name).body
        value = getattr(node, "value", None)
        kinds = ast.BinOp | ast.Compare | ast.UnaryOp | ast.IfExp | ast.BoolOp
        name = f"({name})" if isinstance(value, kinds) else name
    half = (LONGEST - 3) // 2
    return name if len(name) <= LONGEST else f"{name[:half]}...{name[-half:]}"
