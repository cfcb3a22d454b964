"""The standard streams: colors, encodings, hostile text, and those closed (cli/console.py)."""

import errno
import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bcastcli.cli.console import interruptible
from bcastcli.cli.main import main
from tests.command_lines import (
    MALFORMED,
    NO,
    Output,
    complaint,
    every_rule,
    every_status,
    process,
    spelled,
)
from tests.effort import each_once
from tests.in_memory import run
from tests.rows import each_row

ALWAYS, AUTO, NEVER = (["--color", when] for when in ("always", "auto", "never"))


@each_row(
    ("arguments", "environment", "terminal", "colored"),
    [
        ([], {}, False, False),
        (AUTO, {}, False, False),
        (ALWAYS, {}, False, True),
        (NEVER, {}, False, False),
        (ALWAYS, {"NO_COLOR": "1"}, False, True),
        (ALWAYS, {"TERM": "dumb"}, False, True),
        (NEVER, {"FORCE_COLOR": "1"}, False, False),
        ([], {"FORCE_COLOR": "1"}, False, True),
        (AUTO, {"FORCE_COLOR": "1"}, False, True),
        ([], {"NO_COLOR": "1"}, False, False),
        (AUTO, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
        ([*ALWAYS, "--json"], {}, False, False),
        ([*ALWAYS, "-p"], {}, False, False),
        ([], {"TERM": "xterm"}, True, True),
        ([], {"TERM": "dumb"}, True, False),
        ([], {"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        (NEVER, {"TERM": "xterm"}, True, False),
        (ALWAYS, {"TERM": "xterm", "NO_COLOR": "1"}, True, True),
    ],
)
def test_color(
    arguments: list[str], environment: dict[str, str], terminal: bool, colored: bool
) -> None:
    """--color wins over NO_COLOR, which wins over FORCE_COLOR.

    A pipe gets no colors by itself, nor does a dumb terminal, and data never do.
    """
    ended = run(["numpy", "2,3", "4", *arguments], environment=environment, terminal=terminal)
    assert (ended.status, "\x1b[" in ended.out) == (NO, colored)


@each_once
@every_rule
@every_status
def test_colors_and_ascii(arguments: list[str], status: int) -> None:
    """Neither colors nor an encoding change the words of a table, or the status."""
    plain, colored = run(arguments), run([*arguments, "--color", "always"])
    ascii_alone = run(arguments, encoding="ascii")
    assert {plain.status, colored.status, ascii_alone.status} == {status}
    bare = re.sub(r"\x1b\[[0-9;]*m", "", colored.out)
    assert (bare != colored.out) == (status != MALFORMED)
    assert [line.rstrip() for line in bare.splitlines()] == plain.out.splitlines()
    assert (ascii_alone.out + ascii_alone.err).isascii()
    assert ascii_alone.out == plain.out.replace("\u2500", "-")


@pytest.mark.parametrize(
    "arguments", [["numpy", b"2,\xff"], [b"\xff", "2"], ["numpy", b"--\xff"]], ids=spelled
)
def test_bytes_that_are_no_text(arguments: list[str | bytes]) -> None:
    """Arguments that are no text in the user's encoding are refused like other bad text."""
    ended = process(*arguments)
    assert (ended.returncode, ended.stdout) == (MALFORMED, "")
    assert ended.stderr.startswith("bcastcli: ")
    assert "Traceback" not in ended.stderr


@each_row("text", ["[bold]", "[red]x[/red]", "[link=x]2", ":warning:", "${HOME}"])
def test_markup_is_text(capsys: Output, text: str) -> None:
    """Markup in a question is shown as it was typed."""
    assert text in complaint(capsys, ["numpy", text])


FULL = Path("/dev/full")


class Directory(io.RawIOBase):
    """An input that cannot be read."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))


@each_row("arguments", [[], ["numpy", "-"], ["op", "-"], ["op", "Add", "-"], ["why"], ["quiz"]])
def test_a_directory(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard input that cannot be read, as a directory, is reported in one sentence, status 2."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Directory())))
    assert main(arguments) == 2
    assert capsys.readouterr().err == "bcastcli: cannot read: Is a directory\n"


@each_row(
    ("stream", "line", "status", "message"),
    [
        ("stdout", "2,3 3", 2, "cannot write: standard output is closed"),
        ("stdout", "numpy -h", 2, "cannot write: standard output is closed"),
        ("stdout", "2,3 3 -q", 0, ""),
        ("stdin", "-", 2, "cannot read: standard input is closed"),
        ("stdin", "check -", 2, "cannot read: standard input is closed"),
        ("stdin", "numpy", 2, "a shape is missing: bcastcli numpy 8,1,6,1 7,1,5 (-h shows more)"),
        ("stdin", "op Add -q", 2, "--quiet needs shapes"),
        ("stdin", "2,3 3 -q", 0, ""),
        ("stderr", "2,,3 3", 2, ""),
        ("stderr", "check lesson.txt", 2, ""),
    ],
)
def test_a_closed_stream(
    stream: str,
    line: str,
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is reported if it is needed, and where nothing can be written, the status is left."""
    monkeypatch.setattr(sys, stream, None)
    assert main(line.split()) == status
    assert capsys.readouterr() == ("", f"bcastcli: {message}\n" if message else "")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@each_row(("stream", "line"), [("stdout", "2,3 3"), ("stderr", "2,,3 3")])
def test_a_full_device(
    stream: str, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be written is reported once: the end of the process does not try it again."""
    with FULL.open("w", buffering=1) as full:
        monkeypatch.setattr(sys, stream, full)
        assert main(line.split()) == 2
    message = "bcastcli: cannot write: No space left on device\n" if stream == "stdout" else ""
    assert capsys.readouterr() == ("", message)


def test_long_errors(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal an error is wrapped between words, and what stands below it is not."""
    monkeypatch.setattr("bcastcli.render.size", lambda stream: os.terminal_size((30, 24)))
    main(["help", "each-of-these-well-known-topics-and-more"])
    main(["numpy", "2,,3", "4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4"])
    assert capsys.readouterr().err.splitlines() == [
        "bcastcli: there is no command",
        "  or topic",
        "  each-of-these-well-known-topics-and-more;",
        "  bcastcli help topics lists",
        "  them",
        "bcastcli: a size is missing",
        "  here",
        "  2,,3 4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4",
        "    ^",
    ]


CTRL_C = """
import signal
from bcastcli.cli.console import interruptible
signal.signal(signal.SIGINT, signal.SIG_DFL)
with interruptible():
    pass
print(signal.getsignal(signal.SIGINT) is signal.SIG_DFL)
with interruptible():
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        print("cleaned up", flush=True)
"""


def test_ctrl_c() -> None:
    """It kills the process as it kills other filters, once a command has cleaned up."""
    ended = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (-signal.SIGINT, b"")
    assert ended.stdout == b"True\ncleaned up\n"


def test_where_another_program_handles_ctrl_c() -> None:
    """Nothing changes, also where an earlier test left a handler of its own."""
    before = signal.signal(signal.SIGINT, print)
    try:
        with interruptible():
            assert signal.getsignal(signal.SIGINT) is print
    finally:
        signal.signal(signal.SIGINT, before)
