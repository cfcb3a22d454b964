"""Format tsv: a header and a row for each question, for spreadsheets."""

import csv
import io
import json

import pytest

from bcastcli.cli.main import main
from bcastcli.core.shapes import written
from tests.effort import many
from tests.fuzz.questions import random_lines
from tests.rows import each_row
from tests.stream.test_batch import ASKED, text_of

HEADER = ["operands", "ok", "result", "when", "reason", "label", "line", "id"]

Output = pytest.CaptureFixture[str]


def lines_of(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, lines: list[str], *arguments: str
) -> list[str]:
    """What is written of lines on standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text_of(lines))))
    main(arguments)
    out = capsys.readouterr().out
    assert out.endswith("\n")
    return out.removesuffix("\n").split("\n")


def rows_of(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, lines: list[str], *arguments: str
) -> list[list[str]]:
    """The cells of the rows that answer lines without labels, below the header, up to the label."""
    written = lines_of(capsys, monkeypatch, lines, *arguments, "-f", "tsv")
    header, *rows = (row.split("\t") for row in written)
    assert header == HEADER
    assert all(row[5] == row[7] == "" for row in rows)
    return [row[:5] for row in rows]


def test_one_header(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream has its header once, however many lines follow."""
    lines = lines_of(capsys, monkeypatch, ["2 3", "# so", "", "2"] * 5000, "numpy", "-f", "tsv")
    assert lines[0].split("\t") == HEADER
    numbers = [number for place in range(1, 20_000, 4) for number in (place, place + 3)]
    rows = ["2 3\tfalse\t\t\tA has 2 and B has 3 on axis 0 (-1), and neither is 1\t\t{}\t"]
    rows.append("2\ttrue\t2\t\t\t\t{}\t")
    assert lines[1:] == [
        row.format(number) for row, number in zip(rows * 5000, numbers, strict=True)
    ]


@each_row("rule", list(ASKED))
def test_the_cells(capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """Each row has five cells without tabs or quotes around, and says what the JSON says."""
    asked = [
        *random_lines(rule, many(1600), seed=4),
        "2,\t,3",
        "é\t\t",
        "\x0b2",
        "2\u2028",
        "\x1b[31m\t",
    ]
    rows = rows_of(capsys, monkeypatch, asked, rule)
    objects = map(json.loads, lines_of(capsys, monkeypatch, asked, rule, "--json"))
    for line, row, each in zip(asked, rows, objects, strict=True):
        operands, ok, result, when, reason = row
        assert all(cell.isprintable() for cell in row), line
        if "error" in each:
            assert [ok, result, when, reason] == ["error", "", "", each["error"]]
            continue
        assert ok == json.dumps(each["ok"])
        shape = each["result"]
        assert result == ("" if shape is None else written(shape))
        assert (when, reason) == (each["when"] or "", each["reason"] or "")
        assert len(operands.split(" ")) == len(each["operands"])


@each_row(
    ("label", "cell"),
    [
        (r"a\tb", r"a\\tb"),
        ("a\tb", r"a\tb"),
        ("\\", r"\\"),
        ("\x1b[1m\u202e", r"\x1b[1m\u202e"),
        ('"a', "'\"a"),
        ("é 名", "é 名"),
    ],
)
def test_each_cell_means_one_text(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, label: str, cell: str
) -> None:
    """A backslash is escaped as what is not printable is, so that no two texts have one cell."""
    _, row, bad = lines_of(capsys, monkeypatch, [f"2 # {label}", f"{label},,"], "-f", "tsv")
    assert row.split("\t")[-3:] == [cell, "1", ""]
    assert bad.split("\t")[0] == f"{cell},,"


@each_row("rule", list(ASKED))
def test_a_spreadsheet_reads_it(capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """A reader of tab-separated values with its usual quoting finds the same cells."""
    asked = random_lines(rule, many(1600), seed=5)
    lines = lines_of(capsys, monkeypatch, asked, rule, "-f", "tsv")
    answered = [line for line in lines if line.split("\t")[1] != "error"]
    read = csv.reader(io.StringIO("\n".join(answered)), "excel-tab")
    assert list(read) == [line.split("\t") for line in answered]
    assert len(answered) > many(400)


ODD = [
    *("2 (x) 3", "2 [x] 3", "2 (x,) 3", '{"shapes": [[2], ["x"], [3]]}', "A=2 B=3", "B=2 3"),
    *("B=2 B_=3 3", "A,B 3", "A_=A 3", "x=() ()", "scalar=3 3", "None,3 -1", "(?,) ?", "007 7"),
    "f32[3] (x)",
]


@each_row("rule", list(ASKED))
def test_the_operands_ask_the_same(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    """The cell with the operands is itself a question, which has the same row for its answer."""
    asked = [line for line in random_lines(rule, many(1600), seed=6) if "axis" not in line]
    rows = rows_of(capsys, monkeypatch, [*ODD, *asked], rule)
    assert rule != "numpy" or "error" not in {row[1] for row in rows[: len(ODD)]}
    rows = [row for row in rows if row[1] != "error"]
    assert len(rows) > many(400)
    assert rows_of(capsys, monkeypatch, [row[0] for row in rows], rule) == rows
