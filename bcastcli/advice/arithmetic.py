"""How numbers that do not fit relate to each other, in one fact of arithmetic."""

from collections.abc import Sequence
from math import prod

from bcastcli.core.amounts import quotient
from bcastcli.core.shapes import Shape
from bcastcli.core.wording import joined_with_and
from bcastcli.rules.sizes import multiple

_SMALL = 16
"""Sizes below it divide each other, and are neighbours, by accident."""
_MANY = 64
"""The largest factor that is hardly one."""


def ratio(one: int, other: int) -> str:
    """How one size relates to another; empty without a relation that is hardly an accident.

    >>> ratio(128, 256), ratio(31, 30), ratio(8886, 4443), ratio(7, 12), ratio(4, 5)
    ('256 is 2 x 128', '31 and 30 differ by 1', '8,886 is 2 x 4,443', '', '')
    """
    small, large = sorted((one, other))
    if small < _SMALL:
        return ""
    if large > small and large % small == 0 and large // small <= _MANY:
        return multiple(large, small)
    return f"{one:,} and {other:,} differ by 1" if large - small == 1 else ""


def fill(count: int, target: Sequence[int]) -> str:
    """How many elements a target shape has; with a -1, the size that it would need.

    >>> fill(169792, (1, 379, -1, 128)), fill(12, (5, 2)), fill(12, (-1, 5, 4))
    ('169,792 / (379 x 128) is 3.5', '5 x 2 is 10', '5 x 4 is 20')
    >>> fill(20, (-1, 5, 4)), fill(7, (-1, 0)), fill(7, (5, 1)), fill(2000, (30, 40))
    ('5 x 4 is 20', '', '', '30 x 40 is 1,200')
    """
    known = [size for size in target if size not in (-1, 1)]
    if -1 in target and count > prod(known):
        return quotient(count, known) if count % (prod(known) or 1) else ""
    return f"{' x '.join(map(str, known))} is {prod(known):,}" if len(known) > 1 else ""


def division(count: int, by: int | Sequence[int]) -> str:
    """The remainder of a divided size; empty if there is none.

    >>> division(7, 2), division(7, (2, 2)), division(8, 2)
    ('7 / 2 is 3.5', '7 / (2 x 2) is 1.75', '')
    """
    return fill(count, (-1, by) if isinstance(by, int) else (-1, *by))


def total(sizes: Shape) -> str:
    """A sum of sizes; empty if one is unknown.

    >>> total((3, 3)), total((3, "N"))
    ('3 + 3 is 6', '')
    """
    known = [size for size in sizes if isinstance(size, int)]
    is_known = len(known) == len(sizes) > 1
    return f"{' + '.join(map(str, known))} is {sum(known):,}" if is_known else ""


def difference(*shapes: Shape) -> str:
    """How shapes differ; empty if they may be equal.

    >>> difference((3, 544, 386), (3, 545, 386)), difference((2, 3), (2, 8))
    ('on axis 1, 544 and 545 differ by 1', 'they have 3 and 8 on axis 1')
    >>> difference((2, 3), (4,)), difference((2, 3), (3, 2)), difference(("?", 3), (2, 3))
    ('they have 2 and 1 axes', 'their sizes are the same in another order', '')
    >>> difference((2, 3), (3, 4)), difference((1, 3), (4, 3), (1200, 3))
    ('they differ on axes 0 and 1', 'they have 1, 4 and 1,200 on axis 0')
    """
    ranks = [*dict.fromkeys(map(len, shapes))]
    if len(ranks) > 1:
        return f"they have {joined_with_and([*map(str, ranks)])} axes"
    columns = [dict.fromkeys(sizes) for sizes in zip(*shapes, strict=True)]
    numbers = [[size for size in sizes if isinstance(size, int)] for sizes in columns]
    differing = [axis for axis, sizes in enumerate(numbers) if len(sizes) > 1]
    if len(differing) == 1:
        [axis] = differing
        sizes = numbers[axis]
        fact = ratio(*sizes) if len(sizes) == 2 else ""
        named = joined_with_and([f"{size:,}" for size in sizes])
        return f"on axis {axis}, {fact}" if fact else f"they have {named} on axis {axis}"
    if differing and len({tuple(sorted(map(str, shape))) for shape in shapes}) == 1:
        return "their sizes are the same in another order"
    return f"they differ on axes {joined_with_and([*map(str, differing)])}" if differing else ""
