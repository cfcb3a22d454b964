"""Standard input: which commands read it, from what, and what an empty one means."""

import os
import subprocess
import sys
from pathlib import Path

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


@each_row(
    ("arguments", "lines", "status"),
    [
        (["op"], "Add 2,3 4\n", 1),
        (["op"], "Add 2,3 3\nGemm 8,64 64,10 10\n", 0),
        (["op"], "Gemm 8,64 64,10 10 trans_b=1\n", 1),
        (["op", "--opset", "6"], "Sum 2,3 2,3\n", 0),
        (["op"], "Add N 3\n", 3),
        (["op"], "Add 2,,3\n", 2),
    ],
)
def test_op_reads_a_pipe(arguments: list[str], lines: str, status: int) -> None:
    """`op` without a name answers the lines of a pipe, as it does with a dash."""
    dash = run([*arguments, "-"], lines.encode())
    assert run(arguments, lines.encode()) == dash
    assert dash.status == status
    assert run([*arguments, "-q"], lines.encode()) == dash._replace(out="")


@each_row("arguments", [["op"], ["op", "Add"], ["op", "--opset", "7"]])
def test_op_without_lines(arguments: list[str]) -> None:
    """An empty pipe has `op` show its list; under -q nothing was asked, which is no yes."""
    shown = run(arguments)
    assert (shown.status, shown.err) == (0, "")
    assert len(shown.out.splitlines()) > 3
    quiet = run([*arguments, "-q"])
    assert (quiet.status, quiet.out) == (2, "")
    assert quiet.err == "bcastcli: --quiet needs shapes, or lines of them\n"


@needs_devices
@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
@pytest.mark.parametrize("arguments", [["op"], ["op", "Add"]], ids=str)
def test_op_reads_no_device(arguments: list[str], device: str) -> None:
    """Standard input that is a device, or closed, is not read: `op` shows its list."""
    with Path(device).open("rb") as stdin:
        ended = process(*arguments, stdin=stdin.fileno())
    assert ended == run(arguments) == closed(*arguments)
    assert ended.status == 0


@each_row(
    "arguments", [[], ["numpy", "-"], ["op"], ["op", "-"], ["op", "Add", "-"], ["why"], ["quiz"]]
)
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


def test_op_refuses_before_it_reads() -> None:
    """An option of shapes needs shapes or lines, and a name that is none is refused unread."""
    assert run(["op", "Nope"], b"2 3\n").status == 2
    assert "needs shapes" in run(["op", "Gemm", "--steps"]).err


def test_rules_reads_nothing() -> None:
    """`rules` never reads: a dash is not the name of a rule."""
    ended = run(["rules", "-"], b"ncnn\n")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("bcastcli: there is no rule -;")


@each_row(
    ("arguments", "noted"),
    [
        ("4 1 4 1", True),
        ("compare 4 1 4 1 -p", True),
        ("op Sum 2 3 3 2 3 -q", True),
        ("julia 4 1 4 1 --json", True),
        ("4 1 4", False),
        ("N 1 4 1", False),
        ("4,1 4,1 1 1", False),
    ],
)
def test_braces_that_a_shell_took(arguments: str, noted: bool) -> None:
    """Four lone numbers, as a shell makes of {4,1} {4,1}, have a note beside the answer."""
    ended = run(arguments.split())
    note = "shapes with one axis each; braces, as in {4,1}, need quotes\n"
    assert ended.status != 2
    assert ended.err.endswith(note) is noted
    assert noted or not ended.err
    assert run(["4 1 4 1"]).err == ""
    assert run(["2 3 4", "3 4"]).err.endswith("; did you mean 2,3,4 3,4?\n")
