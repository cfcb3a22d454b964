"""What a word or an option may mean: commands by other names, shapes that look like options."""

import re
import shlex

import pytest

from bcastcli.cli.commands import for_typer
from bcastcli.cli.main import main
from bcastcli.cli.options import MARK
from bcastcli.cli.parser import COMMANDS, built
from bcastcli.cli.words import GONE
from bcastcli.rules import names
from bcastcli.rules.frameworks import WITHOUT_A_RULE
from tests.command_lines import MALFORMED, YES, Output, answer, complaint
from tests.in_memory import run
from tests.rows import each_row


@pytest.mark.parametrize("arguments", [["n", "batch,n"], ["n", "-p", "n,batch", "batch"]])
def test_a_word_that_names_a_size(arguments: list[str]) -> None:
    """A first word that names a size of another shape is a shape, as it is on a line."""
    plain = [each for each in arguments if each != "-p"]
    assert run([*arguments, "--strict"]) == run(["numpy", *arguments, "--strict"])
    assert run(["-p", *plain]) == run(["-"], f"{' '.join(plain)}\n".encode())


@each_row(
    ("word", "rule"), [*names().items(), ("PyTorch", "numpy"), ("JAX", "numpy"), ("NumPy", "numpy")]
)
def test_a_framework_s_name(capsys: Output, word: str, rule: str) -> None:
    """A framework's name in front answers as its rule does; Julia's like count axes from 1."""
    statuses, answers = [], []
    for name in (word, rule):
        axes = ["--axes", "0,1"] if rule == "explicit" else []
        statuses.append(main([name, "-p", "3,4", "4", *axes]))
        answers.append(capsys.readouterr().out)
    assert statuses[0] == statuses[1] != MALFORMED
    assert answers[0].replace("axis 1,", "axis 0 (-2),") == answers[1]


@each_row("word", ["XArray", *WITHOUT_A_RULE])
def test_no_command_of_another_meaning(capsys: Output, word: str) -> None:
    """Where no command answers, none is proposed for the shapes."""
    assert "did you mean" not in complaint(capsys, [word, "3,4", "4"])


@each_row("word", WITHOUT_A_RULE)
def test_the_same_of_a_rule(capsys: Output, word: str) -> None:
    """What is known of a framework without a command is said wherever a rule is named."""
    for arguments in (["rules", word], ["compare", "--rules", word, "2,3", "3"]):
        assert WITHOUT_A_RULE[word] in complaint(capsys, arguments)


@each_row(
    "line",
    [
        *("3,4 3", "5 5", "'(3, 4)' 3", "2x3 3", "'torch.Size([2, 3])' 3", "-1,3 3", "-1 3", "? 3"),
        *("scalar '(2,)'", "bias=3 3", "bias=N 3", "NxM 3", "N 3", "scalar 3", "-p 2 3"),
        *("--format plain 2 3", "-- 2 3", "2 3 --json"),
    ],
)
def test_shapes_without_a_rule(line: str) -> None:
    """Shapes without a rule are answered under numpy's."""
    alone = run(shlex.split(line))
    assert alone == run(["numpy", *shlex.split(line)])
    assert alone.status != MALFORMED


@each_row("command", ["", *COMMANDS])
def test_no_line_of_help_ends_with_a_blank(command: str) -> None:
    """Help has no spaces at the end of a line, and at most 80 columns."""
    ended = run([*command.split(), "--help"])
    assert ended.status == YES
    lines = ended.out.splitlines()
    assert [line for line in lines if line != line.rstrip() or len(line) > 80] == []


def test_no_arguments() -> None:
    """Without arguments on a terminal there is the short help, with commands in groups."""
    ended = run([], terminal=True, typing=True)
    assert (ended.status, ended.out) == (MALFORMED, "")
    assert ended.err == f"bcastcli: a shape is missing\n{run(['-h'], terminal=True).out}"


def test_a_pipe_without_a_command() -> None:
    """The lines of a pipe are answered under numpy's rule; an empty pipe is no question."""
    assert run([], b"2,3 3\n4 5\n") == run(["numpy"], b"2,3 3\n4 5\n")
    assert run([], b"2,3 3\n").out == "2,3\n"
    assert run([]).status == MALFORMED


@each_row("axis", [["--axis", "-1"], ["--axis=-1"], ["axis=-1"]])
def test_axis_minus_one_is_the_default(capsys: Output, axis: list[str]) -> None:
    """Axis -1, however given, is the same question as no axis."""
    assert answer(capsys, "pdpd", "2,3,4", "4", *axis) == answer(capsys, "pdpd", "2,3,4", "4")


def test_options_that_take_a_value() -> None:
    """After an option that takes a value, -1 is its value, and no shape."""
    for command in COMMANDS:
        params = built(command).params
        for parameter in params:
            if parameter.param_type_name == "option" and not parameter.is_flag:
                read = for_typer(params, [parameter.opts[0], "-1", "-1"])
                assert read == [parameter.opts[0], "-1", f"{MARK}-1"]


@each_row(
    ("line", "same"),
    [
        ("-p ncnn 3,4 3", "ncnn 3,4 3 -p"),
        ("numpy -p 3,4 3 -f table -p -fjson", "3,4 3 --json"),
        ("--json -f plain op Add 3 3", "op Add 3 3 -f plain"),
        ("--color always numpy 3 3", "numpy 3 3 --color always"),
        ("--order numpy ncnn 3,4 3", "ncnn 3,4 3 --order numpy"),
        ("--axis 1 --steps pdpd 2,3 3", "pdpd 2,3 3 --axis 1 --steps"),
        ("-f gift quiz --seed 1", "quiz --seed 1 -f gift"),
        ("-p -- -1,3 3", "-p -1,3 3"),
        ("-p", "numpy -p"),
    ],
)
def test_options_before_the_command(line: str, same: str) -> None:
    """They are the command's, as in an alias; the last format counts."""
    assert run(line.split()) == run(same.split())


@each_row(
    ("line", "hint"),
    [
        ("numpy Add 1,56 56", "op Add 1,56 56"),
        ("numpy torch 2,3 3", "torch 2,3 3"),
        ("numpy net.onnx", "model net.onnx"),
        ("numpy 'The size of tensor a (3)'", "why 'The size of tensor a (3)'"),
        ("numpy 'Incompatible shapes: [2] vs. [4]'", "why 'Incompatible shapes: [2] vs. [4]'"),
        ("trch 3,4 3", "torch 3,4 3"),
        ("mm 3,4 4", "op MatMul 3,4 4"),
        ("q.txt", "< q.txt"),
        ("slides", "help teaching"),
        ("numpy 2,3 vs 3", ""),
        ("numpy hidden 3", ""),
        ("xyzzy 3,4", ""),
    ],
)
def test_hints(line: str, hint: str) -> None:
    """What is no question leads to the command that is meant, if one is known."""
    ended = run(shlex.split(line), typing=True)
    assert (ended.status, ended.out) == (2, "")
    assert re.findall(r": bcastcli (.+)\n", ended.err) == ([hint] if hint else [])


def test_hints_to_a_stream() -> None:
    """The first lines of a stream that need a hint get one."""
    assert run(["numpy"], b"Add 2 3\n" * 100).err.count("did you mean: bcastcli op Add 2 3") == 20


@each_row("name", GONE)
def test_a_name_that_is_gone(name: str) -> None:
    """However it is spelled, one sentence says what to use instead; the status is 2."""
    command, instead = GONE[name]
    spellings = [name.split()]
    if name.startswith("-f "):
        form = name.removeprefix("-f ")
        spellings += [[f"-f{form}"], ["--format", form], [f"--format={form}"]]
    for words in spellings:
        ended = run([command or "compare", *words, "3", "3"])
        assert ended == (2, "", f"bcastcli: {f'{command} {name}'.strip()} is gone: {instead}\n")
