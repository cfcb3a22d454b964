"""Exercises of the quiz: what each kind asks, and the reply that is right.

An exercise holds the answers that it asks about, so that no reply is stored: it follows from them,
and from other answers in their place the reply of someone who had those in mind.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from math import prod
from typing import NamedTuple

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule, typed
from bcastcli.core.shapes import Shape, Writes, written
from bcastcli.core.wording import in_words, joined_with_and, with_shapes

NO, DEPENDS = "no", "depends"
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
        """The right reply; ValueError if not exactly one follows from the answers."""
        [reply] = replies_from(self.kind, self.answers, self.place)
        return reply

    def accepts(self, reply: Reply) -> bool:
        """Return whether a reply is right: a reshape may have ones in front, up to A's rank."""
        right = self.right
        if self.kind is Kind.RESHAPE and isinstance(reply, tuple) and isinstance(right, tuple):
            ones = min(len(reply) - len(right), self.place[0])
            return reply == (1,) * ones + right
        return reply == right

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

    def question(self, shape: Writes = written) -> list[str]:
        """Return the question, and below it the lines to choose from if there are any."""
        names = self.unknown_sizes
        asked = _ASKED[self.kind].format(
            place=", ".join(map(str, self.place)),
            always=f" for every {joined_with_and(names)}" if names else "",
            lining_up=self._lining_up(),
        )
        if self.is_of_lines:
            lines = (f"{key}  {_operands(each, shape)}" for key, each in self.lettered.items())
            return [f"{self.answer.rule.name}: {asked}?", *lines]
        if shape is written:
            return [f"{line(self.answer)}: {asked}?"]
        named = f"{self.answer.rule.name}: {_operands(self.answer, shape)}"
        return [f"{named}. {asked[0].upper()}{asked[1:]}?"]

    def _lining_up(self) -> str:
        """Return where the sizes of a reshaped B go: `3 lines up with axis 0`."""
        if self.kind is not Kind.RESHAPE:
            return ""
        sizes = list(map(str, self.answer.operands[1].shape))
        axes = [str(self.place[0] + number) for number in range(len(sizes))]
        if len(sizes) == 1:
            return f"{sizes[0]} lines up with axis {axes[0]}"
        return f"{joined_with_and(sizes)} line up with axes {joined_with_and(axes)}"

    def explanation(self, shape: Writes = written) -> str:
        """Return why the right reply is right, in a sentence."""
        answer = self.lettered[str(self.right)] if self.is_of_lines else self.answer
        if self.kind is Kind.ELEMENT:
            first, second = self.values
            return f"{first} of A and {second} of B meet there; {explained(answer, shape)}"
        if self.kind is Kind.START:
            return f"the result has {len(answer.axes or ())} axes and B has {answer.ranks[1]}"
        if self.kind is Kind.RESHAPE:
            return "each 1 is on one of A's last axes, where B stretches"
        if self.kind in (Kind.COUNT, Kind.MATCH):
            verb = "the result has the shape" if self.kind is Kind.COUNT else "it gives"
            return f"{verb} {shape(answer.result or ())}"
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
        "A holds 0, 10, 20, ... and B holds 1, 2, 3, ..., row by row; what is (A + B)[{place}]"
    ),
    Kind.RESHAPE: "reshape B so that its {lining_up} of A: which shape",
    Kind.MISMATCH: "which line is a mismatch{always}",
    Kind.MATCH: "which line broadcasts{always}",
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


def replies_from(kind: Kind, answers: Sequence[Answer], place: Sequence[int]) -> list[Reply]:
    """Return the replies to a kind of question that follow from answers.

    Only to a choice of lines may they be several, as someone may believe that several lines fit.
    """
    answer = answers[0]
    if kind in OF_LINES:
        return fitting_lines(kind, [each.ok for each in answers])
    if kind is Kind.RESHAPE:
        (_, target), (_, own) = answer.operands
        return [(*own, *(1,) * (len(target) - place[0] - len(own)))]
    if kind is Kind.START:
        axes = answer.axes or ()
        return [next((axis.number for axis in axes if axis.sizes[1] is not None), NO)]
    if not answer.ok or answer.result is None:
        return [DEPENDS if kind is Kind.SHAPE and answer.ok is None else NO]
    return [_from_the_result(kind, answer, answer.result, place)]


def _from_the_result(kind: Kind, answer: Answer, result: Shape, place: Sequence[int]) -> Reply:
    axes = answer.axes or ()
    if kind is Kind.SHAPE:
        return result
    if kind is Kind.COUNT:
        return prod(map(int, result))
    is_within = len(place) == len(axes) and all(
        at < int(axis.result or 0) for at, axis in zip(place, axes, strict=True)
    )
    return sum(_values(answer, place)) if is_within else NO


def fitting_lines(kind: Kind, verdicts: Iterable[bool | None]) -> list[Reply]:
    """Return the letters of the lines that fit a question if these are the verdicts, or NO."""
    wanted = kind is Kind.MATCH
    letters = zip(LETTERS, verdicts, strict=False)
    return [letter for letter, verdict in letters if verdict is wanted] or [NO]


def _values(answer: Answer, index: Sequence[int]) -> tuple[int, int]:
    """Return what A and B hold at an index of the result: A 0, 10, 20, ..., and B 1, 2, 3, ..."""
    places = [0, 0]
    for at, axis in zip(index, answer.axes or (), strict=True):
        for operand, size in enumerate(axis.sizes):
            if isinstance(size, int):
                places[operand] = places[operand] * size + (at if size > 1 else 0)
    return 10 * places[0], places[1] + 1


# Words


def line(answer: Answer) -> str:
    """Return a question as it can be asked of the command line too."""
    return f"{answer.rule.name} {_operands(answer, written)}"


def _operands(answer: Answer, shape: Writes) -> str:
    """Return operands and options as they are typed, or as a page has them."""
    sign, between = ("=", " ") if shape is written else (" has shape ", ", ")
    pairs = [f"{name}{sign}{shape(own)}" for name, own in answer.operands]
    sign = "=" if shape is written else " "
    pairs += (f"{name}{sign}{typed(value)}" for name, value in answer.question.options.items())
    return between.join(pairs)


def text_of(reply: Reply, shape: Writes = written) -> str:
    """Return a reply as a key has it, which is as it is to be written."""
    return shape(reply) if isinstance(reply, tuple) else str(reply)


def explained(answer: Answer, shape: Writes = written) -> str:
    """Return why operands broadcast or do not, in one line."""
    if answer.reason:
        return with_shapes(answer.reason.text, answer.operands, shape)
    if answer.ok is None:
        return f"{shape(answer.result or ())} when {in_words(answer.condition)}"
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
