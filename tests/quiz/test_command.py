"""The quiz at a terminal of its own: Ctrl-C and Ctrl-D show the score."""

import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from bcastcli.quiz.questions import text_of
from tests.quiz.test_quiz import ONES, drawn

# Makes standard input the terminal that Ctrl-C comes from; what is written then is not lost.
PLAYER = """
import fcntl, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
settings = termios.tcgetattr(0)
settings[3] |= termios.NOFLSH
termios.tcsetattr(0, termios.TCSANOW, settings)
signal.signal(signal.SIGINT, signal.default_int_handler)
from bcastcli.__main__ import run
run()
"""


class Terminal:
    """The quiz, played at a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.shown = ""
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", PLAYER, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "COLUMNS": "80", "TERM": "dumb"},
        )
        os.close(theirs)

    def until(self, text: str) -> str:
        """All that is shown until it ends in a text, or the quiz has ended."""
        with suppress(OSError):
            while not self.shown.endswith(text):
                piece = os.read(self._ours, 4096)
                if not piece:
                    break
                self.shown += piece.decode().replace("\r\n", "\n")
        return self.shown

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    def ended(self) -> int:
        """The exit status, once everything is read."""
        self.until("never shown")
        os.close(self._ours)
        return self._process.wait()


@pytest.mark.parametrize(
    ("key", "status"), [("\x03", -signal.SIGINT), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"]
)
def test_stopping(key: str, status: int) -> None:
    """Ctrl-C and Ctrl-D show the score; Ctrl-C still kills the process, and silently.

    What is typed is echoed by the terminal alone.
    """
    right = text_of(drawn()[0].right)
    terminal = Terminal(*ONES)
    terminal.until("> ")
    terminal.shown = ""
    terminal.type(f"{right}\n")
    assert terminal.until("> ").startswith(f"{right}\nright: ")
    terminal.type(key)
    assert terminal.ended() == status
    assert terminal.shown.endswith("\n1 of 1 right; seed 2\n")
    assert "Traceback" not in terminal.shown
