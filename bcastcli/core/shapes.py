"""Sizes, shapes and aligned axes: how axes line up, and what one aligned axis decides.

A *size* is a number, or the name of an unknown one. A *column* holds the sizes that meet on
one aligned axis, one entry for each operand. What a column decides depends on its sizes alone.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from itertools import zip_longest
from math import prod
from typing import Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar

from bcastcli.core.conditions import ALWAYS, NEVER, Condition, any_equal, at_most_one_besides_1

Size: TypeAlias = int | str
Shape: TypeAlias = tuple[Size, ...]
Column: TypeAlias = tuple[Size | None, ...]
"""The sizes on one aligned axis; None if an operand lacks the axis."""
Writes: TypeAlias = Callable[[Sequence[Size]], str]
"""Writes a shape: as it is typed, or as a tuple on a page."""

Places: TypeAlias = int | tuple[int, ...]
"""The aligned axes that a shape is on: that of its first axis where the others follow it, or
that of each of its axes, in any order."""

UNKNOWN = "?"
"""A size without a name; in a result, one that is not the same in every case."""

UNKNOWN_RANK: Shape = ("...",)
"""Placeholder for a shape of unknown rank; it occurs only in lines of operators."""


MAX_CACHED = 4
"""The most operands of which columns are cached: a hostile line can hold enormous ones."""
Rest = ParamSpec("Rest")
Value = TypeVar("Value")


def cached_by_column(
    decide: Callable[Concatenate[Column, Rest], Value],
) -> Callable[Concatenate[Column, Rest], Value]:
    """A pure function of a column with a cache, for columns of few operands."""
    remembered = lru_cache(maxsize=2048)(decide)

    @wraps(decide)
    def recall(column: Column, /, *rest: Rest.args, **named: Rest.kwargs) -> Value:
        if len(column) > MAX_CACHED:
            return decide(column, *rest, **named)
        return remembered(column, *rest, **named)  # type: ignore[arg-type]  # it cannot see hashing

    return recall


class Verdict(NamedTuple):
    """The decision of one aligned axis."""

    result: Size | None
    """The result's size there; None if the sizes clash."""
    condition: Condition = ALWAYS
    """The condition on the unknown sizes there."""


CLASH = Verdict(None, NEVER)


@cached_by_column
def stretch(column: Column) -> Verdict:
    """Any size 1 (or missing axis) stretches: at most one size other than 1.

    >>> stretch((4, 1, None)).result
    4
    """
    others = list(dict.fromkeys([size for size in column if size is not None and size != 1]))
    if len(others) <= 1:
        return Verdict(others[0] if others else 1)
    numbers = [size for size in others if isinstance(size, int)]
    names = [size for size in others if isinstance(size, str)]
    if len(numbers) > 1:
        return CLASH
    if numbers:
        [number] = numbers
        needed = (clause for name in names for clause in any_equal((name, 1), (name, number)))
        return Verdict(number, tuple(needed))
    return Verdict(UNKNOWN, at_most_one_besides_1(names))


@cached_by_column
def second_stretches(column: Column) -> Verdict:
    """The second operand stretches to the first, which keeps its size.

    >>> second_stretches((4, 1)).result, second_stretches((1, 4)).result
    (4, None)
    """
    kept, follower = column
    if follower is None or follower in (1, kept):
        return Verdict(kept)
    if kept is None:
        return _kept(None, any_equal((follower, 1)))
    return _kept(kept, any_equal((follower, 1), (follower, kept)))


@cached_by_column
def must_be_equal(column: Column) -> Verdict:
    """Nothing stretches: all operands have the axis, with one size, or all lack it.

    >>> must_be_equal((4, 4)).result, must_be_equal((1, None)).result
    (4, None)
    """
    sizes = [size for size in dict.fromkeys(column) if size is not None]
    numbers = [size for size in sizes if isinstance(size, int)]
    if None in column or len(numbers) > 1:
        return CLASH
    common = numbers[0] if numbers else sizes[0]
    needed = (clause for size in sizes for clause in any_equal((common, size)))
    return Verdict(common, tuple(needed))


def follows(column: Column, kept: int, *, only_1: bool = False) -> Verdict:
    """Operand number `kept` keeps its size; the other one equals it, or is 1 if `only_1`.

    The other one may also lack the axis.
    """
    size, other = column[kept], column[1 - kept]
    wanted = 1 if only_1 else size
    if wanted is None or other is None:
        return Verdict(size)
    return _kept(size, any_equal((other, wanted)))


def _kept(size: Size | None, condition: Condition) -> Verdict:
    return CLASH if condition == NEVER else Verdict(size, condition)


def right_aligned(ranks: Iterable[int]) -> tuple[int, ...]:
    """The axis that each operand's first axis is on when the last ones are aligned."""
    ranks = list(ranks)
    longest = max(ranks)
    return tuple([longest - rank for rank in ranks])


def axes_of(rank: int, places: Places) -> Sequence[int]:
    """The aligned axis of each axis of a shape."""
    return range(places, places + rank) if isinstance(places, int) else places


def columns(shapes: Sequence[Shape], places: Sequence[Places]) -> list[Column]:
    """The aligned axes, outermost first: shape number i is on the axes of places[i].

    >>> columns([(2, 3), (3,)], (0, 1))
    [(2, None), (3, 3)]
    >>> columns([(2, 3), (3, 4, 2)], ((2, 0), 0))
    [(3, 3), (None, 4), (2, 2)]
    """
    laid = [
        (None,) * own + shape if isinstance(own, int) else _spread(shape, own)
        for shape, own in zip(shapes, places, strict=True)
    ]
    return list(zip_longest(*laid))


def _spread(shape: Shape, places: tuple[int, ...]) -> Column:
    sizes = dict(zip(places, shape, strict=True))
    rank = max([axis + 1 for axis in places], default=0)
    return tuple(map(sizes.get, range(rank)))


def columns_without_gaps(shapes: Sequence[Shape], places: Sequence[Places]) -> list[Column]:
    """The aligned axes, as `columns` has them, without the entries of shapes that lack the axis.

    Each axis up to the last must be an axis of some shape.

    >>> columns_without_gaps([(2, 3), (3,)], (0, 1))
    [(2,), (3, 3)]
    """
    found: dict[int, list[Size]] = {}
    for shape, own in zip(shapes, places, strict=True):
        for axis, size in zip(axes_of(len(shape), own), shape, strict=True):
            found.setdefault(axis, []).append(size)
    return [tuple(found[axis]) for axis in range(len(found))]


def substituted(column: Column, numbers: Mapping[str, int]) -> Column:
    """The column with numbers for the names that have one."""
    return tuple(numbers.get(own, own) if isinstance(own, str) else own for own in column)


def written(shape: Sequence[Size]) -> str:
    """A shape as text that can be read again: `2,3`, `(hidden,)`, `()`."""
    if len(shape) == 1 and isinstance(shape[0], str) and reads_as_word(shape[0]):
        return f"({shape[0]},)"
    return ",".join(map(str, shape)) or "()"


def element_count(shape: Sequence[Size]) -> tuple[int, list[str]]:
    """How many elements a shape has: the product of a number and of names.

    >>> element_count((2, "N", 3, "M"))
    (6, ['M', 'N'])
    """
    number = prod(size for size in shape if isinstance(size, int))
    return number, sorted(size for size in shape if isinstance(size, str))


def is_expression(size: Size) -> bool:
    """Whether a size is calculated from names.

    >>> [each for each in ("past+1", "2*N", "N % 3", "max(N, 3)", "X", 3) if is_expression(each)]
    ['past+1', '2*N', 'N % 3', 'max(N, 3)']
    """
    return isinstance(size, str) and any(sign in size for sign in "+-*/%(")


def names_in(shapes: Iterable[Shape]) -> Iterator[str]:
    """The names of the unknown sizes in shapes, those within expressions too."""
    for shape in shapes:
        for size in shape:
            if isinstance(size, str):
                yield from re.findall(r"[A-Za-z_][A-Za-z0-9_]*", size)


def reads_as_word(name: str) -> bool:
    """Whether a size's name, alone, reads as a word: `hidden`, but not `N` or `N1`."""
    is_letter = "A" <= name[:1] <= "Z" and (len(name) == 1 or name[1:].isdigit())
    return name.isidentifier() and name.isascii() and not is_letter
