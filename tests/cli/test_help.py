"""`bcastcli help` and its topics (cli/commands/help.py, the folder help)."""

import re
from collections import Counter
from pathlib import Path

import pytest

from bcastcli import help as topics
from bcastcli.cli.parser import COMMANDS, group
from bcastcli.rules import RULES
from tests.in_memory import run
from tests.rows import each_row


@each_row("name", [*COMMANDS, "torch"])
def test_a_command(name: str) -> None:
    """`help COMMAND` shows its page; `help RULE` is `rules RULE`, and `help help` lists topics.

    `-h` ends with the statuses.
    """
    assert re.search(r"\n  (The )?exit status", run([name, "-h"]).out, re.IGNORECASE)
    page = topics.page(name)
    same = {"help": ["help", "topics"], "rules": ["rules"]}.get(name, ["rules", name])
    expected = f"{page}\n`bcastcli {name} -h` lists the options.\n" if page else run(same).out
    assert run(["help", name]) == (0, expected, "")


@each_row("name", RULES)
def test_the_help_of_a_rule(name: str) -> None:
    """It fits forty lines of 80 columns, as it only names the options of pictures."""
    text = run([name, "-h"]).out
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 80
    options = {option for each in group().get_command(None, name).params for option in each.opts}
    below = f"\n\n  The rule in full: bcastcli rules {name}\n\nArguments:\n"
    assert all(each in text for each in {*options, below, "\n  Pictures: --p"} - {"shapes"})


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
    assert len(lines) > 200
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


@pytest.mark.parametrize("columns", [80, 100])
def test_two_columns(columns: int) -> None:
    """Each command stands there with the beginning of its summary, cut between words."""
    listed = run(["help"], environment={"COLUMNS": str(columns)}).out
    summaries = {name: group().get_command(None, name).short_help for name in COMMANDS}
    for name, summary in summaries.items():
        said = re.search(rf"(?:^|  )  {name}  +(\w.*?)(?:$|   )", listed, re.MULTILINE)
        assert said, name
        assert re.match(rf"{re.escape(said[1])}\W", summary)
        assert name in RULES or summary.startswith(f"{said[1]}:") or columns < 100


def test_no_such_word() -> None:
    """Any other word gets one sentence and status 2."""
    sentence = "bcastcli: there is no command or topic astrology; bcastcli help topics lists them\n"
    assert run(["help", "astrology"]) == (2, "", sentence)


@pytest.mark.parametrize("variable", ["PAGER", "MANPAGER"])
def test_no_pager(variable: str) -> None:
    """An empty PAGER is no pager, and one that cannot be started is said: the text is written."""
    written = run(["help", "shapes"], environment={variable: ""}, terminal=True)
    assert (written.status, written.err) == (0, "")
    assert "Shapes: " in written.out
    for pager in ("no-such-pager -x", "./"):  # nor is a folder one
        failed = run(["help", "shapes"], environment={variable: pager}, terminal=True)
        assert failed == (0, written.out, f"bcastcli: cannot start the pager: {pager}\n")


def test_a_pager(tmp_path: Path) -> None:
    """A pager gets the text, and nothing else is written."""
    file = tmp_path / "text"
    ended = run(["help", "shapes"], environment={"PAGER": f"cat > {file}"}, terminal=True)
    assert ended == (0, "", "")
    assert file.read_text() == run(["help", "shapes"], environment={"PAGER": ""}, terminal=True).out
