"""A picture as plain data in units of cells, without coordinates and colors."""

from collections.abc import Iterable, Sequence
from enum import Enum, IntEnum, StrEnum
from typing import NamedTuple

Size = int | str
Number = int | float


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
    OUTLINE = "outline"
    """A cell of a shape that stores nothing."""
    RESULT = "result"
    DIFFERS = "differs"
    """An element of a result that differs in value from the first row."""


class Step(IntEnum):
    """The steps from the operands to the result."""

    STORED = 0
    """The operands as they are stored, before anything is aligned."""
    ALIGN = 1
    COMPARE = 2
    STRETCH = 3
    RESULT = 4


class PictureOptions(NamedTuple):
    """Options for a picture."""

    operation: str = "+"
    values: bool = True
    given: tuple[Sequence[Number], ...] = ()
    """The numbers of each operand, in the order in which they are stored; empty to choose them."""


RESULT = -1
"""The tint of the result; operands have theirs by number, from 0."""


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
    """A word at an axis: its letter, the arrow along which it stretches, or the slot `axis=1`."""

    way: Direction
    label: str


class Unmatched(NamedTuple):
    """The cells from one index up to another, in only one of two operands."""

    way: Direction
    start: int
    stop: int


class Block(NamedTuple):
    """An operand, a target shape, or the result, in cells."""

    name: str
    shape: tuple[Size, ...]
    tint: int
    layers: tuple[Layer, ...]
    arrows: tuple[AxisLabel, ...] = ()
    """The axes along which it stretches."""
    letters: tuple[AxisLabel, ...] = ()
    """The framework's names of the axes."""
    named: tuple[str, ...] = ()
    """Its sizes after the framework's names of the axes, if it has any: `w 2`, `h 3`."""
    slot: AxisLabel | None = None
    """The axes on which it was put, if the question names them."""
    surplus: tuple[Unmatched, ...] = ()
    """Its cells without a partner in the other operand, which are boxed."""
    missing: Unmatched | None = None
    """The other operand's cells without a partner here; a red cross marks their place."""

    @property
    def step(self) -> Step:
        """The step in which it appears."""
        return Step.RESULT if self.tint < 0 else Step.STORED

    @property
    def cells(self) -> Sequence[Cell]:
        """All its cells, layer by layer."""
        return [cell for layer in self.layers for cells in layer for cell in cells]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Its layers, rows and columns."""
        return len(self.layers), len(self.layers[0]), len(self.layers[0][0])

    @property
    def room(self) -> Sequence[int]:
        """Its layers, rows and columns, including missing ones."""
        counts = [*self.counts]
        if self.missing:
            counts[WAYS.index(self.missing.way)] = self.missing.stop
        return counts

    def with_cells(self, cells: Iterable[Cell]) -> "Block":
        """Return the block with its cells replaced, layer by layer."""
        given = iter(cells)
        layers = (tuple(tuple(next(given) for _ in line) for line in own) for own in self.layers)
        return self._replace(layers=tuple(layers))


class Slot(NamedTuple):
    """The box of an operand on one axis: its size there."""

    text: str
    is_dashed: bool = False
    """Whether it is not stored: the operand lacks this axis, or is stretched to this size."""
    clashes: bool = False


class AlignedShape(NamedTuple):
    """The shape of an operand as a row of boxes."""

    name: str
    tint: int
    title: str
    """Its name as it is drawn: `A transposed` where its axes are in another order."""
    slots: tuple[Slot | None, ...]
    """One for each column; None where it is empty."""
    is_target: bool = False


class Alignment(NamedTuple):
    """The shapes of the operands below each other, a column for each axis."""

    heads: tuple[tuple[str, ...], ...]
    """The lines above the columns: the numbers of the axes, or their letters."""
    shapes: tuple[AlignedShape, ...]
    signs: tuple[str, ...]
    """Below each column: `=`, the operands that stretch, `!` or `?`."""
    stretched: tuple[AlignedShape, ...] = ()
    """The stretched operands and the result, if steps are shown."""

    @property
    def all_shapes(self) -> tuple[AlignedShape, ...]:
        """The shapes above the signs and below them."""
        return (*self.shapes, *self.stretched)

    @property
    def sizes(self) -> Sequence[str]:
        """The different sizes, the smallest first; those with names come last."""
        found = {slot.text for shape in self.all_shapes for slot in shape.slots if slot}
        return sorted(found, key=lambda size: (not size.isdigit(), len(size), size))


class Row(NamedTuple):
    """Blocks with the signs between them, an equation or operands that do not fit; or boxes."""

    blocks: tuple[Block, ...] = ()
    signs: tuple[str, ...] = ()
    """The sign before each block, the first one's empty."""
    label: str = ""
    """The text above the row, if the figure has several."""
    in_words: str = ""
    """A line that replaces the row if numbers need the room."""
    refused: bool = False
    """Whether the label stands for a mismatch."""
    crossed: bool = False
    """Whether a red cross is between the blocks, because the clash is not on a single axis."""
    alignment: Alignment | None = None
    """The shapes in boxes, which replace the blocks."""

    @property
    def missing(self) -> Direction | None:
        """The direction of the axis on which a block lacks cells."""
        return next((block.missing.way for block in self.blocks if block.missing), None)


class Figure(NamedTuple):
    """One row of blocks or of boxes, or one for each group of a comparison."""

    rows: tuple[Row, ...]
    layer_labels: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    """The sentences below: how to read it, and facts that a picture cannot show."""
    comparisons: tuple[str, ...] = ()
    """A sentence for each axis: its sizes and their effect."""
    legend: bool = False
    """Whether to explain how repeated and stored elements differ."""
    description: str = ""
    """The picture in words."""
    instead: "Figure | None" = None
    """The figure to draw if even plain cells do not fit."""

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks, row by row."""
        return [block for row in self.rows for block in row.blocks]

    @property
    def alignment(self) -> Alignment | None:
        """The first shapes in boxes, if there are any."""
        return next((row.alignment for row in self.rows if row.alignment), None)

    @property
    def clashes(self) -> bool:
        """Whether it shows a mismatch."""
        signs = self.alignment.signs if self.alignment else ()
        return "!" in signs or any(row.missing or row.crossed for row in self.rows)

    @property
    def longest(self) -> int:
        """The length of the longest text in a cell or a box."""
        texts = [cell.text for block in self.blocks for cell in block.cells]
        for row in self.rows:
            for shape in row.alignment.all_shapes if row.alignment else ():
                texts += (slot.text for slot in shape.slots if slot)
        return max(map(len, texts), default=0)


def with_fewer_rows(figure: Figure) -> Figure:
    """Return the figure with a line for each row that can be put in words."""
    rows = (Row(label=row.in_words) if row.in_words else row for row in figure.rows)
    return figure._replace(rows=tuple(rows))


def without_numbers(figure: Figure) -> Figure:
    """Return the figure with plain cells."""
    rows = (row._replace(blocks=tuple(map(_plain, row.blocks))) for row in figure.rows)
    return figure._replace(rows=tuple(rows))


def _plain(block: Block) -> Block:
    return block.with_cells(cell._replace(text="") for cell in block.cells)
