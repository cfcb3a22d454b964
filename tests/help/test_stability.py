"""What `bcastcli help stability` promises (help/reference.md): its table names what there is."""

import json
import re
from importlib.resources import files
from typing import Any

import bcastcli
from bcastcli import help as topics
from bcastcli.cli.main import COMMANDS, group
from tests.in_memory import run
from tests.rows import each_row

PAGE = topics.sections()["stability"]
TABLE = PAGE.partition("| promise |")[2]
PROMISED = dict(re.findall(r"^\| (\w[\w, ]*) \| (.*) \|$", TABLE, re.MULTILINE))
SCHEMA = json.loads((files("bcastcli.help") / "schema.json").read_text("utf-8"))
KINDS = [each["$ref"].rpartition("/")[2] for each in SCHEMA["oneOf"]]


def words(promise: str) -> list[str]:
    """Return what a row of the table names."""
    return re.findall(r"`([^`]+)`", PROMISED[promise])


def options() -> set[str]:
    """Return the names of the options of all commands."""
    app: Any = group()
    context = app.make_context("bcastcli", [], resilient_parsing=True)
    commands = [app.get_command(context, name) for name in COMMANDS]
    found = (one for each in commands for one in each.get_params(context))
    return {name for one in found if one.param_type_name == "option" for name in one.opts}


def test_names() -> None:
    """The commands, the options and the Python names are those that the table names."""
    assert words("commands") == [*COMMANDS]
    assert {*words("options")} == options()
    assert {*words("Python")} == {*bcastcli.__all__}


def test_exit_statuses() -> None:
    """The statuses mean what the table says."""
    asked = {"0": "2,3 3", "1": "2,3 4", "2": "2,,3", "3": "N,4 3,4"}
    assert words("exit status") == [*asked]
    assert [str(run(line.split()).status) for line in asked.values()] == [*asked]


def test_plain() -> None:
    """The lines of plain have the forms that the table names, and no other."""
    lines = {
        "SHAPE": "numpy 2,3 3",
        "SHAPE when CONDITION": "numpy N,4 3,4",
        "mismatch: ": "numpy 2,3 4",
        "not decided: ": "op Einsum 2,3 3",
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


@each_row("kind", KINDS)
def test_keys(kind: str) -> None:
    """The keys of JSON are those of the table and of the schema, which other tests hold true."""
    properties = SCHEMA["$defs"][kind]["properties"]
    assert words(f"JSON, {kind}") == [key for key, what in properties.items() if what is not False]


def test_every_row_is_read() -> None:
    """The table promises nothing that no test reads."""
    read = {"exit status", "commands", "options", "plain", "Python"}
    assert {*PROMISED} == read | {f"JSON, {kind}" for kind in KINDS}
