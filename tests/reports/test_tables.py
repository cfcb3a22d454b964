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
from tests.in_memory import run
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
    for line in ("numpy () ()", "none () ()", "ncnn 2,N 2", "bidirectional () ()")
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
    """The place of the last character of each cell."""
    return [match.end() for match in re.finditer(r"\S+", row)]


def cells(row: str) -> list[str]:
    """What stands in the cells of a row."""
    return row.split()


@each_row("arguments", QUESTIONS)
def test_cells_line_up(ask: Ask, arguments: list[str]) -> None:
    """Axis numbers, sizes and signs end below each other.

    Where the ranks are refused, an axis that would do has no sign.
    """
    lines = ask(*arguments)
    head, body, _ = sections(lines)
    places = ends(head[0].replace("axis", "    "))
    signs = ends(" " * len("stretch") + below(lines, "stretch"))
    assert set(signs) <= set(places)
    assert signs == places or lines[-1].startswith("mismatch: ")
    assert max((ends(row)[1:] for row in body), key=len) == places
    for row in (*body, *head[1:]):
        assert set(ends(row)[1:]) <= set(places), row


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


@each_row("arguments", [*QUESTIONS, *WITHOUT_AXES])
def test_what_stands_below_the_operands(ask: Ask, arguments: list[str]) -> None:
    """The result size by size, unless it is a mismatch; the notes; and the answer as a line."""
    asked = json.loads("".join(ask(*arguments, "--json")))
    [plain] = ask(*arguments, "-f", "plain")
    lines = ask(*arguments)
    *after, last = sections(lines)[2]
    assert last == plain
    shown = [line.removeprefix("note").strip() for line in after if line.startswith("note ")]
    assert shown == [note["text"] for note in asked["notes"]]
    if asked["result"] is None:
        assert not [line for line in lines if line.startswith("result ")]
    elif asked["axes"]:
        assert cells(below(lines, "result")) == list(map(str, asked["result"]))


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


def test_a_product_below_a_figure() -> None:
    """A slide has the operator where a table has the command that asks for a product."""
    assert ">A @ B   gives 2,4<" in run(["2,3", "3,4", "--picture", "-f", "svg"]).out
