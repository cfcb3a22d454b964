"""A sheet as text for a terminal: the table."""

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
    **dict.fromkeys(("repeated", "outline", "ghost"), "dim"),
    **dict.fromkeys(("clash", "surplus", "differs"), "bold red"),
    **dict.fromkeys(("sign", "heading"), "bold"),
    "note": "italic",
    "depends": "bold yellow",
}
"""The looks of the parts of a picture that lack their own color."""
_WORDS = ("", "bold", "dim", "italic", *[""] * 27, "red", "green", "yellow", "", "magenta", "cyan")
"""The words of looks, each at the index of its number in escape sequences."""


def show(sheet: Sheet, terminal: Terminal) -> str:
    """Return a sheet as lines of text, in colors if the terminal shows them."""
    written = lines(sheet, terminal)
    if not terminal.color:
        return "".join("".join([piece.text for piece in line]) + "\n" for line in written)
    return "".join(
        "".join([_paint(piece.text, _look(piece)) for piece in line]) + "\n" for line in written
    )


def _paint(text: str, look: str) -> str:
    """Return a text in the colors of a look, as every terminal knows them."""
    codes = ";".join(str(_WORDS.index(word)) for word in look.split())
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text


def _look(piece: Written) -> str:
    """Return how a piece of text looks: by its tone; in a figure by its role and its operand."""
    if isinstance(piece, Cell):
        return STYLES[piece.tone]
    role, tint = piece.role, piece.tint
    if role in ("stored", "title", "slot"):
        return f"bold {TINTS[tint % len(TINTS)]}" if tint >= 0 else "bold"
    return LOOKS.get(role, "")
