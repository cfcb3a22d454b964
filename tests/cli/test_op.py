"""`bcastcli op` without shapes, its lines and its formats (cli/commands/op.py)."""

import json
from collections.abc import Sequence

import pytest

from bcastcli import reports
from bcastcli.cli.commands import op
from bcastcli.operators.table import Version, operators
from bcastcli.render import Format, Terminal
from tests.in_memory import run
from tests.operators.asking import TABLE
from tests.rows import each_row

LISTED = ("op", "rule", "since_opset", "inputs")
HISTORY = ("since_opset", "rule", "inputs", "direction", "note")


def rows(versions: Sequence[Version], fields: tuple[str, ...]) -> list[list[str]]:
    """Fields of versions as they are written."""
    return [
        [", ".join(cell) if isinstance(cell, tuple) else str(cell or "") for cell in cells]
        for cells in ([getattr(each, field) for field in fields] for each in versions)
    ]


def records(versions: Sequence[Version]) -> object:
    """Versions as JSON has them."""
    return json.loads(json.dumps([each._asdict() for each in versions]))


def test_the_list() -> None:
    """Each operator is a row with the version that counts, in each format; no line is read."""
    newest = [versions[-1] for versions in operators().values()]
    expected = rows(newest, LISTED)
    plain, table = run(["op", "-p"]), run(["op"], b"2 3\n")
    assert [line.split("\t") for line in plain.out.splitlines()] == expected
    assert table.out.splitlines()[0].split() == ["operator", "rule", "since", "inputs"]
    assert [line.split() for line in table.out.splitlines()[2:]] == [
        " ".join(row).split() for row in expected
    ]
    assert json.loads(run(["op", "--json"]).out) == {
        "schema": 1,
        "command": "op",
        "opset": None,
        "operators": records(newest),
    }
    old = json.loads(run(["op", "--json", "--opset", "6"]).out)["operators"]
    assert {each["op"]: each["since_opset"] for each in old}["Add"] == 1
    assert "GreaterOrEqual" not in {each["op"] for each in old}


@each_row("name", TABLE)
def test_history(name: str) -> None:
    """With a name each version is a row, in each format; with an opset, the one that counts."""
    versions = TABLE[name]
    expected = rows(versions, HISTORY)
    assert [line.split("\t") for line in run(["op", name, "-p"]).out.splitlines()] == expected
    table = run(["op", name]).out
    for *cells, note in expected:
        assert " ".join(" ".join(cells).split()) in " ".join(table.split())
        assert not note or f"note  opset {cells[0]}: {note}" in table
    record = {"schema": 1, "command": "op", "op": name, "opset": None}
    assert json.loads(run(["op", name.lower(), "--json"]).out) == {
        **record,
        "versions": records(versions),
    }
    first = versions[0].since_opset
    assert json.loads(run(["op", name, "--json", "--opset", str(first)]).out) == {
        **record,
        "opset": first,
        "versions": records(versions[:1]),
    }


@each_row(
    ("name", "sign"),
    [
        *(("Add", " + "), ("Sum", " + "), ("Expand", " + "), ("Sub", "\u2212"), ("Mul", "\u00d7")),
        *(("Div", "\u00f7"), ("Equal", "==")),
    ],
)
def test_signs(name: str, sign: str) -> None:
    """A picture has the operator's sign."""
    assert sign in run(["op", name, "2", "1", "--picture"]).out


@pytest.mark.parametrize("columns", [25, 30, 40, 80, 200])
@each_row("name", ["Where", "Gemm", "PRelu"])
def test_listing_on_a_terminal(name: str, columns: int) -> None:
    """On a terminal no word of a listing is cut, and a line is longer only for two long words."""
    listing = op.history(name, None)
    lines = reports.write(listing, Format.TABLE, Terminal(columns=columns)).splitlines()
    assert all(len(line) <= max(columns, 34) for line in lines)
    assert not any(line != line.rstrip() for line in lines)
    shown = {word for line in lines for word in line.split()}
    assert {word for row in listing.cells() for cell in row for word in cell.split()} <= shown
