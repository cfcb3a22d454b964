"""A sheet as a slide of 1280 by 720: one SVG file, with type that can be read from the last row."""

from collections.abc import Sequence

from bcastcli.picture.figure import Step
from bcastcli.picture.marks import Drawing, Mark, Role, Text, moved
from bcastcli.picture.metrics import fixed, measure, on_page, short, wrapped
from bcastcli.picture.pages import ascii_page, worded
from bcastcli.picture.paper import drawn
from bcastcli.picture.terminal import Picture
from bcastcli.picture.themes import ROLES
from bcastcli.picture.vector import Svg
from bcastcli.render import DoesNotFit, Terminal
from bcastcli.render.sheet import Line as Sentence
from bcastcli.render.sheet import (
    Sheet,
    Tone,
)
from bcastcli.reports.tables import ANSWER_TONE

SLIDE = (1280.0, 720.0)
MARGIN = 36.0
ROOM = SLIDE[0] - 2 * MARGIN
"""The width of lines of words."""
TITLE = 34.0
SIZES = (34.0, 30.0, 27.0, 25.0)
"""The sizes of type that are tried, the largest first; the last one lets the slide grow."""
LEADING = 1.42
GAP = 14.0
WRITTEN_OUT = "written out"
TOO_LARGE = "this does not fit on a slide of 1280 by 720"
BUILD = (Step.STORED, Step.COMPARE, Step.STRETCH, Step.RESULT)
"""The steps in which a picture is built up, as on a board."""


def show(sheet: Sheet, terminal: Terminal, *, scales: bool = False) -> str:
    """Return the sheet as the file of a slide, which can scale to the width of its place.

    Raise DoesNotFit where steps and pictures are too large for a slide.
    """
    [only] = slides(sheet)
    return ascii_page(only.written(scales=scales))


def slides(
    sheet: Sheet,
    steps: Sequence[Step] = (Step.RESULT,),
    size: tuple[float, float] = SLIDE,
    *,
    sources: bool = False,
) -> list[Svg]:
    """Return slides of a size, one for each step that shows more than the step before it.

    The description of the last one holds the answer and the picture in words. Raise DoesNotFit
    where steps and pictures are too large for it.
    """
    try:
        whole = _with_figure(sheet, size)
    except DoesNotFit:
        if not sheet.shorter:
            raise
        return slides(sheet.shorter(), steps, size, sources=sources)
    title = sheet.title
    figures = [part.figure.description for part in sheet.parts if isinstance(part, Picture)]
    shown = list(dict.fromkeys(whole.until(step) for step in steps))
    last = on_page(" ".join((sheet.description, *figures)))
    said = [*[f"{title}."] * (len(shown) - 1), last]
    return [Svg(own, title, text, sources=sources) for own, text in zip(shown, said, strict=True)]


def _with_figure(sheet: Sheet, size: tuple[float, float]) -> Drawing:
    """Return the title, the figure as large as possible, and below it notes and the answer.

    Notes are left out if the figure or its numbers would not fit otherwise.
    """
    [figure] = [part.figure for part in sheet.parts if isinstance(part, Picture)]
    below = list(worded(sheet.parts))
    without_notes = [part for part in below if part.label not in ("note", WRITTEN_OUT)]
    room = size[0] - 2 * MARGIN
    head = _stacked([_title(sheet.title, room)])
    top = MARGIN + head.height + GAP
    found = []
    for kept in dict.fromkeys(map(tuple, (below, without_notes))):
        foot = _stacked(_sentences(kept, room, Step.RESULT, figure.clashes))
        high = size[1] - MARGIN - top - (foot.height + GAP if foot.marks else 0)
        if body := drawn(figure, room, high):
            marks = [*moved(head.marks, MARGIN, MARGIN), *moved(body.marks, MARGIN, top)]
            marks += moved(foot.marks, MARGIN, size[1] - MARGIN - foot.height)
            found.append(Drawing(tuple(marks), *size))
    if not found:
        raise DoesNotFit(TOO_LARGE)
    return next((each for each in found if each.has_numbers), found[0])


def _sentences(
    lines: Sequence[Sentence], room: float, step: Step, clashes: bool = False
) -> list[Drawing]:
    """Return the sentences around a figure for a step; the answer is large if it fits.

    A clash comes one step before the advice.
    """
    labels = max((len(line.label) for line in lines), default=0)
    parts = []
    for line in lines:
        is_answer = line.tone in ANSWER_TONE.values()
        is_large = is_answer and measure(line.text, TITLE, Role.YES) <= room
        part = _sentence(line, labels * bool(line.label), TITLE if is_large else SIZES[-1], room)
        at = Step.COMPARE if line.tone is Tone.NO and clashes else step
        parts.append(part._replace(marks=tuple(mark._replace(step=at) for mark in part.marks)))
    return parts


def _stacked(parts: Sequence[Drawing]) -> Drawing:
    marks: list[Mark] = []
    width = height = 0.0
    for part in parts:
        if part.marks:
            y = height + (GAP / 2 if height else 0)
            marks += moved(part.marks, 0, y)
            width, height = max(width, part.width), y + part.height
    return Drawing(tuple(marks), width, height)


def _title(text: str, room: float) -> Drawing:
    whole = measure(text, TITLE, Role.HEADING)
    size = max(SIZES[-1], min(TITLE, TITLE * room / max(whole, 1)))
    return _prose(text, size, size * 1.3, room, Role.HEADING)


def _sentence(line: Sentence, labels: int, size: float, room: float) -> Drawing:
    """Return a sentence behind its label."""
    start = fixed(" " * (labels + 2), size) if line.label else 0.0
    high = size * LEADING
    part = _prose(line.text, size, high, room, ROLES.get(line.tone, Role.LABEL), start)
    label = [Text(0, high / 2, line.label, size, Role.HEADING)] if line.label else []
    return part._replace(marks=(*label, *part.marks))


def _prose(
    text: str, size: float, high: float, room: float, role: Role, start: float = 0.0
) -> Drawing:
    """Return words in lines that begin at `start`; a word that is too long is shortened."""
    longest = int((room - start) / measure("m", size, role))
    text = " ".join(short(word, longest) for word in text.split(" "))
    lines = wrapped(text, room - start, lambda line: measure(line, size, role))
    marks: list[Mark] = [
        Text(start, (n + 0.5) * high, line, size, role) for n, line in enumerate(lines)
    ]
    width = max(measure(line, size, role) for line in lines)
    return Drawing(tuple(marks), start + width, len(lines) * high)
