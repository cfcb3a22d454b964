"""The picture of an answer: each operand and the result as a block, with what is stored in it."""

from collections.abc import Iterator
from enum import Enum
from math import prod
from typing import NamedTuple

from bcastcli.core.answer import Answer, Axis
from bcastcli.core.shapes import Size, written

MAX_AXES = 3
MAX_ROWS = 16
MAX_ACROSS = 12
MAX_CELLS = 600
"""In all blocks together."""
BAR = 6
"""The length of a bar that stands for any size."""
ARROW = "→"


class Extent(NamedTuple):
    """How far a block reaches along an axis: in cells, or as a bar that stands for any size."""

    size: str
    stored: int
    repeated: int = 0
    """What index 0 is stretched over; it is not stored."""
    open: int = 0
    """Stored or repeated: it depends."""

    @property
    def length(self) -> int:
        return self.stored + self.repeated + self.open


class Block(NamedTuple):
    """An operand or the result."""

    name: str
    shape: str
    """As it was typed."""
    extents: tuple[Extent, ...]

    @property
    def title(self) -> str:
        return f"{self.name} {self.shape}".rstrip()

    @property
    def layers(self) -> list[list[list[bool]]]:
        """Its cells: layers of rows of cells, each true if it is stored."""
        missing = [Extent("", 1)] * (MAX_AXES - len(self.extents))
        outer, middle, inner = (
            [place < extent.stored for place in range(extent.length)]
            for extent in (*missing, *self.extents)
        )
        return [[[k and j and i for i in inner] for j in middle] for k in outer]


class Kind(Enum):
    """What a part of a block is."""

    STORED = "stored"
    REPEATED = "repeated, not stored"
    OPEN = "stored or repeated: it depends"


class Picture(NamedTuple):
    """The blocks of an answer; their extents lie on the axes, outermost first."""

    axes: tuple[Axis, ...]
    operands: tuple[Block, ...]
    result: Block
    by_cell: bool
    """Whether a block has a cell for each element; otherwise it has a bar for each axis."""
    remarks: tuple[str, ...] = ()
    """What cannot be seen in it."""

    @property
    def blocks(self) -> list[tuple[str, Block]]:
        """The blocks, each with the sign that goes before it."""
        signs = ["", *["∘"] * (len(self.operands) - 1), "="]
        return list(zip(signs, (*self.operands, self.result), strict=True))

    @property
    def kinds(self) -> list[Kind]:
        """What there is to see in it."""
        extents = [extent for block in self.operands for extent in block.extents]
        there = {
            Kind.STORED: any(extent.stored for extent in extents),
            Kind.REPEATED: any(extent.repeated for extent in extents),
            Kind.OPEN: any(extent.open for extent in extents),
        }
        return [kind for kind, is_there in there.items() if is_there]

    @property
    def words(self) -> list[str]:
        """What to say below it: how to read it, and what cannot be seen in it."""
        ways = ("layer by layer", "down", "across")[-len(self.axes) :]
        runs = (f"{axis_name(axis)} {way}" for axis, way in zip(self.axes, ways, strict=False))
        way = ", ".join(runs) if self.by_cell else "lengths compare within a line"
        return [*([way] if self.axes else []), *self.remarks]

    @property
    def layer_names(self) -> list[str]:
        """The names of the layers of cells; empty where there is but one."""
        if not self.by_cell or len(self.axes) < MAX_AXES:
            return []
        outermost = self.axes[0]
        return [f"{axis_name(outermost)}: {place}" for place in range(int(outermost.result or 0))]


def axis_name(axis: Axis) -> str:
    """What people call an axis: `axis 0`, or `axis w` where it has a label."""
    return f"axis {axis.label or axis.number}"


def of_answer(answer: Answer) -> Picture:
    """The picture: a small result cell by cell, anything else with a bar for each axis."""
    axes = answer.axes or ()
    if answer.innermost_first:
        axes = axes[::-1]
    by_cell = _is_small(answer)
    operands = (
        Block(name, written(shape), tuple(_extent(axis, place, name, by_cell) for axis in axes))
        for place, (name, shape) in enumerate(answer.operands)
    )
    result = Block("no result", "", ())
    if answer.result is not None:
        extents = (_extent(axis, None, "", by_cell) for axis in axes)
        result = Block("result", written(answer.result), tuple(extents))
    return Picture(axes, tuple(operands), result, by_cell, tuple(_remarks(answer)))


def _is_small(answer: Answer) -> bool:
    """Whether each element has room for a cell of its own."""
    result = answer.result
    if not answer.ok or answer.unknown_sizes or result is None or len(result) > MAX_AXES:
        return False
    *outer, across = [1, *(size for size in result if isinstance(size, int))]
    rows, blocks = prod(outer), len(answer.operands) + 1
    return rows <= MAX_ROWS and across <= MAX_ACROSS and 0 < rows * across * blocks <= MAX_CELLS


def _extent(axis: Axis, place: int | None, name: str, by_cell: bool) -> Extent:
    """How far an operand, or without a place the result, reaches along an axis."""
    own = axis.result if place is None else axis.sizes[place]
    stretched = name in axis.stretched
    if own is None and not stretched and axis.result != 1:
        return Extent("", 0)
    text = "(1)" if own is None else str(own)
    size = axis.result if stretched else own
    if size is None:
        size = 1
    length = size if by_cell and isinstance(size, int) else _bar(axis, size)
    if stretched:
        stored = min(length, 1)
        return Extent(f"{text}{ARROW}{size}", stored, length - stored)
    if axis.conflict is None and place is not None and isinstance(own, str):
        return Extent(text, 0, open=length)
    return Extent(text, length)


def _bar(axis: Axis, size: Size) -> int:
    """The length of a bar: the largest known size on an axis, and any unknown one, fill it."""
    if not isinstance(size, int):
        return BAR
    if size in (0, 1):
        return size
    largest = max(own for own in (*axis.sizes, axis.result) if isinstance(own, int))
    return BAR if size == largest else max(1, min(BAR - 1, size * BAR // largest))


def _remarks(answer: Answer) -> Iterator[str]:
    if 0 in (answer.result or ()):
        yield "no cells: the result has no elements"
    if answer.rule.takes_a_target:
        yield f"{answer.operand_names[1]} is a shape: nothing of it is stored"
