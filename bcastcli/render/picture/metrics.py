"""The measures of a medium, and what layouts of cells and of edges share."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from bcastcli.render.picture.figure import Block, Size
from bcastcli.render.picture.marks import Mark, Role, Text
from bcastcli.render.picture.type import wrapped


class Metrics(NamedTuple):
    """The measures of a medium."""

    cell: tuple[float, float]
    """From one cell to the next, across and down."""
    gap: float
    """Between neighbouring cells."""
    edge: float
    """The width that the border of the last cell adds to a block."""
    line: float
    """The height of a line of words."""
    type: float
    """The size of the type of words."""
    space: float
    """Between blocks side by side, where the sign is."""
    lane: tuple[float, float]
    """The width of an arrow that points down, and the height of one that points across."""
    measure: Callable[[str, Role], float]
    """The width of a text of a role in the type of words."""
    shape: Callable[[Sequence[Size]], str]
    numeral: float = 1
    """The size of the type in cells."""
    on_paper: bool = True
    """Whether it has lines of any length, rather than characters."""
    glyphs: bool = False
    """Whether a cell is one character, without a number."""

    def width(self, text: str, role: Role = Role.LABEL) -> float:
        """Return the width of a text in the type of words."""
        return self.measure(text, role)

    def wrapped(self, text: str, width: float, role: Role = Role.LABEL) -> list[str]:
        """Return a text as lines no wider than `width`, unless one word alone is."""
        return wrapped(text, width, partial(self.width, role=role))

    def text(
        self, x: float, y: float, text: str, role: Role = Role.LABEL, tint: int = -1, **more: Any
    ) -> Text:
        """Return a text in the type of words; `more` is what else a Text has."""
        return Text(x, y, text, self.type, role, tint, **more)

    def sign(self, x: float, y: float, sign: str, block: Block, anchor: str = "middle") -> Text:
        """Return the sign before a block."""
        return Text(x, y, sign, self.sign_size, Role.SIGN, anchor=anchor, step=block.step)

    def title(self, block: Block, x: float, y: float) -> Text:
        """Return the name and the shape of a block, in its color."""
        text = f"{block.name} {self.shape(block.shape)}"
        size = self.type * self.title_scale
        return Text(x, y, text, size, Role.TITLE, block.tint, step=block.step)

    def title_width(self, block: Block) -> float:
        """Return the width of a block's title."""
        return self.width(self.title(block, 0, 0).text, Role.TITLE) * self.title_scale

    @property
    def title_scale(self) -> float:
        """The scale of titles relative to words."""
        return 1.08 if self.on_paper else 1

    @property
    def title_gap(self) -> float:
        """The room between a title and its block on paper."""
        return 0 if self.edge else self.line / 5

    @property
    def sign_size(self) -> float:
        """The size of the type of signs between blocks."""
        return self.type * 1.9

    @property
    def cross_size(self) -> float:
        """The size of a cross."""
        return min(self.cell) * 0.66


class Arrangement(NamedTuple):
    """The arrangement of the blocks of a row."""

    stacked: bool
    """Below each other, or side by side."""
    layers_across: bool
    """Whether the layers of a block are side by side."""


ARRANGEMENTS = tuple(Arrangement(*flags) for flags in product((False, True), repeat=2))


class Placed(NamedTuple):
    """Marks from 0, 0 on, their size, and where the cells of it begin and end."""

    marks: list[Mark]
    width: float
    height: float
    left: float = 0
    top: float = 0
    bottom: float = 0

    @property
    def middle(self) -> float:
        """The middle of the height of its cells."""
        return (self.top + self.bottom) / 2
