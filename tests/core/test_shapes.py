"""How axes line up, and what the sizes on one aligned axis decide (core/shapes.py)."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product

from bcastcli.core.shapes import (
    CLASH,
    Column,
    Shape,
    Size,
    Verdict,
    cached_by_column,
    columns,
    columns_without_gaps,
    follows,
    must_be_equal,
    second_stretches,
    stretch,
    substituted,
)
from tests.rows import each_row

Decide = Callable[[Column], Verdict]
Means = Callable[[Column], Verdict]


def _stretches(column: Column) -> Verdict:
    others = {size for size in column if isinstance(size, int)} - {1}
    return CLASH if len(others) > 1 else Verdict(max(others, default=1))


def _second_stretches(column: Column) -> Verdict:
    kept, own = column
    return Verdict(kept) if own in (None, 1, kept) else CLASH


def _equal(column: Column) -> Verdict:
    return Verdict(column[0]) if len({*column}) == 1 else CLASH


def _keeps(column: Column, kept: int, *, one: bool) -> Verdict:
    own, other = column[kept], column[1 - kept]
    fits = other is None or (other == 1 if one else own in (None, other))
    return Verdict(own) if fits else CLASH


# Each decision, what it means for numbers, and the operands that it is about.
MEANINGS: list[tuple[Decide, Means, int]] = [
    (stretch, _stretches, 3),
    (second_stretches, _second_stretches, 2),
    (must_be_equal, _equal, 3),
    *((partial(follows, kept=n), partial(_keeps, kept=n, one=False), 2) for n in (0, 1)),
    *(
        (partial(follows, kept=n, only_1=True), partial(_keeps, kept=n, one=True), 2)
        for n in (0, 1)
    ),
]
NUMBERS = (None, 0, 1, 2, 3)
NAMES = ("N", "M")


@each_row(("decide", "means", "count"), MEANINGS)
def test_known_sizes(decide: Decide, means: Means, count: int) -> None:
    """Known sizes give one size without any condition, or clash."""
    for column in product(NUMBERS, repeat=count):
        if {*column} != {None}:
            assert decide(column) == means(column), column


def holds(verdict: Verdict, sizes: Mapping[str, int]) -> bool:
    """Whether the condition holds for numbers in place of names."""

    def number(size: Size) -> int:
        return sizes[size] if isinstance(size, str) else size

    return all(
        any(number(one) == number(other) for one, other in clause) for clause in verdict.condition
    )


@each_row(("decide", "means", "count"), MEANINGS)
def test_sizes_with_names(decide: Decide, means: Means, count: int) -> None:
    """The condition holds for exactly the numbers that fit, and the result is what they give."""
    for column in product((None, 1, 2, *NAMES), repeat=count):
        if not {*NAMES} & {*column}:
            continue
        verdict, results = decide(column), set()
        for numbers in product(range(4), repeat=2):
            sizes = dict(zip(NAMES, numbers, strict=True))
            known = means(substituted(column, sizes))
            assert holds(verdict, sizes) is (known != CLASH), (column, sizes)
            if known != CLASH:
                results.add(known.result)
                own = verdict.result
                assert own == "?" or sizes.get(str(own), own) == known.result, (column, sizes)
        assert verdict == CLASH or results
        assert verdict.result != "?" or len(results) > 1


@each_row(
    ("laid", "starts", "aligned"),
    [
        ([(2, 3, 4), (3,)], (0, 1), [(2, None), (3, 3), (4, None)]),
        ([(2,), (3, 4)], (0, 1), [(2, None), (None, 3), (None, 4)]),
        ([(), ()], (0, 0), []),
        ([(2, "N"), (5,)], (0, 2), [(2, None), ("N", None), (None, 5)]),
        ([(2, 3), (3, 4, 2)], ((2, 0), 0), [(3, 3), (None, 4), (2, 2)]),
    ],
)
def test_columns(laid: list[Shape], starts: tuple[int, ...], aligned: list[Column]) -> None:
    """Each aligned axis holds every operand's size there, and None where it has no such axis."""
    assert columns(laid, starts) == aligned
    there = [tuple(size for size in column if size is not None) for column in aligned]
    assert columns_without_gaps(laid, starts) == there


def test_cache() -> None:
    """What few sizes decide is worked out once, and no stream of columns can fill the memory."""
    decided: list[Column] = []
    recall = cached_by_column(decided.append)

    def is_decided(column: Column) -> bool:
        before = len(decided)
        recall(column)
        return len(decided) > before

    columns_of_two = [(2, size) for size in range(1000)]
    assert all(map(is_decided, columns_of_two))
    assert not any(map(is_decided, columns_of_two))
    assert [is_decided((1,) * count) for count in (4, 4, 5, 5)] == [True, False, True, True]
    for size in range(10_000):
        recall((3, size))
    assert all(map(is_decided, columns_of_two))
