"""The pages of -h, and `bcastcli help` (cli/page.py, cli/commands/help.py)."""

import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bcastcli import help as topics
from bcastcli.cli.parser import COMMANDS
from bcastcli.rules import RULES
from tests.in_memory import run
from tests.rows import each_row


@each_row("command", ["", *COMMANDS, "torch"])
def test_a_page(command: str) -> None:
    """-h and --help are one page of 80 columns, with its headings bold on a terminal.

    The examples can be typed, and the page of a rule fits 24 lines, its own options first.
    """
    page = run([*command.split(), "-h"])
    assert page == run([*command.split(), "--help"]) == (0, page.out, "")
    lines = page.out.splitlines()
    assert [line for line in lines if line != line.rstrip() or len(line) > 80] == []
    usage = f"bcastcli {command}" if command else "bcastcli [RULE] SHAPE... | bcastcli COMMAND ..."
    assert lines[0].startswith(f"Usage: {usage}")
    assert not re.search(r"<|\{|default:|\[default", page.out) or command not in RULES
    drawn = run([*command.split(), "-h"], environment={"TERM": "xterm"}, terminal=True).out
    assert re.sub("\033\\[.*?m", "", drawn) == page.out
    headings = re.findall("^\033\\[1m(.*)\033\\[0m", drawn, re.MULTILINE)
    assert [heading for heading in headings if heading[:5] != "Rules"] == [
        "Usage:",
        "Arguments and options:" if command else "Commands:",
    ]
    if command:
        assert re.search(r"\n  (The )?exit status", page.out, re.IGNORECASE)
    if command in RULES:
        assert len(lines) <= 24
        listed = re.findall(r"^  (?:-\w, )?--([a-z]+)", page.out, re.MULTILINE)
        shared = ["strict", "steps", "picture", "quiet", "format", "color"]
        assert listed == [*RULES[command].options, *shared]
    if command in ("", "torch", *RULES):
        examples = re.findall(r"^\s+bcastcli ([a-z0-9].*)$", page.out, re.MULTILINE)
        assert len(examples) == (3 if command else 1)
        assert all(run(shlex.split(example)).status != 2 for example in examples)


@each_row("name", [*COMMANDS, "torch"])
def test_a_command(name: str) -> None:
    """`help COMMAND` shows its page; `help RULE` is `rules RULE`, and `help help` lists topics."""
    page = topics.text(name) if name in topics.names() else None
    same = {"help": ["help", "topics"], "rules": ["rules"], "completions": ["completions", "-h"]}
    expected = f"{page}\n`bcastcli {name} -h` lists the options.\n" if page else None
    expected = expected or run(same.get(name, ["rules", name])).out
    assert run(["help", name]) == (0, expected, "")


def test_topics() -> None:
    """`help topics` lists the topics with their titles on a screen; `help TOPIC` is its text."""
    listed = run(["help", "topics"]).out.splitlines()
    titles = [line.split(maxsplit=1) for line in listed[1:]]
    assert titles == [[name, topics.title(name)] for name in topics.names()]
    assert len(listed) <= 24
    assert max(map(len, listed)) <= 80
    for name in {*topics.names()} - {*COMMANDS}:
        assert run(["help", name]) == (0, topics.text(name), "")


def test_one_screen() -> None:
    """On a terminal of 24 lines the help, and what no arguments get, are seen whole.

    One line is the prompt's.
    """
    page, alone = run(["help"], terminal=True), run([], terminal=True, typing=True)
    assert (page.status, page.err) == (0, "")
    assert alone == (2, "", f"bcastcli: a shape is missing\n{page.out}")
    assert len(alone.err.splitlines()) < 24


@pytest.mark.parametrize("variable", ["PAGER", "MANPAGER"])
def test_a_pager(variable: str, tmp_path: Path) -> None:
    """On a terminal a pager gets the page as Rich draws it, and nothing else is written."""
    code = (
        "import os, sys; print(os.environ['LESS'], sys.stdin.read(), file=open(sys.argv[1], 'w'))"
    )
    pager = shlex.join([sys.executable, "-c", code, str(tmp_path / "text")])
    master, slave = pty.openpty()
    ended = subprocess.run(
        [sys.executable, "-m", "bcastcli", "help", "shapes"],
        stdin=slave,
        stdout=slave,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "300", variable: pager},
        check=False,
        timeout=30,
    )
    os.close(slave)
    os.close(master)
    assert ended.returncode == 0
    text = (tmp_path / "text").read_text()
    # From Python 3.13 on, its own pager sets the options of less.
    assert text.startswith("-FRX" if sys.version_info < (3, 13) else "-R")
    assert "Shapes: how to type them" in text
    assert "\033[1m" in text
    lines = re.sub("\033.*?m", "", text).splitlines()
    assert max(map(len, lines[1:])) == 100
