"""Slides as one page."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from bcastcli.picture.svg import SANS, ascii_page
from bcastcli.render.user_text import escaped

_WITHOUT_SCRIPT = "<noscript><style>section{display:flex}</style></noscript>"


def _markup(text: str) -> str:
    """A text as HTML writes it, with unprintable characters escaped."""
    return escape(escaped(text))


def _document(title: str, style: str, *body: str) -> str:
    """A page of HTML, as one file: its title and its style, and the lines of its body."""
    lines = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{_markup(title)}</title>",
        f"<style>\n{style}\n</style>",
        *body,
        "</html>\n",
    )
    return ascii_page("\n".join(lines))


def _beside(file: str) -> str:
    """The text of a style sheet or a script, with the names of the fonts."""
    text = Path(__file__).with_name(file).read_text("utf-8").rstrip("\n")
    return text.replace("$sans", SANS)


def slides(title: str, drawn: Iterable[str]) -> str:
    """Return slides as one file: 16:9, arrow keys, one printed page for each.

    Without a script they are below each other.
    """
    style = f"{_beside('slides.css')}\n{_beside('sources.css')}"
    script = "<script>", _beside("sources.js"), _beside("slides.js"), "</script>"
    sections = (f"<section>\n{slide}</section>" for slide in drawn)
    return _document(title, style, _WITHOUT_SCRIPT, *sections, *script)
