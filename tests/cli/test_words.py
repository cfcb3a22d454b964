"""What a word or an option may mean: commands by other names, shapes that look like options."""

import re
import shlex
from itertools import product
from typing import Any

import numpy as np
import pytest
from typer.main import get_command

from bcastcli.cli.main import _LISTED, COMMANDS, _protect_negative_shapes, app, main
from bcastcli.cli.options import MARK
from bcastcli.cli.words import listed
from bcastcli.rules import names
from bcastcli.rules.frameworks import WITHOUT_A_RULE
from tests.command_lines import MALFORMED, YES, Output, answer, complaint
from tests.effort import each_once
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


def test_broadcast_to_is_numpy_s(capsys: Output) -> None:
    """The command offered for broadcast_to refuses what numpy.broadcast_to refuses."""
    for given, target in product(["2,3", "3", "1", "2,1", "()"], repeat=2):
        [line] = complaint(capsys, ["broadcast_to", given, target]).splitlines()
        status = main(shlex.split(line.rpartition(": bcastcli ")[2]))
        array, aim = (np.empty([*map(int, re.findall("[0-9]+", text))]) for text in (given, target))
        try:
            np.broadcast_to(array, aim.shape)
        except ValueError:
            assert status == 1
        else:
            assert status == 0
        capsys.readouterr()


@each_row("word", ["XArray", "broadcast", *WITHOUT_A_RULE])
def test_no_command_of_another_meaning(capsys: Output, word: str) -> None:
    """Where no command answers, or two may be meant, none is proposed for the shapes."""
    message = complaint(capsys, [word, "3,4", "4"])
    assert "did you mean" not in message
    assert "there is no command" in message


@each_row("word", WITHOUT_A_RULE)
def test_the_same_of_a_rule(capsys: Output, word: str) -> None:
    """What is known of a framework without a command is said wherever a rule is named."""
    for arguments in (["rules", word], ["compare", "--rules", word, "2,3", "3"]):
        assert WITHOUT_A_RULE[word] in complaint(capsys, arguments)


@each_row(
    "line",
    [
        *("3,4 3", "5", "'(3, 4)' 3", "2x3 3", "'torch.Size([2, 3])' 3", "-1,3 3", "-1 3", "? 3"),
        *("scalar '(2,)'", "bias=3 3", "bias=N 3", "NxM 3", "N 3", "scalar 3", "-p 2 3"),
        *("--format plain 2 3", "-- 2 3", "2 3 --json"),
    ],
)
def test_shapes_without_a_rule(line: str) -> None:
    """Shapes without a rule are answered under numpy's."""
    alone = run(shlex.split(line))
    assert alone == run(["numpy", *shlex.split(line)])
    assert alone.status != MALFORMED


@each_once
@pytest.mark.parametrize("columns", ["200", "20", "40", "80"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_no_line_of_help_ends_with_a_blank(command: str, columns: str) -> None:
    """Help has no spaces at the end of a line, and has at most 100 columns."""
    ended = run([*command.split(), "--help"], environment={"COLUMNS": columns})
    assert ended.status == YES
    assert [line for line in ended.out.splitlines() if line != line.rstrip()] == []
    fitting = {"COLUMNS": str(min(int(columns), 100))}
    assert ended == run([*command.split(), "--help"], environment=fitting)


@each_row("words", [["check", "1," * 999 + "1", "3"], ["why", "a" * 999], ["deck", "1" * 999, "2"]])
def test_a_name_too_long_for_a_file(capsys: Output, words: list[str]) -> None:
    """A word too long for a file name is not looked up as one: the command answers it."""
    assert "cannot write" not in complaint(capsys, words)


def test_commands_with_listed_lines() -> None:
    """The commands that look into words.txt are those with command lines there."""
    assert {pattern.partition(" ")[0] for pattern in listed("lines")} == _LISTED


def test_no_arguments() -> None:
    """Without arguments on a terminal there is the short help, with commands in groups."""
    ended = run([], terminal=True, typing=True)
    assert (ended.status, ended.out) == (MALFORMED, "")
    for heading in ("Usage", "Examples", "Rules", "Tools"):
        assert re.search(rf"(?:^|  ) *{heading}:", ended.err, re.MULTILINE)
    assert all(re.search(rf"(?:^|  )  {name} ", ended.err, re.MULTILINE) for name in COMMANDS)
    assert "bcastcli help topics" in ended.err
    assert len(re.findall(r"^ +bcastcli ", ended.err, re.MULTILINE)) >= 3


def test_a_pipe_without_a_command() -> None:
    """The lines of a pipe are answered under numpy's rule; an empty pipe is no question."""
    assert run([], b"2,3 3\n4 5\n") == run(["numpy"], b"2,3 3\n4 5\n")
    assert run([], b"2,3 3\n").out == "2,3\n"
    assert run([]).status == MALFORMED


@each_row("axis", [["--axis", "-1"], ["--axis=-1"], ["axis=-1"]])
def test_axis_minus_one_is_the_default(capsys: Output, axis: list[str]) -> None:
    """Axis -1, however given, is the same question as no axis."""
    assert answer(capsys, "pdpd", "2,3,4", "4", *axis) == answer(capsys, "pdpd", "2,3,4", "4")


def options_with_value() -> list[tuple[str, str]]:
    """Return each command with each option that takes a value, by each of its names."""
    group: Any = get_command(app)
    context = group.make_context("bcastcli", [], resilient_parsing=True)
    return [
        (command, name)
        for command in group.list_commands(context)
        for parameter in group.get_command(context, command).params
        if parameter.param_type_name == "option" and not parameter.is_flag
        for name in parameter.opts
    ]


def test_options_that_take_a_value() -> None:
    """After an option that takes a value, -1 is its value, and no shape."""
    assert options_with_value()
    for command, option in options_with_value():
        assert _protect_negative_shapes([command, option, "-1", "-1"]) == [
            *(command, option, "-1"),
            f"{MARK}-1",
        ]


@each_row(("digits", "status"), [(18, 1), (19, 2), (4300, 2), (5000, 2)])
@each_row("form", ["-q", "--json", "--format=table"])
def test_an_axis_of_many_digits(
    digits: int, status: int, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An axis far past the end is a no; one with more digits than are counted on is malformed."""
    assert main(["pdpd", form, "2,3", "2,3", "--axis", "9" * digits]) == status
    assert ("expected an axis number" in capsys.readouterr().err) == (status == 2)
