"""The handout of a quiz: its questions with room to write and the key, slides, or cards."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from bcastcli.picture import pages, svg
from bcastcli.picture.answers import of_answer
from bcastcli.picture.marks import Drawing, Mark, Role, Text
from bcastcli.picture.metrics import measure, wrapped
from bcastcli.picture.terminal import Picture
from bcastcli.picture.themes import THEMES
from bcastcli.picture.vector import Svg
from bcastcli.quiz.comments import comment
from bcastcli.quiz.exercises import NO, Exercise, Kind, Reply, count_of, introduction, text_of
from bcastcli.quiz.mistakes import mistakes
from bcastcli.render import DoesNotFit, Terminal
from bcastcli.render.sheet import Line, Paragraph, Part, Sheet, page_shape
from bcastcli.reports.tables import ANSWER_TONE

ROOM = "_" * 24
CUT = "-" * 80
_TYPES = (80.0, 68.0, 58.0, 50.0, 42.0)
"""The sizes of type on a slide of words, of which the first that fits is taken."""
MAX_WRONG = 4
"""The most wrong replies on a card."""
_TITLE = "Broadcasting: a quiz"


class Parts(NamedTuple):
    """The contents of a handout."""

    questions: bool
    key: bool


def sheet(exercises: Sequence[Exercise], seed: int, shown: Parts) -> Sheet:
    """Return the sheet with the questions, the key, or both."""
    heading = f"{count_of(exercises)}, seed {seed}"
    parts: list[Part] = []
    if shown.questions:
        about = introduction(exercises, "Write", page_shape)
        parts += (Paragraph((text,)) for text in (heading, *about))
        for number, exercise in enumerate(exercises, start=1):
            question, *lines = exercise.question(page_shape)
            below = (f"   {line}" for line in (*lines, f"{asked_for(exercise)}: {ROOM}"))
            parts.append(Paragraph((f"{number}. {question}", *below)))
    if shown.questions and shown.key:
        parts += (Line("", ""), Line("", CUT))
    if shown.key:
        parts.append(Paragraph((f"Key, seed {seed}",)))
        # Below a heading and in one paragraph, so that each key is a line.
        numbered = (f"{number}. {text}" for number, text in enumerate(keys(exercises), start=1))
        parts.append(Paragraph(tuple(numbered)))
    return Sheet(_TITLE, f"A quiz: {heading}.", tuple(parts))


def keys(exercises: Sequence[Exercise]) -> Iterator[str]:
    """Yield the right reply to each question, with its explanation."""
    for exercise in exercises:
        yield f"{text_of(exercise.right, page_shape)}: {exercise.explanation(page_shape)}"


def asked_for(exercise: Exercise) -> str:
    """Return the label of the room for a reply."""
    kinds = {Kind.SHAPE: f"shape or {NO}", Kind.RESHAPE: "shape", Kind.START: "axis"}
    return "line" if exercise.is_of_lines else kinds.get(exercise.kind, "number")


# A page to print, with a line for a name


def page(exercises: Sequence[Exercise], seed: int, shown: Parts) -> str:
    """Return the page with the questions, the key, or both."""
    lines = list(_questions(exercises, seed)) if shown.questions else []
    if shown.key:
        items = (f"<li>{_set(text)}</li>" for text in keys(exercises))
        head = f"<h2>Key, seed {seed}</h2>"
        lines += ('<section class="key">', head, "<ol>", *items, "</ol>", "</section>")
    about = f"A quiz: {count_of(exercises)}, seed {seed}."
    style = pages.beside("handout.css", __file__)
    return pages.document(_TITLE, style, "<main>", *lines, "</main>", description=about)


def _questions(exercises: Sequence[Exercise], seed: int) -> Iterator[str]:
    yield f"<h1>{_TITLE}</h1>"
    yield '<p class="name"><b>Name</b><span></span><b>Date</b><span></span></p>'
    yield from (f"<p>{_set(text)}</p>" for text in introduction(exercises, "Write", page_shape))
    yield "<ol>"
    for exercise in exercises:
        question, *lines = exercise.question(page_shape)
        yield f"<li><p>{_set(question)}</p>"
        if lines:
            items = (f"<li>{_set(line.partition('  ')[2])}</li>" for line in lines)
            yield from ("<ol>", *items, "</ol>")
        yield f'<p class="reply">{asked_for(exercise)}<span></span></p></li>'
    yield "</ol>"
    yield f"<p>{count_of(exercises)}, seed {seed}</p>"


_UNBROKEN = re.compile(r"(?:\b[A-Z] )?[(\[][^()\[\]]*[)\]]")
"""A shape with its name, or an index."""


def _set(text: str) -> str:
    """Return a text as HTML, without line breaks in indices and in shapes with their names."""
    return _UNBROKEN.sub(lambda found: found[0].replace(" ", "&nbsp;"), pages.markup(text))


# Slides


def slides(exercises: Sequence[Exercise], seed: int, shown: Parts) -> str:
    """Return pairs of slides: a question, then its answer with a picture if it fits."""
    about = introduction(exercises, "Write", page_shape)
    made = [_words(_TITLE, f"{count_of(exercises)}, seed {seed}", *about)]
    for number, (exercise, key) in enumerate(zip(exercises, keys(exercises), strict=True), 1):
        title = f"{number}. {exercise.answer.rule.name}: {exercise.asked}"
        given = exercise.given(page_shape)
        if shown.questions:
            made.append(_words(title, *given))
        if shown.key:
            answer = exercise.shown
            lines = [Line("", text) for text in given if exercise.is_of_lines]
            said = Line("", key, ANSWER_TONE[answer.ok])
            sheet = Sheet(title, key, (*lines, Picture(of_answer(answer)), said))
            try:
                made += svg.slides(sheet, Terminal(), sources=True)
            except DoesNotFit:
                made.append(_words(title, *given, key))
    return pages.slides(_TITLE, (slide.written(number=n) for n, slide in enumerate(made, 1)))


def _words(title: str, *lines: str) -> Svg:
    """Return a slide of words, in the largest type that fits."""
    texts = [(title, Role.HEADING), *((line, Role.LABEL) for line in lines)]
    for size in _TYPES:
        wide = partial(measure, size=size, role=Role.HEADING)
        rows = [(row, role) for text, role in texts for row in wrapped(text, svg.ROOM, wide)]
        top = (svg.SLIDE[1] - 1.4 * size * (len(rows) - 1)) / 2
        if top > svg.MARGIN + size / 2:
            break
    marks: list[Mark] = []
    for text, role in rows:
        marks.append(Text(svg.MARGIN, top + 1.4 * size * len(marks), text, size, role))
    return Svg(Drawing(tuple(marks), *svg.SLIDE), THEMES["light"], title, " ".join(lines))


# Cards


def gift(exercises: Sequence[Exercise], seed: int) -> str:
    """Return exercises as GIFT, the format of Moodle."""
    cards = []
    for number, exercise in enumerate(exercises, start=1):
        question = "\\n".join(map(_in_gift, exercise.question(page_shape)))
        choices = "".join(f"  {choice}\n" for choice in _choices(exercise))
        # A blank line ends each one, also where another file follows.
        cards.append(f"::broadcasting {seed}-{number}::[plain]{question} {{\n{choices}}}\n\n")
    return "".join(cards)


def _choices(exercise: Exercise) -> Iterator[str]:
    """Yield the right reply with its reason, then wrong ones with their refutations."""
    yield f"={_choice(exercise.right, exercise.explanation(page_shape))}"
    found = (each.reply for each in mistakes(exercise))
    wrong = dict.fromkeys(exercise.lettered if exercise.is_of_lines else found)
    for reply in [each for each in wrong if each != exercise.right][:MAX_WRONG]:
        said = comment(exercise, reply, shape=page_shape)
        feedback = ". Perhaps: ".join(filter(None, (said.fact, "; or: ".join(said.causes))))
        yield f"~{_choice(reply, feedback)}"


def _choice(reply: Reply, feedback: str) -> str:
    return f"{_in_gift(text_of(reply, page_shape))}#{_in_gift(feedback)}"


def _in_gift(text: str) -> str:
    """Return a text with GIFT's special characters escaped."""
    return "".join(f"\\{sign}" if sign in "~=#{}:\\" else sign for sign in text)
