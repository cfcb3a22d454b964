"""The bar for long input: for a person who waits, and for nobody else."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

from bcastcli.cli.main import main
from bcastcli.stream import progress

Shown = Callable[..., tuple[int, str, str]]

LONG = b"2,3 3\n" * 200_000
"""Enough to be read in many pieces."""


def screen(terminal: int) -> str:
    """All that was written to a terminal."""
    written = b""
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        written += piece
    return written.decode()


class Terminal:
    """A terminal that is read while it is written to."""

    def __init__(self) -> None:
        self.shown = ""
        self._ours, theirs = pty.openpty()
        self.stream = os.fdopen(theirs, "w", encoding="utf-8")
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        self.shown = screen(self._ours)
        os.close(self._ours)

    def close(self) -> str:
        """All that was shown."""
        self.stream.close()
        self._reader.join()
        return self.shown.replace("\r\n", "\n")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shown:
    """Answer lines while some seconds pass between one piece of them and the next."""

    def shown(lines: bytes, seconds: float, *, on_a_terminal: bool = False) -> tuple[int, str, str]:
        """The status, the answers, and what the terminal shows besides."""
        questions, answers = tmp_path / "questions", tmp_path / "answers"
        questions.write_bytes(lines)
        terminal = Terminal()
        times = count(0.0, seconds)
        monkeypatch.setattr(progress, "monotonic", lambda: next(times))
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "80")
        with questions.open() as given, answers.open("w", encoding="utf-8") as file:
            monkeypatch.setattr(sys, "stdin", given)
            monkeypatch.setattr(sys, "stdout", terminal.stream if on_a_terminal else file)
            monkeypatch.setattr(sys, "stderr", terminal.stream)
            status = main(["numpy"])
            monkeypatch.undo()
        return status, answers.read_text("utf-8"), terminal.close()

    return shown


def test_a_bar_for_long_input(shown: Shown) -> None:
    """Where answers go to a file and errors to a terminal, long input shows how far it is."""
    status, answers, bar = shown(LONG, 0.02)  # 0.7 s in all
    assert (status, set(answers.splitlines())) == (0, {"2,3"})
    assert " 200,000 lines" in bar
    assert bar.endswith("\x1b[2K"), "nothing of the bar is left"


def test_no_bar_for_short_input(shown: Shown) -> None:
    """Nor among answers that go to the terminal."""
    assert shown(LONG, 0.01) == (0, "2,3\n" * 200_000, "")
    assert shown(LONG, progress.MOMENT, on_a_terminal=True)[2] == "2,3\n" * 200_000


def test_errors_beside_the_bar(shown: Shown) -> None:
    """A malformed line is told of on the terminal as it is without a bar."""
    status, _, terminal = shown(b"2,,3\n" + LONG + b"2,,3\n", progress.MOMENT)
    assert status == 2
    assert "lines" in terminal
    assert "line 1: a size is missing here" in terminal
    assert "line 200002: a size is missing here" in terminal


def test_closed_output_beside_a_terminal() -> None:
    """With standard output closed and errors on a terminal, -q still answers by its status."""
    terminal, other_end = pty.openpty()
    command = f"{sys.executable} -m bcastcli numpy -q >&-"
    process = subprocess.Popen(["bash", "-c", command], stdin=subprocess.PIPE, stderr=other_end)
    os.close(other_end)
    process.communicate(b"2 3\n", timeout=20)
    assert screen(terminal) == ""
    os.close(terminal)
    assert process.returncode == 1
