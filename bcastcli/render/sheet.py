"""A sheet: the grids and lines for people, before they are written in a format."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeAlias

GHOST = "(1)"


def page_shape(shape: Sequence[int | str]) -> str:
    """A shape as pages write it, as a tuple, since a lone 3 would look like a number.

    >>> page_shape((4, 1)), page_shape((3,)), page_shape(())
    ('(4, 1)', '(3,)', '()')
    """
    comma = "," if len(shape) == 1 else ""
    return f"({', '.join(map(str, shape))}{comma})"


Tone = StrEnum(
    "Tone",
    ["PLAIN", "GHOST", "EQUAL", "STRETCH", "CLASH", "DEPENDS", "NOTE", "YES", "NO", "CONDITION"],
)
"""The meaning of a piece of text that a color or weight shows.

GHOST is an axis that an operand does not have; YES, NO and CONDITION are the last line.
"""


class Cell(NamedTuple):
    """A piece of text in a grid."""

    text: str = ""
    tone: Tone = Tone.PLAIN


Row: TypeAlias = tuple[Cell, ...]


class Grid(NamedTuple):
    """Rows of cells under one another."""

    head: tuple[Row, ...]
    bodies: tuple[tuple[Row, ...], ...]
    sizes: range = range(0)
    """The columns that hold sizes, and are aligned right; the others hold words."""
    ruled: bool = True
    """Whether lines separate the head and the bodies; if not, the first column holds labels."""
    prose: bool = False
    """Whether its last column holds prose, which may take several lines."""
    brief: str = ""
    """The text after its first label below a figure, which has room for one line, or empty."""

    @property
    def rows(self) -> list[Row]:
        """All rows, those of the head first."""
        return [row for body in (self.head, *self.bodies) for row in body]


class Line(NamedTuple):
    """A line of text, after a label unless that is empty."""

    label: str
    text: str
    tone: Tone = Tone.PLAIN
    on_page: str = ""
    """The text on a page instead, where shapes are written as tuples; empty: the same."""


class Paragraph(NamedTuple):
    """Prose, which is wrapped where it is shown."""

    items: tuple[str, ...]
    """One text; or the items of a list, which begin on lines of their own."""


class Piece(NamedTuple):
    """Characters of a picture, of one role and one operand."""

    text: str
    role: str
    tint: int
    """The number of the operand; negative if it belongs to no operand."""


class Drawn(Protocol):
    """A part that draws itself, which is a picture."""

    def lines(self, columns: int | None, *, boxes: bool) -> Sequence[Sequence[Piece]]:
        """Its lines, as wide as the terminal allows; in ASCII without `boxes`."""


Part: TypeAlias = Grid | Line | Paragraph | Drawn


class Sheet(NamedTuple):
    """Everything shown about one question; the answer comes last."""

    title: str
    """The question."""
    description: str
    """The whole in one sentence, for readers who cannot see the picture."""
    parts: tuple[Part, ...]
