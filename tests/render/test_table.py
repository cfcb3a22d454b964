"""What people see on a terminal: lines that fit it, and colors that say what the text says.

The module is cli/console.py.
"""

from collections.abc import Sequence
from itertools import product

import pytest

from tests.effort import part_of
from tests.rows import each_row
from tests.terminal import Screen, screen

WIDTHS = (40, 60, 80, 120)
COMMANDS = [
    line.split()
    for line in (
        "numpy 8,1,6,1 7,1,5",
        "numpy 3,4 3",
        "numpy N,4 3,4 1",
        "numpy () ()",
        "onnx-uni 64,1 64",
        "pdpd 2,3,4,5 3,1 --axis 1",
        "ncnn 2,3,4 2,3",
        "numpy --steps 8,1,6,1 7,1,5",
        "pdpd --steps 2,3,4,5 3,1 --axis 1",
        "none --steps 2,3 3",
        "numpy --picture 3,1 4",
        "compare 3,3 3",
        "compare 2,3,4,5 3,4",
        "op",
        "op Gemm",
        "op Gemm 8,64 64,10 10",
        "op PRelu 1,64,56,56 64",
        "rules",
        "rules ncnn",
        "quiz --seed 3 --count 2",
        "numpy 2,,3",
        "numpy 2 3 --axis 1",
    )
]
SCREENS = [
    pytest.param(command, columns, color, id=f"{' '.join(command)} {columns} {color}")
    for command, columns, color in product(COMMANDS, WIDTHS, (True, False))
]
HAS_PARAGRAPHS = ("rules", "quiz", "--picture")
RED, GREEN, YELLOW, CYAN = "red", "green", "brown", "cyan"


def see(command: Sequence[str], columns: int, *, color: bool = False) -> Screen:
    typed = "no\n2,3\nq\n" if command[0] == "quiz" else ""
    return screen(command, columns, color=color, typed=typed)


@each_row(("command", "columns", "color"), part_of(SCREENS))
def test_lines_fit(command: list[str], columns: int, color: bool) -> None:
    """No line is wider than the terminal, ends with spaces, or leaves a row empty."""
    seen = see(command, columns, color=color)
    assert seen.rows == seen.lines, "the terminal wrapped a line"
    assert not seen.has_spaces_at_an_end()
    if not set(HAS_PARAGRAPHS) & set(command):
        assert all(seen.rows)


@each_row(
    ("command", "columns", "color"),
    # A figure is laid out anew for each width.
    [screen for screen in part_of(SCREENS) if "--picture" not in str(screen.id)],
)
def test_no_word_is_lost(command: list[str], columns: int, color: bool) -> None:
    """Whatever the width, the same words are shown, whole."""
    words = [word for row in see(command, columns, color=color).rows for word in row.split()]
    wide = [word for row in see(command, 400).rows for word in row.split()]
    assert set(words) - {"─" * len(word) for word in words} == set(wide) - {
        "─" * len(w) for w in wide
    }


@each_row("columns", WIDTHS)
def test_sizes_are_never_broken(columns: int) -> None:
    """A table that is too wide is stacked in blocks of axes, each with the operands' names."""
    shape = ",".join(["1000000"] * 12)
    seen = see(["numpy", shape, "1"], columns)
    rows = [row.split() for row in seen.lines if row.startswith("A ")]
    assert [size for _, *sizes in rows for size in sizes] == shape.split(",")
    assert all(len(row) <= columns for row in seen.lines[:-1])


def test_prose_hangs() -> None:
    """The lines of a note, and of a step, begin where its first one did."""
    rows = see(["ncnn", "2,3,4", "2,3"], 40).rows
    place = next(number for number, row in enumerate(rows) if row.startswith("note"))
    start = len(rows[place]) - len(rows[place].removeprefix("note").lstrip())
    assert len(rows[place + 1]) - len(rows[place + 1].lstrip()) == start
    steps = "\n".join(see(["numpy", "--steps", "2,1", "3"], 40).rows)
    assert f"\n{' ' * len('written out  ')}axis 0: B has no" in steps
