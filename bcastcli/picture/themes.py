"""The colors of slides: nothing is shown by color alone."""

from typing import NamedTuple

from bcastcli.picture.marks import Role
from bcastcli.render.sheet import Tone

ROLES = {
    **{tone: Role(tone.value) for tone in Tone if tone.value in {*map(str, Role)}},
    Tone.PLAIN: Role.LABEL,
    Tone.STRETCH: Role.HEADING,
    Tone.EQUAL: Role.GHOST,
    Tone.NO: Role.CLASH,
    Tone.CONDITION: Role.DEPENDS,
}
"""How the text of a sheet is drawn: `Role` has most tones too."""


class Tint(NamedTuple):
    """The colors of one operand, or of the result."""

    fill: str
    stroke: str
    ink: str
    """Of its name and its numbers."""


# Every ink stands out from its ground by at least 4.5 to 1.
PAPER, INK, FAINT, CLASH = "#ffffff", "#111111", "#555555", "#b00020"
GOOD, MAYBE = "#0a5c1f", "#7a4b00"
OPERANDS = (
    Tint("#cfe4fa", "#0b4f8a", "#083a66"),
    Tint("#ffe3bd", "#9a4a00", "#6b3300"),
    Tint("#d6f0d6", "#1d6b2a", "#154d1e"),
    Tint("#ecdcf7", "#6a2c91", "#4d2069"),
)
RESULT = Tint("#ededed", "#333333", "#111111")


def tint_of(number: int) -> Tint:
    """The colors of an operand by its number; -1 is the result."""
    return RESULT if number < 0 else OPERANDS[number % len(OPERANDS)]


def words(role: Role, tint: int = -1) -> str:
    """The color of a text."""
    if role in (Role.TITLE, Role.SLOT, Role.STORED, Role.RESULT):
        return tint_of(tint).ink
    if role in (Role.GHOST, Role.REPEATED, Role.OUTLINE, Role.NOTE):
        return FAINT
    if role in (Role.CLASH, Role.DIFFERS):
        return CLASH
    return {Role.YES: GOOD, Role.DEPENDS: MAYBE}.get(role, INK)
