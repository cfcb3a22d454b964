"""Command lines: exit statuses, plain answers, invalid input, help and versions (cli/main.py)."""

import sys

import pytest

from bcastcli import __version__
from bcastcli.cli.main import main
from tests.command_lines import (
    MALFORMED,
    YES,
    Output,
    every_rule,
    every_status,
)
from tests.effort import each_once


@each_once
@every_rule
@every_status
@pytest.mark.parametrize(
    "form", ["", "-f table", "-f plain", "-f json", "-q", "--quiet", "-q --json", "-qf plain"]
)
def test_status(capsys: Output, arguments: list[str], status: int, form: str) -> None:
    """The status says yes, no, malformed or depends, whatever the format; with -q it is all."""
    assert main([*arguments, *form.split()]) == status
    out, err = capsys.readouterr()
    assert bool(out) == ("q" not in form and (status != MALFORMED or "json" in form))
    assert bool(err) == (status == MALFORMED)


def test_version(capsys: Output) -> None:
    """--version, or -V, says which version this is."""
    for option in ("-V", "--version"):
        assert main([option]) == YES
        assert capsys.readouterr() == (f"bcastcli {__version__}\n", "")


def test_digits() -> None:
    """Sizes have as many digits as the notation allows, whatever the environment sets."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert main(["-q", "9" * 4300, "1"]) == YES
    finally:
        sys.set_int_max_str_digits(before)
