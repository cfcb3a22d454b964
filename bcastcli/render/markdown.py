"""A sheet as GitHub-flavoured Markdown."""

import re
from collections.abc import Mapping
from itertools import zip_longest

from bcastcli.render import Terminal, plain
from bcastcli.render.sheet import Cell, Grid, Line, Paragraph, Part, Sheet, Tone
from bcastcli.render.user_text import escaped

STRONG = {Tone.CLASH, Tone.YES, Tone.NO, Tone.CONDITION}


def show(sheet: Sheet, terminal: Terminal) -> str:
    """Return a sheet with an empty line after each part, so that the next one is separate."""
    return "".join(f"{_part(part, terminal)}\n\n" for part in sheet.parts)


def with_tags(text: str, tags: Mapping[str, object]) -> str:
    """Return a report's text with its label after the last line."""
    return plain.with_tags(text, {"label": _escaped(str(tags.get("label", "")))})


def _part(part: Part, terminal: Terminal) -> str:
    if isinstance(part, Paragraph):
        return "\n\n".join(map(_escaped, part.items))
    if isinstance(part, Line):
        text = _text(Cell(part.text, part.tone))
        return f"- {_escaped(part.label)}: {text}" if part.label else text
    if isinstance(part, Grid):
        return _table(part)
    # A file is as wide as it needs to be.
    lines = part.lines(None, boxes=terminal.has_box_characters)
    text = "\n".join("".join(piece.text for piece in line) for line in lines)
    return f"```text\n{text}\n```"


def _table(grid: Grid) -> str:
    """Return a table; its first row is the head, which Markdown needs."""
    rows = grid.rows if grid.head else [(), *grid.rows]
    columns = list(zip_longest(*([_text(cell) for cell in row] for row in rows), fillvalue=""))
    widths = [max(3, *map(len, column)) for column in columns]
    rules = [
        f"{'-' * (width - 1)}:" if place in grid.sizes else "-" * width
        for place, width in enumerate(widths)
    ]
    head, *body = zip(*columns, strict=True)
    lines = [
        " | ".join(
            f"{text:>{width}}" if place in grid.sizes else f"{text:<{width}}"
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (head, *body)
    ]
    lines.insert(1, " | ".join(rules))
    return "\n".join(f"| {line} |" for line in lines)


def _text(cell: Cell) -> str:
    text = _escaped(cell.text)
    return f"**{text}**" if text and cell.tone in STRONG else text


def _escaped(text: str) -> str:
    """Return a text with a backslash before whatever Markdown would read as a mark."""
    return re.sub(r"([\\`*_{}\[\]<>|~&$])", r"\\\1", escaped(text))
