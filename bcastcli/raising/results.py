"""The shape of what a call or an index gives, by the shape of its array.

What does not follow raises one of NOT_READ.
"""

from collections.abc import Callable, Sequence
from math import prod
from types import EllipsisType
from typing import Any

from bcastcli.core.shapes import Shape
from bcastcli.raising.values import array, integer, is_one_of


def indexed(shape: Shape, keys: Sequence[object]) -> Shape:
    """The shape of a part; the keys are numbers, slices, None and at most one `...`."""
    kept: list[Any] = []
    rest = [*shape]
    skipped = len(shape) - sum(key is not None and key is not ... for key in keys)
    for key in keys:
        if key is None:
            kept.append(1)
        elif isinstance(key, EllipsisType):
            kept, rest = kept + rest[:skipped], rest[skipped:]
        elif type(key) is slice:
            kept.append(len(range(*key.indices(integer(rest.pop(0))))))
        else:
            range(integer(rest.pop(0)))[integer(key)]
    return (*kept, *rest)


def integers(values: Sequence[Any]) -> list[int]:
    """The numbers that values are or hold."""
    found: list[Any] = []
    for value in values:
        row = tuple.__getitem__(value, slice(None)) if issubclass(type(value), tuple) else value
        found += row if is_one_of(type(row), (list, tuple)) else [row]
    return [*map(integer, found)]


def _axes(shape: Shape, axis: Any) -> Sequence[int]:
    """The axes, counted from the start; all of them for None."""
    every = range(len(shape))
    return [every[each] for each in (every if axis is None else integers([axis]))]


def _new(*sizes: Any) -> Shape:
    return tuple(integers(sizes))


def _same(shape: Shape, *given: Any, **named: Any) -> Shape:
    if {*named} & {"shape", "out", "ndmin"} or any(map(array, (*given, *named.values()))):
        raise TypeError
    return shape


def _gathered(places: Shape, table: Shape) -> Shape:
    return (*places, *table[1:])


def _convolved(shape: Shape, weight: Shape, *settings: Any) -> Shape:
    """The shape after a window with stride, padding and dilation has gone over each axis."""
    sizes = []
    for size, width, stride, pad, dilation in zip(shape[2:], weight[2:], *settings, strict=True):
        last = integer(size) + 2 * pad - dilation * (integer(width) - 1) - 1
        sizes.append(last // stride + 1)
    return (shape[0], weight[0], *sizes)


def _reduced(shape: Shape, axis: Any = None, *, keepdims: bool = False) -> Shape:
    gone = _axes(shape, axis)
    kept = [[1] * keepdims if place in gone else [size] for place, size in enumerate(shape)]
    return tuple(size for each in kept for size in each)


def _squeezed(shape: Shape, axis: Any = None) -> Shape:
    gone = _axes(shape, axis)
    return tuple(size for place, size in enumerate(shape) if size != 1 or place not in gone)


def _exchanged(shape: Shape, one: int, other: int) -> Shape:
    sizes = [*shape]
    sizes[one], sizes[other] = sizes[other], sizes[one]
    return tuple(sizes)


def _with_axis(shape: Shape, axis: int) -> Shape:
    place = range(len(shape) + 1)[axis]
    return (*shape[:place], 1, *shape[place:])


def _flattened(shape: Shape, start_dim: int = 0, end_dim: int = -1) -> Shape:
    first, last = _axes(shape, (start_dim, end_dim))
    return (*shape[:first], prod(map(integer, shape[first : last + 1])), *shape[last + 1 :])


_FUNCTIONS = (_new, _same, _gathered, _convolved, _reduced, _squeezed, _exchanged, _with_axis)
RESULTS: dict[str, Callable[..., Shape]] = {
    each.__name__.removeprefix("_"): each for each in (*_FUNCTIONS, _flattened)
}
"""The functions by their names in the table of functions."""
