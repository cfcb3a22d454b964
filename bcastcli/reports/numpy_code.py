"""A rule expressed in NumPy: shapes of full rank, an expression, and how NumPy's answer differs.

Everything is in NumPy's order, outermost axis first, whatever the rule's own order.
"""

from collections.abc import Sequence
from enum import StrEnum

from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import UNKNOWN, Shape, Size, written
from bcastcli.core.wording import transposed
from bcastcli.rules import RULES, USUAL


def explicit_shapes(answer: Answer) -> tuple[Shape, ...] | None:
    """The operands' shapes with the rank of the result, with a 1 for each missing axis.

    None if the answer is no, or if unknown sizes decide how the operands line up.
    """
    axes = _outermost_first(answer)
    if axes is None:
        return None
    return tuple(
        tuple([1 if size is None else size for size in _sizes(axes, place)])
        for place, _ in enumerate(answer.operands)
    )


def occupied_axes(answer: Answer) -> tuple[tuple[int, ...], ...] | None:
    """For each operand, the axes of the result that its sizes other than 1 are on.

    None if there are no explicit shapes.
    """
    shapes = explicit_shapes(answer)
    if shapes is None:
        return None
    return tuple(
        tuple([axis for axis in own_axes(answer, place) if axis < len(shape) and shape[axis] != 1])
        for place, shape in enumerate(shapes)
    )


def own_axes(answer: Answer, place: int) -> Sequence[int]:
    """The axes of the result that an operand's own axes are on, its outermost first."""
    own = answer.places_of(place)
    last = answer.layout.rank - 1
    return [last - axis for axis in own[::-1]] if answer.innermost_first else own


def as_expressions(answer: Answer) -> tuple[str, ...] | None:
    """Each operand in its explicit shape: its name alone if it already has that shape.

    None if there are no explicit shapes.
    """
    axes = _outermost_first(answer)
    if axes is None:
        return None
    return tuple(_reshaped(answer, place, axes) for place, _ in enumerate(answer.operands))


def _reshaped(answer: Answer, place: int, axes: Sequence[Axis]) -> str:
    name, shape = answer.operands[place]
    sizes = _sizes(axes, place)
    name = transposed(name, answer.order_of(place))
    if len(sizes) == len(shape) and None not in sizes:
        return name
    return f"{name}.reshape({','.join(_named(sizes, f'{name}.shape'))})"


def numpy_expression(answer: Answer) -> str | None:
    """The NumPy expression over the operands' names that does what the rule does.

    None if there are no explicit shapes.
    """
    axes, operands = _outermost_first(answer), as_expressions(answer) or ()
    if axes is None:
        return None
    if not answer.rule.second_is_target:
        return " + ".join(operands)
    sizes = _named(_sizes(axes, 1), answer.operands[1].name)
    comma = "," if len(sizes) == 1 else ""
    return f"{operands[0]} * numpy.ones(({','.join(sizes)}{comma}))"


def _outermost_first(answer: Answer) -> tuple[Axis, ...] | None:
    """The result's axes."""
    if answer.axes is None or answer.ok is False:
        return None
    axes = answer.axes[: answer.layout.rank]
    return axes[::-1] if answer.innermost_first else axes


def _sizes(axes: Sequence[Axis], place: int) -> list[Size | None]:
    """The sizes of one operand; None where it lacks the axis."""
    return [axis.sizes[place] for axis in axes]


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
    if own is not None:
        result, occupied = own
        own = result[::turn], occupied
    found = difference(own, outcome(numpy))
    if found is Difference.AXES:
        return "the same shape, other values"
    if found is None:
        return ""
    return "mismatch" if numpy.result is None else written(numpy.result[::turn])
