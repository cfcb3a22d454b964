"""A rule expressed in NumPy: shapes of full rank, an expression, and how NumPy's answer differs.

Everything is in NumPy's order, outermost axis first, whatever the rule's own order.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import UNKNOWN, Shape, Size, written
from bcastcli.core.wording import transposed
from bcastcli.rules import RULES, USUAL


class Explicit(NamedTuple):
    """An operand with the rank of the result."""

    name: str
    """With its transposition, if it has another order."""
    rank: int
    """Its own."""
    sizes: Sequence[Size | None]
    """None where it lacks the axis."""

    @property
    def shape(self) -> Shape:
        """The sizes, with a 1 for each missing axis."""
        return tuple([1 if size is None else size for size in self.sizes])

    @property
    def code(self) -> str:
        """The operand in that shape: its name alone if it already has it."""
        if len(self.sizes) == self.rank and None not in self.sizes:
            return self.name
        return f"{self.name}.reshape({','.join(_named(self.sizes, f'{self.name}.shape'))})"


def explicit(answer: Answer) -> list[Explicit]:
    """The operands with the rank of the result.

    None of them if the answer is no, or if unknown sizes decide how the operands line up.
    """
    if answer.axes is None or answer.ok is False:
        return []
    axes = answer.axes[: answer.layout.rank]
    axes = axes[::-1] if answer.innermost_first else axes
    found = []
    for place, (name, shape) in enumerate(answer.operands):
        turned = transposed(name, answer.order_of(place))
        found.append(Explicit(turned, len(shape), [axis.sizes[place] for axis in axes]))
    return found


def occupied_axes(answer: Answer) -> tuple[tuple[int, ...], ...] | None:
    """For each operand, the axes of the result that its sizes other than 1 are on.

    None if there are no explicit shapes.
    """
    last = answer.layout.rank - 1
    occupied = []
    for place, operand in enumerate(explicit(answer)):
        own, shape = answer.places_of(place), operand.shape
        axes = [last - axis for axis in own[::-1]] if answer.innermost_first else own
        occupied.append(tuple([axis for axis in axes if axis < len(shape) and shape[axis] != 1]))
    return tuple(occupied) or None


def numpy_expression(answer: Answer) -> str:
    """The NumPy expression over the operands' names that does what the rule does."""
    operands = explicit(answer)
    if not answer.rule.second_is_target:
        return " + ".join(each.code for each in operands)
    given, target = operands
    sizes = _named(target.sizes, target.name)
    comma = "," if len(sizes) == 1 else ""
    return f"{given.code} * numpy.ones(({','.join(sizes)}{comma}))"


def _named(sizes: Sequence[Size | None], shape: str) -> list[str]:
    """The sizes in Python; `shape` is the expression that holds the unnamed ones."""
    own = 0
    texts = []
    for size in sizes:
        if size is None:
            texts.append("1")
            continue
        texts.append(f"{shape}[{own}]" if size == UNKNOWN else str(size))
        own += 1
    return texts


NUMPY = RULES[USUAL]


Outcome = tuple[Shape, tuple[tuple[int, ...], ...] | None] | None
"""The answer to known sizes: the result, and the axes of each operand in it, or None if the result
has no elements. None in place of the pair is a mismatch."""


class Difference(StrEnum):
    """The way in which one rule differs from another."""

    VERDICT = "verdict"
    """One broadcasts and the other does not."""
    RESULT = "result"
    """The results have other shapes."""
    AXES = "axes"
    """The results have the same shape and other values, since an operand is on other axes."""


def outcome(answer: Answer) -> Outcome:
    """The outcome of an answer with known sizes."""
    if answer.result is None:
        return None
    result = answer.result[::-1] if answer.innermost_first else answer.result
    return result, None if 0 in result else occupied_axes(answer)


def difference(one: Outcome, other: Outcome) -> Difference | None:
    """How one outcome differs from another; None if they are equal."""
    if one == other:
        return None
    if one is None or other is None:
        return Difference.VERDICT
    return Difference.AXES if one[0] == other[0] else Difference.RESULT


def by_numpy(answer: Answer) -> str:
    """NumPy's answer for the same arrays; empty if it is the same, or if sizes are unknown.

    The result is in the order of the shapes as typed.
    """
    if answer.unknown_sizes:
        return ""
    turn = -1 if answer.innermost_first else 1
    operands = [Operand(name, shape[::turn]) for name, shape in answer.operands]
    numpy = Question(NUMPY, operands).answer()
    found = difference(outcome(answer), outcome(numpy))
    if found is Difference.AXES:
        return "the same shape, other values"
    if found is None:
        return ""
    return "mismatch" if numpy.result is None else written(numpy.result[::turn])
