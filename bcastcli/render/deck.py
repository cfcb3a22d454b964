"""Slides as one HTML file: 16:9, arrow keys, one printed page for each."""

from collections.abc import Iterable

from bcastcli.render import Terminal, pages
from bcastcli.render.picture import svg
from bcastcli.render.picture.marks import Drawing, Role, Text
from bcastcli.render.picture.themes import THEMES
from bcastcli.render.svg import SLIDE

HEADING = 64.0


def heading(text: str, terminal: Terminal) -> str:
    """Return a slide that has a heading alone."""
    size = min(HEADING, HEADING * 34 / max(len(text), 1))
    mark = Text(SLIDE[0] / 2, SLIDE[1] / 2, text, size, Role.HEADING, anchor="middle")
    theme = THEMES[terminal.theme or "light"]
    return svg.document(Drawing((mark,), *SLIDE), theme, text, text)


def document(slides: Iterable[str], title: str) -> str:
    """Return slides, each an SVG, as one file; without a script they are below each other."""
    renamed = (svg.renamed(slide, number) for number, slide in enumerate(slides, 1))
    sections = "\n".join(f"<section>\n{slide}</section>" for slide in renamed)
    return pages.document(
        title,
        f"{pages.beside('deck.css')}\n{pages.beside('sources.css')}",
        "<noscript><style>section{display:flex}</style></noscript>",
        sections,
        pages.script("sources.js", "deck.js"),
    )
