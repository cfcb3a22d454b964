"""What a word or an option may mean: commands by other names, shapes that look like options."""

import re
import shlex
from itertools import product
from typing import Any

import numpy as np
import pytest
from typer.main import get_command

from bcastcli.cli.main import COMMANDS, _protect_negative_shapes, app, main
from bcastcli.cli.options import MARK
from bcastcli.notation.hints import UNDER_OTHER_RULES
from bcastcli.rules import names
from bcastcli.rules.frameworks import WITHOUT_A_RULE
from tests.cli.asking import MALFORMED, RULES, YES, Output, answer, complaint, spelled
from tests.effort import each_once
from tests.in_memory import run
from tests.rows import each_row

# Rules by name


@pytest.mark.parametrize("arguments", [["astrology"], ["astrology", "2", "3"]], ids=spelled)
def test_unknown_rule(capsys: Output, arguments: list[str]) -> None:
    """A name that is no rule is told which rules there are."""
    message = complaint(capsys, arguments)
    assert "astrology" in message
    assert all(re.search(rf"(?<![\w-]){rule}(?![\w-])", message) for rule in RULES)


@pytest.mark.parametrize("arguments", [["n", "batch,n"], ["n", "-p", "n,batch", "batch"]])
def test_a_word_that_names_a_size(arguments: list[str]) -> None:
    """A first word that names a size of another shape is a shape, as it is on a line."""
    plain = [each for each in arguments if each != "-p"]
    assert run([*arguments, "--max-elements", "9"]) == run(
        ["numpy", *arguments, "--max-elements", "9"]
    )
    assert run(["-p", *plain]) == run(["-"], f"{' '.join(plain)}\n".encode())


def suggested(message: str) -> list[str]:
    """The arguments of the command line that a message ends with."""
    return shlex.split(message.rpartition(": bcastcli ")[2])


@each_row(
    ("word", "rule"),
    [*names().items(), ("PyTorch", "numpy"), ("JAX", "numpy"), ("NumPy", "numpy")],
)
def test_a_framework_s_name(capsys: Output, word: str, rule: str) -> None:
    """A framework's name in front answers as its rule does."""
    statuses, answers = [], []
    for name in (word, rule):
        axes = ["--axes", "0,1"] if rule == "explicit" else []
        statuses.append(main([name, "-p", "3,4", "4", *axes]))
        answers.append(capsys.readouterr().out)
    assert statuses[0] == statuses[1] != MALFORMED
    assert answers[0] == answers[1]


@each_row(
    ("typed", "meant"),
    [
        ("ncn 3,4 4", "ncnn 3,4 4"),
        ("onxx-uni 3,4 4", "onnx-uni 3,4 4"),
        ("comapre 3,4 4", "compare 3,4 4"),
        ("trch 3,4 4", "torch 3,4 4"),
        ("ptorch 3,4 4", "pytorch 3,4 4"),
        ("matmul 2,3 3,4", "op MatMul 2,3 3,4"),
        ("bmm 1,2,3 1,3,4", "op MatMul 1,2,3 1,3,4"),
        ("Add 2,3 3", "op Add 2,3 3"),
        ("add 2,3 3", "op Add 2,3 3"),
        ("gemm 8,64 64,10 10", "op Gemm 8,64 64,10 10"),
        ("linear 8,64 64,10 10", "op Gemm 8,64 64,10 10"),
        ("Expand 3 2,3", "op Expand 3 2,3"),
        ("broadcast_to 3 2,3", "onnx-uni 2,3 3"),
        ("expand 3 2,3", "onnx-uni 2,3 3"),
        ("broadcast_shapes 3 2,3", "numpy 3 2,3"),
        ("topics", "help topics"),
        ("Python", "help python"),
        ("formats", "help formats"),
        ("version", "--version"),
    ],
)
def test_a_word_that_is_no_command(capsys: Output, typed: str, meant: str) -> None:
    """A word that is no command leads to the command that was meant, which answers."""
    message = complaint(capsys, typed.split())
    assert message.endswith(f"; did you mean: bcastcli {meant}\n")
    assert main(meant.split()) != MALFORMED


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


@each_row(
    ("line", "hint"),
    [
        ("3,3 3 --rule ncnn", "type the rule first, as in bcastcli ncnn 3,3 3"),
        ("--rule ncnn 3,3 3", "type the rule first, as in bcastcli ncnn 3,3 3"),
        ("2,3,4 3 --axis 1", "numpy has no option --axis; it is an option of pdpd"),
        ("pdpd 2,3 3 --order numpy", "pdpd has no option --order; it is an option of ncnn"),
        ("foo 3", "; -h lists all"),
        ("torch matmul 3,4 4,5", "did you mean: bcastcli op matmul 3,4 4,5"),
        ("ncnn cnn.onnx", f"{UNDER_OTHER_RULES.format('cnn.onnx')}\n  cnn.onnx\n  ^^^^^^^^"),
        ("model cnn.onnx --rules ncnn", UNDER_OTHER_RULES.format("FILE")),
        ("cnn.onnx", UNDER_OTHER_RULES.format("cnn.onnx")),
    ],
)
def test_a_hint_at_the_right_place(capsys: Output, line: str, hint: str) -> None:
    """An option of another rule, and the rule itself typed as an option, are pointed out."""
    assert complaint(capsys, line.split()).endswith(f"{hint}\n")


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


def test_the_operator_broadcast(capsys: Output) -> None:
    """OpenVINO's operator Broadcast, which ONNX lacks, is answered by another command."""
    assert complaint(capsys, ["op", "Broadcast"]).splitlines()[0] == (
        "bcastcli: ONNX has no operator Broadcast; OpenVINO's is bcastcli bidirectional"
    )


@pytest.mark.parametrize("word", ["Astrology", "xyzzy"])
def test_a_word_is_shown_as_typed(capsys: Output, word: str) -> None:
    """A name that is no rule stands in the message as it was typed."""
    assert word in complaint(capsys, [word, "3,4", "4"])


@each_row(
    "shapes",
    [
        ["3,4", "3"],
        ["5"],
        ["(3, 4)", "3"],
        ["2x3", "3"],
        ["torch.Size([2, 3])", "3"],
        ["-1,3", "3"],
        ["-1", "3"],
        ["?", "3"],
        ["scalar", "(2,)"],
        ["bias=3", "3"],
        ["bias=N", "3"],
        ["NxM", "3"],
        ["N", "3"],
        ["scalar", "3"],
        ["-p", "2", "3"],
        ["--format", "tsv", "2", "3"],
        ["--", "2", "3"],
        ["2", "3", "--json"],
    ],
)
def test_shapes_without_a_rule(capsys: Output, shapes: list[str]) -> None:
    """Shapes without a rule are answered under numpy's."""
    statuses, answers = [], []
    for arguments in (shapes, ["numpy", *shapes]):
        statuses.append(main(arguments))
        answers.append(capsys.readouterr())
    assert statuses[0] == statuses[1] != MALFORMED
    assert answers[0] == answers[1]


@each_once
@pytest.mark.parametrize("columns", ["20", "40", "80", "200"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_no_line_of_help_ends_with_a_blank(command: str, columns: str) -> None:
    """Help has no spaces at the end of a line, however narrow the terminal is."""
    ended = run([*command.split(), "--help"], environment={"COLUMNS": columns})
    assert ended.status == YES
    assert [line for line in ended.out.splitlines() if line != line.rstrip()] == []


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


@pytest.mark.parametrize(("option", "meant"), [("--stepps", "--steps"), ("--jsn", "--json")])
def test_an_option_that_is_nearly_one(capsys: Output, option: str, meant: str) -> None:
    """An option that is nearly one leads to it; any other is not explained by a strange one."""
    assert complaint(capsys, ["numpy", "2", option]).endswith(f"; did you mean {meant}?\n")
    assert "did you mean" not in complaint(capsys, ["numpy", "2", "--file"])


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_an_output_file(capsys: Output, option: str) -> None:
    """A command that has no option for a file says how its output gets into one."""
    told = complaint(capsys, ["numpy", "4,1", "3", "--picture", "-f", "svg", option, "x.svg"])
    assert told == f"bcastcli: numpy has no option {option}; its output goes to a file by > FILE\n"


# Shapes that look like options


@each_row(
    ("arguments", "result"),
    [
        (["numpy", "-1,3", "3"], "?,3"),
        (["numpy", "3", "-1,3"], "?,3"),
        (["numpy", "-1", "1"], "?"),
        (["numpy", "-1x3"], "?,3"),
        (["numpy", "-1×3"], "?,3"),
        (["numpy", "-1,"], "?"),
        (["numpy", "--", "-1,3", "3"], "?,3"),
        (["numpy", "3", "--", "-1,3"], "?,3"),
        (["numpy", "--", "2", "3,1"], "3,2"),
        (["pdpd", "-1,3", "3", "--axis", "-1"], "?,3"),
        (["pdpd", "--axis", "-1", "-1,3", "3"], "?,3"),
        (["pdpd", "--axis=-1", "-1,3", "3"], "?,3"),
        (["pdpd", "2,3", "3", "--axis", "1"], "2,3"),
    ],
)
def test_leading_minus_one(capsys: Output, arguments: list[str], result: str) -> None:
    """-1 as a shape, or at the beginning of one, is an unknown size; --axis -1 is an axis."""
    rule, *rest = arguments
    assert main([rule, "-f", "plain", *rest]) == YES
    assert capsys.readouterr().out == f"{result}\n"


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


@each_row("arguments", [["-2,3", "3"], ["3", "-2"], ["-q", "-20,3"], ["-2x3"]])
def test_a_negative_size(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A shape with a negative size is no option: what is wrong is the size."""
    assert main(["numpy", *arguments]) == 2
    assert capsys.readouterr().err.startswith("bcastcli: a size cannot be negative; ")


# Rules that compare is told by name


def test_a_scalar_needs_no_axes() -> None:
    """A scalar has no axes to place, so compare asks explicit too."""
    status, out, err = run(["compare", "--rules", "numpy,explicit", "-p", "()", "2,3"])
    assert (status, out, err) == (0, "agree: 2,3\n", "")


@pytest.mark.parametrize("stream", [False, True], ids=["argument", "stream"])
def test_axes_that_are_not_told(*, stream: bool) -> None:
    """Without its axes a rule cannot be compared: the error leads to two commands that answer."""
    shapes = ["2", "2,3"]
    asked = ["compare", "--rules", "numpy,explicit"]
    text = f"{' '.join(shapes)}\n".encode() if stream else b""
    status, out, err = run([*asked, *(["-"] if stream else shapes)], text)
    assert (status, out) == (2, "")
    assert "explicit needs the axes of B" in err
    assert "use the rule's own command, or compare --all without --rules" in err
    [option] = re.findall(r"--axes \S+(?=,)", err)
    status, out, _ = run(["explicit", "-p", *shapes, *option.split()])
    assert (status, out) == (0, "2,3\n")
    status, out, _ = run(["compare", "--all", *shapes])
    assert status == 1
    assert "[explicit axes 0]" in out
