"""How two outcomes differ, and NumPy's answer to a question that another rule has answered."""

from enum import StrEnum

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, written
from bcastcli.reports.numpy_code import occupied_axes
from bcastcli.rules import RULES, USUAL

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
    """Return the outcome of an answer with known sizes."""
    if answer.result is None:
        return None
    return answer.result, None if 0 in answer.result else occupied_axes(answer)


def difference(one: Outcome, other: Outcome) -> Difference | None:
    """Return how one outcome differs from another; None if they are equal."""
    if one == other:
        return None
    if one is None or other is None:
        return Difference.VERDICT
    return Difference.AXES if one[0] == other[0] else Difference.RESULT


def by_numpy(answer: Answer) -> str:
    """Return NumPy's answer for the same arrays; empty if it is the same, or if sizes are unknown.

    The result is in the order of the shapes as typed.
    """
    if answer.unknown_sizes:
        return ""
    turn = -1 if answer.innermost_first else 1
    operands = [Operand(name, shape[::turn]) for name, shape in answer.operands]
    numpy = Question(NUMPY, operands).answer()
    own = outcome(answer)
    found = difference(own and (own[0][::turn], own[1]), outcome(numpy))
    if found is Difference.AXES:
        return "the same shape, other values"
    result = "mismatch" if numpy.result is None else written(numpy.result[::turn])
    return result if found else ""
