"""The formats, one module for each, loaded when it is needed.

To add one, add a member of `Format` and write a module of its name with `show(sheet, terminal)`:
here, or among the pictures if it is a page. This folder does not import reports: it receives their
content as a sheet, or as cells or records for programs (`reports.opening`). Below them are the
capabilities of a stream: its encoding, its size, and whether it has colors; and what makes text
from users and files safe to show, so that it is never interpreted.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from importlib import import_module
from typing import Any, NamedTuple, TextIO


class Format(StrEnum):
    """The formats, each the name of its module."""

    TABLE = "table"
    PLAIN = "plain"
    JSON = "json"
    SVG = "svg"
    """A page: one answer is a whole file."""


FOR_PEOPLE = (Format.TABLE, Format.SVG)
"""The formats that show sheets."""


class Terminal(NamedTuple):
    """The capabilities of the output."""

    color: bool = False
    has_box_characters: bool = False
    """Whether its encoding has the characters that tables are drawn with."""
    columns: int | None = None
    """Its width; None for a pipe or a file."""


def module(output: Format) -> Any:
    """The module of a format; pages belong to the feature `picture`."""
    return import_module(f"bcastcli.{'picture' if output is Format.SVG else 'render'}.{output}")


def ending(output: Format) -> Callable[..., str]:
    """The function that writes the end of an answer: its tags, and the number of its line."""
    if output is Format.SVG:
        return lambda tags, number=None: "\n"
    end: Callable[..., str] = module(Format.PLAIN if output is Format.TABLE else output).end
    return end


Color = StrEnum("Color", ["AUTO", "ALWAYS", "NEVER"])
"""When to write in colors."""


def encoding(stream: TextIO | None) -> str:
    """The encoding in which a stream is written."""
    return getattr(stream, "encoding", None) or "utf-8"


def shown(text: str, stream: TextIO) -> str:
    r"""A text with characters escaped that the stream cannot encode.

    >>> from io import BytesIO, StringIO, TextIOWrapper
    >>> print(shown("é", TextIOWrapper(BytesIO(), "ascii")), shown("é", StringIO()))
    \xe9 é
    """
    name = encoding(stream)
    return text if text.isascii() else text.encode(name, "backslashreplace").decode(name)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is open and a terminal."""
    return stream is not None and stream.isatty()


def terminal(color: Color, stream: TextIO | None = None) -> Terminal:
    """The capabilities of a stream, by default standard output, with the colors chosen."""
    stream = stream or sys.stdout
    boxes = bool("─".encode(encoding(stream), "ignore"))
    return Terminal(_colors(color, stream), boxes, size(stream).columns or None)


def _colors(color: Color, stream: TextIO | None) -> bool:
    if color is not Color.AUTO:
        return color is Color.ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    shows = is_terminal(stream) and os.environ.get("TERM") != "dumb"
    return bool(os.environ.get("FORCE_COLOR")) or shows


def size(stream: TextIO | None) -> os.terminal_size:
    """The columns and lines of a terminal; 0 if not known, and for other streams.

    >>> size(None)
    os.terminal_size(columns=0, lines=0)
    """
    if stream is not None and is_terminal(stream):
        with suppress(OSError):
            return os.get_terminal_size(stream.fileno())
    return os.terminal_size((0, 0))


FOR_RUNNERS = ("##[", "\\x23#[")
"""Text that GitHub's runner takes for a command anywhere in a line, and its replacement."""


def escaped(text: str, encoding: str = "utf-8") -> str:
    r"""A text with unprintable characters, and those not in the encoding, escaped.

    Control characters could steer a terminal, and others reverse the text after them; a log
    of GitHub Actions may hold commands.

    >>> escaped("a\tb\u202e")
    'a\\tb\\u202e'
    """
    shown = text if text.isprintable() else "".join(map(_escaped, text))
    shown = shown.replace(*FOR_RUNNERS)
    return shown if shown.isascii() else shown.encode(encoding, "backslashreplace").decode(encoding)


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def with_carets(text: str, span: tuple[int, int], encoding: str = "utf-8") -> str:
    """A text on one line, cut around a span, and carets under the span on the next."""
    start, after = span
    room = 60
    first = max(0, start - room // 2) if len(text) > room else 0
    shown = text[first : first + room]
    lead = "..." if first else ""
    trail = "..." if first + room < len(text) else ""
    before = escaped(text[first:start], encoding)
    at_fault = escaped(text[start : min(after, first + room)], encoding)
    carets = "^" * max(1, _columns(at_fault))
    line = f"{lead}{escaped(shown, encoding)}{trail}"
    return f"  {line}\n  {' ' * (len(lead) + _columns(before))}{carets}"


def _columns(text: str) -> int:
    """The width of a text in columns of a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)
