"""The formats, one module for each, which is loaded when its format is asked for.

To add one, add a member of `Format`, say below whether it is a page, and write a module of its name
with `show(sheet, terminal)`. This folder knows no reports: it is given what they show, as a sheet,
or as cells, rows or records for programs (`reports.writer`).
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib import import_module
from typing import NamedTuple


class Format(StrEnum):
    """The formats, each the name of its module."""

    TABLE = "table"
    PLAIN = "plain"
    JSON = "json"
    TSV = "tsv"
    MARKDOWN = "markdown"
    SVG = "svg"
    HTML = "html"
    PNG = "png"
    PDF = "pdf"

    @property
    def is_text(self) -> bool:
        """Whether it is text; the others are what a converter makes of SVG."""
        return self not in IMAGES

    @property
    def is_page(self) -> bool:
        """Whether one answer is a whole file."""
        return self in PAGES

    @property
    def is_for_people(self) -> bool:
        """Whether it can show any sheet."""
        return self in FOR_PEOPLE


IMAGES = (Format.PNG, Format.PDF)
"""The formats that a converter makes of SVG."""
PAGES = (Format.SVG, Format.HTML, *IMAGES)
"""The formats in which one answer is a whole file."""
FOR_PEOPLE = (Format.TABLE, Format.MARKDOWN, *PAGES)
"""The formats that can show any sheet."""


class DoesNotFit(Exception):  # noqa: N818  # it is an answer, in one sentence
    """There is no room for it on a slide."""

    def __init__(self, text: str, figures: int) -> None:
        """Take the sentence, and the number of figures: each of several may fit alone."""
        super().__init__(text)
        self.figures = figures


class Terminal(NamedTuple):
    """The abilities of the place where the text is shown."""

    color: bool = False
    has_box_characters: bool = False
    """Whether its encoding has the characters that tables are drawn with."""
    columns: int | None = None
    """Its width; None for a pipe or a file."""
    theme: str = ""
    """The colors of a page; empty: light, and in HTML as the reader prefers."""
    title: str = ""
    """The title of a page; empty: what was asked."""


def line_numbering(output: Format) -> Callable[[str, int], str]:
    """Return the function that adds to a text the number of its line, where it has a place."""
    if output not in (Format.JSON, Format.TSV):
        return lambda text, number: text
    with_number: Callable[[str, int], str]
    with_number = import_module(f"bcastcli.render.{output}").with_line_number
    return with_number


def with_tags(text: str, output: Format, tags: Mapping[str, object]) -> str:
    """Return a report's text with a `label`, an `id`, or both, where they have a place."""
    if output.is_page:
        return text
    own = Format.PLAIN if output is Format.TABLE else output
    tag: Callable[[str, Mapping[str, object]], str]
    tag = import_module(f"bcastcli.render.{own}").with_tags
    return tag(text, tags)
