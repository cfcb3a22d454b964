"""Exercises of the quiz: what each kind asks, and the reply that is right.

An exercise holds the answers that it asks about, so that no reply is stored: it follows from them,
and from other answers in their place the reply of someone who had those in mind.
"""

from collections.abc import Sequence
from enum import StrEnum
from math import prod
from typing import NamedTuple

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import Shape, written
from bcastcli.core.wording import joined_with_and

NO, DEPENDS = "no", "depends"
MISMATCH = "mismatch"
"""The word for NO where it is not a reply."""
LETTERS = "abc"
Reply = Shape | str | int
"""A shape, NO or DEPENDS, the letter of a line, or a number."""


class Level(StrEnum):
    """The kinds of questions, from the easiest on."""

    MIXED = "mixed"
    """All those that follow, in this order."""
    MISSING_AXES = "missing-axes"
    ONES = "ones"
    BOTH_SIDES = "both-sides"
    SEVERAL = "several-operands"
    ZEROS = "zeros"
    SYMBOLS = "symbols"
    OTHER_RULES = "other-rules"


class Kind(StrEnum):
    """The kinds of exercises."""

    SHAPE = "shape"
    """The result's shape, or no."""
    START = "start"
    """The axis of the result on which B starts."""
    ELEMENT = "element"
    """The value of one element of A + B."""
    COUNT = "count"
    """How many elements the result has."""
    RESHAPE = "reshape"
    """The shape that puts B on other axes."""
    MISMATCH = "mismatch"
    """The one line of several that is a mismatch."""
    MATCH = "match"
    """The one line of several that broadcasts."""


OF_LINES = (Kind.MISMATCH, Kind.MATCH)


class Exercise(NamedTuple):
    """A question to answer by hand."""

    kind: Kind
    answers: tuple[Answer, ...]
    """One; or one for each line to choose from."""
    place: tuple[int, ...] = ()
    """The index of the element; or the axis on which the reshaped B starts."""
    asked_too: tuple[Rule, ...] = ()
    """The rules that the quiz asks about in turn, so that one may be taken for another."""

    @property
    def answer(self) -> Answer:
        """The first of its answers, which is most often the only one."""
        return self.answers[0]

    @property
    def right(self) -> Reply:
        """The reply that is right."""
        reply = reply_from(self.kind, self.answers, self.place)
        if reply is None:
            raise ValueError("no reply follows from the answers")
        return reply


def reply_from(kind: Kind, answers: Sequence[Answer], place: Sequence[int]) -> Reply | None:
    """Return the reply to a kind of question that follows from answers; None if none does."""
    answer = answers[0]
    if kind is Kind.SHAPE:
        return shape_of(answer)
    if kind is Kind.COUNT:
        return prod(map(int, answer.result or ())) if answer.ok else NO
    if kind is Kind.START:
        return next((axis.number for axis in answer.axes or () if axis.sizes[1] is not None), None)
    if kind is Kind.ELEMENT:
        return _element(answer, place)
    if kind is Kind.RESHAPE:
        (_, target), (_, own) = answer.operands
        return (*own, *(1,) * (len(target) - place[0] - len(own)))
    wanted = kind is Kind.MATCH
    fitting = [letter for letter, each in zip(LETTERS, answers, strict=False) if each.ok is wanted]
    return fitting[0] if len(fitting) == 1 else None


def shape_of(answer: Answer) -> Reply:
    """Return the shape that an answer comes to, NO, or DEPENDS."""
    if answer.ok is None:
        return DEPENDS
    return NO if answer.result is None else answer.result


def _element(answer: Answer, index: Sequence[int]) -> Reply | None:
    """Return an element of A + B where A holds 0, 10, 20, and so on, and B 1, 2, 3, and so on."""
    if not answer.ok:
        return NO
    axes = answer.axes or ()
    if len(axes) != len(index) or any(
        at >= int(axis.result or 0) for at, axis in zip(index, axes, strict=True)
    ):
        return None
    first, second = (_position(axes, operand, index) for operand in range(2))
    return 10 * first + second + 1


def _position(axes: Sequence[Axis], operand: int, index: Sequence[int]) -> int:
    """Return which of an operand's stored elements an element of the result comes from."""
    position = 0
    for at, axis in zip(index, axes, strict=True):
        size = axis.sizes[operand]
        if isinstance(size, int):
            position = position * size + (at if size > 1 else 0)
    return position


def operand_values(exercise: Exercise) -> tuple[int, int]:
    """Return what A and B hold where they meet in the element that is asked for."""
    axes = exercise.answer.axes or ()
    first, second = (_position(axes, operand, exercise.place) for operand in range(2))
    return 10 * first, second + 1


# Words


def line(answer: Answer, *, named: bool = True) -> str:
    """Return a question as it can be asked of the command line too, on one of its lines."""
    operands = (f"{name}={written(shape)}" for name, shape in answer.operands)
    options = (f"{name}={value}" for name, value in answer.question.options.items())
    return " ".join([*([answer.rule.name] if named else []), *operands, *options])


def question_lines(exercise: Exercise) -> list[str]:
    """Return the question, and below it the lines to choose from if there are any."""
    kind, answer = exercise.kind, exercise.answer
    if kind in OF_LINES:
        verb = "is a mismatch" if kind is Kind.MISMATCH else "broadcasts"
        always = names_of(exercise)
        whatever = f" for every {joined_with_and(always)}" if always else ""
        lines = (f"{letter}  {line(each, named=False)}" for letter, each in lettered(exercise))
        return [f"{answer.rule.name}: which line {verb}{whatever}?", *lines]
    place = ", ".join(map(str, exercise.place))
    asked = {
        Kind.SHAPE: "which shape?",
        Kind.COUNT: "how many elements does the result have?",
        Kind.START: "on which axis of the result does B start?",
        Kind.ELEMENT: (
            "A holds 0, 10, 20, ... and B holds 1, 2, 3, ..., row by row; "
            f"what is (A + B)[{place}]?"
        ),
        Kind.RESHAPE: f"to which shape must B be reshaped to start at axis {place} of A?",
    }[kind]
    return [f"{line(answer)}: {asked}"]


def lettered(exercise: Exercise) -> list[tuple[str, Answer]]:
    """Return the lines to choose from with their letters."""
    return list(zip(LETTERS, exercise.answers, strict=True))


def names_of(exercise: Exercise) -> tuple[str, ...]:
    """Return the names of the unknown sizes of all its answers."""
    return tuple(
        dict.fromkeys(name for answer in exercise.answers for name in answer.unknown_sizes)
    )


def text_of(reply: Reply) -> str:
    """Return a reply as a key and a list of choices have it."""
    if reply == NO:
        return MISMATCH
    return written(reply) if isinstance(reply, tuple) else str(reply)


def explanation(exercise: Exercise) -> str:
    """Return why the right reply is right, in a sentence."""
    kind, answer = exercise.kind, exercise.answer
    if kind in OF_LINES:
        chosen = dict(lettered(exercise))[str(exercise.right)]
        return (
            explanation_of_answer(chosen)
            if kind is Kind.MISMATCH
            else f"it gives {_result(chosen)}"
        )
    if kind is Kind.COUNT:
        return f"the result is {_result(answer)}"
    if kind is Kind.START:
        return f"the result has {len(answer.axes or ())} axes and B has {answer.ranks[1]}"
    if kind is Kind.ELEMENT:
        first, second = operand_values(exercise)
        return f"{first} of A and {second} of B meet there; {explanation_of_answer(answer)}"
    if kind is Kind.RESHAPE:
        return f"each 1 is on an axis of A after axis {exercise.place[0]}, where B stretches"
    return explanation_of_answer(answer)


def _result(answer: Answer) -> str:
    return written(answer.result or ())


def explanation_of_answer(answer: Answer) -> str:
    """Return why operands broadcast or do not, in one line."""
    if answer.reason:
        return answer.reason.text
    if answer.when:
        return f"{_result(answer)} when {answer.when}"
    stretched: dict[str, list[Axis]] = {}
    for axis in answer.axes or ():
        for name in axis.stretched:
            stretched.setdefault(name, []).append(axis)
    parts = [f"{name} stretches on {_spelled(answer, axes)}" for name, axes in stretched.items()]
    return "; ".join(parts) or "nothing has to stretch"


def _spelled(answer: Answer, axes: Sequence[Axis]) -> str:
    if len(axes) == 1:
        return answer.axis_label(axes[0].number)
    return f"axes {joined_with_and([axis.label or str(axis.number) for axis in axes])}"


def hint(exercise: Exercise) -> str:
    """Return a hint, which does not answer the question."""
    rule = exercise.answer.rule
    return {
        Kind.SHAPE: "compare the sizes on each axis, as they are lined up here:",
        Kind.COUNT: "find the result's shape first; the operands line up like this:",
        Kind.START: "count the axes of both operands, and line up their last ones.",
        Kind.ELEMENT: (
            "an operand's index is 0 on an axis where it stretches, and it has none on an axis "
            "that it lacks; the operands line up like this:"
        ),
        Kind.RESHAPE: (
            "the last axes are aligned, so B needs axes of size 1 after its own, "
            "up to the last axis of A."
        ),
        Kind.MISMATCH: f"work out each line. {_rule_words(rule.summary)}",
        Kind.MATCH: f"work out each line. {_rule_words(rule.summary)}",
    }[exercise.kind]


def _rule_words(summary: str) -> str:
    """Return a rule's summary as a sentence."""
    return f"The rule: {summary.partition(': ')[2] or summary}."
