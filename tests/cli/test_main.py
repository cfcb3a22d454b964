"""Command lines: exit statuses, plain answers, invalid input, help and versions (cli/main.py)."""

import pytest

from bcastcli import __version__
from bcastcli.cli.main import main
from tests.command_lines import (
    MALFORMED,
    YES,
    Output,
    every_rule,
    every_status,
    spelled,
)
from tests.effort import each_once


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


def test_version(capsys: Output) -> None:
    """--version, or -V, says which version this is."""
    for option in ("-V", "--version"):
        assert main([option]) == YES
        assert capsys.readouterr() == (f"bcastcli {__version__}\n", "")
