"""Exercises of the quiz: the question of each kind, and its right reply.

An exercise holds the answers that it asks about, and derives the right reply from them. With the
answers that a mistake leads to in their place, it derives the reply of that mistake.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from math import prod
from typing import NamedTuple

from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Rule, typed
from bcastcli.core.shapes import Shape, Writes, written
from bcastcli.core.wording import in_words, joined_with_and, with_shapes
from bcastcli.rules import RULES

NO, DEPENDS = "mismatch", "depends"
LETTERS = "abc"
Reply = Shape | str | int
"""A shape, NO or DEPENDS, the letter of a line, or a number."""


class Level(StrEnum):
    """The kinds of questions, the easiest first."""

    MIXED = "mixed"
    """All that follow except the last, in this order, and ZEROS after several operands."""
    MISSING_AXES = "missing-axes"
    ONES = "ones"
    BOTH_SIDES = "both-sides"
    SEVERAL = "several-operands"
    SYMBOLS = "symbols"
    OTHER_RULES = "other-rules"


ZEROS = "zeros"
"""A level only within MIXED, since one or two questions cover it."""


class Kind(StrEnum):
    """The kinds of exercises."""

    SHAPE = "shape"
    """The result's shape, or a mismatch."""
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
    """The index of the element, or the axis on which the reshaped B starts."""
    asked_too: tuple[Rule, ...] = ()
    """The rules that the quiz asks about in turn, which a player may confuse."""

    @property
    def answer(self) -> Answer:
        """The first of its answers, and the only one unless lines are to be chosen."""
        return self.answers[0]

    @property
    def right(self) -> Reply:
        """The right reply; ValueError if not exactly one follows from the answers."""
        [reply] = self.replies
        return reply

    @property
    def replies(self) -> list[Reply]:
        """The replies that follow from its answers.

        There are several only in a choice of lines, where `mistakes` may make several lines fit.
        """
        answer = self.answer
        axes = answer.axes or ()
        if self.is_of_lines:
            return self.fitting_lines(each.ok for each in self.answers)
        if self.kind is Kind.RESHAPE:
            return [self.reshaped]
        if self.kind is Kind.START:
            return [next((axis.number for axis in axes if axis.sizes[1] is not None), NO)]
        if not answer.ok or answer.result is None:
            return [DEPENDS if self.kind is Kind.SHAPE and answer.ok is None else NO]
        if self.kind in (Kind.SHAPE, Kind.COUNT):
            return [answer.result if self.kind is Kind.SHAPE else prod(map(int, answer.result))]
        is_within = len(self.place) == len(axes) and all(
            at < int(axis.result or 0) for at, axis in zip(self.place, axes, strict=True)
        )
        return [sum(self.values) if is_within else NO]

    @property
    def reshaped(self) -> Shape:
        """The shape of B on other axes of A."""
        target, own = self.answer.shapes
        return (*own, *(1,) * (len(target) - self.place[0] - len(own)))

    def fitting_lines(self, verdicts: Iterable[bool | None]) -> list[Reply]:
        """Return the letters of the lines that fit, given these verdicts, or NO."""
        wanted = self.kind is Kind.MATCH
        letters = zip(LETTERS, verdicts, strict=False)
        return [letter for letter, verdict in letters if verdict is wanted] or [NO]

    def accepts(self, reply: Reply) -> bool:
        """Return whether a reply is right: a reshape may have ones in front, up to A's rank."""
        if self.kind is Kind.RESHAPE:
            return reply in [(1,) * ones + self.reshaped for ones in range(self.place[0] + 1)]
        return reply == self.right

    @property
    def is_of_lines(self) -> bool:
        """Whether the reply is the letter of a line."""
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
        """The two values that make the element: A holds 0, 10, 20, ..., and B 1, 2, 3, ..."""
        places = [0, 0]
        for at, axis in zip(self.place, self.answer.axes or (), strict=True):
            for operand, size in enumerate(axis.sizes):
                if isinstance(size, int):
                    places[operand] = places[operand] * size + (at if size > 1 else 0)
        return 10 * places[0], places[1] + 1

    @property
    def asked(self) -> str:
        """The question about the operands."""
        names = self.unknown_sizes
        asked = _ASKED[self.kind].format(
            place=", ".join(map(str, self.place)),
            always=f" for every {joined_with_and(names)}" if names else "",
        )
        return f"{asked}?"

    def given(self, shape: Writes = written) -> list[str]:
        """Return the lines to choose from, or the one line of operands."""
        if self.is_of_lines:
            return [f"{key}  {_operands(each, shape)}" for key, each in self.lettered.items()]
        return [_operands(self.answer, shape)]

    def question(self, shape: Writes = written) -> list[str]:
        """Return the question, and below it the lines to choose from if there are any."""
        rule, asked, given = self.answer.rule.name, self.asked, self.given(shape)
        if self.is_of_lines:
            return [f"{rule}: {asked}", *given]
        if shape is written:
            return [f"{rule} {given[0]}: {asked}"]
        return [f"{rule}: {given[0]}. {asked[0].upper()}{asked[1:]}"]

    @property
    def shown(self) -> Answer:
        """The answer to show with the right reply: of the right line, or of the reshaped B."""
        if self.kind is Kind.RESHAPE:
            first, (name, _) = self.answer.operands
            reshaped = Operand(name, self.reshaped)
            return Question(self.answer.rule, (first, reshaped)).answer()
        return self.lettered[str(self.right)] if self.is_of_lines else self.answer

    def explanation(self, shape: Writes = written) -> str:
        """Return the explanation of the right reply, in a sentence."""
        answer = self.shown
        if self.kind is Kind.ELEMENT:
            first, second = self.values
            return f"A's {first} and B's {second} meet there; {explained(answer, shape)}"
        if self.kind is Kind.START:
            return f"the result has {len(answer.axes or ())} axes and B has {answer.ranks[1]}"
        if self.kind is Kind.RESHAPE:
            return "each 1 is on one of A's last axes, where B stretches"
        if self.kind in (Kind.COUNT, Kind.MATCH):
            return f"it gives {shape(answer.result or ())}"
        return explained(answer, shape)

    @property
    def hint(self) -> str:
        """A hint, which does not answer the question; after a colon, aligned operands follow."""
        summary = self.answer.rule.summary
        return _HINTS[self.kind].format(rule=summary.partition(": ")[2] or summary)


_ASKED = {
    Kind.SHAPE: "which shape does the result have",
    Kind.COUNT: "how many elements does the result have",
    Kind.START: "on which axis of the result does B start",
    Kind.ELEMENT: (
        "what is (A + B)[{place}], where A holds 0, 10, 20, ... and B 1, 2, 3, ..., row by row"
    ),
    Kind.RESHAPE: "which reshape of B puts its first axis on axis {place} of A",
    Kind.MISMATCH: "which line is a mismatch{always}",
    Kind.MATCH: "which line broadcasts{always}",
}
_HINTS = {
    Kind.SHAPE: "compare the sizes on each axis, aligned as here:",
    Kind.COUNT: "find the shape of the result first; the operands line up like this:",
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


# Words


def count_of(exercises: Sequence[Exercise]) -> str:
    """Return how many questions there are, in words."""
    return f"{len(exercises)} question{'s' if len(exercises) > 1 else ''}"


def introduction(
    exercises: Sequence[Exercise], verb: str = "Type", shape: Writes = written
) -> Iterator[str]:
    """Yield the instructions before the first question; `verb` is how replies are given."""
    rules = {exercise.answer.rule.name for exercise in exercises}
    yield from (f"{rule.name}: {rule.summary}" for rule in RULES.values() if rule.name in rules)
    yield (
        f"{verb} the shape of the result, such as {shape((2, 3))} (a scalar is ()), or {NO}. "
        "Some questions ask for a number or the letter of a line."
    )
    names = sorted({name for exercise in exercises for name in exercise.unknown_sizes})
    if names:
        stand = "stands" if len(names) == 1 else "stand"
        yield (
            f"{joined_with_and(names)} {stand} for any size. {verb} the shape if it always works, "
            f"{NO} if it never does, and {DEPENDS} otherwise."
        )


def line(answer: Answer) -> str:
    """Return a question as the command line takes it."""
    return f"{answer.rule.name} {_operands(answer, written)}"


def _operands(answer: Answer, shape: Writes) -> str:
    """Return operands and options as they are typed, or in the notation of a page."""
    sign, between = ("=", " ") if shape is written else (" ", ", ")
    pairs = [f"{name}{sign}{shape(own)}" for name, own in answer.operands]
    pairs += (f"{name}{sign}{typed(value)}" for name, value in answer.question.options.items())
    return between.join(pairs)


def text_of(reply: Reply, shape: Writes = written) -> str:
    """Return a reply as it is to be written."""
    return shape(reply) if isinstance(reply, tuple) else str(reply)


def explained(answer: Answer, shape: Writes = written) -> str:
    """Return the reason for a verdict, in one line."""
    if answer.reason:
        return with_shapes(answer.reason.text, answer.operands, shape)
    if answer.ok is None:
        return f"{shape(answer.result or ())} when {in_words(answer.condition)}"
    parts = []
    for name in answer.operand_names:
        axes = [axis for axis in answer.axes or () if name in axis.stretched]
        if axes:
            parts.append(f"{name} stretches on {_spelled(answer, axes)}")
    return "; ".join(parts) or "nothing has to stretch"


def _spelled(answer: Answer, axes: Sequence[Axis]) -> str:
    if len(axes) == 1:
        return answer.axis_label(axes[0].number)
    return f"axes {joined_with_and([axis.label or str(axis.number) for axis in axes])}"
