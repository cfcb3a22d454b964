"""Command lines: exit statuses, plain answers, invalid input, help and versions (cli/main.py)."""

import re
import shlex

import pytest

from bcastcli import __version__
from bcastcli.cli.main import main
from tests.command_lines import (
    MALFORMED,
    RULES,
    YES,
    Output,
    every_rule,
    every_status,
    spelled,
)
from tests.effort import each_once
from tests.rows import each_row


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
    assert bool(out) == (status != MALFORMED or "json" in shown)
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
    assert words.startswith(f"Usage: {' '.join(['bcastcli', *command])} ")
    if command:
        assert re.search(r"Exit status: 0 .*\b1 .*\b2 .*\b3 ", words)
        assert "torch.Size([2, 3])" in words  # no markup


@each_row("rule", [*RULES, ""])
def test_help_examples(capsys: Output, rule: str) -> None:
    """Every command line that the help of a rule, or of all, shows is one that can be typed."""
    main([*rule.split(), "--help"])
    lines = re.findall(r"^\s+bcastcli ([a-z0-9].*)$", capsys.readouterr().out, re.MULTILINE)
    assert len(lines) >= (3 if rule else 1)
    for line in lines:
        assert main(shlex.split(line)) != MALFORMED, line


def test_version(capsys: Output) -> None:
    """--version, or -V, says which version this is."""
    for option in ("-V", "--version"):
        assert main([option]) == YES
        assert capsys.readouterr() == (f"bcastcli {__version__}\n", "")
