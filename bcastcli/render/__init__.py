"""The formats, one module for each, loaded when it is needed.

To add one, add a member of `Format` and write a module of its name with `show(sheet, terminal)`:
here, or among the pictures if it is a page. This folder does not import reports: it receives their
content as a sheet, or as cells or records for programs (`reports.writer`).
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib import import_module
from typing import Any, NamedTuple


class Format(StrEnum):
    """The formats, each the name of its module."""

    TABLE = "table"
    PLAIN = "plain"
    JSON = "json"
    SVG = "svg"

    @property
    def is_page(self) -> bool:
        """Whether one answer is a whole file."""
        return self is Format.SVG

    @property
    def is_for_people(self) -> bool:
        """Whether it shows sheets."""
        return self in FOR_PEOPLE


FOR_PEOPLE = (Format.TABLE, Format.SVG)
"""The formats that show sheets."""


class DoesNotFit(Exception):  # noqa: N818  # it is an answer, in one sentence
    """The content does not fit on a slide."""


class Terminal(NamedTuple):
    """The capabilities of the output."""

    color: bool = False
    has_box_characters: bool = False
    """Whether its encoding has the characters that tables are drawn with."""
    columns: int | None = None
    """Its width; None for a pipe or a file."""


def module(output: Format) -> Any:
    """Return the module of a format; pages belong to the feature `picture`."""
    return import_module(f"bcastcli.{'picture' if output.is_page else 'render'}.{output}")


def line_numbering(output: Format) -> Callable[[list[str], int], list[str]]:
    """The function that adds line numbers to texts, if the format has line numbers."""
    if output is not Format.JSON:
        return lambda texts, first: texts
    numbered: Callable[[list[str], int], list[str]] = module(output).with_line_numbers
    return numbered


def with_tags(text: str, output: Format, tags: Mapping[str, object]) -> str:
    """Return a report's text with its `label` and `id`, if the format has a place for them."""
    if output.is_page:
        return text
    return str(module(Format.PLAIN if output is Format.TABLE else output).with_tags(text, tags))
