"""Reports as text, one module for each format; a format's module is loaded when it is asked for.

This folder sees only the views of a report: lines, rows, records and sheet.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from bcastcli.render.sheet import Sheet


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


class Report:
    """The content of an answer, in several views; each format writes one of them."""

    HEADS: tuple[str, ...] = ()
    """The heads of the columns of its rows."""

    def lines(self) -> Sequence[str]:
        """Return the report for a shell, most of them in one line."""
        raise NotImplementedError

    def cells(self) -> Sequence[Sequence[str]]:
        """Return the lines for a shell as cells, to be joined by tabs; by default one a line."""
        return [(line,) for line in self.lines()]

    def rows(self) -> Sequence[Sequence[str]]:
        """Return the rows for a spreadsheet, with texts that are not escaped; by default none."""
        return ()

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the JSON objects for a program, most of them one."""
        raise NotImplementedError

    def sheet(self) -> "Sheet":
        """Return the sheet for people; by default the lines."""
        from bcastcli.render.sheet import Line, Sheet

        return Sheet("", "", tuple(Line("", line) for line in self.lines()))


Answered = TypeVar("Answered", contravariant=True)


class ReportClass(Protocol[Answered]):
    """A class of reports: the heads of their rows, and the report of an answer."""

    @property
    def HEADS(self) -> tuple[str, ...]:  # noqa: N802  # a constant of the class
        """The heads of the columns."""

    def __call__(self, answer: Answered, /) -> Report:
        """Return the report of an answer."""


Write = Callable[[Report, Terminal], str]


def writer(output: Format) -> Write:
    """Return the function that writes reports in a format."""
    module = import_module(f"bcastcli.render.{output}")
    if output.is_for_people:
        return lambda report, terminal: cast("str", module.show(report.sheet(), terminal))
    return cast("Write", module.write)


def write(report: Report, output: Format, terminal: Terminal) -> str:
    """Return a report as text in a format, below the header if the format has one."""
    return header(report.HEADS, output) + writer(output)(report, terminal)


def header(heads: Sequence[str], output: Format) -> str:
    """Return what goes before all reports whose rows have these heads."""
    return "\t".join(heads) + "\n" if output is Format.TSV else ""


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
