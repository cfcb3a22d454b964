"""Slides as one page."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from bcastcli.picture.svg import SANS, ascii_page
from bcastcli.render import escaped


def _beside(file: str) -> str:
    """The text of a style sheet or a script, with the names of the fonts."""
    text = Path(__file__).with_name(file).read_text("utf-8").rstrip("\n")
    return text.replace("$sans", SANS)


def slides(title: str, drawn: Iterable[str]) -> str:
    """Slides as one file: 16:9, arrow keys, one printed page for each.

    Without a script they are below each other.
    """
    lines = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{escape(escaped(title))}</title>",
        f"<style>\n{_beside('slides.css')}\n{_beside('sources.css')}\n</style>",
        "<noscript><style>section{display:flex}</style></noscript>",
        *(f"<section>\n{slide}</section>" for slide in drawn),
        f"<script>\n{_beside('sources.js')}\n{_beside('slides.js')}\n</script>",
        "</html>\n",
    )
    return ascii_page("\n".join(lines))
