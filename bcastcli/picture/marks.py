"""Marks: the output of a layout, each with its place, its role, and the step it appears in."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from bcastcli.picture.figure import Cell, Step


class Role(StrEnum):
    """The role of a mark; the writers give it colors, weights and strokes."""

    STORED = "stored"
    SIZE = "size"
    REPEATED = "repeated"
    OUTLINE = "outline"
    RESULT = "result"
    DIFFERS = "differs"
    SURPLUS = "surplus"
    ARROW = "arrow"
    SLOT = "slot"
    RULE = "rule"
    TITLE = "title"
    SIGN = "sign"
    LABEL = "label"
    NOTE = "note"
    CLASH = "clash"
    GHOST = "ghost"
    YES = "yes"
    DEPENDS = "depends"
    HEADING = "heading"


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    role: Role
    tint: int = -1
    step: Step = Step.STORED
    cell: Cell | None = None
    """The cell that it is a part of."""
    row: int = 0
    """The row of the figure that the cell is in."""


class Text(NamedTuple):
    """A line of text; x is its start, middle or end, y the middle of its height."""

    x: float
    y: float
    text: str
    size: float
    role: Role
    tint: int = -1
    anchor: str = "start"
    step: Step = Step.STORED
    fixed: bool = False
    """Whether it is set in a fixed-width font."""
    cell: Cell | None = None
    row: int = 0


class Line(NamedTuple):
    """A straight line, optionally with an arrowhead."""

    x1: float
    y1: float
    x2: float
    y2: float
    role: Role
    tint: int = -1
    step: Step = Step.STORED
    head: bool = False


class Cross(NamedTuple):
    """A cross at a mismatch; x and y are its middle."""

    x: float
    y: float
    size: float
    step: Step = Step.COMPARE


Mark = Box | Text | Line | Cross


class Drawing(NamedTuple):
    """Marks in a room that begins at 0, 0."""

    marks: tuple[Mark, ...]
    width: float
    height: float

    @property
    def has_numbers(self) -> bool:
        """Whether a number is in a cell."""
        return any(isinstance(mark, Text) and mark.cell for mark in self.marks)

    @property
    def words(self) -> list[str]:
        """Its words, sorted, so that line breaks do not matter."""
        return sorted(" ".join([m.text for m in self.marks if isinstance(m, Text)]).split())

    def until(self, step: Step) -> "Drawing":
        """Return the drawing with the marks up to a step, at the same size."""
        return self._replace(marks=tuple(mark for mark in self.marks if mark.step <= step))


def moved(marks: Iterable[Mark], dx: float, dy: float) -> list[Mark]:
    """Return the marks at another place."""
    return [_moved(mark, dx, dy) for mark in marks]


def in_row(marks: Iterable[Mark], row: int) -> list[Mark]:
    """Return the marks, with the cells' names distinct from those of other rows."""
    return [mark._replace(row=row) if isinstance(mark, Box | Text) else mark for mark in marks]


def _moved(mark: Mark, dx: float, dy: float) -> Mark:
    if isinstance(mark, Line):
        return mark._replace(x1=mark.x1 + dx, y1=mark.y1 + dy, x2=mark.x2 + dx, y2=mark.y2 + dy)
    return mark._replace(x=mark.x + dx, y=mark.y + dy)
