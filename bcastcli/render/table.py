"""A sheet as text for a terminal: the table."""

from io import StringIO
from typing import cast

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bcastcli.render import Style
from bcastcli.render.sheet import (
    Cell,
    Grid,
    Line,
    Sheet,
    Tone,
    label_width,
    size_widths,
    text_without_bracket,
)

ASCII_LINES = box.Box("    \n    \n -- \n    \n -- \n -- \n    \n    \n", ascii=True)
STYLES = {
    Tone.PLAIN: "",
    Tone.GHOST: "dim",
    Tone.EQUAL: "dim",
    Tone.STRETCH: "cyan",
    Tone.CLASH: "bold red",
    Tone.DEPENDS: "yellow",
    Tone.NOTE: "italic",
    Tone.YES: "bold green",
    Tone.NO: "bold red",
    Tone.CONDITION: "bold yellow",
}

TINTS = ("cyan", "yellow", "green", "magenta")
"""The colors of operands in a picture."""
LOOKS = {
    "repeated": "dim",
    "outline": "dim",
    "ghost": "dim",
    "note": "italic",
    "clash": "bold red",
    "surplus": "bold red",
    "differs": "bold red",
    "depends": "bold yellow",
    "sign": "bold",
    "heading": "bold",
}
"""How the parts of a picture look that have no color of their own."""


def _look(role: str, tint: int) -> str:
    """How a part of a picture looks, by its role and the operand that it belongs to."""
    if role in ("stored", "title", "slot", "open"):
        return f"bold {TINTS[tint % len(TINTS)]}" if tint >= 0 else "bold"
    return LOOKS.get(role, "")


def show(sheet: Sheet, style: Style) -> str:
    """The sheet as lines of text."""
    console = Console(
        file=StringIO(),
        color_system="standard" if style.color else None,
        force_terminal=style.color,
        no_color=not style.color,
        markup=False,
        highlight=False,
        emoji=False,
        # Wider than any table: no size is ever cut or wrapped, on any terminal.
        width=2**31,
        legacy_windows=False,
    )
    labels = label_width(sheet)
    for part in sheet.parts:
        if isinstance(part, Line):
            text = f"{part.label:<{labels}}  {part.text}" if part.label else part.text
            console.print(Text(text, STYLES[part.tone]), soft_wrap=True)
        elif isinstance(part, Grid):
            console.print(_ruled(part, style.boxes) if part.ruled else _labelled(part, labels))
        else:
            from bcastcli.render.picture import terminal  # rarely asked for

            for line in terminal.drawn(part, style.columns, boxes=style.boxes):
                pieces = ((piece.text, _look(piece.role.value, piece.tint)) for piece in line)
                console.print(Text.assemble(*pieces), soft_wrap=True)
    written = cast("StringIO", console.file).getvalue()
    return "".join(f"{line.rstrip()}\n" for line in written.splitlines())


def _ruled(grid: Grid, boxes: bool) -> Table:
    """A table with lines between its parts."""
    lines = box.HORIZONTALS if boxes else ASCII_LINES
    table = Table(box=lines, header_style="", show_edge=False, pad_edge=False)
    widths = size_widths(grid)
    for place, heads in enumerate(zip(*grid.head, strict=True)):
        texts = (_padded(head, widths.get(place)) for head in heads)
        table.add_column(Text("\n").join(texts), no_wrap=True)
    for body in grid.bodies:
        for row in body:
            table.add_row(*(_padded(cell, widths.get(place)) for place, cell in enumerate(row)))
        table.add_section()
    return table


def _labelled(grid: Grid, labels: int) -> Table:
    """A table without lines, with labels in its first column."""
    table = Table.grid(padding=(0, 2, 0, 0))
    widths = size_widths(grid)
    for place, _ in enumerate(grid.rows[0]):
        table.add_column(no_wrap=True, min_width=labels if place == 0 else None)
    for row in grid.rows:
        table.add_row(*(_padded(cell, widths.get(place)) for place, cell in enumerate(row)))
    return table


def _padded(cell: Cell, width: int | None) -> Text:
    """A cell's text, aligned right to a width, if it is in a column of sizes.

    The closing bracket of a ghost hangs over, so that its 1 stands below the other sizes.
    """
    style = STYLES[cell.tone]
    if width is None:
        return Text(cell.text, style)
    text = text_without_bracket(cell)
    hanging = cell.text[len(text) :] or " "
    return Text(" " * (width - len(text))).append(text + hanging, style)
