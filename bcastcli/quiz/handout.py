"""The handout of a quiz: its questions, room to write, and the key."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from bcastcli.core.shapes import Writes, written
from bcastcli.core.wording import joined_with_and
from bcastcli.quiz.exercises import DEPENDS, NO, Exercise, Kind, text_of
from bcastcli.render.sheet import Line, Paragraph, Part, Sheet, page_shape
from bcastcli.rules import RULES

ROOM = "_" * 24
CUT = "-" * 80


class Key(StrEnum):
    """Where the key is."""

    NONE = "none"
    ONLY = "only"
    BELOW = "below"


def handout(exercises: Sequence[Exercise], seed: int, key: Key) -> Sheet:
    """Return the sheet with the questions, the key, or both."""
    heading = f"{count_of(exercises)}, seed {seed}"
    parts: list[Part] = []
    if key is not Key.ONLY:
        parts.append(Paragraph((heading,)))
        parts += (Paragraph((text,)) for text in introduction(exercises, "Write", page_shape))
        for number, exercise in enumerate(exercises, start=1):
            question, *lines = exercise.question(page_shape)
            room = f"   {asked_for(exercise)}: {ROOM}"
            set_in = (f"   {line}" for line in lines)
            parts.append(Paragraph((f"{number}. {question}", *set_in, room)))
    if key is Key.BELOW:
        parts += (Line("", ""), Line("", CUT))
    if key is not Key.NONE:
        parts.append(Paragraph((f"Key, seed {seed}",)))
        # Below a heading, and in one paragraph, so that each key is a line.
        numbered = (f"{number}. {text}" for number, text in enumerate(keys(exercises), start=1))
        parts.append(Paragraph(tuple(numbered)))
    return Sheet("Broadcasting: a quiz", f"A quiz: {heading}.", tuple(parts))


def keys(exercises: Sequence[Exercise]) -> Iterator[str]:
    """Yield the right reply of each question, and why it is right."""
    for exercise in exercises:
        yield f"{text_of(exercise.right, page_shape)}: {exercise.explanation(page_shape)}"


def count_of(exercises: Sequence[Exercise]) -> str:
    """Return how many questions there are, in words."""
    return f"{len(exercises)} question{'s' if len(exercises) > 1 else ''}"


def introduction(
    exercises: Sequence[Exercise], verb: str = "Type", shape: Writes = written
) -> Iterator[str]:
    """Yield what to know before the first question; `verb` is how replies are given."""
    rules = {exercise.answer.rule.name for exercise in exercises}
    yield from (f"{rule.name}: {rule.summary}" for rule in RULES.values() if rule.name in rules)
    yield (
        f"{verb} the shape of the result, such as {shape((2, 3))} (a scalar is ()), or {NO}; "
        "where a question asks for something else, a number or the letter of a line."
    )
    names = sorted({name for exercise in exercises for name in exercise.unknown_sizes})
    if names:
        stand = "stands" if len(names) == 1 else "stand"
        yield (
            f"{joined_with_and(names)} {stand} for any size. {verb} the shape if it always works, "
            f"{NO} if it never does, otherwise {DEPENDS}."
        )


def asked_for(exercise: Exercise) -> str:
    """Return what to write below a question."""
    if exercise.is_of_lines:
        return "line"
    return {Kind.SHAPE: "shape or no", Kind.RESHAPE: "shape", Kind.START: "axis"}.get(
        exercise.kind, "number"
    )
