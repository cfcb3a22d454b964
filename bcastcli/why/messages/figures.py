"""Figures that follow from those of a fault's message: what `let` of the catalogue may call.

Each function takes figures and gives another one, or None where there is none: a sentence that
shows it is left out then.
"""

from collections.abc import Callable, Mapping
from math import isqrt, prod
from operator import sub

from bcastcli.why.messages.reading import Figure, Found

Figures = Mapping[str, Figure]
Sizes = tuple[int | str, ...]

_NEAR, _SMALL = 4, 16
"""How far sizes are apart at most, and what they have at least, where rounding made them so."""


def size(shape: Sizes, axis: int) -> int | None:
    """The size on an axis.

    >>> size((2, 3), -1), size((2, 3), -2), size((2, "N"), 1), size((2, 3), 2), size((2, 3), -3)
    (3, 2, None, None, None)
    """
    on_axis = shape[axis] if -len(shape) <= axis < len(shape) else None
    return on_axis if isinstance(on_axis, int) else None


def elements(shape: Sizes) -> int | None:
    """The number of elements.

    >>> elements((2, 3)), elements((2, "?")), elements(())
    (6, None, 1)
    """
    sizes = [each for each in shape if isinstance(each, int)]
    return prod(sizes) if len(sizes) == len(shape) else None


def same(one: int, other: int) -> int | None:
    """The first of two numbers that are equal."""
    return one if one == other else None


def near(one: int, other: int) -> int | None:
    """How far two sizes are apart, if it is little.

    >>> near(30, 31), near(20, 16), near(16, 21), near(15, 16), near(16, 16)
    (1, 4, None, None, None)
    """
    apart = abs(one - other)
    return apart if 0 < apart <= _NEAR and min(one, other) >= _SMALL else None


def factor(one: int, other: int) -> int | None:
    """How often one number holds the other.

    >>> factor(64, 1216), factor(5, 1), factor(5, 5), factor(0, 5), factor(2, 5)
    (19, 5, None, None, None)
    """
    small, large = sorted((one, other))
    return large // small if small > 0 and large > small and large % small == 0 else None


def divisor(number: int, most: int) -> int | None:
    """The largest divisor of a number that is at most so large (and 512), and more than 1.

    >>> divisor(512, 12), divisor(9, 4), divisor(6, 2), divisor(1026, 1000), divisor(7, 5)
    (8, 3, 2, 342, None)
    """
    return next((each for each in range(min(most, 512), 1, -1) if number % each == 0), None)


def root(number: int) -> int | None:
    """The side of a square of so many elements, from 8 by 8 on.

    >>> root(784), root(64), root(785), root(49)
    (28, 8, None, None)
    """
    side = isqrt(number)
    return side if side * side == number and side >= 8 else None


def place(shape: Sizes, number: int) -> int | None:
    """The only axis of this size.

    >>> place((5, 13, 3), 13), place((3, 5, 3), 3), place((5, 3), 4)
    (1, None, None)
    """
    return shape.index(number) if shape.count(number) == 1 else None


def only(one: Sizes, other: Sizes) -> int | None:
    """The only axis on which two shapes differ.

    >>> only((2, 3), (2, 4)), only((2, 3), (4, 5)), only((2, 3), (2, 3)), only((2,), (2, 3))
    (1, None, None, None)
    """
    if len(one) != len(other):
        return None
    axes = [axis for axis in range(len(one)) if one[axis] != other[axis]]
    return axes[0] if len(axes) == 1 else None


def exceeding(one: Sizes, other: Sizes, but: int) -> int | None:
    """The first axis on which a shape is longer than another, one axis aside.

    >>> exceeding((6, 2, 4), (3, 2, 3), 1), exceeding((6, 2, 4), (3, 2, 3), 0)
    (0, 2)
    >>> exceeding((3, "?"), ("?", 4), 1), exceeding((6, 2), (3, 4), 0), exceeding((2, 3), (2,), 1)
    (None, None, None)
    """
    for axis in range(min(len(one), len(other))):
        has, most = one[axis], other[axis]
        if axis != but and isinstance(has, int) and isinstance(most, int) and has > most:
            return axis
    return None


def shortage(kernel: tuple[int, ...], image: tuple[int, ...]) -> int:
    """By how much an image is too small for a kernel.

    >>> shortage((3, 5), (2, 2))
    3
    """
    apart: list[int] = [*map(sub, kernel, image)]
    return max(apart)


def factors(shape: Sizes, number: int) -> str | None:
    """The last axes as a product, if they multiply to a number.

    >>> factors((32, 28, 28), 784), factors((2, 3, 4), 24), factors((32, 28), 28)
    ('28 x 28', '2 x 3 x 4', None)
    """
    for start in range(len(shape) - 2, -1, -1):
        if elements(shape[start:]) == number:
            return " x ".join(map(str, shape[start:]))
    return None


def moved(shape: Sizes, start: int, end: int) -> str:
    """The call that moves an axis to another place.

    >>> moved((1, 224, 224, 3), 3, 1), moved((2, 10, 4, 4), 1, -1)
    ('permute(0, 3, 1, 2)', 'permute(0, 2, 3, 1)')
    """
    axes = [axis for axis in range(len(shape)) if axis != start]
    axes.insert(end % len(shape), start)
    return f"permute({', '.join(map(str, axes))})"


def filled(count: int, target: tuple[int, ...]) -> Sizes | None:
    """A target of a reshape with another first size, or one more, that so many elements fill.

    >>> filled(1568, (28, 28)), filled(1568, (1, 28, 28)), filled(20, (2, 5)), filled(12, (5, 2))
    ((2, 28, 28), (2, 28, 28), (2, 2, 5), None)
    >>> filled(90, (2, 5, 3)), filled(75, (2, 5, 3)), filled(7, (2, 5, 3)), filled(60, (5,))
    ((3, 2, 5, 3), (5, 5, 3), None, None)
    >>> filled(6, (-1, 4)), filled(6, (0, 4)), filled(6, ())
    (None, None, None)
    """
    if not target or min(target) < 1:
        return None
    whole, rest = prod(target), prod(target[1:])
    if target[0] != 1 < len(target) and count % whole == 0:
        return (count // whole, *target)
    return (count // rest, *target[1:]) if len(target) > 2 and count % rest == 0 else None


def lacking(whole: Sizes, part: Sizes, axis: int) -> int | None:
    """The size of the first axis (0) or the last (-1) if a shape lacks it; 1 where that is open.

    >>> lacking((8, 28), (28,), 0), lacking(("?", 28), (28,), 0), lacking((4, 3), (4,), -1)
    (8, 1, 3)
    >>> lacking(("?", 28, 3), (28, 3), 0), lacking(("?", "?", 3), (28, 3), 0)
    (1, 1)
    >>> lacking((4, 3), (5,), -1), lacking((4, 3), (4, 3), -1)
    (None, None)
    """
    rest = whole[1:] if axis == 0 else whole[:-1]
    if len(rest) != len(part) or any(rest[n] not in ("?", part[n]) for n in range(len(part))):
        return None
    return size(whole, axis) or 1


def classes(target: Sizes, made: Sizes) -> int | None:
    """The number of classes, where a target holds their numbers.

    >>> classes((32, 1), (32, 10)), classes((32,), (32, 2)), classes((32,), (32, 1))
    (10, 2, None)
    >>> classes((32, 5), (32, 10)), classes((32,), (32, "?"))
    (None, None)
    """
    count = size(made, -1)
    are_numbers = target in (made[:-1], (*made[:-1], 1))
    return count if are_numbers and count and count > 1 else None


def trimmed(shape: Sizes, like: Sizes) -> Sizes:
    """A shape without the ones that fill it up behind the axes of another.

    >>> trimmed((8, 4, 1, 1), (8, 8)), trimmed((8, 4, 2), (8, 8)), trimmed((8, 1), (8, 8))
    ((8, 4), (8, 4, 2), (8, 1))
    """
    return shape[: len(like)] if {*shape[len(like) :]} == {1} else shape


FUNCTIONS: Mapping[str, Callable[..., Figure | None]] = {
    "rank": len,
    "less": lambda number: number - 1,
    "more": lambda number: number + 1,
    "positive": lambda number: number if number > 0 else None,
    "plane": lambda rank: max(rank - 2, 1) if rank > 1 else None,
    "word": lambda number, *words: words[number] if number < len(words) else None,
    **{each.__name__: each for each in (size, elements, same, near, factor, divisor, root, place)},
    **{each.__name__: each for each in (only, exceeding, shortage, factors, moved, filled)},
    **{each.__name__: each for each in (lacking, classes, trimmed)},
}
"""The functions by the names that the catalogue calls them."""


# Functions of whole messages


def of_index(known: Figures, found: Found) -> Figures:
    """Add the last index of an axis, or of negative ones the first.

    An insertion takes one more, in the same words.
    """
    index, size = known.get("index"), known.get("size")
    if not isinstance(index, int) or not isinstance(size, int) or not size:
        return known
    if index < 0:
        return {**known, "first": -size}
    is_insertion = index > size and ("File " not in found.before or "insert" in found.before)
    return known if is_insertion else {**known, "last": size - 1}


def of_samples(known: Figures, found: Found) -> Figures:
    """Add the loader that stacks samples to a batch."""
    return {**known, "loader": "DataLoader"} if "collate" in found.before else known


def of_one_sample(known: Figures, found: Found) -> Figures | None:
    """Leave out an instance normalization: it counts the channels of all samples."""
    return None if "instance_norm" in found.before else known
