"""Comments on wrong replies: a fact that refutes them, and the likely mistakes."""

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

from bcastcli.core.shapes import Writes, written
from bcastcli.quiz.exercises import DEPENDS, NO, Exercise, Kind, Reply, explained
from bcastcli.quiz.mistakes import UNSCORED, matching_mistakes

MAX_CAUSES = 3
"""The most causes that are shown of a wrong reply."""
_SMALL = range(1, 8)


class Comment(NamedTuple):
    """The comment on a wrong reply."""

    fact: str
    """A sentence that refutes it; empty if only those of the mistakes do."""
    causes: tuple[str, ...] = ()
    """Sentences that refute the likely mistakes; any of these may have led to the reply."""


def comment(
    exercise: Exercise, reply: Reply, scored: Mapping[str, int] = UNSCORED, shape: Writes = written
) -> Comment:
    """Return the refutation of a wrong reply, and the mistakes that may have led to it."""
    fact = _fact(exercise, reply, shape)
    refutations = tuple(each.refutation for each in matching_mistakes(exercise, reply, scored))
    if reply == NO and refutations:
        fact = fact or "it does broadcast"
    if fact or len(refutations) > 1:
        return Comment(fact, refutations[:MAX_CAUSES])
    return Comment(refutations[0] if refutations else _difference(exercise, reply))


def _fact(exercise: Exercise, reply: Reply, shape: Writes) -> str:
    """Return a fact that refutes a reply, whatever led to it; empty without one."""
    answer = exercise.answer
    if exercise.is_of_lines:
        of_line = exercise.lettered.get(str(reply))
        if of_line is None:
            verb = "broadcasts" if exercise.kind is Kind.MATCH else "is a mismatch"
            return f"one of the lines {verb}"
        verb = {True: "broadcasts", False: "is a mismatch", None: "depends"}[of_line.ok]
        why = shape(of_line.result or ()) if of_line.ok else explained(of_line, shape)
        return f"{reply} {verb}: {why}"
    if exercise.kind is not Kind.SHAPE or reply == DEPENDS or answer.ok is not None:
        return ""
    verdict = reply == NO
    names = answer.unknown_sizes
    few = (dict(zip(names, sizes, strict=True)) for sizes in product(_SMALL, repeat=len(names)))
    assignment = next(each for each in few if answer.with_sizes(each).ok is verdict)
    sizes = " and ".join(f"{name} = {size}" for name, size in assignment.items())
    return f"with {sizes} it {'broadcasts' if verdict else 'does not broadcast'}"


def _difference(exercise: Exercise, reply: Reply) -> str:
    """Return the difference from the right reply, for a reply that matches no common mistake."""
    right = exercise.right
    if isinstance(reply, int) and isinstance(right, int):
        return f"it is {'more' if reply < right else 'less'} than {reply}"
    if exercise.kind is Kind.RESHAPE:
        return "a reshape for broadcasting keeps the sizes of B and adds axes of size 1"
    if reply == NO:
        return "it does broadcast: missing axes and sizes of 1 stretch"
    if not isinstance(reply, tuple) or not isinstance(right, tuple):
        return "it does not broadcast: the sizes clash"
    if len(reply) != len(right):
        return f"the result has rank {len(right)}, not {len(reply)}"
    axis = next(i for i, (own, its) in enumerate(zip(reply, right, strict=True)) if own != its)
    return f"the size on {exercise.answer.axis_label(axis)} is not {reply[axis]}"
