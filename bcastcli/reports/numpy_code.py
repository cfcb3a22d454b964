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

    >>> from bcastcli.operators.questions import ask
    >>> [(each.shape, each.code) for each in explicit(ask("numpy 2,3,N ?,1"))]
    [((2, 3, 'N'), 'A'), ((1, '?', 1), 'B.reshape(1,B.shape[0],1)')]
    >>> [each.name for each in explicit(ask("explicit 2,3 3,5,2 axes=2,0"))]
    ['A.T', 'target']
    >>> explicit(ask("numpy 2 3")), explicit(ask("ncnn 2,N 2"))
    ([], [])
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

    >>> from bcastcli.operators.questions import ask
    >>> questions = "numpy 2,1,3 3", "ncnn 2,3,4 3,4", "pdpd 2,3,3 1,3,N axis=1", "numpy 2 3"
    >>> [occupied_axes(ask(each)) for each in questions]
    [((0, 2), (2,)), ((0, 1, 2), (0, 1)), ((0, 1, 2), (2,)), None]
    """
    last = answer.layout.rank - 1
    occupied = []
    for place, operand in enumerate(explicit(answer)):
        own, shape = answer.places_of(place), operand.shape
        axes = [last - axis for axis in own[::-1]] if answer.innermost_first else own
        occupied.append(tuple([axis for axis in axes if axis < len(shape) and shape[axis] != 1]))
    return tuple(occupied) or None


def numpy_expression(answer: Answer) -> str:
    """The NumPy expression over the operands' names that does what the rule does.

    >>> from bcastcli.operators.questions import ask
    >>> [numpy_expression(ask(each)) for each in ("ncnn 2,3,? 3,?", "numpy 2 3", "numpy 1 scalar")]
    ['A + B.reshape(B.shape[0],3,1)', '', 'A + B.reshape(1)']
    >>> [numpy_expression(ask(f"bidirectional {each}")) for each in ("3,1 2,1,?", "1 4")]
    ['A.reshape(1,3,1) * numpy.ones((2,1,target[2]))', 'A * numpy.ones((4,))']
    """
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
    """The outcome of an answer with known sizes.

    >>> from bcastcli.operators.questions import ask
    >>> [outcome(ask(each)) for each in ("left 2,3 2", "ncnn 3,2 2", "numpy 3,0 3,1", "numpy 2 3")]
    [((2, 3), ((0, 1), (0,))), ((2, 3), ((0, 1), (0,))), ((3, 0), None), None]
    """
    if answer.result is None:
        return None
    result = answer.result[::-1] if answer.innermost_first else answer.result
    return result, None if 0 in result else occupied_axes(answer)


def difference(one: Outcome, other: Outcome) -> Difference | None:
    """How one outcome differs from another; None if they are equal.

    >>> one, turned, longer = ((2,), ((0,), ())), ((2,), ((), (0,))), ((1, 2), ((1,), ()))
    >>> [str(difference(one, other)) for other in (one, turned, longer, None)]
    ['None', 'axes', 'result', 'verdict']
    """
    if one == other:
        return None
    if one is None or other is None:
        return Difference.VERDICT
    return Difference.AXES if one[0] == other[0] else Difference.RESULT


def by_numpy(answer: Answer) -> str:
    """NumPy's answer for the same arrays; empty if it is the same, or if sizes are unknown.

    The result is in the order of the shapes as typed.

    >>> from bcastcli.operators.questions import ask
    >>> [by_numpy(ask(each)) for each in ("numpy 2 2", "ncnn 3,3 3", "left 2,3 2", "left N,3 2")]
    ['', 'the same shape, other values', 'mismatch', '']
    >>> [by_numpy(ask(each)) for each in ("none 2 1", "ncnn 3,2 3,2,4,5,6", "none 2 3")]
    ['2', '3,2,4,5,6', '']
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
