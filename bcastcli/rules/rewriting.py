"""Suggestions where operands do not broadcast: the same operands with other axes.

All shapes here are outermost first. These are only candidates: each is checked against the rule
before it is shown.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, MissingAxes, Rule
from bcastcli.core.shapes import (
    UNKNOWN,
    Shape,
    columns,
    element_count,
    right_aligned,
    stretch,
    written,
)
from bcastcli.core.wording import swapping

# Anything longer is not rewritten: it would be unreadable, and take long. Two shapes of so
# many axes, side by side, have as many as every release of NumPy takes.
MAX_AXES = 16
_MAX_CHARACTERS = 80
_MAX_OPERANDS = 3


class Rewrite(NamedTuple):
    """An operand with other axes."""

    write: str
    """The change in NumPy's syntax: `B[:, None]`, `B.T`."""
    shape: Shape


Changes = Mapping[int, Rewrite]
"""New operands by the numbers of the ones that they replace."""


def alternatives(question: Question, movable: Sequence[int]) -> Iterator[Alternative]:
    """Yield the question with other axes for some of its operands, the likeliest first.

    `movable` are the numbers of the operands that may get them.
    """
    for changed in candidates(question, movable):
        yield with_rewrites(question, changed)


def candidates(question: Question, movable: Sequence[int]) -> Iterator[Changes]:
    """Yield changes to operands that may make them broadcast, the likeliest first."""
    operands = question.operands
    if len(operands) == 1 or not is_readable(operands):
        return
    found = {
        number: _result_of_others(question, number) for number in _likely_wrong(question, movable)
    }
    targets = {number: target for number, target in found.items() if target is not None}
    missing = question.rule.missing_axes
    for propose in (with_new_axes, permuted, reshaped):
        for number, target in targets.items():
            for each in propose(operands[number], target, missing):
                if each.shape != operands[number].shape:
                    yield {number: each}
    if len(operands) <= _MAX_OPERANDS:
        parted = outer_product(question)
        if set(parted) <= set(movable):
            yield parted
            return
    for number, target in [*targets.items()][:1]:
        kept = [True] * question.ranks[number]
        added = [False] * len(target)
        beside = added + kept if missing == "trailing" else kept + added
        yield {number: _indexed(operands[number], beside, missing)}


def is_readable(operands: Sequence[Operand]) -> bool:
    """Return whether the operands stay readable with more axes than they have."""
    return (
        max(len(operand.shape) for operand in operands) <= MAX_AXES
        and max(len(written(operand.shape)) for operand in operands) <= _MAX_CHARACTERS
    )


def with_rewrites(question: Question, changed: Changes, write: str | None = None) -> Alternative:
    """Return the question with some of its operands rewritten."""
    operands = tuple(
        Operand(operand.name, changed[number].shape) if number in changed else operand
        for number, operand in enumerate(question.operands)
    )
    text = write or ", ".join(each.write for each in changed.values())
    return text, question.with_operands(operands)


def under(rule: Rule, question: Question) -> Alternative:
    """Return the question about the same operands under another rule."""
    return f"rule {rule.name}", question.under(rule)


def swapped(question: Question) -> Alternative:
    """Return the question with its two operands in the other order."""
    return swapping(*(operand.name for operand in question.operands)), question.swapped()


def after_swapping(
    question: Question, propose: Callable[[Question], Iterator[Alternative]]
) -> Iterator[Alternative]:
    """Yield proposals for the two operands in the other order, unless that alone suffices."""
    swap, turned = swapped(question)
    for write, proposed in () if turned.answer().ok else propose(turned):
        yield f"{swap}, {write}", proposed


def broadcast_to_result(answer: Answer, changed: Changes) -> Changes:
    """Return changes that give each operand the shape that an answer broadcasts them to.

    `changed` are the changes that led to the answer's operands.
    """
    target = answer.result or ()
    sizes = f"{target[0]}," if len(target) == 1 else ", ".join(map(str, target))
    wide = {}
    for number, (name, shape) in enumerate(answer.operands):
        if shape != target:
            write = changed[number].write if number in changed else name
            wide[number] = Rewrite(f"numpy.broadcast_to({write}, ({sizes}))", target)
    return {**changed, **wide}


def in_full_rank(question: Question) -> Iterator[Alternative]:
    """Yield the question with a new axis written out for each one that an operand lacks.

    The operands' own axes go where their sizes fit, on the last such axes and then on the first.
    """
    longest = max(question.operands, key=lambda operand: len(operand.shape)).shape
    if len(question.operands) > _MAX_OPERANDS or not is_readable(question.operands):
        return
    shorter = [n for n, rank in enumerate(question.ranks) if rank < len(longest)]
    proposed = [
        [*with_new_axes(question.operands[number], longest, "none")][::-1] for number in shorter
    ]
    for changed in zip(*proposed, strict=False):
        yield with_rewrites(question, dict(zip(shorter, changed, strict=True)))


def with_new_axes(
    operand: Operand, target: Shape, missing: MissingAxes = "leading"
) -> Iterator[Rewrite]:
    """Yield the operand with its own axes on axes of `target` that fit them.

    >>> [each.write for each in with_new_axes(Operand("B", (4,)), (4, 3, 4))]
    ['B[:, None, None]', 'B[:]']
    """
    for kept in _ways_to_place(operand.shape, target):
        yield _indexed(operand, kept, missing)


def places(own: Shape, target: Shape) -> Iterator[tuple[int, ...]]:
    """Yield the axes of `target` that the own ones may be on, in order: the first, and the last.

    >>> list(places((4,), (4, 3, 4)))
    [(0,), (2,)]
    """
    for kept in _ways_to_place(own, target):
        yield tuple([axis for axis, is_own in enumerate(kept) if is_own])


def _ways_to_place(own: Shape, target: Shape) -> Iterator[list[bool]]:
    """Yield the axes of `target` that the own ones may be on: the first that fit, and the last."""
    # Where none fits, a 1 of the others may stretch instead.
    for stretching in (False, True):
        first = _placed(own, target, stretching)
        if first:
            yield first
            yield _placed(own[::-1], target[::-1], stretching)[::-1]
            return


def permuted(
    operand: Operand, target: Shape, missing: MissingAxes = "leading"
) -> Iterator[Rewrite]:
    """Yield the operand with its axes in the order of the sizes that they meet in `target`.

    >>> [each.write for each in permuted(Operand("B", (8, 9, 9, 3)), (8, 3, 9, 9))]
    ['B.transpose(0, 3, 1, 2)']
    """
    own = operand.shape
    left = list(range(len(own)))
    order = []
    first = 0 if missing == "trailing" else max(len(target) - len(own), 0)
    for size in target[first : first + len(own)]:
        suiting = (i for wanted in (size, 1) for i in left if own[i] == wanted != UNKNOWN)
        order.append(next(suiting, -1))
        if order[-1] == -1:
            return
        left.remove(order[-1])
    if left or order == sorted(order):
        return
    is_reverse = order == sorted(order, reverse=True)
    write = "T" if is_reverse else f"transpose({', '.join(map(str, order))})"
    yield Rewrite(f"{operand.name}.{write}", tuple(own[i] for i in order))


def reshaped(
    operand: Operand, target: Shape, missing: MissingAxes = "leading"
) -> Iterator[Rewrite]:
    """Yield the operand with its elements along the last axes of `target`, or along the first ones.

    >>> [each.write for each in reshaped(Operand("B", ("N", 12)), (2, "N", 3, 4))]
    ['B.reshape(N, 3, 4)']
    """
    count = element_count(operand.shape)
    for cut in range(len(target) + 1):
        last, first = target[cut:], target[: len(target) - cut]
        ones = (1,) * cut
        last, first = (last, first + ones) if missing == "leading" else (ones + last, first)
        if missing == "none":
            first += ones
        for shape in dict.fromkeys((last, first)):
            if UNKNOWN not in shape and element_count(shape) == count:
                yield reshape_to(operand, shape)


def reshape_to(operand: Operand, shape: Shape) -> Rewrite:
    """Return the operand with its elements in another shape."""
    return Rewrite(f"{operand.name}.reshape({', '.join(map(str, shape)) or '()'})", shape)


def outer_product(question: Question) -> Changes:
    """Return operands with new axes, so that sizes that may clash are on different axes."""
    shapes = question.shapes
    ranked = sorted(range(len(shapes)), key=lambda number: -len(shapes[number]))
    kept: list[list[bool]] = [[] for _ in shapes]
    missing = question.rule.missing_axes
    ranks = question.ranks
    starts = (0,) * len(ranks) if missing == "trailing" else right_aligned(ranks)
    aligned = columns(shapes, starts)
    for clashes, run in groupby(aligned, lambda column: bool(stretch(column).condition)):
        parts = list(zip(*run, strict=True))
        # An operand of ones fits any of the others.
        several = dict.fromkeys(parts[n] for n in ranked if set(parts[n]) - {1, None}) or parts[:1]
        *_, last = several
        for mine, part in zip(kept, parts, strict=True):
            own = part if part in several else last
            for each in several if clashes else [own]:
                mine += [
                    each == own and size is not None
                    for size, lying in zip(part, each, strict=True)
                    if lying is not None or not clashes
                ]
    changed = {}
    for number, operand in enumerate(question.operands):
        each = _indexed(operand, kept[number], missing)
        if each.shape != operand.shape:
            changed[number] = each
    return changed


def _placed(own: Shape, target: Shape, stretching: bool) -> list[bool]:
    """Return the axes of `target` that the operand's own ones may be on, in order; empty if none.

    `stretching` tells whether a 1 of `target` fits any size.
    """
    todo = list(own[::-1])
    kept = []
    for size in target:
        suiting = (1, size) if size != UNKNOWN else (1,)
        kept.append(bool(todo) and (todo[-1] in suiting or (stretching and size == 1)))
        if kept[-1]:
            todo.pop()
    return [] if todo else kept


def _indexed(operand: Operand, kept: Sequence[bool], missing: MissingAxes = "leading") -> Rewrite:
    """Return the operand with new axes where it keeps none of its own.

    New axes where the rule lets an operand miss them are left out: it has them anyway.
    """
    own = [axis for axis, is_own in enumerate(kept) if is_own]
    if missing == "leading":
        kept = kept[own[0] :] if own else ()
    elif missing == "trailing":
        kept = kept[: own[-1] + 1] if own else ()
    sizes = iter(operand.shape)
    shape = tuple(next(sizes) if is_own else 1 for is_own in kept)
    marks = [":" if is_own else "None" for is_own in kept]
    whole = [*kept, False].index(False)
    if whole > 1:
        marks[:whole] = ["..."]
    return Rewrite(f"{operand.name}[{', '.join(marks)}]" if marks else operand.name, shape)


def _likely_wrong(question: Question, movable: Sequence[int]) -> list[int]:
    """Return the operands most likely at fault: the odd one out, or else the smallest."""
    clashing = [axis.sizes for axis in question.answer().axes or () if axis.conflict]
    sizes = clashing[-1] if clashing else ()
    at_fault = [number for number in movable if sizes and sizes[number] not in (1, None)]
    having, ranks = Counter(sizes), question.ranks

    def oddness(number: int) -> tuple[int, int, int]:
        return having[sizes[number]], ranks[number], -number

    return (sorted(at_fault, key=oddness) or list(movable)[::-1])[:_MAX_OPERANDS]


def _result_of_others(question: Question, number: int) -> Shape | None:
    """Return the shape that the other operands broadcast to; None if they do not."""
    operands = [*question.operands[:number], *question.operands[number + 1 :]]
    if len(operands) == 1:
        return operands[0].shape
    return question.with_operands(operands).answer().result
