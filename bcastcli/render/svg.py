"""A sheet as a slide of 1280 by 720: one SVG file, with type that the last row can read."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from bcastcli.render import Terminal
from bcastcli.render.lines import READABLE, wrap_prose
from bcastcli.render.pages import ascii_page, for_page
from bcastcli.render.picture import paper
from bcastcli.render.picture.figure import Figure
from bcastcli.render.picture.marks import Box, Drawing, Line, Mark, Role, Text, moved
from bcastcli.render.picture.metrics import fixed, measure, wrapped
from bcastcli.render.picture.svg import document
from bcastcli.render.picture.themes import THEMES
from bcastcli.render.sheet import (
    Cell,
    Grid,
    Row,
    Sheet,
    Tone,
    label_width,
    size_widths,
    text_without_bracket,
)
from bcastcli.render.sheet import Line as Sentence

SLIDE = (1280.0, 720.0)
MARGIN = 36.0
TITLE = 34.0
SIZES = (34.0, 30.0, 27.0, 25.0)
"""The sizes of type that are tried, the largest first; the last one lets the slide grow."""
LEADING = 1.42
GAP = 14.0
MIN_FIGURE = 240.0
"""A figure is not given less height; the slide grows instead."""
MAX_BESIDE = 560.0
"""Tables up to this width are beside a figure, wider ones above it."""
ROLES = {
    Tone.GHOST: Role.GHOST,
    Tone.EQUAL: Role.GHOST,
    Tone.STRETCH: Role.HEADING,
    Tone.CLASH: Role.CLASH,
    Tone.DEPENDS: Role.DEPENDS,
    Tone.NOTE: Role.NOTE,
    Tone.YES: Role.YES,
    Tone.NO: Role.CLASH,
    Tone.CONDITION: Role.DEPENDS,
}


class _Part(NamedTuple):
    marks: list[Mark]
    width: float
    height: float


def show(sheet: Sheet, terminal: Terminal, *, with_sources: bool = False) -> str:
    """Return the sheet as a file: a plain slide, or one for a page that lights up sources."""
    sheet = for_page(wrap_prose(sheet, READABLE))
    sheet = sheet._replace(title=terminal.title or sheet.title)
    theme = THEMES[terminal.theme or "light"]
    drawing, about = _drawn(sheet), (sheet.title, sheet.description)
    return ascii_page(document(drawing, theme, *about, with_sources=with_sources))


def _drawn(sheet: Sheet) -> Drawing:
    """Return the slide of a sheet; it is larger than 1280 by 720 only where its text needs it."""
    figures = [part for part in sheet.parts if isinstance(part, Figure)]
    if figures:
        return _with_figure(sheet, figures)
    drawing = Drawing((), 0, 0)
    for size in SIZES:
        drawing = _in_size(sheet, size)
        if drawing.width <= SLIDE[0] and drawing.height <= SLIDE[1]:
            break
    return drawing


def _in_size(sheet: Sheet, size: float) -> Drawing:
    """Return the parts below each other, in type of one size."""
    room = SLIDE[0] - 2 * MARGIN
    labels = label_width(sheet)
    grids = [_grid(part, labels, size) for part in sheet.parts if isinstance(part, Grid)]
    room = max(room, *(grid.width for grid in grids), 0)
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


def _with_figure(sheet: Sheet, figures: Sequence[Figure]) -> Drawing:
    """Return the title, tables beside or above the figure, then notes, and last the answer."""
    size = SIZES[-1]
    room = SLIDE[0] - 2 * MARGIN
    first = next(n for n, part in enumerate(sheet.parts) if isinstance(part, Figure))
    labels = label_width(sheet)
    title = _title(sheet.title, room)
    before, after = sheet.parts[:first], sheet.parts[first:]
    grids = [_grid(part, labels, size) for part in before if isinstance(part, Grid)]
    wide = max((grid.width for grid in grids), default=0)
    column = room if wide > MAX_BESIDE else max(wide, 380)
    side = _stacked(list(_parts(before, labels, size, column)))
    below = _stacked(list(_parts(after, labels, size, room)))
    top = MARGIN + title.height + GAP
    left = MARGIN
    if side.marks and column == room:
        top += side.height + GAP
    elif side.marks:
        left += column + 2 * GAP
    free = SLIDE[1] - top - below.height - GAP - MARGIN
    high = max(free, MIN_FIGURE)
    wide = SLIDE[0] - MARGIN - left
    marks = moved(title.marks, MARGIN, MARGIN)
    if side.marks:
        y = MARGIN + title.height + GAP
        if column != room:
            y += max(0.0, (high - side.height) / 2)
            high = max(high, side.height)
        marks += moved(side.marks, MARGIN, y)
    reach = SLIDE[0]
    y = top
    for figure in figures:
        drawing = paper.drawn(figure, wide, high / len(figures))
        reach = max(reach, left + drawing.width + MARGIN)
        marks += moved(drawing.marks, left, y)
        y += drawing.height
    y = max(y, top + high) + GAP
    if figures[0].is_whole:  # before that, the room for the answer stays empty
        marks += moved(below.marks, MARGIN, y)
    height = max(SLIDE[1], ceil(y + below.height + MARGIN))
    return Drawing(tuple(marks), ceil(reach), height)


def _parts(parts: Sequence[object], labels: int, size: float, room: float) -> Iterator[_Part]:
    for part in parts:
        if isinstance(part, Grid):
            yield _grid(part, labels, size)
        elif isinstance(part, Sentence):
            is_answer = part.tone in (Tone.YES, Tone.NO, Tone.CONDITION)
            larger = TITLE if is_answer and measure(part.text, TITLE, Role.YES) <= room else size
            yield _sentence(part, labels if part.label else 0, larger, room)


def _stacked(parts: Sequence[_Part]) -> _Part:
    marks: list[Mark] = []
    width = height = 0.0
    for part in parts:
        if part.marks:
            y = height + (GAP / 2 if height else 0)
            marks += moved(part.marks, 0, y)
            width, height = max(width, part.width), y + part.height
    return _Part(marks, width, height)


def _title(text: str, room: float) -> _Part:
    whole = measure(text, TITLE, Role.HEADING)
    size = max(SIZES[-1], min(TITLE, TITLE * room / max(whole, 1)))
    return _prose(text, size, size * 1.3, room, Role.HEADING)


def _sentence(line: Sentence, labels: int, size: float, room: float) -> _Part:
    """Return a sentence behind its label."""
    start = fixed(" " * (labels + 2), size) if line.label else 0.0
    high = size * LEADING
    part = _prose(line.text, size, high, room, ROLES.get(line.tone, Role.LABEL), start)
    label = [Text(0, high / 2, line.label, size, Role.HEADING)] if line.label else []
    return part._replace(marks=[*label, *part.marks])


def _prose(
    text: str, size: float, high: float, room: float, role: Role, start: float = 0.0
) -> _Part:
    """Return words in lines that begin at `start` and end in the room; no word is ever cut."""
    lines = wrapped(text, room - start, lambda line: measure(line, size, role))
    marks: list[Mark] = [
        Text(start, (n + 0.5) * high, line, size, role) for n, line in enumerate(lines)
    ]
    width = max(measure(line, size, role) for line in lines)
    return _Part(marks, start + width, len(lines) * high)


def _grid(grid: Grid, labels: int, size: float) -> _Part:
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
    return _Part(marks, across, y)


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
        if cell.tone is Tone.CLASH:  # it stands out without its color too
            yield _boxed(cell, x, y, size)


def _boxed(cell: Cell, x: float, y: float, size: float) -> Box:
    width = fixed(cell.text, size)
    return Box(x - size / 4, y + 2, width + size / 2, size * LEADING - 4, Role.SURPLUS)
