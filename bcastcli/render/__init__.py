"""Answers as text, one module for each format; each is loaded when it is asked for.

A format for people shows a sheet, whatever that is about; the others write answers themselves.
"""

from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar, cast

from bcastcli.core.answer import Answer
from bcastcli.notation.text import NotationError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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

    @property
    def is_page(self) -> bool:
        """Whether one answer is a whole file."""
        return self in (Format.SVG, Format.HTML)

    @property
    def is_for_people(self) -> bool:
        """Whether it can show any sheet."""
        return self in (Format.TABLE, Format.MARKDOWN) or self.is_page


class Style(NamedTuple):
    """What the place that the text goes to can show."""

    color: bool = False
    boxes: bool = False
    """Whether its encoding has the characters that tables are drawn with."""
    columns: int | None = None
    """The width of the terminal, if it is one."""
    theme: str = ""
    """The colors of a page; empty: light, and in HTML as the reader prefers."""


Answered = TypeVar("Answered", contravariant=True)


class Form(Protocol[Answered]):
    """How answers of one kind are written in one format."""

    HEADER: str
    """What goes before all answers."""
    NUMBERED: bool
    """Whether answers tell the numbers of the lines that they answer."""

    BRIEF: bool
    """Whether an answer is one short line."""

    def render(self, answer: Answered, style: Style) -> str:
        """The answer, each of its lines with its end."""

    def single(self, answer: Answered, style: Style) -> str:
        """The same of a question that is asked alone: with what takes longer to find."""

    def failed(self, error: NotationError, number: int) -> str:
        """What takes the place of an answer where line `number` is not a question."""

    def numbered(self, text: str, number: int) -> str:
        """An answer's text with the number of the line that it answers."""

    def tagged(self, text: str, tags: "Mapping[str, object]") -> str:
        """An answer's text with what goes with it: a `label`, an `id`, or both."""


class SheetForm(Generic[Answered]):
    """A form that shows answers as sheets."""

    HEADER = ""
    NUMBERED = False
    BRIEF = False

    def __init__(self, output: Format, sheet: "Callable[[Answered], Sheet]") -> None:
        module = import_module(f"bcastcli.render.{output}")
        self._show: Callable[[Sheet, Style], str] = module.show
        self.sheet = sheet
        self._is_page = output.is_page

    def render(self, answer: Answered, style: Style) -> str:
        """The sheet of an answer."""
        return self._show(self.sheet(answer), style)

    single = render

    def failed(self, error: NotationError, number: int) -> str:
        """A sheet that says what is wrong."""
        from bcastcli.render.sheet import Line, Sheet

        return self._show(Sheet("", "", (Line("", f"error: {error.message}"),)), Style())

    def numbered(self, text: str, number: int) -> str:
        """The answer as it is."""
        return text

    def tagged(self, text: str, tags: "Mapping[str, object]") -> str:
        """The answer with its label behind its last line; a page has no room for one."""
        if self._is_page:
            return text
        from bcastcli.render import plain

        return plain.tagged(text, tags)


def writer(output: Format) -> Form[Answer]:
    """What writes a rule's answers in a format: a form of sheets, or the format's own module."""
    if output.is_for_people:
        from bcastcli.reports.answers import of_answer

        return SheetForm(output, of_answer)
    return cast("Form[Answer]", import_module(f"bcastcli.render.{output}"))
