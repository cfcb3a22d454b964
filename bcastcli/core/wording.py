"""Pieces of sentences that several rules share."""

from collections.abc import Sequence
from math import prod

from bcastcli.core.alignment import Operand
from bcastcli.core.conditions import AtMostOneBesides1, Clause, Condition
from bcastcli.core.shapes import Column, Shape, Size, cached_by_column, written

MAX_COUNTS = 4
"""The most operands with counts that are shown one by one."""

MAX_AXES_NAMED = 8
"""The most axes that a sentence names one by one."""


def joined_with_and(words: Sequence[str]) -> str:
    """The words joined with commas and "and": `A`, `A and B`, `A, B and C`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def transposed(name: str, order: Sequence[int]) -> str:
    """An operand with its axes in an order, as NumPy writes it.

    It is the name alone if the axes are already in this order.

    >>> transposed("A", (0, 1)), transposed("A", (1, 0)), transposed("A", (1, 2, 0))
    ('A', 'A.T', 'A.transpose(1,2,0)')
    """
    if list(order) == sorted(order):
        return name
    is_reverse = list(order) == sorted(order, reverse=True)
    return f"{name}.T" if is_reverse else f"{name}.transpose({','.join(map(str, order))})"


def axes(count: int) -> str:
    """A number of axes: `1 axis`, `2 axes`."""
    return f"{count} {'axis' if count == 1 else 'axes'}"


def others_clashing(labels: Sequence[str]) -> str:
    """The end of a reason where sizes clash on more axes, given their labels.

    >>> others_clashing(["axis 0 (-3)"]), others_clashing(["axis 0 (-4)", "axis 2 (-2)"])
    ('; axis 0 (-3) clashes as well', '; axes 0 (-4) and 2 (-2) clash as well')
    """
    if not labels:
        return ""
    if len(labels) == 1:
        return f"; {labels[0]} clashes as well"
    if len(labels) > MAX_AXES_NAMED:
        return f"; {len(labels)} more axes clash as well"
    named = [label.removeprefix("axis ") for label in labels]
    return f"; axes {joined_with_and(named)} clash as well"


def with_verb(owners: Sequence[str]) -> str:
    """Owners with their verb: `A has`, `A and B have`."""
    return f"{joined_with_and(owners)} {'has' if len(owners) == 1 else 'have'}"


def growth_note(shapes: Sequence[Shape], result: Shape) -> str:
    """The sentence that all operands stretch, with the elements before and after."""
    from bcastcli.core.amounts import elements  # rarely needed

    who = f"{'both' if len(shapes) == 2 else 'all'} operands stretch"
    if any(isinstance(size, str) for shape in (*shapes, result) for size in shape):
        return f"{who}, unless an unknown size makes one of them as large as the result"
    *counts, count = [prod(map(int, shape)) for shape in (*shapes, result)]
    largest = max(counts)
    if len({*counts}) == 1:
        return f"{who}: {elements(largest)} elements each become {elements(count)}"
    own = f"up to {elements(largest)}"
    if len(counts) <= MAX_COUNTS:
        own = joined_with_and(list(map(elements, counts)))
    text = f"{who}: {own} elements become {elements(count)}"
    if not count:
        return text
    return f"{text} ({elements(count // largest)} times {elements(largest)})"


def other_ranks(operands: Sequence[Operand]) -> str:
    """Which operands have how many axes: `A 2,3 has 2 axes and B 3 has 1 axis`."""
    having: dict[int, list[str]] = {}
    for name, shape in operands:
        having.setdefault(len(shape), []).append(f"{name} {written(shape)}")
    return joined_with_and([f"{with_verb(names)} {axes(rank)}" for rank, names in having.items()])


def more_axes(kept: Operand, other: Operand, why: str) -> str:
    """Why an operand with more axes than the kept one does not broadcast."""
    return (
        f"{other.name} {written(other.shape)} has {axes(len(other.shape))} and "
        f"{kept.name} {written(kept.shape)} has {len(kept.shape)}, and {why}"
    )


@cached_by_column
def clash_words(
    column: Column, names: tuple[str, ...], neutral: int | None = None
) -> tuple[str, str, int]:
    """The operands with their clashing sizes, a remark on the rest, and how many clash.

    The size `neutral` never clashes, and neither does an unknown size.
    """
    having: dict[Size | None, list[str]] = {}
    for name, size in zip(names, column, strict=True):
        having.setdefault(size, []).append(name)
    ones, missing = having.pop(neutral, []) if neutral else [], having.pop(None, [])
    clashing = {size: owners for size, owners in having.items() if isinstance(size, int)}
    sides = joined_with_and([f"{with_verb(owners)} {size}" for size, owners in clashing.items()])
    rest = [f"{with_verb(ones)} {neutral}"] if ones else []
    rest += [f"{with_verb(missing)} no axis"] if missing else []
    remark = ""
    if neutral and rest and len(clashing) == len(having):  # an unknown size may match any other
        either = "either" if len(clashing) == 2 else "any"
        remark = f" ({' and '.join(rest)} there and would match {either})"
    return sides, remark, sum(map(len, clashing.values()))


def in_words(condition: Condition) -> str:
    """The condition in words, for pages and learners.

    >>> in_words(((("N", 1), ("N", 3)), (("M", 2),)))
    'N is 1 or 3, and M is 2'
    >>> in_words(((("N", "M"), ("N", 1), ("M", 1)),))
    'N is M or 1, or M is 1'
    """
    clauses = [_clause_in_words(clause) for clause in condition]
    return ("; and " if any(", " in text for text in clauses) else ", and ").join(clauses)


def _clause_in_words(clause: Clause) -> str:
    values: dict[str, list[str]] = {}
    for name, other in clause:
        values.setdefault(name, []).append(str(other))
    if isinstance(clause, AtMostOneBesides1):
        return f"{', '.join(values)} are equal wherever they are not 1"
    return ", or ".join(f"{name} is {' or '.join(others)}" for name, others in values.items())
