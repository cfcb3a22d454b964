"""Questions with replies to choose from, in the formats of programs that ask them."""

from collections.abc import Iterator, Sequence
from itertools import chain, count, islice
from typing import NamedTuple

from bcastcli.quiz.comments import comment
from bcastcli.quiz.exercises import NO, Exercise, Reply, text_of
from bcastcli.quiz.mistakes import mistakes
from bcastcli.render.sheet import page_shape

MAX_WRONG = 4
"""The most wrong replies on a card."""
MAX_CAUSES = 2
"""A wrong reply on a card is explained by the likeliest mistakes."""


class Choice(NamedTuple):
    """A reply to choose, and what explains or refutes it."""

    text: str
    feedback: str


def choices(exercise: Exercise) -> Iterator[Choice]:
    """Yield the right reply, and then wrong ones, each the result of a mistake."""
    yield Choice(_choice(exercise.right), exercise.explanation(page_shape))
    if exercise.is_of_lines:
        replies: list[Reply] = [letter for letter in exercise.lettered if letter != exercise.right]
    else:
        replies = list(dict.fromkeys(each.reply for each in mistakes(exercise)))[:MAX_WRONG]
    for reply in replies:
        said = comment(exercise, reply, shape=page_shape)
        causes = "; or: ".join(said.causes[:MAX_CAUSES])
        yield Choice(_choice(reply), ". Perhaps: ".join(filter(None, (said.fact, causes))))


def _choice(reply: Reply) -> str:
    """Return a reply as it stands among others, where a bare no would answer no question."""
    return "mismatch" if reply == NO else text_of(reply, page_shape)


def gift(exercises: Sequence[Exercise], seed: int) -> str:
    """Return exercises as GIFT, the format of Moodle."""
    cards = []
    for number, exercise in enumerate(exercises, start=1):
        title = _in_gift(f"broadcasting {seed}-{number}")
        question = "\\n".join(map(_in_gift, exercise.question(page_shape)))
        right, *wrong = (
            f"{_in_gift(text)}#{_in_gift(feedback)}\n" for text, feedback in choices(exercise)
        )
        lines = "".join((f"  ={right}", *(f"  ~{each}" for each in wrong)))
        # A blank line ends each one, also where another file follows.
        cards.append(f"::{title}::[plain]{question} {{\n{lines}}}\n\n")
    return "".join(cards)


def _in_gift(text: str) -> str:
    """Return a text with GIFT's special characters escaped."""
    return "".join(f"\\{sign}" if sign in "~=#{}:\\" else sign for sign in text)


def csv(exercises: Sequence[Exercise]) -> str:
    """Return exercises as comma-separated values; all rows have as many choices as the longest."""
    import csv as library
    from io import StringIO

    cards = [
        ["\n".join(exercise.question(page_shape)), *chain.from_iterable(choices(exercise))]
        for exercise in exercises
    ]
    width = max(map(len, cards))
    heads = (f"{name} {number}" for number in count(1) for name in ("wrong", "feedback"))
    rows = [["question", "right", "why", *islice(heads, width - 3)]]
    rows += (card + [""] * (width - len(card)) for card in cards)
    text = StringIO()
    library.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
