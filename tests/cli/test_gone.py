"""Names that are gone: each is answered where it is typed."""

from pathlib import Path

import pytest

from bcastcli import help as topics
from bcastcli.cli.gone import GONE
from bcastcli.cli.main import COMMANDS
from tests.in_memory import run

PACKAGE = Path(topics.__file__).parents[1]


def spellings(name: str) -> list[list[str]]:
    """Return the command lines that ask for a name that is gone, in each way to write it."""
    first, *rest = name.split()
    command, words = ([first], rest) if first in COMMANDS else (["numpy", "3", "3"], [first, *rest])
    if words[0] == "-f":
        written = (words, [f"-f{words[1]}"], [f"-f={words[1]}"], ["--format", words[1]])
        return [[*command, *each] for each in (*written, [f"--format={words[1]}"])]
    command += ["-"] * (command == ["deck"])
    return [[*command, *words], *([[*command, "=".join(words)]] if len(words) == 2 else [])]


@pytest.mark.parametrize("name", GONE)
def test_a_name_that_is_gone(name: str) -> None:
    """However it is spelled, one sentence says what to use instead; the status is 2."""
    for line in spellings(name):
        assert run(line) == (2, "", f"bcastcli: {name} is gone: {GONE[name]}\n")


def test_a_format_that_was_never_taken() -> None:
    """No command is said to have lost a format where what is to be used instead is none of its."""
    assert "is not one of 'plain', 'json', 'github'" in run(["check", "-f", "tikz"]).err
    assert "is not one of 'plain', 'json', 'github'" in run(["check", "-f", "csv"]).err
