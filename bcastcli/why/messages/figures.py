"""Figures that follow from those of a fault's message: what `let` of the catalogue may call.

Each function takes figures and gives another one, or None where there is none: a sentence that
shows it is left out then.
"""

from collections.abc import Callable, Mapping
from math import isqrt, prod

from bcastcli.why.messages.reading import Figure, Found

Figures = Mapping[str, Figure]
Sizes = tuple[int | str, ...]

_NEAR, _SMALL = 4, 16
"""How far sizes are apart at most, and what they have at least, where rounding made them so."""


def size(shape: Sizes, axis: int) -> int | None:
    """The size on an axis.

    >>> size((2, 3), -1), size((2, "N"), 1), size((2, 3), 2)
    (3, None, None)
    """
    found = shape[axis] if -len(shape) <= axis < len(shape) else None
    return found if isinstance(found, int) else None


def elements(shape: Sizes) -> int | None:
    """The number of elements."""
    sizes = [each for each in shape if isinstance(each, int)]
    return prod(sizes) if len(sizes) == len(shape) else None


def same(one: int, other: int) -> int | None:
    """The first of two numbers that are equal."""
    return one if one == other else None


def near(one: int, other: int) -> int | None:
    """How far two sizes are apart, if it is little."""
    apart = abs(one - other)
    return apart if 0 < apart <= _NEAR and min(one, other) >= _SMALL else None


def factor(one: int, other: int) -> int | None:
    """How often one number holds the other."""
    small, large = sorted((one, other))
    return large // small if small > 0 and large > small and large % small == 0 else None


def divisor(number: int, most: int) -> int | None:
    """The largest divisor of a number that is at most so large, and more than 1."""
    return next((each for each in range(min(most, 512), 1, -1) if number % each == 0), None)


def root(number: int) -> int | None:
    """The side of a square of so many elements, from 8 by 8 on."""
    side = isqrt(max(number, 0))
    return side if side * side == number and side >= 8 else None


def place(shape: Sizes, number: int) -> int | None:
    """The only axis of this size."""
    return shape.index(number) if shape.count(number) == 1 else None


def only(one: Sizes, other: Sizes) -> int | None:
    """The only axis on which two shapes differ."""
    if len(one) != len(other):
        return None
    axes = [axis for axis, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
    return axes[0] if len(axes) == 1 else None


def exceeding(one: Sizes, other: Sizes, but: int) -> int | None:
    """The first axis on which a shape is longer than another, one axis aside."""
    pairs = enumerate(zip(one, other, strict=False))
    longer = [axis for axis, (a, b) in pairs if axis != but and isinstance(a, int) and a > int(b)]
    return longer[0] if longer else None


def shortage(kernel: Sizes, image: Sizes) -> int | None:
    """By how much an image is too small for a kernel."""
    pairs = zip(kernel, image, strict=False)
    return max((int(k) - int(size) for k, size in pairs), default=0) or None


def factors(shape: Sizes, number: int) -> str | None:
    """The last axes as a product, if they multiply to a number.

    >>> factors((32, 28, 28), 784), factors((32, 28), 28)
    ('28 x 28', None)
    """
    for count in range(2, len(shape) + 1):
        last = shape[-count:]
        if elements(last) == number:
            return " x ".join(map(str, last))
    return None


def moved(shape: Sizes, start: int, end: int) -> str | None:
    """The call that moves an axis to another place.

    >>> moved((1, 224, 224, 3), 3, 1)
    'permute(0, 3, 1, 2)'
    """
    axes = [axis for axis in range(len(shape)) if axis != start]
    axes.insert(end % len(shape), start)
    return f"permute({', '.join(map(str, axes))})"


def filled(count: int, target: Sizes) -> Sizes | None:
    """A target of a reshape with another first size, or one more, that so many elements fill.

    >>> filled(1568, (28, 28)), filled(1568, (1, 28, 28)), filled(12, (5, 2)), filled(90, (2, 5, 3))
    ((2, 28, 28), (2, 28, 28), None, (3, 2, 5, 3))
    """
    whole, rest = elements(target), elements(target[1:])
    if not target or -1 in target or not whole or not rest:
        return None
    if target[0] != 1 < len(target) and count % whole == 0:
        return (count // whole, *target)
    return (count // rest, *target[1:]) if len(target) > 2 and count % rest == 0 else None


def lacking(whole: Sizes, part: Sizes, axis: int) -> int | None:
    """The size of the axis that a shape lacks, by the whole one; 1 where that is open."""
    rest = (*whole[:axis], *whole[axis + 1 :]) if axis >= 0 else whole[:axis]
    fits = len(rest) == len(part) and all(a in ("?", b) for a, b in zip(rest, part, strict=True))
    return size(whole, axis) or 1 if fits else None


def classes(target: Sizes, made: Sizes) -> int | None:
    """The number of classes, where a target holds their numbers."""
    count = size(made, -1)
    are_numbers = target in (made[:-1], (*made[:-1], 1))
    return count if are_numbers and count and count > 1 else None


def trimmed(shape: Sizes, like: Sizes) -> Sizes:
    """A shape without the ones that fill it up behind the axes of another."""
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
