"""`bcastcli help`, topics and sections (cli/commands/help.py, cli/columns.py, the folder help)."""

import re
from collections import Counter
from pathlib import Path

import pytest

from bcastcli import __version__
from bcastcli import help as topics
from bcastcli.cli.main import COMMANDS, group
from bcastcli.rules import RULES
from tests.in_memory import run
from tests.rows import each_row


@each_row("name", COMMANDS)
def test_a_command(name: str) -> None:
    """`help COMMAND` shows what `COMMAND --help` does, and the topic or section of its name."""
    page = topics.text(name) if name in topics.names() else topics.sections().get(name)
    expected = run([name, "--help"]).out + (f"\n{page}" if page else "")
    assert run(["help", name]) == (0, expected, "")


def test_topics() -> None:
    """There are at most eleven topics, each with a title that says more than its name."""
    assert len(topics.names()) <= 11
    for name in topics.names():
        assert run(["help", name]).out.endswith(topics.text(name))
        assert re.match(rf"{name.replace('-', ' ')}s?: \w", topics.title(name), re.IGNORECASE)


def test_sections() -> None:
    """A word opens a section of a topic alone, with its heading and to its end."""
    sections = topics.sections()
    assert {"advice", "changelog", "completion", "engines", "performance", "stability"} <= set(
        sections
    )
    together = "\n".join(map(topics.text, topics.names()))
    for word, section in sections.items():
        assert run(["help", word]).out.endswith(section)
        assert section.lower().startswith(f"## {word}: ")
        assert section in together
        assert section.count("\n## ") == 0


def test_a_section_has_one_name() -> None:
    """No two sections have the same name, and none that of another topic."""
    together = "\n".join(map(topics.text, topics.names()))
    words = [word.lower() for word in re.findall(r"^## (\w+): ", together, re.MULTILINE)]
    assert sorted(words) == list(topics.sections())
    assert not set(words) & set(topics.names())


def test_changelog() -> None:
    """The reference has the whole changelog as a section; its first version is this one, dated."""
    file = Path(topics.__file__).with_name(f"{topics.CHANGELOG}.md").read_text("utf-8")
    lines = [line.removeprefix("#") for line in topics.sections()["changelog"].splitlines()]
    assert lines == file.splitlines()
    newest = next(line for line in file.splitlines() if line.startswith("## "))
    assert re.fullmatch(rf"## {re.escape(__version__)}, \d{{4}}-\d\d-\d\d", newest)


def test_no_topic_repeats_another() -> None:
    """No example, row or long line of a topic stands in another topic or twice in its own."""
    lines = [
        line
        for name in topics.names()
        for line in topics.text(name).splitlines()
        if line.startswith("$ ") or len(line) > 60
    ]
    assert len(lines) > 300
    assert [line for line, count in Counter(lines).items() if count > 1] == []


def test_the_list() -> None:
    """`help topics` lists the topics and the sections, each with the rest of its title."""
    listed = run(["help", "topics"]).out
    for name in topics.names():
        said = topics.title(name).partition(": ")[2]
        assert re.search(rf"^  {name} +{re.escape(said)}$", listed, re.MULTILINE)
    for word in topics.sections():
        assert re.search(rf"^  {word} +\w", listed, re.MULTILINE)
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


def test_topics_open_with_an_example() -> None:
    """The first thing below a topic's first sentences is a command, with what it gives."""
    for name in topics.names():
        first = re.search(r"^(?:\||#+ |```\w*)", topics.text(name).partition("\n")[2], re.MULTILINE)
        assert first, name
        assert (name, first[0]) == (name, "```console")


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
    failed = run(["help", "shapes"], environment={variable: "no-such-pager -x"}, terminal=True)
    assert failed == (0, written.out, "bcastcli: cannot start the pager: no-such-pager -x\n")


def test_a_pager(tmp_path: Path) -> None:
    """A pager gets the text, and nothing else is written."""
    file = tmp_path / "text"
    ended = run(["help", "shapes"], environment={"PAGER": f"cat > {file}"}, terminal=True)
    assert ended == (0, "", "")
    assert file.read_text() == run(["help", "shapes"], environment={"PAGER": ""}, terminal=True).out
