"""The colors, fonts and encoding of all pages; nothing is shown by color alone."""

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from bcastcli.picture.metrics import SANS, on_page
from bcastcli.picture.themes import ROLES, Theme
from bcastcli.render.sheet import Grid, Line, Part, Row, Sheet, Tone
from bcastcli.render.user_text import escaped

MONOSPACE = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

WEIGHTS = """\
.stretch,.clash,.depends,.yes,.no,.condition{font-weight:bold}
.note{font-style:italic}"""
"""The styles that also show in black and white."""
_WITHOUT_SCRIPT = "<noscript><style>section{display:flex}</style></noscript>"


def css(theme: Theme) -> str:
    """Return the rules of CSS for text in the colors of a theme."""
    tones = (f".{tone.value}{{color:{theme.words(role)}}}" for tone, role in ROLES.items())
    return "\n".join((f"body{{background:{theme.paper};color:{theme.ink}}}", *tones))


def markup(text: str) -> str:
    """Return a text as HTML writes it, with unprintable characters escaped."""
    return escape(escaped(text))


def ascii_page(text: str) -> str:
    """Return a page in ASCII: it is the same file wherever it is written."""
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def document(title: str, style: str, *body: str, description: str = "") -> str:
    """Return a page of HTML, as one file: its title and its style, and the lines of its body."""
    about = [f'<meta name="description" content="{markup(description)}">'] if description else []
    lines = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        *about,
        f"<title>{markup(title)}</title>",
        f"<style>\n{style}\n</style>",
        *body,
        "</html>\n",
    )
    return ascii_page("\n".join(lines))


def beside(file: str, module: str = __file__) -> str:
    """Return the text of a style sheet or a script of a module, with the names of the fonts."""
    text = Path(module).with_name(file).read_text("utf-8").rstrip("\n")
    return text.replace("$monospace", MONOSPACE).replace("$sans", SANS)


def slides(title: str, drawn: Iterable[str]) -> str:
    """Return slides as one file: 16:9, arrow keys, one printed page for each.

    Without a script they are below each other.
    """
    style = f"{beside('slides.css')}\n{beside('sources.css')}"
    script = "<script>", beside("sources.js"), beside("slides.js"), "</script>"
    sections = (f"<section>\n{slide}</section>" for slide in drawn)
    return document(title, style, _WITHOUT_SCRIPT, *sections, *script)


def worded(sheet: Sheet) -> Sheet:
    """Return a sheet as a page words it."""
    parts, hidden = (tuple(map(_worded, each)) for each in (sheet.parts, sheet.hidden))
    return sheet._replace(parts=parts, hidden=hidden)


def _worded(part: Part) -> Part:
    if isinstance(part, Line):
        text = part.on_page or part.text
        is_plain = not part.label and part.tone is Tone.PLAIN  # it may show a command
        return part._replace(text=text if is_plain else on_page(text))
    if not isinstance(part, Grid):
        return part
    last = 1 if part.ruled else 9  # further columns list axes
    places = {*range(1, last + 1)} - {*part.sizes}
    bodies = (tuple(_worded_row(row, places) for row in body) for body in part.bodies)
    return part._replace(bodies=tuple(bodies), brief=on_page(part.brief))


def _worded_row(row: Row, places: set[int]) -> Row:
    cells = enumerate(row)
    return tuple(c._replace(text=on_page(c.text)) if n in places else c for n, c in cells)


def with_briefs(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts below a figure, with each table replaced by its brief line."""
    for part in parts:
        if not isinstance(part, Grid):
            yield part
        elif part.brief:
            yield Line(part.rows[0][0].text, part.brief)
