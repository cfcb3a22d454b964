"""`bcastcli op` without shapes, its lines and its formats (reports/listings.py)."""

import csv
import io
import json
import sys

import pytest

from bcastcli import reports
from bcastcli.cli.main import main
from bcastcli.render import Format, Terminal
from bcastcli.reports.listings import Listing
from tests.cli.operators import TABLE, Output, plain, until
from tests.rows import each_row

# Lists.


def test_list(capsys: Output) -> None:
    """Each operator is a row with its rule today, since when it broadcasts so, and its inputs."""
    assert main(["op", "-f", "plain"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [[name, rule, inputs] for name, rule, _, inputs in rows] == [
        [name, last.rule, ", ".join(last.inputs)] for name, (*_, last) in TABLE.items()
    ]
    since = {name: int(opset) for name, _, opset, _ in rows}
    assert (since["Add"], since["Gemm"], since["GreaterOrEqual"], since["PRelu"]) == (7, 7, 12, 7)
    for name, (*_, last) in TABLE.items():
        assert since[name] in {each.since_opset for each in TABLE[name] if each.rule == last.rule}
    assert main(["op"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["operator", "rule", "since", "inputs"]
    assert [line.split() for line in table[2:]] == [" ".join(row).split() for row in rows]
    assert main(["op", "-f", "tsv"]) == 0
    header, *lines = csv.reader(io.StringIO(capsys.readouterr().out), delimiter="\t")
    assert (header, lines) == (table[0].split(), rows)
    assert main(["op", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["opset"]) == (1, None)
    assert [
        [each["op"], each["rule"], str(each["since_opset"]), ", ".join(each["inputs"])]
        for each in found["operators"]
    ] == [
        [name, last.rule, str(last.since_opset), ", ".join(last.inputs)]
        for name, (*_, last) in TABLE.items()
    ]


@each_row("output", [each for each in Format if each.is_text])
@each_row("arguments", [[], ["Gemm"]])
def test_lists_in_every_format(output: str, arguments: list[str], capsys: Output) -> None:
    """The list and a history are written in every format."""
    assert main(["op", *arguments, "-f", output]) == 0
    out, err = capsys.readouterr()
    assert ("onnx-uni" in out, err) == (True, "")


def test_list_of_an_opset(capsys: Output) -> None:
    """With an opset the list has what counts there."""
    for opset in (1, 6, 7, 10, 28):
        assert main(["op", "--opset", str(opset), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["operators"]
        assert {(each["op"], each["since_opset"]) for each in found} == {
            (version.op, version.since_opset)
            for version in (each for versions in TABLE.values() for each in versions)
            if version.since_opset <= opset <= until(version)
        }


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
    assert main(["op", name, "-f", "tsv"]) == 0
    header, *lines = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert header == ["since", "rule", "inputs", "direction", "note"]
    assert lines == texts
    assert main(["op", name]) == 0
    table = capsys.readouterr().out
    for row in texts:
        assert all(cell in table for cell in row)
    assert main(["op", name, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["schema", "command", "op", "opset", "versions"]
    keys = ["op", "since_opset", "rule", "inputs", "direction", "scope", "note"]
    assert [list(each) for each in found["versions"]] == [keys] * len(rows)
    assert [
        [str(each["since_opset"]), each["rule"], ", ".join(each["inputs"])]
        for each in found["versions"]
    ] == [row[:3] for row in rows]


LISTINGS = [
    Listing(
        "ONNX",
        ("operator", "rule", "since", "inputs"),
        (("Add", "onnx", "7", "A, B"), ("Where", "onnx", "9", "condition, X, Y")),
        {},
    ),
    Listing(
        "ONNX Gemm",
        ("since", "rule", "direction", "note"),
        (("1", "onnx-legacy", "", ""), ("11", "onnx-uni", "C -> (M,N)", "C may be left out")),
        {},
    ),
]


@pytest.mark.parametrize("columns", [25, 30, 40, 80, 200])
@pytest.mark.parametrize("given", LISTINGS, ids=lambda each: each.sheet().title)
def test_listing_on_a_terminal(given: Listing, columns: int) -> None:
    """On a terminal, however narrow, no line is longer, and no word of a listing is cut."""
    lines = reports.write(given, Format.TABLE, Terminal(columns=columns)).splitlines()
    assert all(len(line) <= columns for line in lines)
    assert not any(line != line.rstrip() for line in lines)
    grid = [row[: len(row) - (given.HEADS[-1] == "note")] for row in (given.HEADS, *given.rows())]
    words = [word for row in grid for cell in row for word in cell.split()]
    ends = [row for row in given.rows() if given.HEADS[-1] == "note" and row[-1]]
    words += [word for row in ends for word in f"note {row[0]}: {row[-1]}".split()]
    assert [word for line in lines for word in line.split() if set(word) != {"-"}] == words


def test_narrow_listing() -> None:
    """What there is no room for goes below its row, and a note on below where it began."""
    terminal = Terminal(columns=29, has_box_characters=True)
    assert reports.write(LISTINGS[0], Format.TABLE, terminal).splitlines() == [
        "operator   rule   since",
        "  inputs",
        "───────────────────────",
        "Add        onnx   7",
        "  A, B",
        "Where      onnx   9",
        "  condition, X, Y",
    ]
    assert reports.write(LISTINGS[1], Format.TABLE, terminal).splitlines() == [
        "since   rule",
        "  direction",
        "───────────────────",
        "1       onnx-legacy",
        "11      onnx-uni",
        "  C -> (M,N)",
        "note  11: C may be left out",
    ]
    narrower = reports.write(LISTINGS[1], Format.TABLE, terminal._replace(columns=20))
    assert narrower.splitlines()[-2:] == ["note  11: C may be", "      left out"]


@pytest.mark.parametrize("output", [each for each in Format if each.is_text][1:])
@pytest.mark.parametrize("given", LISTINGS, ids=lambda each: each.sheet().title)
def test_only_the_table_depends_on_the_terminal(given: Listing, output: Format) -> None:
    """What is for programs and files is the same on every terminal."""
    narrow, wide = (reports.write(given, output, Terminal(columns=each)) for each in (20, None))
    assert narrow == wide


def test_history_in_an_opset(capsys: Output) -> None:
    """With an opset the history is the version that counts there."""
    assert plain(capsys, "gemm", "--opset", "6")[1].split("\t")[:2] == ["1", "onnx-legacy"]
    assert plain(capsys, "gemm", "--opset", "10")[1].split("\t")[:2] == ["7", "onnx-uni"]


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


def answers_to_lines(lines: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    return main(["op", *arguments])


def test_lines(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """With - every line is a question to the operator, and malformed ones are passed."""
    lines = "2,3 3,4 4\n2,3 4,4 4\n\n# none\n2,3 3\n2,N 3,4\n2\n[[2,3],[3,4],[2,1]]\n"
    assert answers_to_lines(lines, ["gemm", "-"], monkeypatch) == 2
    out, err = capsys.readouterr()
    first, second, third, fourth, fifth, sixth = out.splitlines()
    assert (first, fourth, sixth) == ("2,4", "2,4 when N == 3", "2,4")
    assert second.startswith("mismatch: A 2,3 has 3 on axis 1 (-1) and B 4,4 has 4")
    assert third.startswith("mismatch: B 3 has 1 axis")
    assert fifth == "error: Gemm takes two or three shapes (A, B, C), not one"
    assert "line 7: Gemm takes" in err


def test_axis_on_lines(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """axis=K stands on the lines of the operators that have an axis, and on no others."""
    lines = "2,3,4 3 axis=1\n2,3,4 4\n2,3,4 3\n"
    arguments = ["add", "-", "--opset", "6", "-f", "json"]
    assert answers_to_lines(lines, arguments, monkeypatch) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["line"], each["options"], each["ok"]) for each in found] == [
        (1, {"axis": 1}, True),
        (2, {"axis": 2}, True),
        (3, {"axis": 2}, False),
    ]
    assert answers_to_lines(lines, ["add", "-"], monkeypatch) == 2
    assert "line 1: this rule takes no axis" in capsys.readouterr().err


def test_axis_counted_back_on_lines(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a line the axis is what it is as an option: a normalization's may be counted back."""
    lines = '2,3,4 4 axis=-2\n{"shapes": [[2,3,4],[4]], "axis": -3}\n2,3,4 4 axis=-4\n2 2 axis=x\n'
    assert answers_to_lines(lines, ["rmsnormalization", "-", "--json"], monkeypatch) == 2
    out, err = capsys.readouterr()
    *found, last = map(json.loads, out.splitlines())
    assert [(each["ok"], each["options"]["axis"]) for each in found] == [
        (True, 1),
        (True, 0),
        (False, -4),
    ]
    assert last["error"] == "expected a whole number, such as 0, 1 or -1"
    assert last["column"] == 10
    assert last["error"] in err
    lines = '2,3,4 4 axis=-2\n{"shapes": [[2,3,4],[4]], "axis": -2}\n'
    assert answers_to_lines(lines, ["add", "-", "--opset", "6"], monkeypatch) == 2
    strict = "error: expected an axis number (0, 1, 2, ...) or -1 (the default)"
    assert capsys.readouterr().out.splitlines() == [strict, strict]


# Formats.


def test_json(capsys: Output) -> None:
    """JSON is the rule's, with the operator, the opset and the inputs as typed besides."""
    assert main(["op", "gemm", "3,N", "b=3,?", "4", "--trans-a", "--json", "--opset", "12"]) == 3
    found = json.loads(capsys.readouterr().out)
    suggestions = found.pop("suggestions")
    assert suggestions == []
    axes = found.pop("axes")
    assert [axis["sizes"] for axis in axes] == [["N", None], ["?", 4]]
    assert found == {
        "schema": 1,
        "rule": "onnx-uni",
        "operands": [
            {"name": "A.T@b", "shape": ["N", "?"]},
            {"name": "C", "shape": [4]},
        ],
        "status": "depends",
        "options": {"trans_a": True, "trans_b": False},
        "ok": None,
        "result": ["N", 4],
        "when": "b.shape[1] == 4",
        "reason": None,
        "reason_kind": None,
        "notes": [],
        "op": "Gemm",
        "opset": 12,
        "since_opset": 11,
        "inputs": [
            {"name": "A", "shape": [3, "N"]},
            {"name": "b", "shape": [3, "?"]},
            {"name": "C", "shape": [4]},
        ],
    }


@each_row(
    ("arguments", "operands"),
    [
        (["gemm", "2,3", "3,4", "4"], "2,3 3,4 4"),
        (["gemm", "2,3", "b=3,4", "()"], "2,3 b=3,4 ()"),
        (["gemm", "2,3", "2,4"], "2,3 2,4"),
        (["where", "N,1", "?", "Y=3"], "N,1 ? 3"),
        (["matmul", "8,2,3", "3,4"], "8,2,3 3,4"),
        (["prelu", "2,3", "3"], "2,3 3"),
        (["max", "2,3", "3", "1"], "2,3 3 1"),
    ],
)
def test_tsv_shows_inputs(arguments: list[str], operands: str, capsys: Output) -> None:
    """A row of TSV has the inputs, from which they can be read again."""
    main(["op", *arguments, "-f", "tsv"])
    _, row = capsys.readouterr().out.splitlines()
    assert row.split("\t")[0] == operands
    again = main(["op", arguments[0], *operands.split(), "-f", "tsv"])
    assert capsys.readouterr().out.splitlines()[1] == row
    assert again == main(["op", *arguments, "-q"])


def test_table_of_an_answer(capsys: Output) -> None:
    """The table shows the factors as typed, and C below their product."""
    assert main(["op", "gemm", "2,3", "3,5", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines if line[:1] in "AC"] == [
        ["A", "2", "3"],
        ["C", "(1)", "5"],
    ]
    assert main(["op", "matmul", "8,1,3,4", "5,4,6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines if line[:1] in "AB"] == [
        ["A", "8", "1", "3", "4"],
        ["B", "5", "4", "6"],
    ]
    assert lines[-1] == "8,5,3,6"
    assert "the sum goes over A's axis 3 (-1) and B's axis 1 (-2)" in lines[-2]
