"""The handout of a quiz: a sheet with its key, or cards."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from bcastcli.core.shapes import Writes, written
from bcastcli.core.wording import joined_with_and
from bcastcli.quiz.mistakes import wrong_replies
from bcastcli.quiz.questions import (
    DEPENDS,
    LETTERS,
    NO,
    Exercise,
    Reply,
    name_of,
    rule_of,
    text_of,
)
from bcastcli.render.sheet import page_shape

_MAX_WRONG = 4
_WIDTH = 80
_ROOM = "_" * 24


def introduction(
    exercises: Sequence[Exercise], seed: int, verb: str, shape: Writes = written
) -> Iterator[str]:
    """The instructions before the first question; `verb` is how replies are given."""
    yield f"{len(exercises)} question{'s' if len(exercises) > 1 else ''}, seed {seed}"
    yield f"{name_of(exercises[0].answers[0])}: {rule_of(exercises[0].answers[0])}"
    yield (
        f"{verb} the shape of the result, such as {shape((2, 3))} (a scalar is ()), or {NO}. "
        "Some questions ask for the letter of a line."
    )
    names = sorted({name for exercise in exercises for name in exercise.unknown_sizes})
    if names:
        yield (
            f"{joined_with_and(names)} may be any size. {verb} the shape if it always works, "
            f"{NO} if it never does, and {DEPENDS} otherwise."
        )


def sheet(exercises: Sequence[Exercise], seed: int) -> Iterator[str]:
    """The lines of the questions with room to write, and below them the key."""
    yield from map(_wrapped, introduction(exercises, seed, "Write", page_shape))
    for number, exercise in enumerate(exercises, start=1):
        question, *choices = exercise.text(page_shape)
        yield f"\n{_wrapped(f'{number}. {question}')}"
        yield from (f"   {choice}" for choice in choices)
        label = "line" if exercise.is_of_lines else "shape or mismatch"
        yield f"   {label}: {_ROOM}"
    yield f"\n{'-' * _WIDTH}\n\nKey, seed {seed}"
    for number, exercise in enumerate(exercises, start=1):
        right = text_of(exercise.right, page_shape)
        yield _wrapped(f"{number}. {right}: {exercise.explanation(page_shape)}")


def _wrapped(text: str) -> str:
    return fill(text, _WIDTH, subsequent_indent="   ", break_on_hyphens=False)


# Cards


def cards(exercises: Sequence[Exercise], seed: int) -> Iterator[str]:
    """The questions as GIFT, the format of Moodle."""
    for number, exercise in enumerate(exercises, start=1):
        question = "\\n".join(map(_in_gift, exercise.text(page_shape)))
        choices = "".join(f"  {choice}\n" for choice in _choices(exercise))
        # A blank line ends each one, also where another file follows.
        yield f"::broadcasting {seed}-{number}::[plain]{question} {{\n{choices}}}\n\n"


def _choices(exercise: Exercise) -> Iterator[str]:
    """The right reply with its reason, then wrong ones, each with the mistakes behind it."""
    yield f"={_choice(exercise.right, exercise.explanation(page_shape))}"
    feedback: dict[Reply, list[str]] = {letter: [] for letter in LETTERS * exercise.is_of_lines}
    for reply, mistake in wrong_replies(exercise):
        feedback.setdefault(reply, []).append(mistake.refutation)
    if not exercise.is_of_lines:
        feedback.setdefault(NO, ["it does broadcast"])
    feedback.pop(exercise.right, None)
    for reply in list(feedback)[:_MAX_WRONG]:
        yield f"~{_choice(reply, '; or '.join(feedback[reply]))}"


def _choice(reply: Reply, feedback: str) -> str:
    words = f"#{_in_gift(feedback)}" if feedback else ""
    return f"{_in_gift(text_of(reply, page_shape))}{words}"


def _in_gift(text: str) -> str:
    """A text with GIFT's special characters escaped."""
    return "".join(f"\\{sign}" if sign in "~=#{}:\\" else sign for sign in text)
