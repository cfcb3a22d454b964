"""`bcastcli help` and its topics (cli/commands/help.py, the folder help)."""

import os
import pty
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bcastcli import help as topics
from bcastcli.cli.parser import COMMANDS, built
from bcastcli.rules import RULES
from tests.in_memory import run
from tests.rows import each_row


@each_row("name", [*COMMANDS, "torch"])
def test_a_command(name: str) -> None:
    """`help COMMAND` shows its page; `help RULE` is `rules RULE`, and `help help` lists topics.

    `-h` ends with the statuses.
    """
    assert re.search(r"\n  (The )?exit status", run([name, "-h"]).out, re.IGNORECASE)
    page = topics.text(name) if name in topics.names() else None
    same = {"help": ["help", "topics"], "rules": ["rules"]}.get(name, ["rules", name])
    expected = f"{page}\n`bcastcli {name} -h` lists the options.\n" if page else run(same).out
    if name == "completions":
        expected = run([name, "-h"]).out
    assert run(["help", name]) == (0, expected, "")


@each_row("name", RULES)
def test_the_help_of_a_rule(name: str) -> None:
    """It fits 24 lines of 80 columns, its own options come first, and nothing is Typer's."""
    text = run([name, "-h"]).out
    assert len(text.splitlines()) <= 24
    assert max(map(len, text.splitlines())) <= 80
    listed = re.findall(r"^  (?:-\w, )?--([a-z]+)", text, re.MULTILINE)
    shared = ["strict", "steps", "picture", "quiet", "format", "color"]
    assert listed == [*RULES[name].options, *shared]
    assert not re.search(r"<|\{|default:|\[default", text)


def test_topics() -> None:
    """Each topic has a title that says more than its name."""
    for name in topics.names():
        assert run(["help", name]).out.startswith(topics.text(name))
        assert re.match(rf"# {name}: \w", topics.text(name), re.IGNORECASE), name


def test_no_topic_repeats_another() -> None:
    """No example, row or long line of a topic stands in another topic or twice in its own."""
    lines = [
        line
        for name in topics.names()
        for line in topics.text(name).splitlines()
        if line.startswith("$ ") or len(line) > 60
    ]
    assert len(lines) > 150
    assert [line for line, count in Counter(lines).items() if count > 1] == []


def test_the_list() -> None:
    """`help topics` lists the topics, each with its title, on one screen of 80 columns."""
    listed = run(["help", "topics"]).out
    for name in topics.names():
        assert re.search(rf"^  {name} +{re.escape(topics.title(name))}$", listed, re.MULTILINE)
    assert len(listed.splitlines()) <= 24
    assert max(map(len, listed.splitlines())) <= 80


def test_one_screen() -> None:
    """On a terminal of 24 lines and 80 columns the help, and what no arguments get, are seen whole.

    One line is the prompt's.
    """
    asked, alone = run(["help"], terminal=True), run([], terminal=True, typing=True)
    assert (asked.status, asked.err, alone.status, alone.out) == (0, "", 2, "")
    for text in (asked.out, alone.err):
        assert len(text.splitlines()) < 24
        assert max(map(len, text.splitlines())) <= 80


def test_each_command() -> None:
    """Each command stands there with its summary, and below them the rules with who uses them."""
    tools, _, rules = run(["help"]).out.partition("\nRules")
    for name in COMMANDS:
        if name in RULES:
            users = RULES[name].summary.partition(":")[0]
            assert f" {name} ({users})" in " ".join(rules.split())
        else:
            summary = built(name).short_help.split()
            assert " ".join([name, *summary]) in " ".join(tools.split())


def test_no_such_word() -> None:
    """Any other word gets one sentence and status 2."""
    sentence = "bcastcli: there is no command or topic astrology; bcastcli help topics lists them\n"
    assert run(["help", "astrology"]) == (2, "", sentence)


@pytest.mark.parametrize("variable", ["PAGER", "MANPAGER"])
def test_a_pager(variable: str, tmp_path: Path) -> None:
    """On a terminal a pager gets the page as Rich draws it, and nothing else is written."""
    code = f"import sys; open({str(tmp_path / 'text')!r}, 'w').write(sys.stdin.read())"
    pager = shlex.join([sys.executable, "-c", code])
    master, slave = pty.openpty()
    ended = subprocess.run(
        [sys.executable, "-m", "bcastcli", "help", "shapes"],
        stdin=slave,
        stdout=slave,
        env={**os.environ, "TERM": "xterm", variable: pager},
        check=False,
        timeout=30,
    )
    os.close(slave)
    os.close(master)
    assert ended.returncode == 0
    assert "Shapes: how to type them" in (tmp_path / "text").read_text()
