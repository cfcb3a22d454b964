"""A sheet as text for a terminal: the table."""

from io import StringIO
from typing import cast

from rich.console import Console
from rich.text import Text

from bcastcli.render import Report, Terminal
from bcastcli.render.lines import Written, lines
from bcastcli.render.sheet import Cell, Sheet, Tone

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


def write(report: Report, terminal: Terminal) -> str:
    """Return the report's sheet."""
    return show(report.sheet(), terminal)


def show(sheet: Sheet, terminal: Terminal) -> str:
    """Return a sheet as lines of text, in colors if the terminal shows them."""
    console = Console(
        file=StringIO(),
        color_system="standard" if terminal.color else None,
        force_terminal=terminal.color,
        no_color=not terminal.color,
        markup=False,
        highlight=False,
        emoji=False,
        # The lines are fitted already: none is cut or wrapped.
        width=2**31,
        legacy_windows=False,
    )
    for line in lines(sheet, terminal):
        pieces = ((piece.text, _look(piece)) for piece in line)
        console.print(Text.assemble(*pieces), soft_wrap=True)
    return cast("StringIO", console.file).getvalue()


def _look(piece: Written) -> str:
    """Return how a piece of text looks: by its tone; in a figure by its role and its operand."""
    if isinstance(piece, Cell):
        return STYLES[piece.tone]
    role, tint = piece.role.value, piece.tint
    if role in ("stored", "title", "slot", "open"):
        return f"bold {TINTS[tint % len(TINTS)]}" if tint >= 0 else "bold"
    return LOOKS.get(role, "")
