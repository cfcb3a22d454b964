"""The blocks of a picture, row by row: the stretched operands and the result."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Size
from bcastcli.picture.arrays import (
    MAX_AXES,
    MAX_VALUES,
    Array,
    axis_name,
    layers_of,
    letter,
    operand_cell,
    result_cell,
    sign_between,
)
from bcastcli.picture.figure import RESULT, WAYS, AxisLabel, Block, Direction, PictureOptions, Row
from bcastcli.picture.frames import MAX_OPERANDS

MAX_CELLS = 120
"""The most cells of a block."""
MAX_LAYERS = 6
MAX_ACROSS = 16


def has_cells(shape: Sequence[Size | None]) -> bool:
    """Return whether a block of this shape has room for a cell for each element."""
    sizes = [size for size in shape if isinstance(size, int)]
    if len(sizes) < len(shape) or len(sizes) > MAX_AXES:
        return False
    layers, _, across = (1,) * (MAX_AXES - len(sizes)) + tuple(sizes)
    return 0 < prod(sizes) <= MAX_CELLS and layers <= MAX_LAYERS and across <= MAX_ACROSS


def has_values(arrays: Sequence[Array], look: PictureOptions, count: int) -> bool:
    """Return whether a picture of `count` cells has numbers."""
    return look.values and len(arrays) <= MAX_OPERANDS and count <= MAX_VALUES


def equation(
    answer: Answer, axes: Sequence[Axis], arrays: Sequence[Array], look: PictureOptions
) -> Row | None:
    """Return the stretched operands and the result; None if cells do not fit."""
    sizes = tuple(axis.result for axis in axes)
    if not (answer.ok and not answer.unknown_sizes and has_cells(sizes)):
        return None
    result = answer.result or ()
    signs = ("", *[sign_between(arrays, look.operation)] * (len(arrays) - 1), "=")
    frame = tuple(size for size in sizes if isinstance(size, int))
    shown = has_values(arrays, look, prod(frame))
    own = partial(operand, answer, axes, sizes=frame, shown=shown)
    drawn = [array for array in arrays if not array.is_target]
    blocks = [own(each)._replace(arrows=tuple(_arrows(axes, each.name))) for each in drawn]
    cells = layers_of(frame, partial(result_cell, arrays, shown, look.operation))
    named = tuple(f"{letter(axis)} {axis.result}" for axis in answer.axes or () if letter(axis))
    blocks.append(Block("result", result, RESULT, cells, letters=_letters(axes), named=named))
    if len(arrays) > 2:  # too little room for the names of their axes
        blocks = list(map(without_labels, blocks))
    return Row(tuple(blocks), signs[: len(blocks)])  # a target is a shape, without a block


def without_labels(block: Block) -> Block:
    """Return the block without the names of its axes, to save room in several rows."""
    arrows = tuple(arrow._replace(label="") for arrow in block.arrows)
    return block._replace(arrows=arrows, letters=(), named=(), slot=None)


def operand(
    answer: Answer, axes: Sequence[Axis], array: Array, sizes: Sequence[int], shown: bool
) -> Block:
    """Return an operand in cells of these sizes: its own, or those of the result."""
    return Block(
        array.title,
        array.drawn,
        array.tint,
        layers_of(tuple(sizes), partial(operand_cell, array, shown)),
        letters=_letters(axes),
        named=array.named,
        slot=_slot(answer, axes, array),
    )


def _letters(axes: Sequence[Axis]) -> tuple[AxisLabel, ...]:
    """Return the framework's own names of the axes that run down and across."""
    ways = WAYS[-len(axes) :] if axes else ()
    return tuple(
        AxisLabel(way, letter(axis))
        for way, axis in zip(ways, axes[-MAX_AXES:], strict=False)
        if letter(axis) and way is not Direction.LAYERS
    )


def _arrows(axes: Sequence[Axis], name: str) -> Iterator[AxisLabel]:
    """Yield an arrow for each axis along which an operand stretches."""
    ways = WAYS[-len(axes) :] if axes else ()
    for axis, way in zip(axes, ways, strict=True):
        if name in axis.stretched and axis.result != 0:
            is_named = letter(axis) and way is not Direction.LAYERS
            yield AxisLabel(way, "" if is_named else f"{axis_name(axis)} {way.value}")


def _slot(answer: Answer, axes: Sequence[Axis], array: Array) -> AxisLabel | None:
    """Return the axis at which pdpd placed its second operand, if it is that operand."""
    if "axis" not in answer.options or array.tint != 1 or array.sizes.count(None) == len(axes):
        return None
    place = next(n for n, size in enumerate(array.sizes) if size is not None)
    way = WAYS[-len(axes) :][place]
    return AxisLabel(
        Direction.ACROSS if way is Direction.LAYERS else way, f"axis={answer.options['axis']}"
    )
