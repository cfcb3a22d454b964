"""Standard input: which commands read it, from what, and what an empty one means."""

import errno
import io
import os
import signal
from typing import Any

import pytest

from bcastcli.cli.console import interruptible
from bcastcli.cli.main import main
from tests.in_memory import run
from tests.rows import each_row


class Directory(io.RawIOBase):
    """An input that cannot be read."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))


@each_row("arguments", [["op"], ["op", "Add"], ["op", "--opset", "7"]])
def test_op_without_shapes(arguments: list[str]) -> None:
    """It shows its list and reads nothing; under -q nothing was asked, which is no yes."""
    shown = run(arguments, b"2 3\n")
    assert (shown.status, shown.err) == (0, "")
    assert len(shown.out.splitlines()) > 3
    assert run([*arguments, "-q"]) == (2, "", "bcastcli: --quiet needs shapes\n")


@each_row("arguments", [[], ["numpy", "-"], ["op", "-"], ["op", "Add", "-"], ["why"], ["quiz"]])
def test_a_directory(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard input that cannot be read, as a directory, is reported in one sentence, status 2."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Directory())))
    assert main(arguments) == 2
    assert capsys.readouterr().err == "bcastcli: cannot read: Is a directory\n"


def test_rules_reads_nothing() -> None:
    """`rules` never reads: a dash is not the name of a rule."""
    ended = run(["rules", "-"], b"ncnn\n")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("bcastcli: there is no rule -;")


def test_where_another_program_handles_ctrl_c() -> None:
    """Nothing changes, as in this test."""
    before = signal.getsignal(signal.SIGINT)
    with interruptible():
        assert signal.getsignal(signal.SIGINT) is before


def test_a_note() -> None:
    """What is not an answer is written to standard error."""
    assert run(["check"], b"2,3 3 -> 2,3\n") == (0, "", "1 question, 0 failed\n")
