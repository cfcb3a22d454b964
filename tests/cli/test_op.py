"""`bcastcli op` without shapes, its lines and its formats (cli/commands/op.py)."""

import io
import json
import sys

import pytest

from bcastcli import reports
from bcastcli.cli.commands import op
from bcastcli.cli.main import main
from bcastcli.operators.table import operators
from bcastcli.render import Format, Terminal
from tests.command_lines import Output
from tests.operators.asking import TABLE
from tests.rows import each_row


def test_list(capsys: Output) -> None:
    """Each operator is a row with its newest version: its rule, its opset and its inputs."""
    assert main(["op", "-f", "plain"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [[name, rule, inputs] for name, rule, _, inputs in rows] == [
        [name, last.rule, ", ".join(last.inputs)] for name, (*_, last) in operators().items()
    ]
    since = {name: int(opset) for name, _, opset, _ in rows}
    assert (since["Add"], since["Gemm"], since["GreaterOrEqual"]) == (7, 11, 12)
    for name, (*_, last) in TABLE.items():
        assert since[name] in {each.since_opset for each in TABLE[name] if each.rule == last.rule}
    assert main(["op"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["operator", "rule", "since", "inputs"]
    assert [line.split() for line in table[2:]] == [" ".join(row).split() for row in rows]
    assert main(["op", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["opset"]) == (1, None)
    assert [
        [each["op"], each["rule"], str(each["since_opset"]), ", ".join(each["inputs"])]
        for each in found["operators"]
    ] == [
        [name, last.rule, str(last.since_opset), ", ".join(last.inputs)]
        for name, (*_, last) in operators().items()
    ]


@each_row("name", TABLE)
def test_history(name: str, capsys: Output) -> None:
    """With a name each version is a row: since when, rule, inputs, direction and note."""
    rows = [
        [str(each.since_opset), each.rule, ", ".join(each.inputs), each.direction, each.note]
        for each in TABLE[name]
    ]
    texts = [[cell or "" for cell in row] for row in rows]
    assert main(["op", name, "-f", "plain"]) == 0
    assert [line.split("\t") for line in capsys.readouterr().out.splitlines()] == texts
    assert main(["op", name]) == 0
    table = capsys.readouterr().out
    for row in texts:
        assert all(cell in table for cell in row)
    assert main(["op", name, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["schema", "command", "op", "opset", "versions"]
    keys = ["op", "since_opset", "rule", "inputs", "direction", "scope", "note"]
    assert [list(each) for each in found["versions"]] == [keys] * len(rows)
    shown = ([str(e["since_opset"]), e["rule"], ", ".join(e["inputs"])] for e in found["versions"])
    assert [*shown] == [row[:3] for row in rows]


@pytest.mark.parametrize("columns", [25, 30, 40, 80, 200])
@each_row("name", ["Where", "Gemm", "PRelu"])
def test_listing_on_a_terminal(name: str, columns: int) -> None:
    """On a terminal no word of a listing is cut, and a line is longer only for two long words."""
    given = op.history(name, None)
    lines = reports.write(given, Format.TABLE, Terminal(columns=columns)).splitlines()
    assert all(len(line) <= max(columns, 34) for line in lines)
    assert not any(line != line.rstrip() for line in lines)
    shown = {word for line in lines for word in line.split()}
    assert {word for row in given.cells() for cell in row for word in cell.split()} <= shown


@pytest.mark.parametrize("quiet", [[], ["-q"]], ids=str)
def test_standard_input_is_left_alone(
    quiet: list[str], capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With shapes no line is read; and -q writes nothing, the status is the answer."""
    given = io.TextIOWrapper(io.BytesIO(b"2,3 3\n"))
    monkeypatch.setattr(sys, "stdin", given)
    assert main(["op", "Gemm", "2,3", "3,4", "4", *quiet]) == 0
    assert (capsys.readouterr().out == "") == bool(quiet)
    assert given.read() == "2,3 3\n"
