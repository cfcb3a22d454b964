"""The capabilities of a stream: its encoding, its size, and whether it has colors."""

import os
import sys
from contextlib import suppress
from enum import StrEnum
from typing import TextIO

from bcastcli.render import Terminal

Color = StrEnum("Color", ["AUTO", "ALWAYS", "NEVER"])
"""When to write in colors."""


def encoding(stream: TextIO | None) -> str:
    """Return the encoding in which a stream is written."""
    return getattr(stream, "encoding", None) or "utf-8"


def shown(text: str, stream: TextIO) -> str:
    """Return a text with characters escaped that the stream cannot encode."""
    name = encoding(stream)
    return text if text.isascii() else text.encode(name, "backslashreplace").decode(name)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is open and a terminal."""
    return stream is not None and stream.isatty()


def terminal(color: Color, stream: TextIO | None = None) -> Terminal:
    """Return the capabilities of a stream, by default standard output, with the colors chosen."""
    stream = stream or sys.stdout
    try:
        "─".encode(encoding(stream))
        boxes = True
    except UnicodeEncodeError:
        boxes = False
    return Terminal(_colors(color, stream), boxes, size(stream).columns or None)


def _colors(color: Color, stream: TextIO | None) -> bool:
    if color is not Color.AUTO:
        return color is Color.ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    shows = is_terminal(stream) and os.environ.get("TERM") != "dumb"
    is_forced = os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0")
    return bool(os.environ.get("FORCE_COLOR")) or is_forced or shows


def size(stream: TextIO | None) -> os.terminal_size:
    """Return the columns and lines of a terminal; 0 if not known, and for other streams."""
    if stream is not None and is_terminal(stream):
        with suppress(OSError):
            return os.get_terminal_size(stream.fileno())
    return os.terminal_size((0, 0))
