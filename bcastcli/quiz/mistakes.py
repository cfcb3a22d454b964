"""Five common mistakes: the replies they lead to, what refutes them, and where to practise."""

from collections.abc import Callable, Iterable, Iterator

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.quiz.questions import NO, Exercise, Reply
from bcastcli.rules import RULES, USUAL

REFUTATIONS = {
    "aligned left": "your answer would be right with the first axes aligned",
    "aligned right": "your answer would be right with the last axes aligned",
    "ranks differ": "an operand that lacks an axis stretches along it",
    "both would stretch": "all operands may stretch, on different axes",
    "recycling": "only a size of 1 is repeated; a 2 is never repeated to fill a 4",
    "an axis left out": "the result has as many axes as the operand with the most axes",
}
"""The mistakes, the likeliest first. The first two are one: which it is depends on the rule."""
PRACTICE = {"both would stretch": "both-sides", "recycling": "ones"}
"""The level to practise after a mistake; `missing-axes` after any other."""


def wrong_replies(exercise: Exercise) -> Iterator[tuple[Reply, str]]:
    """The wrong replies that mistakes lead to, the likeliest first."""
    for name in REFUTATIONS:
        for reply in dict.fromkeys(_FINDERS[name](exercise)):
            if reply != exercise.right:
                yield reply, name


def harmless(exercise: Exercise) -> int:
    """How many mistakes lead to the right reply alone."""
    return sum({*find(exercise)} == {exercise.right} for find in _FINDERS.values())


_Finder = Callable[[Exercise], Iterable[Reply]]
"""Finds the replies that a mistake leads to, right or wrong."""


def _aligned(answering: Callable[[Answer], Answer]) -> _Finder:
    return lambda exercise: [Exercise(answering(exercise.answer)).right]


def _from_the_left(answer: Answer) -> Answer:
    rank = max(answer.ranks)
    padded = [Operand(name, shape + (1,) * (rank - len(shape))) for name, shape in answer.operands]
    return Question(RULES[USUAL], padded).answer()


def _from_the_right(answer: Answer) -> Answer:
    return Question(RULES[USUAL], answer.operands).answer()


def _refusing(refuses: Callable[[Answer], bool]) -> _Finder:
    """The replies of one who takes a harmless property of operands for a mismatch."""

    def replies(exercise: Exercise) -> Iterable[Reply]:
        return [NO if refuses(exercise.answer) else exercise.right]

    return replies


def _without_an_axis(exercise: Exercise) -> Iterator[Reply]:
    result = exercise.answer.result
    if result:
        for place in range(len(result)):
            yield result[:place] + result[place + 1 :]
        yield tuple([size for size in result if size != 1])


def _recycling(exercise: Exercise) -> Iterable[Reply]:
    """The larger of the sizes on each axis; nothing if one is unknown or 0."""
    axes = exercise.answer.axes or ()
    columns = [[size for size in axis.sizes if size is not None] for axis in axes]
    if any(isinstance(size, str) or size == 0 for column in columns for size in column):
        return []
    return [tuple(max(map(int, column)) for column in columns)]


_FINDERS: dict[str, _Finder] = {
    "aligned left": _aligned(_from_the_left),
    "aligned right": _aligned(_from_the_right),
    "ranks differ": _refusing(lambda answer: len({*answer.ranks}) > 1),
    "both would stretch": _refusing(lambda answer: answer.all_stretch),
    "recycling": _recycling,
    "an axis left out": _without_an_axis,
}
