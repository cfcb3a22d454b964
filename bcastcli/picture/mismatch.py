"""The picture of a mismatch: two operands that clash, side by side along the axis.

Cells without partners are boxed, and a cross is where the partners are missing; if the ranks clash,
it is between the operands. Shapes too large for cells are in boxes (`frames`).
"""

from collections.abc import Sequence
from math import prod

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.picture.arrays import MAX_AXES, Array, numbers_of, sign_between
from bcastcli.picture.figure import WAYS, PictureOptions, Row, Unmatched
from bcastcli.picture.rows import has_cells, has_values, operand
from bcastcli.reports.tables import clashing


def mismatch(
    answer: Answer, axes: Sequence[Axis], arrays: Sequence[Array], look: PictureOptions
) -> Row | None:
    """Return the operands as typed, without stretching them; None if cells do not fit."""
    clash = _clashing_axis(answer)
    shown = _clashing(clash, arrays) if clash and len(arrays) > 2 else arrays[:2]
    if look.values and len(arrays) > 2:  # the two have the numbers of a pair
        numbers = numbers_of([array.shape for array in shown], look._replace(given=()))
        arrays = shown = [
            array._replace(numbers=own) for array, own in zip(shown, numbers, strict=True)
        ]
    signs = ("", *[sign_between(arrays, look.operation)] * (len(shown) - 1))
    count = sum(prod(array.own) for array in shown)
    is_open = any(isinstance(size, str) for array in shown for size in array.sizes)
    # Layers would give an operand of fewer axes an index of three.
    in_layers = len(axes) == MAX_AXES and any(a.own[0] > 1 and None in a.sizes for a in shown)
    if is_open or in_layers or not all(has_cells(array.own) for array in shown):
        return None
    found = _unmatched(axes, shown) if clash else {}
    main = [*found.values()][-1:]
    blocks = []
    for array in shown:
        block = operand(answer, axes, array, array.own, has_values(arrays, look, count))
        surplus = tuple(own for place, own in found.items() if array.own[place] == own.stop)
        missing = next((each for each in main if each not in surplus), None)
        blocks.append(block._replace(surplus=surplus, missing=missing))
    return Row(tuple(blocks), signs, crossed=not any(block.missing for block in blocks))


def _unmatched(axes: Sequence[Axis], shown: Sequence[Array]) -> dict[int, Unmatched]:
    """Return the cells beyond the shorter of two operands, by the places of the axes that clash."""
    found = {}
    for place, (axis, way) in enumerate(zip(axes, WAYS[-len(axes) :], strict=True)):
        sizes = [array.own[place] for array in shown]
        there = {axis.sizes[array.tint] for array in shown}  # of three, others may clash here
        if there <= {*clashing(axis)} and min(sizes) < max(sizes):
            found[place] = Unmatched(way, min(sizes), max(sizes))
    return found


def _clashing_axis(answer: Answer) -> Axis | None:
    """Return the axis that the reason names, if sizes clash."""
    if answer.reason is None or answer.reason.kind != "sizes":
        return None
    return next((axis for axis in reversed(answer.axes or ()) if axis.conflict), None)


def _clashing(axis: Axis, arrays: Sequence[Array]) -> Sequence[Array]:
    """Return two operands that clash: the first whose size is not 1, and the first that differs."""
    there = [(array, axis.sizes[array.tint]) for array in arrays]
    found = [(array, size) for array, size in there if isinstance(size, int) and size != 1]
    unlike = [array for array, size in found if size != found[0][1]]
    return [found[0][0], unlike[0]] if unlike else arrays[:2]
