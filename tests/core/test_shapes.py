"""How axes line up, and what the sizes on one aligned axis decide."""

from collections.abc import Callable
from functools import partial
from itertools import permutations, product

import pytest

from bcastcli.core.conditions import ALWAYS, Condition
from bcastcli.core.shapes import (
    CLASH,
    Column,
    Shape,
    Verdict,
    cached_by_column,
    columns,
    columns_without_gaps,
    must_be_equal,
    must_be_one,
    must_equal,
    right_aligned,
    second_stretches,
    stretch,
    written,
)
from bcastcli.notation import text as notation
from tests.rows import each_row

Decision = Callable[[Column], Verdict]

FIRST_WHOLE = partial(must_equal, kept=0)
SECOND_WHOLE = partial(must_equal, kept=1)
BESIDE_FIRST = partial(must_be_one, kept=0)
BESIDE_SECOND = partial(must_be_one, kept=1)

# What an axis of known sizes decides: the result's size, or None where they clash.
KNOWN: list[tuple[Decision, Column, int | None]] = [
    (stretch, (3, 3), 3),
    (stretch, (3, 1), 3),
    (stretch, (1, 3), 3),
    (stretch, (3, None), 3),
    (stretch, (None, 3), 3),
    (stretch, (1, 1), 1),
    (stretch, (1, None), 1),
    (stretch, (3, 4), None),
    (stretch, (0, 0), 0),
    (stretch, (0, 1), 0),
    (stretch, (0, None), 0),
    (stretch, (0, 2), None),
    (stretch, (2, 0), None),
    (stretch, (5,), 5),
    (stretch, (1,), 1),
    (stretch, (3, 1, None, 3), 3),
    (stretch, (3, 1, 4), None),
    (stretch, (1, 3, 4, 5), None),
    (second_stretches, (3, 3), 3),
    (second_stretches, (3, 1), 3),
    (second_stretches, (3, None), 3),
    (second_stretches, (1, 3), None),
    (second_stretches, (1, 1), 1),
    (second_stretches, (1, None), 1),
    (second_stretches, (3, 4), None),
    (second_stretches, (0, 0), 0),
    (second_stretches, (0, 1), 0),
    (second_stretches, (0, None), 0),
    (second_stretches, (1, 0), None),
    (second_stretches, (0, 2), None),
    (second_stretches, (None, 3), None),
    (second_stretches, (None, 0), None),
    (must_be_equal, (3, 3), 3),
    (must_be_equal, (3, 3, 3), 3),
    (must_be_equal, (0, 0), 0),
    (must_be_equal, (1, 1), 1),
    (must_be_equal, (3, 1), None),
    (must_be_equal, (0, 1), None),
    (must_be_equal, (3, 3, 4), None),
    (must_be_equal, (3, None), None),
    (must_be_equal, (1, None), None),
    (must_be_equal, (None, 1), None),
    (FIRST_WHOLE, (3, 3), 3),
    (FIRST_WHOLE, (3, None), 3),
    (FIRST_WHOLE, (3, 1), None),
    (FIRST_WHOLE, (1, 3), None),
    (FIRST_WHOLE, (3, 4), None),
    (SECOND_WHOLE, (3, 3), 3),
    (SECOND_WHOLE, (None, 3), 3),
    (SECOND_WHOLE, (1, 3), None),
    (BESIDE_FIRST, (3, 1), 3),
    (BESIDE_FIRST, (3, None), 3),
    (BESIDE_FIRST, (3, 3), None),
    (BESIDE_FIRST, (1, 1), 1),
    (BESIDE_SECOND, (1, 3), 3),
    (BESIDE_SECOND, (None, 3), 3),
    (BESIDE_SECOND, (3, 3), None),
]

N_IS_1_OR_3: Condition = ((("N", 1), ("N", 3)),)

# What an axis with names decides: the result's size, and what must hold.
NAMED: list[tuple[Decision, Column, Verdict]] = [
    (stretch, ("N", 1), Verdict("N")),
    (stretch, ("N", "N"), Verdict("N")),
    (stretch, ("N", None, 1), Verdict("N")),
    (stretch, ("N", 3), Verdict(3, N_IS_1_OR_3)),
    (stretch, ("N", 0), Verdict(0, ((("N", 1), ("N", 0)),))),
    (stretch, ("N", "M"), Verdict("?", ((("N", "M"), ("N", 1), ("M", 1)),))),
    (stretch, ("N", 3, "M"), Verdict(3, (*N_IS_1_OR_3, (("M", 1), ("M", 3))))),
    (stretch, ("N", 3, 4), CLASH),
    (second_stretches, (3, "N"), Verdict(3, N_IS_1_OR_3)),
    (second_stretches, (1, "N"), Verdict(1, ((("N", 1),),))),
    (second_stretches, ("N", 3), Verdict("N", ((("N", 3),),))),
    (second_stretches, ("N", 1), Verdict("N")),
    (second_stretches, ("N", None), Verdict("N")),
    (second_stretches, ("N", "N"), Verdict("N")),
    (second_stretches, ("N", "M"), Verdict("N", ((("M", 1), ("M", "N")),))),
    (second_stretches, (None, "N"), Verdict(None, ((("N", 1),),))),
    (must_be_equal, ("N", 3), Verdict(3, ((("N", 3),),))),
    (must_be_equal, ("N", "N"), Verdict("N")),
    (must_be_equal, ("N", "M"), Verdict("N", ((("N", "M"),),))),
    (must_be_equal, ("N", None), CLASH),
    (must_be_equal, ("N", 3, 4), CLASH),
    (FIRST_WHOLE, (3, "N"), Verdict(3, ((("N", 3),),))),
    (FIRST_WHOLE, ("N", "M"), Verdict("N", ((("M", "N"),),))),
    (FIRST_WHOLE, ("N", None), Verdict("N")),
    (SECOND_WHOLE, (3, "N"), Verdict("N", ((("N", 3),),))),
    (BESIDE_FIRST, (3, "N"), Verdict(3, ((("N", 1),),))),
    (BESIDE_FIRST, ("M", "N"), Verdict("M", ((("N", 1),),))),
]


def named(value: object) -> str:
    if isinstance(value, partial):
        return f"{value.func.__name__}{value.keywords['kept']}"
    return str(getattr(value, "__name__", value))


def meaning(verdict: Verdict) -> tuple[object, list[frozenset[frozenset[int | str]]]]:
    """A verdict, whatever the order within its clauses and the side of its equalities."""
    clauses = [frozenset(frozenset(atom) for atom in clause) for clause in verdict.condition]
    return verdict.result, clauses


@each_row(("decide", "column", "result"), KNOWN)
def test_known_sizes(decide: Decision, column: Column, result: int | None) -> None:
    """Known sizes give one size without any condition, or clash."""
    assert decide(column) == (CLASH if result is None else Verdict(result))


@each_row(("decide", "column", "verdict"), NAMED)
def test_sizes_with_names(decide: Decision, column: Column, verdict: Verdict) -> None:
    """Unknown sizes give a result with exactly the condition that it needs."""
    assert meaning(decide(column)) == meaning(verdict)


def test_a_trailing_axis_of_1_past_the_end_is_no_clash() -> None:
    """Past the end of what is kept, only a 1 may stand."""
    assert second_stretches((None, 1)).condition == ALWAYS
    assert second_stretches((None, 2)) == CLASH


@pytest.mark.parametrize("decide", [stretch, must_be_equal])
def test_the_order_of_operands_does_not_count(decide: Decision) -> None:
    """Where nothing is kept, known sizes decide the same in any order."""
    for column in product((None, 0, 1, 2, 3), repeat=3):
        if any(size is not None for size in column):
            verdicts = {decide(turned) for turned in permutations(column)}
            assert len(verdicts) == 1, column


def test_a_missing_axis_stretches_as_1_does() -> None:
    """A missing axis decides what a 1 decides, wherever sizes may stretch."""
    for size in (0, 1, 2, 3, "N"):
        assert stretch((size, None)) == stretch((size, 1))
        assert second_stretches((size, None)) == second_stretches((size, 1))
        assert must_be_one((size, None), kept=0) == must_be_one((size, 1), kept=0)


@each_row(
    ("ranks", "starts"),
    [
        ((2, 2), (0, 0)),
        ((4, 2), (0, 2)),
        ((2, 4), (2, 0)),
        ((3, 0), (0, 3)),
        ((0, 0), (0, 0)),
        ((1,), (0,)),
        ((1, 3, 2), (2, 0, 1)),
    ],
)
def test_right_aligned(ranks: tuple[int, ...], starts: tuple[int, ...]) -> None:
    """Aligned right, a shape starts as many axes in as the longest has more."""
    assert right_aligned(ranks) == starts


@each_row(
    ("laid", "starts", "aligned"),
    [
        ([(2, 3), (3,)], (0, 1), [(2, None), (3, 3)]),
        ([(2, 3, 4), (3,)], (0, 1), [(2, None), (3, 3), (4, None)]),
        ([(2,), (3, 4)], (0, 0), [(2, 3), (None, 4)]),
        ([(2,), (3, 4)], (0, 1), [(2, None), (None, 3), (None, 4)]),
        ([(2, 3), ()], (0, 2), [(2, None), (3, None)]),
        ([(), ()], (0, 0), []),
        ([(2, "N"), (5,)], (0, 2), [(2, None), ("N", None), (None, 5)]),
        ([(0,), (1,), ("N",)], (0, 0, 0), [(0, 1, "N")]),
    ],
)
def test_columns(laid: list[Shape], starts: tuple[int, ...], aligned: list[Column]) -> None:
    """Each aligned axis holds every operand's size there, and None where it has no such axis."""
    assert columns(laid, starts) == aligned
    there = [tuple(size for size in column if size is not None) for column in aligned]
    assert columns_without_gaps(laid, starts) == there


def test_remember() -> None:
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
    assert decided == columns_of_two
    assert [is_decided((1,) * count) for count in (4, 4, 5, 5)] == [True, False, True, True]
    for size in range(10_000):
        recall((3, size))
    assert all(map(is_decided, columns_of_two))


@each_row(
    ("shape", "text"),
    [((2, 3, 4), "2,3,4"), ((5,), "5"), ((), "()"), (("N", "?", 0), "N,?,0"), ((1,), "1")],
)
def test_written(shape: Shape, text: str) -> None:
    """A shape as text tells a scalar from an axis of 1, and reads back as the same shape."""
    assert written(shape) == text
    assert notation.read(text).shapes == (shape,)
