"""A sheet as text for a terminal: the table."""

from collections.abc import Callable

from bcastcli.render import Terminal
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


def show(sheet: Sheet, terminal: Terminal) -> str:
    """Return a sheet as lines of text, in colors if the terminal shows them."""
    written = lines(sheet, terminal)
    if not terminal.color:
        return "".join("".join([piece.text for piece in line]) + "\n" for line in written)
    paint = _painter()
    return "".join(
        "".join([paint(piece.text, _look(piece)) for piece in line]) + "\n" for line in written
    )


def _painter() -> Callable[[str, str], str]:
    """Return the function that writes a text in the colors of a look."""
    # Rich's console takes ten times as long to load as its styles.
    from rich.color import ColorSystem
    from rich.style import Style

    def painted(text: str, look: str) -> str:
        return Style.parse(look).render(text, color_system=ColorSystem.STANDARD)

    return painted


def _look(piece: Written) -> str:
    """Return how a piece of text looks: by its tone; in a figure by its role and its operand."""
    if isinstance(piece, Cell):
        return STYLES[piece.tone]
    role, tint = piece.role.value, piece.tint
    if role in ("stored", "title", "slot", "open"):
        return f"bold {TINTS[tint % len(TINTS)]}" if tint >= 0 else "bold"
    return LOOKS.get(role, "")
