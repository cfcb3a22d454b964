"""The table: every size in full, aligned by axis, with a sign below each and the answer last."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from bcastcli.cli.main import main
from tests.effort import part_of
from tests.rows import each_row

LONG = "7" * 4300
SIXTY = ",".join(map(str, range(101, 161)))

QUESTIONS = [
    pytest.param(line.split(), id=line)
    for line in (
        "numpy 2,3,4 3,1",
        "numpy 8,1,6,1 7,1,5",
        "numpy 1000,1 1,20 ()",
        "numpy 2 3 4 2 1",
        "numpy 1,1 1",
        "numpy N,4 3,4",
        "numpy batch_size,? 1,M",
        "numpy a_rather_long_name=2,3 3",
        "onnx 2,3 4,1",
        "onnx-uni 3 2,3",
        "onnx-uni 3,N N,2",
        "none 2,3 3 3",
        "pdpd 2,3,4,5 3,4 --axis 1",
        "pdpd 2,3 3,4 --axis 1",
        "pdpd 2 3,4",
        "bidirectional 3,1 2,1,6",
        "ncnn 2,3,4 3,4",
        "ncnn 2,3,4,5 5 --order numpy",
        "ncnn 2,3,4 2,3",
        "ncnn 1,2,3,4,5 2",
    )
] + [
    pytest.param(["numpy", SIXTY, "1,160"], id="60 axes"),
    pytest.param(["numpy", f"{LONG},2,{LONG}", "2,1"], id="4300 digits"),
    pytest.param(["numpy", f"{'n' * 300}=2,3", "2,N"], id="long name"),
]
WITHOUT_AXES = [
    pytest.param(line.split(), id=line)
    for line in ("numpy ()", "none () ()", "ncnn 2,N 2", "bidirectional () ()")
]

Ask = Callable[..., list[str]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """What the command line answers, as lines."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def lines(*arguments: str) -> list[str]:
        main(arguments)
        return capsys.readouterr().out.splitlines()

    return lines


def sections(lines: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Return the head of a table, its operands, and the lines below these."""
    first, second = (number for number, line in enumerate(lines) if re.fullmatch("─+|-+", line))
    return lines[:first], lines[first + 1 : second], lines[second + 1 :]


def below(lines: list[str], label: str) -> str:
    """Return the row below the operands that has a label, without it."""
    [row] = [line for line in sections(lines)[2] if line.startswith(f"{label} ")]
    return row.removeprefix(label)


def ends(row: str) -> list[int]:
    """The place of the last character of each cell; the bracket of a (1) hangs over."""
    return [match.end() - match[0].endswith(")") for match in re.finditer(r"\S+", row)]


def cells(row: str) -> list[str]:
    """What stands in the cells of a row."""
    return row.split()


@each_row("arguments", QUESTIONS)
def test_cells_line_up(ask: Ask, arguments: list[str]) -> None:
    """Axis numbers, sizes and signs stand below each other; a ghost's 1 like any other size.

    Where the ranks are refused, an axis that would do has no sign.
    """
    lines = ask(*arguments)
    head, body, _ = sections(lines)
    places = ends(head[0].replace("axis", "    "))
    signs = ends(" " * len("compare") + below(lines, "compare"))
    assert set(signs) <= set(places)
    assert signs == places or lines[-1].startswith("mismatch: ")
    assert max((ends(row)[1:] for row in body), key=len) == places
    for row in (*body, *head[1:]):
        assert set(ends(row)[1:]) <= set(places), row


@each_row("arguments", [*QUESTIONS, *WITHOUT_AXES])
@each_row("columns", ["1", "40"])
def test_width_of_the_terminal(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, arguments: list[str], columns: str
) -> None:
    """A narrow terminal gets the same lines: nothing is cut, wrapped or left out."""
    wide = ask(*arguments)
    monkeypatch.setenv("COLUMNS", columns)
    assert ask(*arguments) == wide


@each_row("arguments", [*QUESTIONS, *WITHOUT_AXES])
def test_every_size_stands_there(ask: Ask, arguments: list[str]) -> None:
    """Each operand has one row, with its name and every size that was typed, in full."""
    asked = json.loads("".join(ask(*arguments, "--json")))
    body = sections(ask(*arguments))[1]
    assert len(body) == len(asked["operands"])
    for row, operand in zip(body, asked["operands"], strict=True):
        name, *sizes = cells(row)
        typed = [str(size) for size in operand["shape"]]
        assert name == operand["name"]
        shown = [size for size in sizes if size != "(1)"]
        assert shown == typed if asked["axes"] else sizes == [",".join(typed) or "()"]


def test_sizes_past_the_end_stand_there(ask: Ask) -> None:
    """The sizes of an operand that starts past the other one's end are shown like any others."""
    _, body, _ = sections(ask("pdpd", "2", "3", "--axis", "5"))
    assert [cells(row)[0] for row in body] == ["A", "B"]
    assert "3" in cells(body[1])


@each_row("arguments", [*QUESTIONS, *WITHOUT_AXES])
def test_no_trailing_blanks(ask: Ask, arguments: list[str]) -> None:
    """No line ends with a blank, and none is empty."""
    lines = ask(*arguments)
    assert [line for line in lines if not line or line != line.rstrip()] == []


@each_row(
    ("arguments", "numbers"),
    [
        (["numpy", "5"], [["0"], ["-1"]]),
        (["numpy", "2,3,4", "4"], [["0", "1", "2"], ["-3", "-2", "-1"]]),
        (["onnx", "4", "2,3,4"], [["0", "1", "2"], ["-3", "-2", "-1"]]),
        (["pdpd", "2,3", "2", "--axis", "0"], [["0", "1"], ["-2", "-1"]]),
        (["pdpd", "2,3", "3,4", "--axis", "1"], [["0", "1", "2"], ["-2", "-1"]]),
        (["numpy", SIXTY], [[*map(str, range(60))], [*map(str, range(-60, 0))]]),
    ],
)
def test_axis_numbers(ask: Ask, arguments: list[str], numbers: list[list[str]]) -> None:
    """The axes are numbered from both ends; an axis past the end only from the left."""
    head, _, _ = sections(ask(*arguments))
    assert [[cell for cell in cells(row) if cell != "axis"] for row in head] == numbers


@each_row(
    ("shapes", "labels"),
    [
        (["2", "1"], "w"),
        (["2,3", "3"], "w h"),
        (["2,3,4", "3,4"], "w h c"),
        (["2,3,4,5", "5"], "w h d c"),
    ],
)
def test_ncnn_labels(ask: Ask, shapes: list[str], labels: str) -> None:
    """Under ncnn the axes have ncnn's names, w first; outermost first with --order numpy."""
    head, _, _ = sections(ask("ncnn", *shapes))
    assert " ".join(cells(head[-1])) == f"axis {labels}"
    reversed_shapes = [",".join(shape.split(",")[::-1]) for shape in shapes]
    head, _, _ = sections(ask("ncnn", *reversed_shapes, "--order", "numpy"))
    assert " ".join(cells(head[-1])) == f"axis {labels[::-1]}"


@each_row(
    ("line", "row"),
    [
        ("numpy 2,3 3", "B (1) 3"),
        ("numpy 2,3 ()", "B (1) (1)"),
        ("numpy 2,3 1,3", "B 1 3"),
        ("pdpd 2,3,4,5 3,4 --axis 1", "B (1) 3 4 (1)"),
        ("ncnn 2,3,4 3,4", "B (1) 3 4"),
        ("ncnn 2,3,4 2", "B 2 (1) (1)"),
        ("ncnn 2,3,4 4", "B (1) (1) 4"),
        ("ncnn 4,3,2 4 --order numpy", "B 4 (1) (1)"),
        ("ncnn 4,3,2 2 --order numpy", "B (1) (1) 2"),
    ],
)
def test_missing_axes(ask: Ask, line: str, row: str) -> None:
    """An axis that an operand has not is a (1), one of size 1 is a 1."""
    _, body, _ = sections(ask(*line.split()))
    assert " ".join(cells(body[1])) == row


@each_row(
    ("line", "signs"),
    [
        ("numpy 2,3 2,3", "= ="),
        ("numpy 2,3 3", "B ="),
        ("numpy 2,1 1,3", "B A"),
        ("numpy 1,1 1", "= ="),
        ("numpy 2,3 3 1", "B,C C"),
        ("numpy x=2,1 bias=3", "bias x"),
        ("numpy 2,3 2,4", "= !"),
        ("numpy 3,3 2,4", "! !"),
        ("numpy 1,3 2,4", "A !"),
        ("numpy N,4 3,4", "? ="),
        ("numpy N M", "?"),
        ("numpy N,3 N,4", "= !"),
        ("numpy N,1 1,M", "B A"),
        ("none 2,3 2,4", "= !"),
        ("onnx-uni 2,3 1,3", "B ="),
        ("onnx-uni 1,3 2,3", "! ="),
        ("pdpd 2,3,4 3 --axis 1", "B = B"),
        ("bidirectional 3,1 2,1,6", "A target A"),
        ("ncnn 2,3,4 3,4", "B = ="),
        ("ncnn 2,1 1,3", "B A"),
        ("ncnn 2,3,4,5 2,3,4 --order numpy", "= = = B"),
    ],
)
def test_signs(ask: Ask, line: str, signs: str) -> None:
    """Below each axis: =, the operands that stretch, ! for a clash, or ? where it depends."""
    assert " ".join(cells(below(ask(*line.split()), "compare"))) == signs


@pytest.mark.parametrize(
    ("count", "signs"), [(8, ["A,B,C,D,E,F,G,H"]), (9, ["A,B,C,D,E,F,G,H,..."])]
)
def test_of_many_that_stretch_only_some_are_named(ask: Ask, count: int, signs: list[str]) -> None:
    """Where a crowd stretches, the columns are no wider for it."""
    assert cells(below(ask("numpy", *["1"] * count, "3"), "compare")) == signs


@each_row("arguments", [*QUESTIONS, *WITHOUT_AXES])
def test_the_answer_comes_last(ask: Ask, arguments: list[str]) -> None:
    """The last line is the result with its condition, or says why there is none."""
    *_, last = ask(*arguments)
    [plain] = ask(*arguments, "-f", "plain")
    assert last == plain


@each_row(
    ("line", "last"),
    [
        ("numpy 2,3 3", "2,3"),
        ("numpy N,4 3,4", "3,4 when N in (1, 3)"),
        (
            "numpy 2,3 2,4",
            "mismatch: A has 3 and B has 4 on axis 1 (-1), and neither is 1",
        ),
        ("numpy ()", "()"),
    ],
)
def test_last_line(ask: Ask, line: str, last: str) -> None:
    """The last line in full, for a yes, for one that depends, for a no and for a scalar."""
    assert ask(*line.split())[-1] == last


@each_row("arguments", [*QUESTIONS, *WITHOUT_AXES])
def test_notes_stand_before_the_answer(ask: Ask, arguments: list[str]) -> None:
    """Between the table and the answer every note has one line, in the order of the JSON."""
    notes = json.loads("".join(ask(*arguments, "--json")))["notes"]
    _, _, after = sections(ask(*arguments))
    shown = [line.removeprefix("note").strip() for line in after[:-1] if line.startswith("note ")]
    assert shown == [note["text"] for note in notes]


@pytest.mark.parametrize("arguments", part_of(QUESTIONS))
def test_result(ask: Ask, arguments: list[str]) -> None:
    """The result has a row below the operands, size by size; a mismatch has none."""
    asked = json.loads("".join(ask(*arguments, "--json")))
    lines = ask(*arguments)
    if asked["result"] is None:
        assert not [line for line in lines if line.startswith("result ")]
    else:
        assert cells(below(lines, "result")) == list(map(str, asked["result"]))


@each_row(
    ("line", "legend"),
    [
        ("numpy 2,3 2,3", None),
        ("numpy 2,3 2,4", None),
        ("numpy 2,3 1,3", "a name: that operand stretches"),
        ("numpy 2,1 1,3", "a name: that operand stretches"),
        (
            "numpy 2,3 3",
            "(1): B has no axis here, which counts as 1; a name: that operand stretches",
        ),
        (
            "numpy 1,3 () 3",
            "(1): B and C have no axis here, which counts as 1; a name: that operand stretches",
        ),
        ("numpy N 3", "?: depends on unknown sizes"),
        ("numpy N,1 3,2", "a name: that operand stretches; ?: depends on unknown sizes"),
        ("none 2,3 3", "(1): B has no axis here; !: not allowed"),
        ("onnx-uni 3 2,3", "(1): A has no axis here; !: not allowed"),
        (
            f"numpy 2 {'() ' * 9}",
            (
                "(1): 9 operands have no axis here, which counts as 1; "
                "a name: that operand stretches"
            ),
        ),
    ],
)
def test_legend(ask: Ask, line: str, legend: str | None) -> None:
    """What needs it is explained, in one line below the signs, and nothing else is."""
    _, _, after = sections(ask(*line.split()))
    place = next(number for number, row in enumerate(after) if row.startswith("compare "))
    explained = [row for row in after[place + 1 : -1] if not row.startswith(("note ", "try "))]
    assert explained == ([] if legend is None else [legend])


@each_row(
    ("line", "rows"),
    [
        ("numpy ()", ["A ()"]),
        ("numpy () scalar", ["A ()", "B ()"]),
        ("numpy s=() []", ["s ()", "B ()"]),
        ("none () ()", ["A ()", "B ()"]),
        ("pdpd () ()", ["A ()", "B ()"]),
        ("ncnn () ()", ["A ()", "B ()"]),
    ],
)
def test_scalars(ask: Ask, line: str, rows: list[str]) -> None:
    """Scalars alone have no axes, and are shown as such, with the scalar () as the result."""
    lines = ask(*line.split())
    assert [" ".join(cells(row)) for row in sections(lines)[1]] == rows
    assert lines[-1] == "()"


def test_without_layout(ask: Ask) -> None:
    """Where unknown sizes decide how the operands lie, their shapes are shown as typed."""
    lines = ask("ncnn", "2,N", "2")
    assert [cells(row) for row in sections(lines)[1]] == [["A", "2,N"], ["B", "2"]]
    assert lines[-1] == "2,N"


SIZES = "no reshape or transpose lines these up: make them equal on axis 2 (crop, pad or resize)"


def test_a_whole_table(ask: Ask) -> None:
    """The table of a question with everything in it: ghosts, wide sizes, a note and a no."""
    assert ask("pdpd", "128,3,4", "3,1000", "--axis", "1") == [
        "axis        0     1       2",
        "           -3    -2      -1",
        "────────────────────────────",
        "A         128     3       4",
        "B          (1)    3    1000",
        "────────────────────────────",
        "compare     B     =       !",
        "(1): B has no axis here, which counts as 1; a name: that operand stretches",
        "note  B starts at axis 1 (--axis 1)",
        f"note  {SIZES}",
        "mismatch: A has 4 and B has 1000 on axis 2 (-1), and B must be 4 or 1 there",
    ]


def process(arguments: list[str], **environment: str) -> str:
    """What the command line writes to a pipe."""
    return subprocess.run(
        [sys.executable, "-m", "bcastcli", *arguments],
        check=False,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environment},
    ).stdout


@pytest.mark.parametrize("arguments", part_of([*QUESTIONS, *WITHOUT_AXES]))
def test_ascii(ask: Ask, arguments: list[str]) -> None:
    """Where only ASCII can be shown, the rules are drawn with -, and nothing else changes."""
    shown = process(arguments, LANG="C", PYTHONIOENCODING="ascii", COLUMNS="40")
    assert shown.splitlines() == [line.replace("─", "-") for line in ask(*arguments)]
