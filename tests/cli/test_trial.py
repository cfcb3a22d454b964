"""Options before the command (cli/main.py), and hints that are tried (cli/trial.py)."""

import re
import shlex

import pytest

from tests.in_memory import run
from tests.rows import each_row


@each_row(
    ("line", "same"),
    [
        ("-p ncnn 3,4 3", "ncnn 3,4 3 -p"),
        ("--json -p 3,4 3", "3,4 3 -f plain"),
        ("-p --json 3,4 3", "3,4 3 --json"),
        ("numpy -p 3,4 3 -f table -p -fjson", "3,4 3 --json"),
        ("-f json torch -p 3,4 3", "3,4 3 -p"),
        ("-qp 3,4 3", "3,4 3 -q"),
        ("-pfjson op Add 3 3", "op Add 3 3 -f json"),
        ("--format=plain --color never compare 3,3 3", "compare 3,3 3 -f plain"),
        ("--color always numpy 3 3", "numpy 3 3 --color always"),
        ("-q --json --color=never rules pdpd", "rules pdpd --json"),
        ("-f json -q help shapes", "help shapes"),
        ("-f svg completions bash", "completions bash"),
        ("-f json deck gone.txt", "deck gone.txt"),
        ("-f json quiz --sheet --seed 1", "quiz --sheet --seed 1"),
        ("-f gift quiz --seed 1", "quiz --seed 1 -f gift"),
        ("-p -- -1,3 3", "-p -1,3 3"),
        ("-p", "numpy -p"),
        ("-p --version", "--version"),
        ("--picture 4,1 3 --op *", "4,1 3 --picture --op *"),
    ],
)
def test_output_options_before_the_command(line: str, same: str) -> None:
    """They are the command's if it has them, else they are passed over; the last one wins."""
    assert run(line.split()) == run(same.split())


@each_row(
    ("line", "hint"),
    [
        ("-f nope ncnn 3,4 3", "'nope' is not one of"),
        ("-p --order numpy ncnn 3,4 3", ": bcastcli ncnn -p --order numpy 3,4 3"),
        ("--order numpy ncnn 3,,4 3", "a size is missing here"),
        ("--foo ncnn 3,4 3", "ncnn has no option --foo"),
        ("rules -q", "rules has no option -q"),
        ("trch 3,,4 3", "there is no command trch; did you mean bcastcli torch?"),
        ("matmul 3,4 --axis 1", "there is no command matmul; did you mean bcastcli op MatMul?"),
        ("modle net.onnx", "there is no command modle; did you mean bcastcli model?"),
        ("-p q.txt", "to read questions from it, use < q.txt"),
        ("explicit", "bcastcli explicit 2,3 2,5,3 --axes 0,2 "),
        ("numpy Gemm 8,64 64,10", "did you mean: bcastcli op Gemm 8,64 64,10"),
    ],
)
def test_a_hint_works(line: str, hint: str) -> None:
    """A hint is a command line that is answered, or it names none."""
    ended = run(line.split(), typing=True)
    assert (ended.status, ended.out) == (2, "")
    assert hint in ended.err
    for named in re.findall(r": (bcastcli .+?)(?: \(.*)?$", ended.err, re.MULTILINE):
        assert run(shlex.split(named)[1:]).status != 2


@pytest.mark.parametrize("line", ["numpy Gemm 8,64 64,,10", "numpy this is no message of shapes"])
def test_no_hint_that_fails(line: str) -> None:
    """A line that another command refuses as well gets no hint."""
    assert "did you mean" not in run(line.split()).err


def test_hints_to_a_stream() -> None:
    """The first lines of a stream that need a hint get one."""
    assert run(["numpy"], b"Add 2 3\n" * 100).err.count("did you mean: bcastcli op Add 2 3") == 20
