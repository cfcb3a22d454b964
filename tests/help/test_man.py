"""The manual page help/bcastcli.1: committed as completions/man.py writes it, and fit for man."""

import shutil
import subprocess
from pathlib import Path

import pytest

import bcastcli.help
from bcastcli.cli.main import COMMANDS
from completions import man
from completions.generate import commands

PAGE = Path(bcastcli.help.__file__).with_name("bcastcli.1")


def test_written() -> None:
    """`python completions/man.py > bcastcli/help/bcastcli.1` writes the page."""
    assert PAGE.read_text("utf-8") == man.page()


def test_every_command_and_option() -> None:
    """Each command is explained, and each of its options there or among those of several."""
    lines = PAGE.read_text("utf-8").splitlines()
    named = {line.removeprefix(".B ").replace("\\-", "-").split()[0] for line in lines if line}
    assert set(COMMANDS) <= named
    tagged = " ".join(line.replace("\\-", "-") for line in lines if line.startswith(".B "))
    words = {word.strip(",") for word in tagged.split()}
    options = {name for each in commands() for option in each.options for name in option.names}
    assert options <= words


def test_sections() -> None:
    """The page has the sections of a manual page, and at most 315 lines."""
    lines = PAGE.read_text("utf-8").splitlines()
    assert [line.removeprefix(".SH ") for line in lines if line.startswith(".SH ")] == [
        *("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS"),
        *("ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"),
    ]
    assert len(lines) <= 315


def test_options_of_several_commands() -> None:
    """An option that most commands have is explained once, and names the commands that have it."""
    text = " ".join(PAGE.read_text("utf-8").replace("\\-", "-").split())
    assert text.count(".B --strict") == 1
    assert "(rule commands, model)" in text
    assert text.count("Show the version and exit. (all)") == 1
    assert man._of(["ncnn", "op"]) == "ncnn, op"


@pytest.mark.skipif(not shutil.which("mandoc"), reason="needs mandoc")
def test_lint() -> None:
    """Mandoc finds nothing to warn of."""
    ran = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", str(PAGE)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "")


def test_what_man_would_take_for_commands() -> None:
    """A line of text that begins like a macro is kept from being one."""
    assert list(man._filled(".x 'y")) == ["\\&.x \\(aqy"]
    assert man._text("'a\\b-c×") == "\\&\\(aqa\\eb\\-c\\[u00D7]"
