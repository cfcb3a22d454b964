"""The bar for long input: for a person who waits, and for nobody else."""

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

LINES = b"2,3 3\n" * 20


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


def stderr_of(seconds: float, output: Path, *, on_a_terminal: bool) -> str:
    """What the terminal shows while lines come for some time, and their answers go to a file."""
    terminal, other_end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "bcastcli", "numpy"],
            stdin=subprocess.PIPE,
            stdout=other_end if on_a_terminal else file,
            stderr=other_end,
            env=environment,
        )
    os.close(other_end)
    assert process.stdin is not None
    until = time.monotonic() + seconds
    process.stdin.write(LINES)
    while time.monotonic() < until:
        process.stdin.write(LINES)
        process.stdin.flush()
        time.sleep(0.1)
    process.stdin.close()
    shown = screen(terminal)
    os.close(terminal)
    assert process.wait(20) == 0
    return shown


def test_a_bar_for_long_input(tmp_path: Path) -> None:
    """Where answers go to a file and errors to a terminal, long input shows how far it is."""
    output = tmp_path / "answers"
    shown = stderr_of(1.5, output, on_a_terminal=False)
    assert " lines" in shown
    assert set(output.read_text().splitlines()) == {"2,3"}


def test_no_bar_for_short_input(tmp_path: Path) -> None:
    """Input that takes no longer than a moment shows nothing."""
    assert stderr_of(0, tmp_path / "answers", on_a_terminal=False).strip("\x1b[?25hl\r\n") == ""


def test_no_bar_among_answers(tmp_path: Path) -> None:
    """Where the answers go to the terminal there is no bar among them."""
    shown = stderr_of(1.5, tmp_path / "answers", on_a_terminal=True)
    assert set(shown.split()) == {"2,3"}


def test_errors_beside_the_bar(tmp_path: Path) -> None:
    """A malformed line is told of on the terminal as it is without a bar."""
    lines = b"2,3 3\n2,,3\n"
    terminal, other_end = pty.openpty()
    with (tmp_path / "answers").open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "bcastcli", "numpy"],
            stdin=subprocess.PIPE,
            stdout=file,
            stderr=other_end,
        )
    os.close(other_end)
    assert process.stdin is not None
    process.stdin.write(lines)
    process.stdin.flush()
    time.sleep(1)
    process.stdin.write(lines)
    process.stdin.close()
    shown = screen(terminal)
    os.close(terminal)
    assert process.wait(20) == 2
    assert "line 2: a size is missing here" in shown
    assert "line 4: a size is missing here" in shown


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
