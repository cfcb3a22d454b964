"""Standard input: which commands read it, from what, and what an empty one means."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bcastcli.cli.main import main
from tests.cli.test_stream import Refusing, given
from tests.in_memory import Ended, run
from tests.rows import each_row

EMPTY = "an argument is empty; write () for a shape without axes"

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
        (["op", "Add"], "2,3 4\n", 1),
        (["op", "add"], "2,3 3\n", 0),
        (["op", "Gemm", "--trans-b"], "8,64 64,10 10\n", 1),
        (["op", "--opset", "6"], "Add 2,3,4 2 axis=0\n", 0),
        (["op", "Add"], "N 3\n", 3),
        (["op", "Add"], "2,,3\n", 2),
    ],
)
def test_op_reads_a_pipe(arguments: list[str], lines: str, status: int) -> None:
    """`op` and `op NAME` without shapes answer the lines of a pipe, as they do with a dash."""
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


def test_op_with_comments_alone() -> None:
    """A pipe that holds something, but no question, is no empty one."""
    ended = run(["op", "-q"], b"# nothing yet\n")
    assert (ended.status, ended.out) == (2, "")
    assert run(["op"], b"# nothing yet\n").status == 2


@needs_devices
@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
@pytest.mark.parametrize("arguments", [["op"], ["op", "Add"]], ids=str)
def test_op_reads_no_device(arguments: list[str], device: str) -> None:
    """Standard input that is a device is not read: `op` shows its list."""
    with Path(device).open("rb") as stdin:
        ended = process(*arguments, stdin=stdin.fileno())
    assert ended == run(arguments)
    assert ended.status == 0


@needs_devices
def test_op_with_standard_input_closed() -> None:
    """Where standard input is closed, `op` shows its list too."""
    assert closed("op") == run(["op"])


@each_row(
    "arguments",
    [[], ["numpy", "-"], ["op"], ["op", "-"], ["op", "Add"], ["why"], ["quiz"]],
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
    assert "needs shapes" in run(["op", "Gemm", "--trans-a"]).err
    assert "belongs on each line" in run(["op", "--axis", "1"], b"Add 2 3\n").err


@pytest.mark.parametrize("arguments", [["rules", "-q"], ["rules", "ncnn", "--quiet"]], ids=str)
def test_rules_has_no_quiet(arguments: list[str]) -> None:
    """`rules` asks nothing, so it has no status to ask for quietly."""
    ended = run(arguments, b"2,3 4\n")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"bcastcli: rules has no option {arguments[-1]}")


def test_rules_reads_nothing() -> None:
    """`rules` never reads: a dash is not the name of a rule."""
    ended = run(["rules", "-"], b"ncnn\n")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("bcastcli: there is no rule -;")


@each_row(
    "arguments",
    [
        ["-q", "", ""],
        ["2,3", ""],
        ["", "2,3"],
        [" ", "2,3"],
        [" "],
        ["\t"],
        ["onnx", "", "-q"],
        ["compare", "3", " "],
        ["op", "Add", "2,3", ""],
        ["numpy", "''"],
        ["numpy", '2 ""'],
    ],
)
def test_an_empty_argument(arguments: list[str]) -> None:
    """A variable that was never set is invalid input, and no scalar."""
    ended = run(arguments)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"bcastcli: {EMPTY}\n")


@each_row("line", ["2,3 ''", '2,3 ""', "'' 3", '""'])
def test_an_empty_shape_on_a_line(line: str) -> None:
    """Two quotes on a line are what a shell leaves of an empty variable: invalid, and passed."""
    ended = run([], f"{line}\n2 2\n".encode())
    assert (ended.status, ended.out) == (2, f"error: {EMPTY}\n2\n")


@each_row("rule", ["numpy", "onnx", "torch"])
def test_one_shape_alone(rule: str) -> None:
    """With -q, a single shape where several are usual gets a note: a variable may be missing."""
    ended = run([rule, "-q", "2,3"])
    assert (ended.status, ended.out) == (0, "")
    assert ended.err == "bcastcli: only one shape: there is nothing to broadcast it with\n"
    assert run([rule, "2,3", "-p"]).err == ""
    assert run([rule, "-q"], b"2,3\n") == Ended(0, "", "")
    assert run(["op", "Sum", "-q", "2,3"]).err == ended.err
    assert run(["op", "Gemm", "-q", "2,3", "3,4"]).err == ""
