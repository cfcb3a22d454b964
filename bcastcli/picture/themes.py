"""The colors of pictures and pages: nothing is shown by color alone."""

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


class Theme(NamedTuple):
    """The colors of a medium; every ink stands out from its ground by at least 4.5 to 1."""

    paper: str
    ink: str
    faint: str
    clash: str
    good: str
    maybe: str
    operands: tuple[Tint, ...]
    result: Tint

    def tint(self, number: int) -> Tint:
        """Return the colors of an operand by its number; -1 is the result."""
        return self.result if number < 0 else self.operands[number % len(self.operands)]

    def words(self, role: Role, tint: int = -1) -> str:
        """Return the color of a text."""
        if role in (Role.TITLE, Role.SLOT, Role.STORED, Role.RESULT):
            return self.tint(tint).ink
        if role in (Role.GHOST, Role.REPEATED, Role.OUTLINE, Role.NOTE):
            return self.faint
        if role in (Role.YES, Role.DEPENDS):
            return self.good if role is Role.YES else self.maybe
        return self.clash if role in (Role.CLASH, Role.DIFFERS) else self.ink


THEMES = {
    "light": Theme(
        paper="#ffffff",
        ink="#111111",
        faint="#555555",
        clash="#b00020",
        good="#0a5c1f",
        maybe="#7a4b00",
        operands=(
            Tint("#cfe4fa", "#0b4f8a", "#083a66"),
            Tint("#ffe3bd", "#9a4a00", "#6b3300"),
            Tint("#d6f0d6", "#1d6b2a", "#154d1e"),
            Tint("#ecdcf7", "#6a2c91", "#4d2069"),
        ),
        result=Tint("#ededed", "#333333", "#111111"),
    ),
    "dark": Theme(
        paper="#141414",
        ink="#f2f2f2",
        faint="#b4b4b4",
        clash="#ff8a8a",
        good="#7fdc8f",
        maybe="#ffcc66",
        operands=(
            Tint("#143a5c", "#7cc4ff", "#cfe8ff"),
            Tint("#553108", "#ffb866", "#ffe2bd"),
            Tint("#17431d", "#86dd92", "#d3f5d7"),
            Tint("#40225a", "#cf9cf0", "#eddcf9"),
        ),
        result=Tint("#333333", "#cccccc", "#ffffff"),
    ),
}
