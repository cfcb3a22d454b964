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
    """Join words with commas and "and": `A`, `A and B`, `A, B and C`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def swapping(first: str, second: str) -> str:
    """The words for two operands in the other order."""
    return f"swap {first} and {second}"


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
    """Return owners with their verb: `A has`, `A and B have`."""
    return f"{joined_with_and(owners)} {'has' if len(owners) == 1 else 'have'}"


def growth_note(shapes: Sequence[Shape], result: Shape) -> str:
    """The sentence that all operands stretch, with the growth in elements."""
    if any(isinstance(size, str) for shape in (*shapes, result) for size in shape):
        names = _all_operands(len(shapes))
        return f"{names} stretch, unless an unknown size makes one of them as large as the result"
    return growth_note_of_counts(
        [prod(map(int, shape)) for shape in shapes], prod(map(int, result))
    )


def growth_note_of_counts(counts: Sequence[int], count: int) -> str:
    """The sentence that all operands stretch, with the elements before and after."""
    from bcastcli.core.amounts import elements  # rarely needed

    largest = max(counts)
    own = f"up to {elements(largest)}"
    if len(counts) <= MAX_COUNTS:
        own = joined_with_and(list(map(elements, counts)))
    if len(counts) > 1 and len({*counts}) == 1:
        own = f"{elements(largest)} elements each become {elements(count)}"
        return f"{_all_operands(len(counts))} stretch: {own}"
    text = f"{_all_operands(len(counts))} stretch: {own} elements become {elements(count)}"
    if not largest or not count:
        return text
    whole, rest = divmod(count, largest)
    times = f"{count / largest:.3g}" if rest else elements(whole)
    return f"{text} ({times} times {elements(largest)})"


def _all_operands(count: int) -> str:
    return "both operands" if count == 2 else "all operands"


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

    The size `besides` never clashes, and neither does an unknown size.
    """
    having: dict[Size, list[str]] = {}
    for name, size in zip(names, column, strict=True):
        if isinstance(size, int) and size != neutral:
            having.setdefault(size, []).append(name)
    parts = [f"{with_verb(owners)} {size}" for size, owners in having.items()]
    count = sum(map(len, having.values()))
    return joined_with_and(parts), remark_on_others(column, names, neutral, len(having)), count


def remark_on_others(
    column: Column, names: Sequence[str], neutral: int | None, different: int
) -> str:
    """The remark on the operands without a clash, if there are any."""
    if neutral is None or any(isinstance(size, str) for size in column):
        return ""  # an unknown size may match any other
    pairs = list(zip(names, column, strict=True))
    ones = [name for name, size in pairs if size == neutral]
    missing = [name for name, size in pairs if size is None]
    parts = [f"{with_verb(ones)} {neutral}"] if ones else []
    parts += [f"{with_verb(missing)} no axis"] if missing else []
    either = "either" if different == 2 else "any"
    return f" ({' and '.join(parts)} there and would match {either})" if parts else ""


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
