"""A picture as plain data in units of cells, without coordinates and colors."""

from collections.abc import Iterable, Sequence
from enum import Enum, IntEnum, StrEnum, auto
from typing import NamedTuple

Size = int | str
Number = int | float
RESULT = -1
"""The tint of the result; operands have theirs by number, from 0."""


class Direction(Enum):
    """The direction in which an axis runs."""

    ACROSS = "→"
    DOWN = "↓"
    LAYERS = "(layers)"


WAYS = (Direction.LAYERS, Direction.DOWN, Direction.ACROSS)


class Kind(StrEnum):
    """The kind of a block's cell."""

    STORED = "stored"
    REPEATED = "repeated"
    RESULT = "result"
    DIFFERS = "differs"
    """An element of a result that differs in value from the first row."""


class Step(IntEnum):
    """The steps from the operands to the result."""

    STORED = auto()
    """The operands as they are stored, before anything is aligned."""
    COMPARE = auto()
    """The operands aligned, and the effect of their sizes."""
    STRETCH = auto()
    RESULT = auto()


class PictureOptions(NamedTuple):
    """Options for a picture."""

    operation: str = "+"
    values: bool = True
    given: tuple[Sequence[Number], ...] = ()
    """The numbers of each operand, in the order in which they are stored; empty to choose them."""


class Element(NamedTuple):
    """An element of an operand, however often it is repeated."""

    operand: int
    at: tuple[int, ...]
    """Its index along the operand's own axes, its outermost first."""


class Cell(NamedTuple):
    """One element: the number in it, if it has one."""

    text: str
    kind: Kind
    element: Element | None = None
    """The element of an operand that is shown here."""
    sources: tuple[Element, ...] = ()
    """The elements that an element of a result comes from."""
    in_words: str = ""
    """Its sources by name: `result[1, 2] = A[1, 0] + B[2] = 10 + 3 = 13`."""


Layer = tuple[tuple[Cell, ...], ...]


class AxisLabel(NamedTuple):
    """The word at the arrow along which an axis stretches: `axis 0 ↓`."""

    way: Direction
    label: str


class Unmatched(NamedTuple):
    """The cells from one index up to another, in only one of two operands."""

    way: Direction
    start: int
    stop: int


class Block(NamedTuple):
    """An operand, or the result, in cells."""

    name: str
    shape: tuple[Size, ...]
    tint: int
    layers: tuple[Layer, ...]
    arrows: tuple[AxisLabel, ...] = ()
    """The axes along which it stretches."""
    named: tuple[str, ...] = ()
    """Its sizes after the framework's names of the axes, if it has any: `w 2`, `h 3`."""
    surplus: tuple[Unmatched, ...] = ()
    """Its cells without a partner in the other operand, which are boxed."""

    @property
    def step(self) -> Step:
        """The step in which it appears."""
        return Step.RESULT if self.tint == RESULT else Step.STORED

    @property
    def cells(self) -> Sequence[Cell]:
        """All its cells, layer by layer."""
        return [cell for layer in self.layers for cells in layer for cell in cells]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Its layers, rows and columns."""
        return len(self.layers), len(self.layers[0]), len(self.layers[0][0])

    def with_cells(self, cells: Iterable[Cell]) -> "Block":
        """The block with its cells replaced, layer by layer."""
        given = iter(cells)
        layers = (tuple(tuple(next(given) for _ in row) for row in rows) for rows in self.layers)
        return self._replace(layers=tuple(layers))


MISSING = "·"
"""Stands for the size on an axis that an operand does not have."""


class Slot(NamedTuple):
    """The size of an operand on one axis."""

    text: str
    mark: str = ""
    """`→` if it stretches, `!` if it clashes, `?` if it depends."""


class AlignedShape(NamedTuple):
    """The shape of an operand, or of the result."""

    name: str
    tint: int
    slots: tuple[Slot, ...]
    """One for each column."""


class Alignment(NamedTuple):
    """Shapes below each other, a column for each axis."""

    heads: tuple[tuple[str, ...], ...]
    """The lines above the columns: the numbers of the axes, or their letters."""
    shapes: tuple[AlignedShape, ...]

    @property
    def marks(self) -> set[str]:
        """The texts and the marks that need a legend."""
        slots = [slot for shape in self.shapes for slot in shape.slots]
        return {slot.mark for slot in slots} | {slot.text for slot in slots}

    def columns(self) -> list[int]:
        """The lengths of the longest text in each column."""
        texts = [*self.heads, *([slot.text for slot in shape.slots] for shape in self.shapes)]
        return [max(map(len, column)) for column in zip(*texts, strict=True)]


class Row(NamedTuple):
    """Blocks with the signs between them, an equation or operands that do not fit; or shapes."""

    blocks: tuple[Block, ...] = ()
    signs: tuple[str, ...] = ()
    """The sign before each block, the first one's empty."""
    label: str = ""
    """The text above the row, if the figure has several."""
    refused: bool = False
    """Whether the label stands for a mismatch."""
    alignment: Alignment | None = None
    """The shapes, where there are no blocks."""

    @property
    def has_repeats(self) -> bool:
        """Whether an operand is drawn stretched."""
        return any(block.arrows for block in self.blocks)


class Figure(NamedTuple):
    """One row of blocks or of shapes, or one for each group of a comparison."""

    rows: tuple[Row, ...]
    layer_labels: tuple[str, ...] = ()
    grid: int = 0
    """The layers in a line, if there are four axes; 0 if they may lie in any way."""
    captions: tuple[str, ...] = ()
    """The sentences below: how to read it, and facts that a picture cannot show."""
    comparisons: tuple[str, ...] = ()
    """A sentence for each axis: its sizes and their effect."""
    legend: bool = False
    """Whether to explain how repeated and stored elements differ."""
    description: str = ""
    """The picture in words."""
    instead: "Figure | None" = None
    """The figure to draw if this one does not fit."""
    stored: "Figure | None" = None
    """The operands as stored, if one of them lies in another way than here."""

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks, row by row."""
        return [block for row in self.rows for block in row.blocks]

    @property
    def alignment(self) -> Alignment | None:
        """The first aligned shapes, if there are any."""
        return next((row.alignment for row in self.rows if not row.blocks), None)

    @property
    def clashes(self) -> bool:
        """Whether it shows a mismatch."""
        is_marked = self.alignment and "!" in self.alignment.marks
        return bool(is_marked) or any(block.surplus for block in self.blocks)

    @property
    def longest(self) -> int:
        """The length of the longest text in a cell."""
        return max((len(cell.text) for block in self.blocks for cell in block.cells), default=0)
