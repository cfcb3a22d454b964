"""A picture as plain data in units of cells: no places, no colors."""

from collections.abc import Sequence
from enum import Enum, IntEnum, StrEnum
from typing import NamedTuple

Size = int | str


class Direction(Enum):
    """The direction in which an axis runs."""

    ACROSS = "→"
    DOWN = "↓"
    LAYERS = "»"


WAYS = (Direction.LAYERS, Direction.DOWN, Direction.ACROSS)


class Kind(StrEnum):
    """The kind of a block's cell."""

    STORED = "stored"
    REPEATED = "repeated"
    OUTLINE = "outline"
    """A cell of a shape that stores nothing."""
    RESULT = "result"
    DIFFERS = "differs"
    """An element of a result whose value differs from the first row."""


class Step(IntEnum):
    """The steps from the operands to the result."""

    ALIGN = 1
    COMPARE = 2
    STRETCH = 3
    RESULT = 4


RESULT = -1
"""The tint of the result; operands have theirs by number, from 0."""


class Element(NamedTuple):
    """An element of an operand, however often it is repeated."""

    operand: int
    at: tuple[int, ...]
    """Its index along the operand's own axes, its outermost first."""
    above: int = 0
    """How many rows above the operand is, where a row goes on from the result of another."""


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


class Edge(NamedTuple):
    """How far a block that is too large for cells reaches along an axis."""

    label: str
    """The size, or what becomes of it: `256`, `1 → 256`."""
    length: Size
    """The size of the result's axis, or of the operand's own where nothing stretches."""
    stretched: bool = False
    depends: bool = False
    """Whether an unknown size decides if it stretches."""
    clashes: bool = False
    outlined: bool = False
    """Whether it belongs to a target shape, which stores nothing."""


class AxisLabel(NamedTuple):
    """A word at an axis: its letter, the arrow along which it stretches, or the slot `axis=1`."""

    way: Direction
    label: str


class Unmatched(NamedTuple):
    """The cells from an index on, up to another, that only one of two operands has."""

    way: Direction
    start: int
    stop: int


class Block(NamedTuple):
    """An operand, a target shape, or the result: in cells if it has layers, else by its extents."""

    name: str
    shape: tuple[Size, ...]
    tint: int
    layers: tuple[Layer, ...] = ()
    extents: tuple[Edge, ...] = ()
    """One for each axis, outermost first."""
    arrows: tuple[AxisLabel, ...] = ()
    """The axes along which it stretches."""
    letters: tuple[AxisLabel, ...] = ()
    """The framework's names of the axes."""
    named: tuple[str, ...] = ()
    """Its sizes after the framework's names of the axes, if it has any: `w 2`, `h 3`."""
    slot: AxisLabel | None = None
    """The axes on which it was put, where the question says so."""
    surplus: Unmatched | None = None
    """Its cells that have no partner in the other operand: they are boxed."""
    missing: Unmatched | None = None
    """The other operand's cells that have no partner here: a red cross marks their place."""

    @property
    def step(self) -> Step:
        """The step in which it appears."""
        return Step.RESULT if self.tint < 0 else Step.ALIGN

    @property
    def cells(self) -> Sequence[Cell]:
        """All its cells, layer by layer."""
        return [cell for layer in self.layers for cells in layer for cell in cells]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Its layers, rows and columns."""
        return len(self.layers), len(self.layers[0]), len(self.layers[0][0])

    @property
    def room(self) -> tuple[int, int, int]:
        """Its layers, rows and columns, those included that it lacks."""
        ways = zip(WAYS, self.counts, strict=True)
        missing = self.missing
        layers, rows, columns = (
            missing.stop if missing and way is missing.way else own for way, own in ways
        )
        return layers, rows, columns


class Row(NamedTuple):
    """Blocks with the signs between them: an equation, or operands that do not fit."""

    blocks: tuple[Block, ...]
    signs: tuple[str, ...]
    """The sign before each block, the first one's empty."""
    label: str = ""
    """Above the row, where a figure has several."""
    in_words: str = ""
    """A line that replaces the row where numbers need its room."""
    refused: bool = False
    """Whether the label says no."""
    crossed: bool = False
    """Whether a red cross is between the blocks: no place in one of them is to blame."""

    @property
    def missing(self) -> Direction | None:
        """The direction of the axis on which a block lacks cells."""
        return next((block.missing.way for block in self.blocks if block.missing), None)


class Slot(NamedTuple):
    """The box of an operand on one axis: its size there."""

    text: str
    is_dashed: bool = False
    """Whether it is not stored: the operand has no such axis, or has been stretched to it."""
    clashes: bool = False


class AlignedShape(NamedTuple):
    """The shape of an operand as a row of boxes."""

    name: str
    tint: int
    title: str
    """Its name as it is drawn: `A.T` where it is transposed."""
    slots: tuple[Slot | None, ...]
    """One for each column; None where there is nothing."""
    is_target: bool = False


class Alignment(NamedTuple):
    """The shapes of the operands below each other, a column for each axis."""

    heads: tuple[tuple[str, ...], ...]
    """The lines above the columns: the numbers of the axes, or their letters."""
    shapes: tuple[AlignedShape, ...]
    signs: tuple[str, ...]
    """Below each column: `=`, the operands that stretch, `!` or `?`."""
    stretched: tuple[AlignedShape, ...] = ()
    """Where the steps are shown: the operands stretched, and the result."""
    titles: tuple[str, ...] = ()
    """Of the steps, where they are shown."""

    @property
    def all_shapes(self) -> tuple[AlignedShape, ...]:
        """The shapes above the signs and below them."""
        return (*self.shapes, *self.stretched)


class Figure(NamedTuple):
    """One row of blocks, or one for each group of a comparison; or an alignment."""

    rows: tuple[Row, ...]
    layer_labels: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()
    """The names of the axes, outermost first: the rows of bars."""
    captions: tuple[str, ...] = ()
    """The sentences below: how to read it, and what cannot be seen in it."""
    comparisons: tuple[str, ...] = ()
    """For each axis, what its sizes decide."""
    legend: bool = False
    """Whether to say how repeated elements are told apart from stored ones."""
    description: str = ""
    """The picture in words."""
    until: Step = Step.RESULT
    instead: "Figure | None" = None
    """What is drawn with plain cells where numbers have no room; by default the same."""
    alignment: Alignment | None = None
    boxed: "Figure | None" = None
    """What is drawn where there is no room for blocks: the shapes in boxes."""

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks, row by row."""
        return [block for row in self.rows for block in row.blocks]

    def has(self, kind: Kind) -> bool:
        """Return whether a cell is of this kind."""
        return any(cell.kind is kind for block in self.blocks for cell in block.cells)

    @property
    def longest(self) -> int:
        """The length of the longest text in a cell or a box."""
        texts = [cell.text for block in self.blocks for cell in block.cells]
        for shape in self.alignment.all_shapes if self.alignment else ():
            texts += (slot.text for slot in shape.slots if slot)
        return max(map(len, texts), default=0)


def with_fewer_rows(figure: Figure) -> Figure:
    """Return the figure with a line for each row that can be said in words."""
    rows = (Row((), (), row.in_words) if row.in_words else row for row in figure.rows)
    return figure._replace(rows=tuple(rows))


def without_numbers(figure: Figure) -> Figure:
    """Return the figure with plain cells, or the one that has them instead."""
    if figure.instead:
        return figure.instead
    rows = (
        row._replace(blocks=tuple(block._replace(layers=_plain(block)) for block in row.blocks))
        for row in figure.rows
    )
    return figure._replace(rows=tuple(rows))


def _plain(block: Block) -> tuple[Layer, ...]:
    return tuple(
        tuple(tuple(cell._replace(text="") for cell in cells) for cells in layer)
        for layer in block.layers
    )
