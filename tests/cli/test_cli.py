"""Command lines: exit statuses, plain answers, invalid input, help and versions (cli/main.py)."""

import re
import shlex

import pytest

from bcastcli import __version__
from bcastcli.cli.main import main
from tests.cli.asking import (
    MALFORMED,
    RULES,
    YES,
    Output,
    complaint,
    every_rule,
    every_status,
    process,
    spelled,
)
from tests.effort import each_once
from tests.rows import each_row

# Exit statuses


@each_once
@every_rule
@every_status
@pytest.mark.parametrize(
    "shown", [[], ["-f", "table"], ["-f", "plain"], ["-f", "json"]], ids=spelled
)
def test_status(capsys: Output, arguments: list[str], status: int, shown: list[str]) -> None:
    """The status says yes, no, malformed or depends, whatever the format."""
    assert main([*arguments, *shown]) == status
    out, err = capsys.readouterr()
    assert bool(out) == (status != MALFORMED)
    assert bool(err) == (status == MALFORMED)


@each_once
@every_rule
@every_status
@pytest.mark.parametrize(
    "quiet", [["-q"], ["--quiet"], ["-q", "--json"], ["-qf", "plain"]], ids=spelled
)
def test_quiet(capsys: Output, arguments: list[str], status: int, quiet: list[str]) -> None:
    """With -q nothing goes to standard output, and the status is the same."""
    assert main([*arguments, *quiet]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert bool(err) == (status == MALFORMED)


@each_once
@every_rule
@every_status
def test_status_of_the_process(arguments: list[str], status: int) -> None:
    """The process ends with the status, and answers nowhere but on standard output."""
    ended = process(*arguments, "-f", "plain")
    assert ended.returncode == status
    assert bool(ended.stdout) == (status != MALFORMED)
    assert bool(ended.stderr) == (status == MALFORMED)


# Plain answers


@each_row(
    ("arguments", "line"),
    [
        (["numpy", "8,1,6,1", "7,1,5"], "8,7,6,5"),
        (["numpy", "()"], "()"),
        (["numpy", "()", "2"], "2"),
        (["numpy", "(2,3) (2,1)"], "2,3"),
        (["numpy", "2x3", "torch.Size([2, 1])"], "2,3"),
        (["numpy", "N,4", "3,4"], "3,4 when N in (1, 3)"),
        (["numpy", "N", "M"], "? when N == M or N == 1 or M == 1"),
        (["numpy", "N,3", "1,3"], "N,3"),
        (["pdpd", "2,3", "2", "axis=0"], "2,3"),
        (
            ["numpy", "bias=2,4", "3"],
            "mismatch: bias has 4 and B has 3 on axis 1 (-1), and neither is 1",
        ),
    ],
)
def test_plain(capsys: Output, arguments: list[str], line: str) -> None:
    """Format plain is one line: the result, with its condition, or the reason."""
    main([*arguments, "-f", "plain"])
    assert capsys.readouterr().out == f"{line}\n"


# What is wrong with a question


@each_row(
    ("arguments", "says"),
    [
        (["numpy", "2,,3", "4"], "missing"),
        (["numpy", "2.3"], "did you mean 2,3?"),
        (["numpy", "2, 3"], "2,3"),
        (["numpy", "256 x 256 x 3"], "2x3"),
        (["numpy", "7" * 5000], "4300"),
        (["numpy", "N=2", "N"], "N"),
        (["onnx-uni", "2"], "two"),
        (["onnx-uni", "2", "3", "4"], "two"),
        (["none", "2"], "two"),
        (["pdpd", "2"], "two"),
        (["bidirectional", "2", "3", "4"], "two"),
        (["ncnn", "2"], "two"),
        (["numpy", " "], "an argument is empty"),
        (["''", "3"], "an argument is empty"),
        (['""'], "an argument is empty"),
        (["numpy", "-2,3"], "-2"),
        (["numpy", "--", "-2,3"], "negative"),
        (["numpy", "2", "--unheard-of"], "--unheard-of"),
        (["numpy", "2", "--axis", "1"], "--axis"),
        (["numpy", "2", "axis=1"], "axis"),
        (["numpy", "2", "--order", "ncnn"], "--order"),
        (["pdpd", "2,3", "3", "--order", "numpy"], "--order"),
        (["pdpd", "2,3", "3", "--axis", "-2"], "axis"),
        (["pdpd", "2,3", "3", "--axis=-2"], "axis"),
        (["pdpd", "2,3", "3", "--axis", "x"], "axis"),
        (["pdpd", "2,3", "3", "--axis", "1.0"], "axis"),
        (["pdpd", "2,3", "3", "--axis", "-1,3"], "axis"),
        (["pdpd", "2,3", "3", "--axis", ""], "axis"),
        (["pdpd", "2,3", "3", "--axis", "9" * 5000], "axis"),
        (["pdpd", "2,3", "3", "--axis"], "--axis"),
        (["pdpd", "2,3", "3", "axis=-2"], "axis"),
        (["numpy", "2", "--format", "nope"], "'nope'"),
        (["numpy", "2", "--format"], "--format"),
        (["numpy", "2", "--color", "puce"], "'puce'"),
        (["ncnn", "2", "2", "--order", "caffe"], "'caffe'"),
        (["--strict", "numpy", "2"], "bcastcli numpy --strict"),
        (["--file", "2"], "--file"),
    ],
)
def test_malformed(capsys: Output, arguments: list[str], says: str) -> None:
    """What cannot be answered is explained on standard error, and nothing is answered."""
    assert says in complaint(capsys, arguments)


@each_row(
    ("arguments", "line", "carets"),
    [
        (["numpy", "2,,3", "4"], "2,,3 4", "  ^"),
        (["numpy", "4", "2,for"], "4 2,for", "    ^^^"),
        (["numpy", "-1,3,,"], "-1,3,,", "     ^"),
        (["onnx-uni", "2", "3", "4"], "2 3 4", "    ^"),
        (["numpy", "(2, 3"], "(2, 3", "^"),
        (["numpy", "2", "", "3"], "2 '' 3", "  ^^"),
    ],
)
def test_the_place_is_pointed_at(
    capsys: Output, arguments: list[str], line: str, carets: str
) -> None:
    """Below the message stands the text as typed, with carets under what is wrong."""
    _, *below = complaint(capsys, arguments).splitlines()
    assert below == [f"  {line}", f"  {carets}"]


@each_row(
    "arguments",
    [
        ["numpy", "2", "--format", "-1"],
        ["numpy", "2", "--color", "-1"],
        ["ncnn", "2", "2", "--order", "-1,3"],
    ],
)
def test_a_value_like_a_shape_is_shown_as_typed(capsys: Output, arguments: list[str]) -> None:
    """An option's value that looks like a shape stands in the message as it was typed."""
    assert repr(arguments[-1]) in complaint(capsys, arguments)


# Help


@each_row("command", [[], *([rule] for rule in RULES)])
def test_help(capsys: Output, command: list[str]) -> None:
    """-h and --help are the same text, with examples and what each status means."""
    texts = []
    for flag in ("-h", "--help"):
        assert main([*command, flag]) == YES
        out, err = capsys.readouterr()
        assert err == ""
        texts.append(out)
    assert texts[0] == texts[1]
    words = " ".join(texts[0].split())
    statuses = re.search(r"[Ee]xit status.*?\b0\b.*?\b1\b.*?\b2\b.*?\b3\b", words)
    assert statuses, words
    assert words.startswith(f"Usage: {' '.join(['bcastcli', *command])} ")


@every_rule
def test_help_examples(capsys: Output, rule: str) -> None:
    """Every command line that a rule's help shows is one that can be typed."""
    main([rule, "--help"])
    lines = re.findall(r"^\s+bcastcli (.*)$", capsys.readouterr().out, re.MULTILINE)
    assert len(lines) >= 3
    for line in lines:
        assert main(shlex.split(line)) != MALFORMED, line


def test_help_lists_the_rules(capsys: Output) -> None:
    """The help without a rule lists every rule, and its examples can be typed."""
    main(["--help"])
    text = capsys.readouterr().out
    assert all(re.search(rf"^  {rule}  +\w", text, re.MULTILINE) for rule in RULES)
    for line in re.findall(r"^\s+bcastcli ([a-z].*)$", text, re.MULTILINE):
        assert main(shlex.split(line)) != MALFORMED, line


@every_rule
def test_help_keeps_brackets(capsys: Output, rule: str) -> None:
    """Brackets in a help text are text, not markup, on a colored terminal too."""
    main([rule, "--help"])
    words = " ".join(capsys.readouterr().out.split())
    assert "torch.Size([2, 3])" in words


@each_row("command", [[], *([rule] for rule in RULES)])
def test_version(capsys: Output, command: list[str]) -> None:
    """--version says which version this is, wherever it stands."""
    assert main([*command, "--version"]) == YES
    assert capsys.readouterr() == (f"bcastcli {__version__}\n", "")
