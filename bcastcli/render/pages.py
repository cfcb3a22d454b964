"""The colors, fonts and encoding of all pages; nothing is shown by color alone."""

from collections.abc import Iterable, Iterator
from html import escape

from bcastcli.render.sheet import Grid, Line, Paragraph, Part, Sheet, Tone
from bcastcli.render.user_text import escaped

MONOSPACE = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

# Each stands out from its paper by a contrast of at least 4.5 to 1.
LIGHT = {
    Tone.PLAIN: "#111111",
    Tone.GHOST: "#595959",
    Tone.EQUAL: "#595959",
    Tone.STRETCH: "#0b4f8a",
    Tone.CLASH: "#a80020",
    Tone.DEPENDS: "#7a4b00",
    Tone.NOTE: "#333333",
    Tone.YES: "#0a5c1f",
    Tone.NO: "#a80020",
    Tone.CONDITION: "#7a4b00",
}
DARK = {
    Tone.PLAIN: "#f2f2f2",
    Tone.GHOST: "#b0b0b0",
    Tone.EQUAL: "#b0b0b0",
    Tone.STRETCH: "#7cc4ff",
    Tone.CLASH: "#ff9494",
    Tone.DEPENDS: "#ffcc66",
    Tone.NOTE: "#dddddd",
    Tone.YES: "#7fdc8f",
    Tone.NO: "#ff9494",
    Tone.CONDITION: "#ffcc66",
}
PAPER = {"light": "#ffffff", "dark": "#141414"}
WEIGHTS = """\
.stretch,.clash,.depends,.yes,.no,.condition{font-weight:bold}
.note{font-style:italic}"""
"""The styles that also show in black and white."""


def css(colors: dict[Tone, str]) -> str:
    """Return the rules of CSS for text in these colors."""
    return "\n".join(f".{tone.value}{{color:{color}}}" for tone, color in colors.items())


def markup(text: str) -> str:
    """Return a text as HTML writes it, with what is not printable escaped."""
    return escape(escaped(text))


def ascii_page(text: str) -> str:
    """Return a page in ASCII: it is the same file wherever it is written."""
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def for_page(sheet: Sheet) -> Sheet:
    """Return a sheet as a page words it, without what has no room beside its figure."""
    sheet = sheet._replace(parts=tuple(map(_worded, sheet.parts)))
    if all(isinstance(part, Grid | Line | Paragraph) for part in sheet.parts):
        return sheet
    return sheet._replace(parts=tuple(_brief(sheet.parts)))


def _worded(part: Part) -> Part:
    return part._replace(text=part.on_page) if isinstance(part, Line) and part.on_page else part


def _brief(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts without remarks and asides, and below the figure without tables."""
    is_below = False
    for part in parts:
        is_below = is_below or not isinstance(part, Grid | Line | Paragraph)
        if isinstance(part, Grid):
            if not is_below:
                kept = -1 if part.remarks else None
                bodies = (tuple(row[:kept] for row in body) for body in part.bodies)
                yield part._replace(bodies=tuple(bodies))
        elif not isinstance(part, Line) or not part.aside:
            yield part
