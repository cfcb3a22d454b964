"""What to write instead where operands do not broadcast: the same operands with other axes.

All shapes here are outermost first. What is proposed here is only likely: the rule is asked about
it before anybody is told.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from bcastcli.answers import Alternative, Answer, Operand
from bcastcli.shapes import UNKNOWN, Shape, Size

# Longer shapes are not rewritten: nobody could read it, and it would take long.
MOST_AXES = 32
_MOST_OPERANDS = 3
_LARGEST = 10**18


class Rewritten(NamedTuple):
    """An operand with other axes."""

    write: str
    """How NumPy writes it: `B[:, None]`, `B.T`."""
    shape: Shape


def alternatives(answer: Answer, movable: Sequence[int]) -> Iterator[Alternative]:
    """The question with other axes for one of its operands, the likeliest first.

    `movable` are the numbers of the operands that may get them.
    """
    if max(answer.ranks) > MOST_AXES:
        return
    suspects = _suspects(answer, movable)
    aims = {number: _others(answer, number) for number in suspects}
    known = [number for number in suspects if aims[number] is not None]
    for propose in (with_new_axes, transposed, reshaped):
        for number in known:
            for each in propose(answer.operands[number], aims[number] or ()):
                yield replaced(answer, {number: each})
    for number in sorted(known):
        yield replaced(answer, {number: followed(answer.operands[number], len(aims[number] or ()))})
    if len(movable) == len(answer.operands) and sum(answer.ranks) <= MOST_AXES:
        yield replaced(answer, apart(answer.operands))


def replaced(
    answer: Answer, changes: Mapping[int, Rewritten], write: str | None = None
) -> Alternative:
    """The question with some of its operands rewritten."""
    operands = tuple(
        Operand(operand.name, changes[number].shape) if number in changes else operand
        for number, operand in enumerate(answer.operands)
    )
    text = write or ", ".join(each.write for each in changes.values())
    return Alternative(text, answer.rule, operands, answer.given)


def with_new_axes(operand: Operand, aim: Shape) -> Iterator[Rewritten]:
    """The operand with as many axes as `aim`, its own on such as suit them.

    >>> [each.write for each in with_new_axes(Operand("B", (4,)), (4, 3, 4))]
    ['B[:, None, None]', 'B[:]']
    """
    for kept in _placed(operand.shape, aim):
        sizes = iter(operand.shape)
        shape = tuple(next(sizes) if is_own else 1 for is_own in kept)
        yield Rewritten(_indexed(operand.name, kept), shape)


def followed(operand: Operand, count: int) -> Rewritten:
    """The operand with so many new axes after its own."""
    kept = [True] * len(operand.shape) + [False] * count
    return Rewritten(_indexed(operand.name, kept), operand.shape + (1,) * count)


def apart(operands: Sequence[Operand]) -> dict[int, Rewritten]:
    """Operands, all but the last with new axes, so that no two have an axis in common."""
    changes = {}
    count = 0
    for number in range(len(operands) - 1, -1, -1):
        if count and operands[number].shape:
            changes[number] = followed(operands[number], count)
        count += len(operands[number].shape)
    return dict(sorted(changes.items()))


def transposed(operand: Operand, aim: Shape) -> Iterator[Rewritten]:
    """The operand with its axes in the opposite order."""
    if len(operand.shape) == len(aim) > 1:
        yield Rewritten(f"{operand.name}.T", operand.shape[::-1])


def reshaped(operand: Operand, aim: Shape) -> Iterator[Rewritten]:
    """The operand with its elements along the last axes of `aim`, or along the first ones."""
    sizes = [size for size in (*operand.shape, *aim) if isinstance(size, int) and size < _LARGEST]
    if len(sizes) < len(operand.shape) + len(aim):
        return
    own, whole = sizes[: len(operand.shape)], sizes[len(operand.shape) :]
    for place in range(len(whole)):
        last, first = whole[place:], whole[: len(whole) - place] + [1] * place
        for shape in (last, first):
            if prod(shape) == prod(own):
                write = f"{operand.name}.reshape({', '.join(map(str, shape))})"
                yield Rewritten(write, tuple(shape))


def _placed(own: Shape, aim: Shape) -> Iterator[list[bool]]:
    """Which axes of `aim` an operand's own axes may lie on: the first that suit, or the last."""
    first = _placed_first(own, aim)
    last = _placed_first(own[::-1], aim[::-1])
    if first is not None:
        yield first
    if last is not None:
        yield last[::-1]


def _placed_first(own: Shape, aim: Shape) -> list[bool] | None:
    todo = list(own[::-1])
    kept = []
    for size in aim:
        kept.append(bool(todo) and todo[-1] in (1, size) and todo[-1] != UNKNOWN)
        if kept[-1]:
            todo.pop()
    return None if todo else kept


def _indexed(name: str, kept: Sequence[bool]) -> str:
    """How NumPy writes an operand with new axes where it keeps none of its own.

    New axes before all others are left out: aligned right, the operand has them anyway.
    """
    own = [place for place, is_own in enumerate(kept) if is_own]
    if not own:
        return name
    first, last = own[0], own[-1]
    if len(own) == last - first + 1 > 1:
        marks = ["...", *["None"] * (len(kept) - last - 1)]
    else:
        marks = [":" if is_own else "None" for is_own in kept[first:]]
    return f"{name}[{', '.join(marks)}]"


def _suspects(answer: Answer, movable: Sequence[int]) -> list[int]:
    """Whose shape is likeliest not what was meant: the odd one out, or else the smallest."""
    clashing = [axis.sizes for axis in answer.axes or () if axis.conflict]
    if not clashing:
        return list(movable)[::-1][:_MOST_OPERANDS]
    sizes = clashing[-1]
    having: list[Size | None] = [size for size in sizes if size not in (1, None)]

    def oddness(number: int) -> tuple[int, int, int]:
        return having.count(sizes[number]), answer.ranks[number], -number

    at_fault = [number for number in movable if sizes[number] not in (1, None)]
    return sorted(at_fault, key=oddness)[:_MOST_OPERANDS]


def _others(answer: Answer, number: int) -> Shape | None:
    """What the other operands broadcast to on their own."""
    operands = [*answer.operands[:number], *answer.operands[number + 1 :]]
    if len(operands) == 1:
        return operands[0].shape
    return Answer(answer.rule, operands, answer.given).result
