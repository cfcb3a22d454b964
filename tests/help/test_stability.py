"""What `bcastcli help stability` promises (help/stability.md): its table names what there is."""

import re

import bcastcli
from bcastcli import help as topics
from tests.in_memory import run

PAGE = topics.text("stability")
TABLE = PAGE.partition("| promise |")[2]
PROMISED = dict(re.findall(r"^\| (\w[\w, ]*) \| (.*) \|$", TABLE, re.MULTILINE))


def words(promise: str) -> list[str]:
    return re.findall(r"`([^`]+)`", PROMISED[promise])


def test_names() -> None:
    """The Python names are those that the table names."""
    assert {*words("Python")} == {*bcastcli.__all__}


def test_exit_statuses() -> None:
    """The statuses mean what the table of the page on them says, to which the promise leads."""
    lines = {"0": "2,3 3", "1": "2,3 4", "2": "2,,3", "3": "N,4 3,4"}
    assert words("exit status") == ["bcastcli help exit"]
    assert re.findall(r"^\| (\d) \|", topics.text("exit"), re.MULTILINE) == [*lines]
    assert [str(run(line.split()).status) for line in lines.values()] == [*lines]


def test_plain() -> None:
    """The lines of plain have the forms that the table names, and no other."""
    lines = {
        "SHAPE": "numpy 2,3 3",
        "SHAPE when CONDITION": "numpy N,4 3,4",
        "mismatch: ": "numpy 2,3 4",
        "error: ": "numpy 2,,3",
        "agree: ": "compare 2,3 3",
        "differ: ": "compare 3,3 3",
        "depends: ": "compare N,N 3",
        " # ": "numpy 2,3 3 # label",
    }
    assert words("plain") == [*lines]
    for form, line in lines.items():
        command, _, question = line.partition(" ")
        out = run([command, "-p", "-"], question.encode()).out
        pattern = re.escape(form).replace("SHAPE", r"[\d,]+").replace("CONDITION", "N in .*")
        assert re.fullmatch(f"{pattern}\n" if "SHAPE" in form else f".*{pattern}.*\n", out)


def test_every_row_is_read() -> None:
    """The table promises nothing that no test reads; test_schema.py reads the keys of JSON."""
    read = {"exit status", "commands, options", "plain", "JSON", "Python"}
    assert {*PROMISED} == read
