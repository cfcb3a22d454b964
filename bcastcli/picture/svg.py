"""A sheet as a slide of 1280 by 720: one SVG file, with type that can be read from the last row."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import ceil

from bcastcli.picture.figure import Figure, Step
from bcastcli.picture.marks import Box, Drawing, Line, Mark, Role, Text, moved
from bcastcli.picture.metrics import fixed, measure, on_page, short, wrapped
from bcastcli.picture.pages import ascii_page, with_briefs, worded
from bcastcli.picture.paper import drawn
from bcastcli.picture.terminal import Picture
from bcastcli.picture.themes import ROLES, THEMES
from bcastcli.picture.vector import Svg
from bcastcli.render import DoesNotFit, Terminal
from bcastcli.render.lines import READABLE, wrap_prose
from bcastcli.render.sheet import (
    Grid,
    Part,
    Row,
    Sheet,
    Tone,
    label_width,
    size_widths,
    text_without_bracket,
)
from bcastcli.render.sheet import Line as Sentence
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
    [only] = slides(sheet, terminal)
    return ascii_page(only.written(scales=scales))


def slides(
    sheet: Sheet,
    terminal: Terminal,
    steps: Sequence[Step] = (Step.RESULT,),
    size: tuple[float, float] = SLIDE,
    *,
    sources: bool = False,
) -> list[Svg]:
    """Return slides of a size, one for each step that shows more than the step before it.

    The description of the last one holds the answer and the picture in words. Raise DoesNotFit
    where steps and pictures are too large for it.
    """
    sheet = sheet._replace(title=terminal.title or sheet.title)
    try:
        whole = _slide(sheet, size)
    except DoesNotFit:
        if not sheet.shorter:
            raise
        return slides(sheet.shorter(), terminal, steps, size, sources=sources)
    title, theme = sheet.title, THEMES[terminal.theme or "light"]
    figures = [figure.description for figure in map(_figure, sheet.parts) if figure]
    shown = list(dict.fromkeys(whole.until(step) for step in steps))
    last = on_page(" ".join((sheet.description, *figures)))
    said = [*[f"{title}."] * (len(shown) - 1), last]
    return [
        Svg(own, theme, title, text, sources=sources) for own, text in zip(shown, said, strict=True)
    ]


def _figure(part: Part) -> Figure | None:
    """Return the figure of a part; steps have their boxes."""
    own = part.drawn if isinstance(part, Grid) else part
    return own.figure if isinstance(own, Picture) else None


def _slide(sheet: Sheet, size: tuple[float, float]) -> Drawing:
    """Return the slide of a sheet; text alone may make it larger.

    Raise DoesNotFit where a figure would.
    """
    sheet = worded(wrap_prose(sheet, READABLE))
    figures = [figure for figure in map(_figure, sheet.parts) if figure]
    if figures:
        own = figures[-1].alignment
        if own and own.titles and len(figures) > 1:  # steps of several groups
            raise DoesNotFit(TOO_LARGE)
        return _with_figure(sheet, figures[-1], size)
    drawing = Drawing((), 0, 0)
    for each in SIZES:
        drawing = in_size(sheet, each)
        if drawing.width <= SLIDE[0] and drawing.height <= SLIDE[1]:
            return drawing
    if sheet.shorter:
        raise DoesNotFit
    return drawing


def in_size(sheet: Sheet, size: float) -> Drawing:
    """Return the parts below each other, in type of one size."""
    labels = label_width(sheet)
    grids = [_grid(part, labels, size) for part in sheet.parts if isinstance(part, Grid)]
    room = max(ROOM, *(grid.width for grid in grids), 0)
    parts = [_title(sheet.title, room)]
    following = iter(grids)
    for part in sheet.parts:
        if isinstance(part, Grid):
            parts.append(next(following))
        elif isinstance(part, Sentence):
            parts.append(_sentence(part, labels, size, room))
    body = _stacked(parts)
    width = max(SLIDE[0], ceil(body.width + 2 * MARGIN))
    height = max(SLIDE[1], ceil(body.height + 2 * MARGIN))
    return Drawing(tuple(moved(body.marks, MARGIN, MARGIN)), width, height)


def _with_figure(sheet: Sheet, figure: Figure, size: tuple[float, float]) -> Drawing:
    """Return the title, the text above the figure, the figure as large as possible, and the answer.

    With steps, their consequences are left out; notes are too, if the figure or its numbers would
    not fit otherwise.
    """
    first = next(place for place, part in enumerate(sheet.parts) if _figure(part))
    later = with_briefs((*sheet.parts[first + 1 :], *sheet.hidden))
    above = [part for part in sheet.parts[:first] if isinstance(part, Sentence) and not part.aside]
    below = [part for part in later if isinstance(part, Sentence) and not part.aside]
    without_notes = [part for part in below if part.label not in ("note", WRITTEN_OUT)]
    has_steps = any(isinstance(part, Grid) for part in sheet.parts[: first + 1])
    room = size[0] - 2 * MARGIN
    head = _stacked([_title(sheet.title, room), *_sentences(above, room, Step.STORED)])
    top = MARGIN + head.height + GAP
    found = []
    for kept in dict.fromkeys(map(tuple, (without_notes if has_steps else below, without_notes))):
        foot = _stacked(_sentences(kept, room, Step.RESULT, figure.clashes))
        high = size[1] - MARGIN - top - (foot.height + GAP if foot.marks else 0)
        if body := drawn(figure, room, high):
            marks = [*moved(head.marks, MARGIN, MARGIN), *moved(body.marks, MARGIN, top)]
            marks += moved(foot.marks, MARGIN, size[1] - MARGIN - foot.height)
            found.append(Drawing(tuple(marks), *size).until(figure.until))
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


def _grid(grid: Grid, labels: int, size: float) -> Drawing:
    """Return a table in a fixed-width font, each cell at its own place."""
    sizes = size_widths(grid)
    columns = list(enumerate(zip(*grid.rows, strict=True)))
    widths = [sizes.get(n) or max(len(cell.text) for cell in column) for n, column in columns]
    if not grid.ruled:
        widths[0] = max(widths[0], labels)
    high, letter = size * LEADING, fixed(" ", size)
    before = accumulate((width + 3 for width in widths[:-1]), initial=0)
    starts = [start - (not grid.ruled and n > 0) for n, start in enumerate(before)]
    across = (starts[-1] + widths[-1] + 1) * letter
    marks: list[Mark] = []
    y = 0.0
    for number, body in enumerate(part for part in (grid.head, *grid.bodies) if part):
        if number and grid.ruled:
            y += high / 4
            marks.append(Line(0, y, across, y, Role.RULE))
            y += high / 4
        for row in body:
            marks += _row(row, starts, sizes, y, size)
            y += high
    return Drawing(tuple(marks), across, y)


def _row(
    row: Row, starts: Sequence[int], sizes: dict[int, int], y: float, size: float
) -> Iterator[Mark]:
    high, letter = size * LEADING, fixed(" ", size)
    for place, cell in enumerate(row):
        if not cell.text:
            continue
        room = sizes.get(place)
        indent = 0 if room is None else room - len(text_without_bracket(cell))
        x = (starts[place] + indent) * letter
        role = ROLES.get(cell.tone, Role.LABEL)
        yield Text(x, y + high / 2, cell.text, size, role, fixed=True)
        if cell.tone is Tone.CLASH:  # visible without colors too
            width = fixed(cell.text, size) + size / 2
            yield Box(x - size / 4, y + 2, width, size * LEADING - 4, Role.SURPLUS)
