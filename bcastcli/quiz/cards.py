"""Questions with replies to choose from, in the formats of programs that ask them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bcastcli.quiz.comments import comment
from bcastcli.quiz.exercises import (
    OF_LINES,
    Exercise,
    Reply,
    explanation,
    lettered,
    question_lines,
    text_of,
)
from bcastcli.quiz.mistakes import mistakes

MAX_WRONG = 4
"""A card has no more wrong replies than that."""
MAX_CAUSES = 2
"""A wrong reply on a card is explained by the likeliest mistakes."""


class Choice(NamedTuple):
    """A wrong reply, and what refutes it."""

    text: str
    feedback: str


class Card(NamedTuple):
    """A question, its right reply, and the wrong ones."""

    title: str
    question: str
    right: str
    why: str
    wrong: tuple[Choice, ...]


def cards(exercises: Sequence[Exercise], seed: int) -> list[Card]:
    """Return the questions with replies to choose from, each wrong one the result of a mistake."""
    return [
        Card(
            f"broadcasting {seed}-{number}",
            "\n".join(question_lines(exercise)),
            text_of(exercise.right),
            explanation(exercise),
            tuple(_wrong(exercise)),
        )
        for number, exercise in enumerate(exercises, start=1)
    ]


def _wrong(exercise: Exercise) -> Iterator[Choice]:
    """Yield the wrong replies, each with the mistake that leads to it."""
    if exercise.kind in OF_LINES:
        replies: list[Reply] = [letter for letter, _ in lettered(exercise)]
        replies.remove(exercise.right)
    else:
        replies = list(dict.fromkeys(each.reply for each in mistakes(exercise)))[:MAX_WRONG]
    for reply in replies:
        said = comment(exercise, reply)
        causes = "; or: ".join(said.causes[:MAX_CAUSES])
        yield Choice(text_of(reply), ". Perhaps: ".join(filter(None, (said.fact, causes))))


def gift(cards: Sequence[Card]) -> str:
    """Return cards as GIFT, the format of Moodle."""
    return "\n".join(map(_gift, cards))


def _gift(card: Card) -> str:
    question = "\\n".join(map(_in_gift, card.question.split("\n")))
    choices = [f"={_in_gift(card.right)}#{_in_gift(card.why)}"]
    choices += (f"~{_in_gift(text)}#{_in_gift(feedback)}" for text, feedback in card.wrong)
    lines = "".join(f"  {choice}\n" for choice in choices)
    return f"::{_in_gift(card.title)}::[plain]{question} {{\n{lines}}}\n"


def _in_gift(text: str) -> str:
    """Return a text with what GIFT would read as a sign escaped."""
    return "".join(f"\\{sign}" if sign in "~=#{}:\\" else sign for sign in text)


def csv(cards: Sequence[Card]) -> str:
    """Return cards as comma-separated values; as many choices a row as the longest one has."""
    import csv as library
    from io import StringIO

    count = max(len(card.wrong) for card in cards)
    heads = [f"{name} {number}" for number in range(1, count + 1) for name in ("wrong", "feedback")]
    rows = [["question", "right", "why", *heads]]
    for card in cards:
        cells = [cell for choice in card.wrong for cell in choice]
        row = [card.question, card.right, card.why, *cells]
        rows.append(row + [""] * (len(rows[0]) - len(row)))
    text = StringIO()
    library.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
