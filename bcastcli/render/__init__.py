"""Answers as text, one module for each format; each is loaded when it is asked for."""

from enum import StrEnum
from importlib import import_module
from typing import NamedTuple, Protocol, TypeVar, cast

from bcastcli.answers import Answer
from bcastcli.notation import NotationError


class Format(StrEnum):
    """The formats, each the name of its module."""

    TABLE = "table"
    PLAIN = "plain"
    JSON = "json"
    TSV = "tsv"


class Style(NamedTuple):
    """What the place that the text goes to can show."""

    color: bool = False
    boxes: bool = False
    """Whether its encoding has the characters that tables are drawn with."""


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

    def failed(self, error: NotationError, number: int) -> str:
        """What takes the place of an answer where line `number` is not a question."""

    def numbered(self, text: str, number: int) -> str:
        """An answer's text with the number of the line that it answers."""


def renderer(name: Format) -> Form[Answer]:
    """The module that writes a rule's answers in a format, loaded when it is asked for."""
    return cast("Form[Answer]", import_module(f"bcastcli.render.{name}"))
