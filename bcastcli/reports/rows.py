"""Rows of blocks: the operands stretched and the result, or those that do not fit as typed."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod
from typing import NamedTuple

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Size, bounds
from bcastcli.render.picture.figure import (
    RESULT,
    WAYS,
    AxisLabel,
    Block,
    Direction,
    Edge,
    Row,
    Step,
    Unmatched,
)
from bcastcli.reports.arrays import (
    MAX_AXES,
    Array,
    axis_name,
    layers_of,
    numbers_of,
    operand_cell,
    result_cell,
    sign_between,
    text_of_size,
)

MAX_CELLS = 40
"""The most cells of a result whose elements are drawn one by one."""
MAX_APART = 48
"""The most cells, together, of two operands that do not broadcast."""
MAX_LAYERS = 4
MAX_ACROSS = 14


class PictureOptions(NamedTuple):
    """Options for a picture."""

    operation: str = "+"
    values: bool = True
    until: Step = Step.RESULT
    notes: bool = True
    wants_values: bool = False
    """Whether numbers are asked for, so that a picture without them says why."""


def has_cells(shape: Sequence[Size | None]) -> bool:
    """Return whether a block of this shape has room for a cell for each element."""
    sizes = [size for size in shape if isinstance(size, int)]
    if len(sizes) < len(shape) or len(sizes) > MAX_AXES:
        return False
    layers, _, across = (1,) * (MAX_AXES - len(sizes)) + tuple(sizes)
    return 0 < prod(sizes) <= MAX_CELLS and layers <= MAX_LAYERS and across <= MAX_ACROSS


def _has_values(arrays: Sequence[Array], look: PictureOptions) -> bool:
    return look.values and len(arrays) <= 2


def equation(
    answer: Answer,
    axes: Sequence[Axis],
    arrays: Sequence[Array],
    look: PictureOptions,
    name: str = "result",
) -> Row:
    """Return the operands stretched, and the result by its name."""
    sizes = tuple(axis.result for axis in axes)
    result = answer.result or ()
    signs = ("", *[sign_between(arrays, look.operation)] * (len(arrays) - 1), "=")
    letters = _letters(axes)
    if not (answer.ok and not answer.unknown_sizes and has_cells(sizes)):
        blocks = [
            Block(array.title, array.drawn, array.tint, extents=_extents(answer, array))
            for array in arrays
        ]
        found = [axis.result for axis in answer.axes or ()]
        whole = tuple(Edge(text_of_size(size), _text_size(size)) for size in found)
        return Row((*blocks, Block(name, result, RESULT, extents=whole)), signs)
    frame = tuple(size for size in sizes if isinstance(size, int))
    shown = _has_values(arrays, look)
    blocks = []
    for array in arrays:
        own = array.own if array.is_target else frame
        layers = layers_of(own, partial(operand_cell, array, shown))
        arrows = () if array.is_target else tuple(_arrows(axes, array.name))
        slot = _slot(answer, axes, array)
        blocks.append(
            Block(
                array.title,
                array.drawn,
                array.tint,
                layers,
                (),
                arrows,
                letters,
                array.named,
                slot,
            )
        )
    cells = layers_of(
        frame,
        partial(
            result_cell, name if name == "result" else f"({name})", arrays, shown, look.operation
        ),
    )
    named = tuple(f"{axis.label} {axis.result}" for axis in answer.axes or () if axis.label)
    blocks.append(Block(name, result, RESULT, cells, letters=letters, named=named))
    return Row(tuple(blocks), signs)


def _letters(axes: Sequence[Axis]) -> tuple[AxisLabel, ...]:
    """Return the framework's own names of the axes that run down and across."""
    ways = WAYS[-len(axes) :] if axes else ()
    return tuple(
        AxisLabel(way, axis.label)
        for way, axis in zip(ways, axes[-MAX_AXES:], strict=False)
        if axis.label and way is not Direction.LAYERS
    )


def _arrows(axes: Sequence[Axis], name: str) -> Iterator[AxisLabel]:
    """Yield an arrow for each axis along which an operand stretches."""
    ways = WAYS[-len(axes) :] if axes else ()
    for axis, way in zip(axes, ways, strict=True):
        if name in axis.stretched and axis.result != 0:
            is_named = axis.label and way is not Direction.LAYERS
            yield AxisLabel(way, "" if is_named else f"{axis_name(axis)} {way.value}")


def _slot(answer: Answer, axes: Sequence[Axis], array: Array) -> AxisLabel | None:
    """Return where pdpd placed its second operand, if it did."""
    if "axis" not in answer.options or array.tint != 1 or array.sizes.count(None) == len(axes):
        return None
    place = next(n for n, size in enumerate(array.sizes) if size is not None)
    way = WAYS[-len(axes) :][place]
    return AxisLabel(
        Direction.ACROSS if way is Direction.LAYERS else way, f"axis={answer.options['axis']}"
    )


def _text_size(size: Size | None) -> Size:
    return 1 if size is None else size


def _extents(answer: Answer, array: Array) -> tuple[Edge, ...]:
    return tuple(_extent(axis, axis.sizes[array.tint], array) for axis in answer.axes or ())


def _extent(axis: Axis, size: Size | None, array: Array) -> Edge:
    clashes = axis.conflict is True
    if array.name in axis.stretched and not array.is_target:
        return Edge(f"{text_of_size(size)}→{axis.result}", _text_size(axis.result), stretched=True)
    depends = axis.conflict is None and isinstance(size, str)
    label = "" if size is None and axis.result is None and not clashes else text_of_size(size)
    return Edge(label, _text_size(size), False, depends, clashes, array.is_target)


def mismatch(
    answer: Answer, axes: Sequence[Axis], arrays: Sequence[Array], look: PictureOptions
) -> Row:
    """Return the operands as typed: two that clash side by side along the axis, none stretched."""
    clash = _clashing_axis(answer)
    shown = _clashing(clash, arrays) if clash and len(arrays) > 2 else arrays[:2]
    if look.values and len(arrays) > 2:  # the two are drawn as if they were alone
        shown = [
            array._replace(numbers=numbers_of(place, 2, array.shape))
            for place, array in enumerate(shown)
        ]
        arrays = shown
    signs = ("", *[sign_between(arrays, look.operation)] * (len(shown) - 1))
    count = sum(prod(array.own) for array in shown)
    is_open = any(isinstance(size, str) for array in shown for size in array.sizes)
    if is_open or count > MAX_APART or not all(has_cells(array.own) for array in shown):
        blocks = tuple(
            Block(array.title, array.drawn, array.tint, extents=_as_typed(answer, array))
            for array in shown
        )
        return Row(blocks, signs, crossed=True)
    values = _has_values(arrays, look)
    place = axes.index(clash) if clash else -1
    way = WAYS[-len(axes) :][place]
    beyond = _unmatched(way, [array.own[place] for array in shown]) if clash else None
    blocks = tuple(
        Block(
            array.title,
            array.drawn,
            array.tint,
            layers_of(array.own, partial(operand_cell, array, values)),
            letters=_letters(axes),
            slot=_slot(answer, axes, array),
            named=array.named,
            surplus=beyond if beyond and array.own[place] == beyond.stop else None,
            missing=beyond if beyond and array.own[place] == beyond.start else None,
        )
        for array in shown
    )
    return Row(blocks, signs, crossed=beyond is None)


def _unmatched(way: Direction, sizes: Sequence[int]) -> Unmatched | None:
    """Return the cells beyond the shorter of two operands."""
    return Unmatched(way, min(sizes), max(sizes)) if min(sizes) < max(sizes) else None


def _clashing_axis(answer: Answer) -> Axis | None:
    """Return the axis that the reason names, if sizes clash."""
    if answer.reason is None or answer.reason.kind != "sizes":
        return None
    return next((axis for axis in reversed(answer.axes or ()) if axis.conflict), None)


def _clashing(axis: Axis, arrays: Sequence[Array]) -> Sequence[Array]:
    """Return two operands that clash: the first whose size is not 1, and the first with another.

    For rules that stretch nothing, 1 may be one of the sizes.
    """
    there = [(array, axis.sizes[array.tint]) for array in arrays]
    known = [(array, size) for array, size in there if isinstance(size, int) or bounds(size)]
    others = [(array, size) for array, size in known if size != 1 and (bounds(size) or (2,))[0] > 1]
    for found in (others, known):
        unlike = [array for array, size in found if size != found[0][1]]
        if unlike:
            return [found[0][0], unlike[0]]
    return arrays[:2]


def _as_typed(answer: Answer, array: Array) -> tuple[Edge, ...]:
    sizes = ((axis, axis.sizes[array.tint]) for axis in answer.axes or ())
    return tuple(
        Edge(
            "" if size is None else str(size),
            _text_size(size),
            clashes=axis.conflict is True,
            outlined=array.is_target,
        )
        for axis, size in sizes
    )
