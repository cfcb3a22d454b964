"""Slides as one HTML file: 16:9, arrow keys, one printed page for each."""

from collections.abc import Iterable

from bcastcli.render import Terminal, pages
from bcastcli.render.picture import svg
from bcastcli.render.picture.marks import Drawing, Role, Text
from bcastcli.render.picture.metrics import measure, wrapped
from bcastcli.render.picture.themes import THEMES
from bcastcli.render.svg import SLIDE

HEADING, SMALLEST = 64.0, 26.0
MARGIN = 36.0


def heading(text: str, terminal: Terminal) -> str:
    """Return a slide that has a heading alone, in lines between words where it is long."""
    size = min(HEADING, max(SMALLEST, HEADING * 90 / max(len(text), 1)))
    lines = wrapped(text, SLIDE[0] - 2 * MARGIN, lambda line: measure(line, size, Role.HEADING))
    top = (SLIDE[1] - (len(lines) - 1) * size * 1.3) / 2
    marks = tuple(
        Text(SLIDE[0] / 2, top + n * size * 1.3, line, size, Role.HEADING, anchor="middle")
        for n, line in enumerate(lines)
    )
    theme = THEMES[terminal.theme or "light"]
    return svg.document(Drawing(marks, *SLIDE), theme, text, text)


def document(slides: Iterable[str], title: str, terminal: Terminal) -> str:
    """Return slides, each an SVG, as one file; without a script they are below each other."""
    theme = THEMES[terminal.theme or "light"]
    sections = "\n".join(
        f"<section>\n{svg.numbered(slide, number, theme)}</section>"
        for number, slide in enumerate(slides, 1)
    )
    return pages.document(
        title,
        f"{pages.beside('deck.css')}\n{pages.beside('sources.css')}",
        "<noscript><style>section{display:flex}</style></noscript>",
        sections,
        pages.script("sources.js", "deck.js"),
    )
