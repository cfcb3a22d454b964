"""The questions of the quiz: the right reply to each, and replies as people type them.

A question holds the answers that it is about, and derives the right reply from them. With the
answers that a mistake leads to in their place, it derives the reply of that mistake.
"""

import re
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from bcastcli.core.answer import Answer
from bcastcli.core.rule import typed
from bcastcli.core.shapes import Shape, Writes, written
from bcastcli.core.wording import in_words, joined_with_and, with_shapes
from bcastcli.notation import text as notation
from bcastcli.rules.frameworks import title

NO, DEPENDS = "mismatch", "depends"
LETTERS = "abc"
Reply = Shape | str
"""A shape, NO or DEPENDS, or the letter of a line."""
_WORDS_FOR_NO = {"no", "n", "-", "none", "error", "valueerror", "raises", "incompatible", NO}
_ASKED = {
    None: "which shape does the result have",
    True: "which line broadcasts",
    False: "which line is a mismatch",
}


class Request(Enum):
    """Words that may be typed instead of a reply."""

    HINT = ("?", "h", "help", "hint")
    SKIP = ("s", "skip", "pass")
    QUIT = ("q", "quit", "exit")


class InvalidReplyError(Exception):
    """A line that is not a reply; the message explains what to type."""


class Exercise(NamedTuple):
    """A question to answer by hand."""

    answers: tuple[Answer, ...]
    """One; or one for each line to choose from."""
    wanted: bool | None = None
    """Whether the line to choose broadcasts; None where the shape of the result is asked for."""

    @property
    def is_of_lines(self) -> bool:
        """Whether the reply is the letter of a line."""
        return self.wanted is not None

    @property
    def unknown_sizes(self) -> tuple[str, ...]:
        """The unknown sizes of all its answers."""
        return tuple(dict.fromkeys(name for each in self.answers for name in each.unknown_sizes))

    @property
    def right(self) -> Reply:
        """The right reply."""
        [reply] = self.replies
        return reply

    @property
    def replies(self) -> list[Reply]:
        """The replies that follow from its answers: several where several lines fit."""
        if self.is_of_lines:
            return self.fitting_lines([each.ok for each in self.answers])
        [answer] = self.answers
        if answer.ok is None:
            return [DEPENDS]
        return [NO if answer.result is None else answer.result]

    def fitting_lines(self, verdicts: Iterable[bool | None]) -> list[Reply]:
        """The letters of the lines that fit, given these verdicts, or NO."""
        pairs = zip(LETTERS, verdicts, strict=False)
        return [letter for letter, verdict in pairs if verdict is self.wanted] or [NO]

    @property
    def shown(self) -> Answer:
        """The answer to show with the right reply, which is that of the right line."""
        return self.answers[LETTERS.index(str(self.right)) if self.is_of_lines else 0]

    def text(self, shape: Writes = written) -> list[str]:
        """The question, and below it the lines to choose from if there are any."""
        question, asked = self.answers[0].question, _ASKED[self.wanted]
        name = title(question.framework or question.name)
        given = [operands(each, shape) for each in self.answers]
        if not self.is_of_lines:
            return [f"{name}: {given[0]}: {asked}?"]
        if self.unknown_sizes:
            asked = f"{asked} for every {joined_with_and(self.unknown_sizes)}"
        choices = [f"{letter}  {line}" for letter, line in zip(LETTERS, given, strict=False)]
        return [f"{name}: {asked}?", *choices]

    def explanation(self, shape: Writes = written) -> str:
        """Why the right reply is right, in a sentence."""
        answer = self.shown
        if answer.reason:
            return with_shapes(answer.reason.text, answer.operands, shape)
        if answer.ok is None:
            return f"{shape(answer.result or ())} when {in_words(answer.condition)}"
        parts = [f"it gives {shape(answer.result or ())}"] if self.is_of_lines else []
        for name in answer.operand_names:
            axes = [each.number for each in answer.axes or () if name in each.stretched]
            if axes:
                where = joined_with_and(list(map(answer.axis_label, axes)))
                parts.append(f"{name} stretches on {where}")
        return "; ".join(parts) or "nothing has to stretch"


def operands(answer: Answer, shape: Writes = written) -> str:
    """Operands and options as they are typed, or in the notation of a page."""
    sign, between = ("=", " ") if shape is written else (" ", ", ")
    pairs = [f"{name}{sign}{shape(own)}" for name, own in answer.operands]
    pairs += (f"{name}{sign}{typed(value)}" for name, value in answer.question.options.items())
    return between.join(pairs)


def text_of(reply: Reply, shape: Writes = written) -> str:
    """A reply as it is to be written."""
    return shape(reply) if isinstance(reply, tuple) else reply


def read(text: str, exercise: Exercise) -> Reply | Request:
    """The reply that a line is, or the request; raise InvalidReplyError if it is neither."""
    word, names = text.strip().lower(), exercise.unknown_sizes
    # ? is also the shape of one unknown size, but never the right reply.
    requests = [request for request in Request if word in request.value]
    if requests:
        return requests[0]
    if word in _WORDS_FOR_NO and not (text.strip() == "N" and "N" in names):
        return NO
    if exercise.is_of_lines:
        letter = word.removeprefix("line").strip(" ().")
        if letter not in tuple(LETTERS):
            raise InvalidReplyError(f"type the letter of a line: {', '.join(LETTERS)}")
        return letter
    if word in (DEPENDS, "d", "it depends") and names:
        return DEPENDS
    try:
        # A single shape is expected, so a space after a comma does not separate shapes.
        [shape] = notation.read(re.sub(r"\s*,\s*", ",", text)).shapes
    except ValueError:  # not a shape, or several
        shape = ("?",)
    if any(isinstance(size, str) and size not in names for size in shape):
        raise InvalidReplyError(f"not a shape: type one such as 2,3, or {NO}")
    return shape
