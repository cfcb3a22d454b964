"""Standard input: which commands read it, from what, and what an empty one means."""

import os
import subprocess
import sys

import pytest

from bcastcli.cli.main import main
from tests.in_memory import Ended, run
from tests.rows import each_row
from tests.stream.test_batch import Refusing, given

needs_devices = pytest.mark.skipif(os.name == "nt", reason="there is no /dev")


def process(*arguments: str, stdin: int | None = None, data: bytes | None = None) -> Ended:
    """Return what comes of a command line in a process of its own."""
    ended = subprocess.run(
        [sys.executable, "-m", "bcastcli", *arguments],
        stdin=stdin,
        input=data,
        capture_output=True,
        check=False,
        timeout=30,
    )
    return Ended(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def closed(*arguments: str, descriptor: int = 0) -> Ended:
    """Return what comes of a command line with one of its standard streams closed."""
    command = f'exec "$0" -m bcastcli "$@" {descriptor}>&-'
    ended = subprocess.run(
        ["bash", "-c", command, sys.executable, *arguments],
        capture_output=True,
        check=False,
        timeout=30,
        encoding="utf-8",
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


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
    given(monkeypatch, Refusing())
    assert main(arguments) == 2
    assert capsys.readouterr().err == "bcastcli: cannot read: Is a directory\n"


@needs_devices
@pytest.mark.parametrize("arguments", [[], ["numpy", "-"], ["op", "-"], ["quiz"], ["why"]], ids=str)
def test_closed(arguments: list[str]) -> None:
    """A command that reads says what is missing where standard input is closed, status 2."""
    ended = closed(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("bcastcli: ")


def test_rules_reads_nothing() -> None:
    """`rules` never reads: a dash is not the name of a rule."""
    ended = run(["rules", "-"], b"ncnn\n")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("bcastcli: there is no rule -;")
