"""The command line on a terminal of its own, and the screen that a person then sees."""

import os
import re
import struct
import sys
from collections.abc import Sequence
from functools import cached_property
from threading import Thread
from unittest.mock import patch

import pyte
import pytest

from bcastcli.cli.main import main
from tests.in_memory import SETTINGS

_STYLES = r"(?:\x1b\[[0-9;]*m)*"


class Screen:
    """A terminal's screen, and what was sent to it."""

    def __init__(self, sent: bytes, columns: int) -> None:
        self.sent = sent.decode()
        self.columns = columns
        # As many rows as are written, as each costs.
        rows = self.sent.count("\n") + len(self.sent) // columns + 2
        self._screen = pyte.Screen(columns, rows)
        pyte.Stream(self._screen).feed(self.sent)

    @cached_property
    def rows(self) -> list[str]:
        """Return the rows from the first to the one above the cursor."""
        return [row.rstrip() for row in self._screen.display[: self._screen.cursor.y]]

    @property
    def lines(self) -> list[str]:
        """Return the lines that were sent, without their colors."""
        return re.sub(_STYLES, "", self.sent).replace("\r\n", "\n").splitlines()

    def look(self, row: int, text: str) -> set[tuple[str, bool, bool]]:
        """Return the color of the characters of a text in a row, and whether bold and italic."""
        start = self.rows[row].index(text)
        cells = [self._screen.buffer[row][place] for place in range(start, start + len(text))]
        return {(cell.fg, cell.bold, cell.italics) for cell in cells}

    def has_spaces_at_an_end(self) -> bool:
        """Return whether a line ends with spaces, styled or not."""
        return bool(re.search(rf" {_STYLES}\r?\n", self.sent))


def screen(
    arguments: Sequence[str], columns: int, *, color: bool = False, typed: str = ""
) -> Screen:
    """Answer a command line on a terminal, where `typed` and its end wait to be read."""
    pty = pytest.importorskip("pty")
    reader, descriptor = pty.openpty()
    _set_up(descriptor, columns)
    os.write(reader, f"{typed}\4\4".encode())
    sent: list[bytes] = []
    thread = Thread(target=lambda: sent.extend(iter(lambda: _read(reader), b"")), daemon=True)
    thread.start()
    streams = {
        "stdin": os.fdopen(os.dup(descriptor), encoding="utf-8"),
        "stdout": os.fdopen(os.dup(descriptor), "w", encoding="utf-8"),
        "stderr": os.fdopen(os.dup(descriptor), "w", encoding="utf-8"),
    }
    os.close(descriptor)
    environment = {"TERM": "xterm", **({} if color else {"NO_COLOR": "1"})}
    kept = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    with patch.dict(vars(sys), streams), patch.dict(os.environ, kept | environment, clear=True):
        main(arguments)
    for stream in streams.values():
        stream.close()
    thread.join()
    os.close(reader)
    return Screen(b"".join(sent), columns)


def _set_up(descriptor: int, columns: int) -> None:
    """Give a terminal its width; what is typed is not echoed."""
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    settings = termios.tcgetattr(descriptor)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(descriptor, termios.TCSANOW, settings)


def _read(reader: int) -> bytes:
    """Return what was sent to a terminal; nothing once no stream has it open."""
    try:
        return os.read(reader, 65536)
    except OSError:
        return b""
