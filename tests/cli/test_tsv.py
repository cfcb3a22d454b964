"""Format tsv: a header and a row for each question, for spreadsheets."""

import csv
import io
import json

import pytest

from bcastcli.cli.main import main
from bcastcli.core.shapes import written
from tests.cli.test_stream import ASKED, MALFORMED, text_of
from tests.effort import many
from tests.fuzz.questions import random_lines
from tests.rows import each_row

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


@each_row(
    ("arguments", "row"),
    [
        (["numpy", "2,3", "3"], ["2,3 3", "true", "2,3", "", ""]),
        (["numpy", "(2, 3)", "torch.Size([1, 3])"], ["2,3 1,3", "true", "2,3", "", ""]),
        (["numpy", "()"], ["()", "true", "()", "", ""]),
        (
            ["numpy", "2,3", "4"],
            ["2,3 4", "false", "", "", "A has 3 and B has 4 on axis 1 (-1), and neither is 1"],
        ),
        (["numpy", "N,4", "3,4"], ["N,4 3,4", "null", "3,4", "N in (1, 3)", ""]),
        (["numpy", "x=2,3", "3"], ["x=2,3 3", "true", "2,3", "", ""]),
        (["numpy", "2,3", "bias=-1"], ["2,3 bias=?", "null", "2,3", "bias.shape[0] in (1, 3)", ""]),
        (["numpy", "A", "3"], ["A 3", "null", "3", "A in (1, 3)", ""]),
        (["numpy", "007", "2,,3"], None),
        (["bidirectional", "3,1", "2,1,6"], ["3,1 2,1,6", "true", "2,3,6", "", ""]),
        (["pdpd", "2,3,4", "3", "--axis", "1"], ["2,3,4 3", "true", "2,3,4", "", ""]),
    ],
)
def test_a_single_question(capsys: Output, arguments: list[str], row: list[str] | None) -> None:
    """A question in the arguments has a header and one row; a malformed one has nothing."""
    status = main([*arguments, "-f", "tsv"])
    out = capsys.readouterr().out
    if row is None:
        assert (status, out) == (MALFORMED, "")
    else:
        assert [line.split("\t") for line in out.splitlines()] == [HEADER, [*row, "", "", ""]]


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


def test_a_malformed_line(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """A malformed line has a row in its place, with the text as typed and what is wrong with it."""
    rows = rows_of(capsys, monkeypatch, ["2", "2,,3\t4", "3"], "numpy")
    assert [row[1] for row in rows] == ["true", "error", "true"]
    assert rows[1] == ["2,,3\\t4", "error", "", "", "a size is missing here"]


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


def test_ids(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """The id of a JSON question is the last cell, a text as it is, and anything else as JSON."""
    ids = ['"a b"', "7", "null", '{"a": 1}', '"=1"']
    lines = [f'{{"shapes": [[2]], "id": {each}}}' for each in ids]
    _, *rows = lines_of(capsys, monkeypatch, [*lines, f"{lines[0]} # c"], "-f", "tsv")
    tags = [row.split("\t")[-3:] for row in rows]
    shown = ["a b", "7", "null", '{"a": 1}', "'=1"]
    assert tags[:5] == [["", str(number), own] for number, own in enumerate(shown, 1)]
    assert tags[5] == ["c", "6", "a b"]


@each_row("mark", ["=", "+", "-", "@", '"'])
def test_no_cell_is_a_formula(capsys: Output, monkeypatch: pytest.MonkeyPatch, mark: str) -> None:
    """What was typed, as a line or as a label, never reaches a spreadsheet as a formula."""
    lines = [f"{mark}1+1", f"2 3,, # {mark}1", f"2 # {mark}HYPERLINK(1)"]
    _, *rows = lines_of(capsys, monkeypatch, lines, "numpy", "-f", "tsv")
    cells = [row.split("\t") for row in rows]
    assert [cells[0][0], cells[1][-3], cells[2][-3]] == [
        f"'{mark}1+1",
        f"'{mark}1",
        f"'{mark}HYPERLINK(1)",
    ]
    assert all(cell[:1] not in ("=", "+", "-", "@", '"') for row in cells for cell in row)


@each_row("rule", list(ASKED))
def test_a_spreadsheet_reads_it(capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """A reader of tab-separated values with its usual quoting finds the same cells."""
    asked = random_lines(rule, many(1600), seed=5)
    lines = lines_of(capsys, monkeypatch, asked, rule, "-f", "tsv")
    answered = [line for line in lines if line.split("\t")[1] != "error"]
    read = csv.reader(io.StringIO("\n".join(answered)), "excel-tab")
    assert list(read) == [line.split("\t") for line in answered]
    assert len(answered) > many(400)


@each_row("rule", list(ASKED))
def test_the_operands_ask_the_same(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    """The cell with the operands is itself a question, which has the same row for its answer."""
    asked = [line for line in random_lines(rule, many(1600), seed=6) if "axis" not in line]
    rows = [row for row in rows_of(capsys, monkeypatch, asked, rule) if row[1] != "error"]
    assert len(rows) > many(400)
    assert rows_of(capsys, monkeypatch, [row[0] for row in rows], rule) == rows


@each_row(
    "line",
    [
        "2 (x) 3",
        "2 [x] 3",
        "2 (x,) 3",
        '{"shapes": [[2], ["x"], [3]]}',
        "A=2 B=3",
        "B=2 3",
        "B=2 B_=3 3",
        "A,B 3",
        "A_=A 3",
        "x=() ()",
        "scalar=3 3",
        "None,3 -1",
        "(?,) ?",
        "007 7",
        "f32[3] (x)",
    ],
)
def test_an_odd_question_can_be_read_again(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """What is written of shapes can be read again, and asks the same."""
    [row] = rows_of(capsys, monkeypatch, [line], "numpy")
    assert row[1] != "error"
    assert rows_of(capsys, monkeypatch, [row[0]], "numpy") == [row]
