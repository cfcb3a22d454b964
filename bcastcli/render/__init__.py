"""Answers as text, one module for each format; each is loaded when it is asked for."""

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from typing import NamedTuple, cast

from bcastcli.answers import Answer


class Format(StrEnum):
    """The formats, each the name of its module."""

    TABLE = "table"
    PLAIN = "plain"
    JSON = "json"


class Style(NamedTuple):
    """What the place that the text goes to can show."""

    color: bool = False
    boxes: bool = False
    """Whether its encoding has the characters that tables are drawn with."""


Renderer = Callable[[Answer, Style], str]


def renderer(name: Format) -> Renderer:
    """The function that writes an answer in a format, each line with its end."""
    return cast(Renderer, import_module(f"bcastcli.render.{name}").render)
