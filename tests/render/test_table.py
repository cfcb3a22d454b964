"""What people see on a terminal: lines that fit it, and colors that say what the text says.

The module is cli/console.py.
"""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from bcastcli.render import Terminal
from bcastcli.render.sheet import Piece, Sheet
from bcastcli.render.table import show
from tests.effort import part_of
from tests.in_memory import run
from tests.rows import each_row, keep
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
        "numpy 2,,3",
        "numpy 2 3 --axis 1",
    )
]
SCREENS = [
    pytest.param(command, columns, color, id=f"{' '.join(command)} {columns} {color}")
    for command, columns, color in product(COMMANDS, WIDTHS, (True, False))
    # The list of operators has one line for each, and some have eight inputs.
    if command != ["op"] or columns >= 80
]
HAS_PARAGRAPHS = ("rules", "--picture")


def see(command: Sequence[str], columns: int, *, color: bool = False) -> Screen:
    return screen(command, columns, color=color)


@each_row(("command", "columns", "color"), part_of(SCREENS))
def test_lines_fit(command: list[str], columns: int, color: bool) -> None:
    """No line is wider than the terminal, ends with spaces, or leaves a row empty."""
    seen = see(command, columns, color=color)
    assert seen.rows == seen.lines, "the terminal wrapped a line"
    assert not seen.has_spaces_at_an_end()
    if not set(HAS_PARAGRAPHS) & set(command):
        assert all(seen.rows)


def printed(question: str) -> list[str]:
    """The lines of a command on a terminal of so many columns."""
    columns, *command = question.split()
    return see(command, int(columns)).lines


def test_what_a_width_shows(pytestconfig: pytest.Config) -> None:
    """Below each width and command are its lines: no size is cut, prose hangs or goes below."""
    keep(Path(__file__).with_name("widths.txt"), pytestconfig, printed)


@each_row(
    ("options", "environment", "terminal", "has_colors"),
    [
        ("", {}, False, False),
        ("", {}, True, True),
        ("", {"TERM": "dumb"}, True, False),
        ("", {"NO_COLOR": "1"}, True, False),
        ("", {"FORCE_COLOR": "1"}, False, True),
        ("--color auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ("--color always", {"NO_COLOR": "1"}, False, True),
        ("--color never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_when_there_are_colors(
    options: str, environment: dict[str, str], terminal: bool, has_colors: bool
) -> None:
    """The option wins over NO_COLOR, which wins over FORCE_COLOR; a dumb terminal has none."""
    ended = run(["2,3", "3", *options.split()], environment=environment, terminal=terminal)
    assert ("\x1b[" in ended.out) is has_colors


def test_without_box_characters() -> None:
    """Where only ASCII can be shown, the rules are drawn with -, and nothing else changes."""
    plain = run(["2,3", "3,1"], encoding="ascii").out
    assert plain == run(["2,3", "3,1"]).out.replace("─", "-")
    assert "\n-----" in plain


class Picture(NamedTuple):
    """A part that draws itself: a line of one piece."""

    piece: Piece

    def lines(self, columns: int | None, *, boxes: bool) -> Sequence[Sequence[Piece]]:
        return [[self.piece]]


@each_row(
    ("role", "tint", "look"),
    [
        *[("stored", 0, "1;36"), ("stored", 1, "1;33"), ("stored", 2, "1;32")],
        *[("stored", 3, "1;35"), ("stored", 4, "1;36"), ("title", 1, "1;33"), ("title", -1, "1")],
        *[("repeated", 0, "2"), ("ghost", 0, "2"), ("clash", 0, "1;31"), ("surplus", 0, "1;31")],
        *[("differs", 0, "1;31"), ("sign", 0, "1"), ("heading", 0, "1"), ("note", 0, "3")],
        ("depends", 0, "1;33"),
    ],
)
def test_the_looks_of_a_picture(role: str, tint: int, look: str) -> None:
    """An operand has its own color, other marks one by their role; without colors all are plain."""
    sheet = Sheet("", "", (Picture(Piece("x", role, tint)),))
    assert show(sheet, Terminal(color=True)) == f"\x1b[{look}mx\x1b[0m\n"
    assert show(sheet, Terminal()) == "x\n"
