"""The handout of a quiz as a page of HTML to print: a line for a name, and the key by itself."""

import re
from collections.abc import Iterator, Sequence

from bcastcli.quiz.exercises import Exercise
from bcastcli.quiz.handout import Key, asked_for, count_of, introduction, keys
from bcastcli.render.pages import beside, document, markup
from bcastcli.render.sheet import page_shape


def page(exercises: Sequence[Exercise], seed: int, key: Key) -> str:
    """Return the page with the questions, the key, or both."""
    title = "Broadcasting: a quiz"
    lines = [] if key is Key.ONLY else list(_questions(title, exercises, seed))
    if key is not Key.NONE:
        items = (f"<li>{_set(text)}</li>" for text in keys(exercises))
        head = f"<h2>Key, seed {seed}</h2>"
        lines += ('<section class="key">', head, "<ol>", *items, "</ol>", "</section>")
    about = f"A quiz: {count_of(exercises)}, seed {seed}."
    return document(title, beside("handout.css"), "<main>", *lines, "</main>", description=about)


def _questions(title: str, exercises: Sequence[Exercise], seed: int) -> Iterator[str]:
    yield f"<h1>{title}</h1>"
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


def _set(text: str) -> str:
    """Return a text as HTML, with no break within a shape or an index."""
    return re.sub(
        r"[(\[][^()\[\]]*[)\]]", lambda found: found[0].replace(" ", "&nbsp;"), markup(text)
    )
