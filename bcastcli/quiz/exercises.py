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
from bcastcli.core.rule import Rule, typed
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
        """The right reply; ValueError if no reply follows from the answers."""
        reply = reply_from(self.kind, self.answers, self.place)
        if reply is None:
            raise ValueError("no reply follows from the answers")
        return reply

    @property
    def is_of_lines(self) -> bool:
        """Whether a line is to be chosen."""
        return self.kind in OF_LINES

    @property
    def lettered(self) -> dict[str, Answer]:
        """The lines to choose from by their letters."""
        return dict(zip(LETTERS, self.answers, strict=False))

    @property
    def unknown_sizes(self) -> tuple[str, ...]:
        """The unknown sizes of all its answers."""
        return tuple(dict.fromkeys(name for each in self.answers for name in each.unknown_sizes))

    @property
    def values(self) -> tuple[int, int]:
        """What A and B hold where they meet in the element that is asked for."""
        return _values(self.answer, self.place)

    @property
    def question(self) -> list[str]:
        """The question, and below it the lines to choose from if there are any."""
        if self.is_of_lines:
            names = self.unknown_sizes
            always = f" for every {joined_with_and(names)}" if names else ""
            lines = (f"{key}  {line(each, named=False)}" for key, each in self.lettered.items())
            return [f"{self.answer.rule.name}: {_ASKED[self.kind]}{always}?", *lines]
        place = ", ".join(map(str, self.place))
        return [f"{line(self.answer)}: {_ASKED[self.kind].format(place=place)}?"]

    @property
    def explanation(self) -> str:
        """Why the right reply is right, in a sentence."""
        answer = self.lettered[str(self.right)] if self.is_of_lines else self.answer
        if self.kind is Kind.ELEMENT:
            first, second = self.values
            return f"{first} of A and {second} of B meet there; {explanation_of_answer(answer)}"
        if self.kind is Kind.START:
            return f"the result has {len(answer.axes or ())} axes and B has {answer.ranks[1]}"
        if self.kind is Kind.RESHAPE:
            return f"each 1 is on an axis of A after axis {self.place[0]}, where B stretches"
        if self.kind in (Kind.COUNT, Kind.MATCH):
            verb = "the result is" if self.kind is Kind.COUNT else "it gives"
            return f"{verb} {_result(answer)}"
        return explanation_of_answer(answer)

    @property
    def hint(self) -> str:
        """A hint, which does not answer the question; after a colon, aligned operands follow."""
        summary = self.answer.rule.summary
        return _HINTS[self.kind].format(rule=summary.partition(": ")[2] or summary)


_ASKED = {
    Kind.SHAPE: "which shape",
    Kind.COUNT: "how many elements does the result have",
    Kind.START: "on which axis of the result does B start",
    Kind.ELEMENT: (
        "A holds 0, 10, 20, ... and B holds 1, 2, 3, ..., row by row; what is (A + B)[{place}]"
    ),
    Kind.RESHAPE: "to which shape must B be reshaped to start at axis {place} of A",
    Kind.MISMATCH: "which line is a mismatch",
    Kind.MATCH: "which line broadcasts",
}
_HINTS = {
    Kind.SHAPE: "compare the sizes on each axis, aligned as here:",
    Kind.COUNT: "find the result's shape first; the operands line up like this:",
    Kind.START: "count the axes of both operands, and align their last axes.",
    Kind.ELEMENT: (
        "where an operand stretches, its index is 0; on an axis that it lacks, it has no "
        "index; the operands line up like this:"
    ),
    Kind.RESHAPE: (
        "the last axes are aligned, so B needs axes of size 1 after its own, "
        "up to the last axis of A."
    ),
    **dict.fromkeys(OF_LINES, "work out each line. The rule: {rule}."),
}


def reply_from(kind: Kind, answers: Sequence[Answer], place: Sequence[int]) -> Reply | None:
    """Return the reply to a kind of question that follows from answers; None if none does."""
    answer = answers[0]
    if kind in OF_LINES:
        pairs = zip(LETTERS, answers, strict=False)
        fitting = [letter for letter, each in pairs if each.ok is (kind is Kind.MATCH)]
        return fitting[0] if len(fitting) == 1 else None
    if kind is Kind.START:
        return next((axis.number for axis in answer.axes or () if axis.sizes[1] is not None), None)
    if kind is Kind.RESHAPE:
        (_, target), (_, own) = answer.operands
        return (*own, *(1,) * (len(target) - place[0] - len(own)))
    return _from_the_result(kind, answer, place)


def _from_the_result(kind: Kind, answer: Answer, place: Sequence[int]) -> Reply | None:
    result = answer.result
    if not answer.ok or result is None:
        return DEPENDS if kind is Kind.SHAPE and answer.ok is None else NO
    if kind is Kind.SHAPE:
        return result
    if kind is Kind.COUNT:
        return prod(map(int, result))
    is_within = len(place) == len(answer.axes or ()) and all(
        at < int(axis.result or 0) for at, axis in zip(place, answer.axes or (), strict=True)
    )
    return sum(_values(answer, place)) if is_within else None


def _values(answer: Answer, index: Sequence[int]) -> tuple[int, int]:
    """Return what A and B hold at an index of the result: A 0, 10, 20, ..., and B 1, 2, 3, ..."""
    places = [0, 0]
    for at, axis in zip(index, answer.axes or (), strict=True):
        for operand, size in enumerate(axis.sizes):
            if isinstance(size, int):
                places[operand] = places[operand] * size + (at if size > 1 else 0)
    return 10 * places[0], places[1] + 1


# Words


def line(answer: Answer, *, named: bool = True) -> str:
    """Return a question as it can be asked of the command line too, on one of its lines."""
    operands = (f"{name}={written(shape)}" for name, shape in answer.operands)
    options = (f"{name}={typed(value)}" for name, value in answer.question.options.items())
    return " ".join([*([answer.rule.name] if named else []), *operands, *options])


def text_of(reply: Reply) -> str:
    """Return a reply as a key and a list of choices have it."""
    if reply == NO:
        return MISMATCH
    return written(reply) if isinstance(reply, tuple) else str(reply)


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
