"""The questions of the quiz: the right reply to each, replies as people type them, and mistakes.

A question holds the answer that it is about, and derives the right reply from it. With the answer
that a mistake leads to in its place, it derives the reply of that mistake.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import typed
from bcastcli.core.shapes import Shape, Writes, written
from bcastcli.core.wording import in_words, joined_with_and
from bcastcli.notation import text as notation
from bcastcli.rules import RULES, USUAL
from bcastcli.rules.frameworks import title

NO, DEPENDS = "mismatch", "depends"
Reply = Shape | str
"""A shape, NO or DEPENDS."""
_WORDS_FOR_NO = {"no", "n", "-", "none", "error", "valueerror", "raises", "incompatible", NO}


class Request(Enum):
    """Words that may be typed instead of a reply."""

    HINT = ("?", "h", "help", "hint")
    SKIP = ("s", "skip", "pass")
    QUIT = ("q", "quit", "exit")


class InvalidReplyError(Exception):
    """A line that is not a reply; the message explains what to type."""


class Exercise(NamedTuple):
    """A question to answer by hand."""

    answer: Answer

    @property
    def right(self) -> Reply:
        """The right reply."""
        if self.answer.ok is None:
            return DEPENDS
        return NO if self.answer.result is None else self.answer.result

    def text(self, shape: Writes = written) -> str:
        """The question."""
        question = self.answer.question
        name = title(question.framework or question.name)
        return f"{name}: {operands(self.answer, shape)}. What is the shape of the result?"

    def explanation(self, shape: Writes = written) -> str:
        """Why the right reply is right, in a sentence."""
        answer = self.answer
        if answer.reason:
            return answer.reason.text
        if answer.ok is None:
            return f"{shape(answer.result or ())} when {in_words(answer.condition)}"
        parts = []
        for name in answer.operand_names:
            axes = [each.number for each in answer.axes or () if name in each.stretched]
            if axes:
                where = joined_with_and(list(map(answer.axis_label, axes)))
                parts.append(f"{name} stretches on {where}")
        return "; ".join(parts) or "nothing has to stretch"


def operands(answer: Answer, shape: Writes = written) -> str:
    """Operands and options as they are typed, or in the notation of a page."""
    sign, between = ("=", " ") if shape is written else (" ", ", ")
    pairs = [f"{name}{sign}{shape(sizes)}" for name, sizes in answer.operands]
    pairs += (f"{name}{sign}{typed(value)}" for name, value in answer.question.options.items())
    return between.join(pairs)


def text_of(reply: Reply, shape: Writes = written) -> str:
    """A reply as it is to be written."""
    return shape(reply) if isinstance(reply, tuple) else reply


def read(text: str, exercise: Exercise) -> Reply | Request:
    """The reply that a line is, or the request; raise InvalidReplyError if it is neither."""
    word, names = text.strip().lower(), exercise.answer.unknown_sizes
    # ? is also the shape of one unknown size, but never the right reply.
    requests = [request for request in Request if word in request.value]
    if requests:
        return requests[0]
    if word in _WORDS_FOR_NO and not (text.strip() == "N" and "N" in names):
        return NO
    if word in (DEPENDS, "d", "it depends") and names:
        return DEPENDS
    invalid = InvalidReplyError(f"not a shape: type one such as 2,3, or {NO}")
    try:
        # A single shape is expected, so a space after a comma does not separate shapes.
        [shape] = notation.read(re.sub(r"\s*,\s*", ",", text)).shapes
    except ValueError:  # not a shape, or several
        raise invalid from None
    if any(isinstance(size, str) and size not in names for size in shape):
        raise invalid
    return shape


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
