"""Five common mistakes: the replies they lead to, what refutes them, and where to practise."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape
from bcastcli.quiz.questions import NO, Exercise, Reply
from bcastcli.rules import RULES, USUAL


class Mistake(NamedTuple):
    """A wrong way to answer."""

    name: str
    refutation: str
    level: str
    """The level on which to practise after it."""
    replies: Callable[[Exercise], Iterable[Reply]]
    """The replies that it leads to, which may be right."""


def wrong_replies(exercise: Exercise) -> Iterator[tuple[Reply, Mistake]]:
    """The wrong replies that mistakes lead to, the likeliest first."""
    for mistake in MISTAKES:
        for reply in dict.fromkeys(mistake.replies(exercise)):
            if reply != exercise.right:
                yield reply, mistake


def harmless(exercise: Exercise) -> int:
    """How many mistakes lead to the right reply alone."""
    return sum({*each.replies(exercise)} == {exercise.right} for each in MISTAKES)


# Operands that line up in another way


def _from_the_left(answer: Answer) -> Answer:
    rank = max(answer.ranks)
    padded = [Operand(name, shape + (1,) * (rank - len(shape))) for name, shape in answer.operands]
    return Question(RULES[USUAL], padded).answer()


def _from_the_right(answer: Answer) -> Answer:
    return Question(RULES[USUAL], answer.operands).answer()


def _aligned(own: Callable[[Answer], Answer]) -> Callable[[Exercise], Iterable[Reply]]:
    return lambda exercise: exercise._replace(answers=tuple(map(own, exercise.answers))).replies


# Wrong verdicts, and wrong shapes


def _refusing(refuses: Callable[[Answer], bool]) -> Callable[[Exercise], Iterable[Reply]]:
    """The replies of one who takes a harmless property of operands for a mismatch."""

    def replies(exercise: Exercise) -> Iterable[Reply]:
        if exercise.is_of_lines:
            verdicts = [each.ok and not refuses(each) for each in exercise.answers]
            return exercise.fitting_lines(verdicts)
        return [NO if refuses(exercise.answers[0]) else exercise.right]

    return replies


def _without_an_axis(exercise: Exercise) -> Iterator[Reply]:
    result = exercise.answers[0].result
    if result and not exercise.is_of_lines:
        for place in range(len(result)):
            yield result[:place] + result[place + 1 :]
        yield tuple([size for size in result if size != 1])


def _recycling(exercise: Exercise) -> Iterable[Reply]:
    """The replies of one who repeats a smaller size to fill a larger one."""
    recycled = list(map(_larger_sizes, exercise.answers))
    if exercise.is_of_lines:
        pairs = zip(recycled, exercise.answers, strict=True)
        return exercise.fitting_lines([shape is not None or each.ok for shape, each in pairs])
    return [shape for shape in recycled if shape is not None]


def _larger_sizes(answer: Answer) -> Shape | None:
    """The larger of the sizes on each axis; None if one is unknown or 0."""
    shape: list[int] = []
    for axis in answer.axes or ():
        sizes = [size for size in axis.sizes if isinstance(size, int)]
        if len(sizes) < sum(size is not None for size in axis.sizes) or 0 in sizes:
            return None
        shape.append(max(sizes))
    return tuple(shape)


MISTAKES = (
    Mistake(
        "aligned left",
        "with the first axes aligned, this would be right",
        "missing-axes",
        _aligned(_from_the_left),
    ),
    Mistake(
        "aligned right",
        "with the last axes aligned, this would be right",
        "missing-axes",
        _aligned(_from_the_right),
    ),
    Mistake(
        "ranks differ",
        "an operand that lacks an axis stretches along it",
        "missing-axes",
        _refusing(lambda answer: len({*answer.ranks}) > 1),
    ),
    Mistake(
        "both would stretch",
        "they may, on different axes",
        "both-sides",
        _refusing(lambda answer: answer.all_stretch),
    ),
    Mistake(
        "recycling",
        "only a size of 1 is repeated; a 2 is never repeated to fill a 4",
        "ones",
        _recycling,
    ),
    Mistake(
        "an axis left out",
        "the result has as many axes as the longest operand",
        "missing-axes",
        _without_an_axis,
    ),
)
"""The mistakes, the likeliest first. The first two are one: which it is depends on the rule."""
