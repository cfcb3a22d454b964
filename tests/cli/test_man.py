"""The manual page: committed as it is written from the app, and fit for man."""

import shutil
import subprocess
from pathlib import Path

import pytest

import bcastcli.help
from bcastcli.cli import man
from bcastcli.cli.main import COMMANDS

PAGE = Path(bcastcli.help.__file__).with_name("bcastcli.1")


def test_written() -> None:
    """`python -m bcastcli.cli.man > bcastcli/help/bcastcli.1` writes the page."""
    assert PAGE.read_text("utf-8") == man.page()


def test_every_command_and_topic() -> None:
    """Each command and each topic has its heading."""
    lines = PAGE.read_text("utf-8").splitlines()
    for name in COMMANDS:
        assert any(line.startswith(f".SS {name}:".replace("-", "\\-")) for line in lines)
    headings = [line for line in lines if line.startswith(".SH ")]
    assert len(headings) == len(set(headings)) == 5 + len(bcastcli.help.names())


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
