"""Questions with replies to choose from, in the formats of programs that ask them."""

from collections.abc import Sequence
from typing import NamedTuple


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
    count = max(len(card.wrong) for card in cards)
    heads = [f"{name} {number}" for number in range(1, count + 1) for name in ("wrong", "feedback")]
    rows = [["question", "right", "why", *heads]]
    for card in cards:
        cells = [cell for choice in card.wrong for cell in choice]
        row = [card.question, card.right, card.why, *cells]
        rows.append(row + [""] * (len(rows[0]) - len(row)))
    return _separated(rows)


def anki(cards: Sequence[Card]) -> str:
    """Return cards as a file that Anki imports: a front, and a back with the usual slips."""
    rows = []
    for card in cards:
        slips = "".join(f"<li>{_in_html(text)}: {_in_html(why)}</li>" for text, why in card.wrong)
        back = f"<b>{_in_html(card.right)}</b>: {_in_html(card.why)}"
        rows.append([_in_html(card.question), f"{back}<ul>{slips}</ul>" if slips else back])
    return f"#separator:comma\n#html:true\n#columns:Front,Back\n{_separated(rows)}"


def _in_html(text: str) -> str:
    from html import escape

    return escape(text, quote=False).replace("\n", "<br>").replace("  ", "&nbsp; ")


def _separated(rows: Sequence[Sequence[str]]) -> str:
    import csv as library
    from io import StringIO

    text = StringIO()
    library.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
