"""A sheet as a slide of 1280 by 720: one SVG file, with type that the last row can read."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple

from bcastcli.render import DoesNotFit, Terminal
from bcastcli.render.lines import READABLE, wrap_prose
from bcastcli.render.pages import ascii_page, with_briefs, worded
from bcastcli.render.picture.figure import Figure
from bcastcli.render.picture.marks import Box, Drawing, Line, Mark, Role, Text, moved
from bcastcli.render.picture.metrics import fixed, measure, wrapped
from bcastcli.render.picture.paper import composed
from bcastcli.render.picture.svg import document
from bcastcli.render.picture.themes import THEMES
from bcastcli.render.sheet import (
    Cell,
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

SLIDE = (1280.0, 720.0)
MARGIN = 36.0
TITLE = 34.0
SIZES = (34.0, 30.0, 27.0, 25.0)
"""The sizes of type that are tried, the largest first; the last one lets the slide grow."""
LEADING = 1.42
GAP = 14.0
TOO_LARGE = "this has no room on a slide of 1280 by 720"
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
    """Return the sheet as a file: a plain slide, or one for a page that lights up sources.

    Raise DoesNotFit where steps and pictures are too large for a slide.
    """
    sheet = sheet._replace(title=terminal.title or sheet.title)
    return _file(sheet, _slide(sheet).drawing, terminal, with_sources=with_sources)


def slides(sheet: Sheet, terminal: Terminal) -> Iterator[str]:
    """Yield a sheet on as many slides as it needs, for a page that lights up sources.

    Raise DoesNotFit where the steps or a picture alone are too large.
    """
    sheet = sheet._replace(title=terminal.title or sheet.title)
    try:
        made = [(sheet, _slide(sheet))]
    except DoesNotFit:
        each = list(_apart(sheet))
        if len(each) == 1:
            raise
        made = [(one, _slide(one)) for one in each]
    for own, slide in made:
        yield _file(own, slide.drawing, terminal, with_sources=True)
        if slide.left_out and not sheet.hidden:
            group = [part for part in own.parts[:1] if isinstance(part, Sentence)]  # its rules
            more = own._replace(parts=(*group, *slide.left_out))
            yield _file(more, _slide(more).drawing, terminal, with_sources=True)


def _apart(sheet: Sheet) -> Iterator[Sheet]:
    """Yield a sheet for each of its figures, with its answer; what follows the last is with it."""
    ends: list[int] = []
    for place, part in enumerate(sheet.parts, 1):
        if _figure(part):
            ends.append(place)
        elif ends and _is_answer(part):
            ends[-1] = place
    for start, end in pairwise((0, *ends[:-1], len(sheet.parts))):
        yield sheet._replace(parts=sheet.parts[start:end])


def _is_answer(part: Part) -> bool:
    return isinstance(part, Sentence) and part.tone in (Tone.YES, Tone.NO, Tone.CONDITION)


def _file(sheet: Sheet, drawing: Drawing, terminal: Terminal, *, with_sources: bool) -> str:
    """Return a drawing as a file: what is seen in it is in its description, after the answer."""
    figures = [figure.description for figure in map(_figure, sheet.parts) if figure]
    about = sheet.title, " ".join((sheet.description, *figures))
    theme = THEMES[terminal.theme or "light"]
    return ascii_page(document(drawing, theme, *about, with_sources=with_sources))


def _figure(part: Part) -> Figure | None:
    """Return what is drawn of a part: of steps their boxes."""
    return part.drawn if isinstance(part, Grid) else part if isinstance(part, Figure) else None


class _Slide(NamedTuple):
    drawing: Drawing
    left_out: Sequence[Part] = ()
    """What it has no room for."""


def _slide(sheet: Sheet) -> _Slide:
    """Return the slide of a sheet; text alone may make it larger than 1280 by 720.

    Raise DoesNotFit where a figure would.
    """
    sheet = worded(wrap_prose(sheet, READABLE))
    figures = [figure for figure in map(_figure, sheet.parts) if figure]
    if figures:
        return _with_figures(sheet, figures)
    drawing = Drawing((), 0, 0)
    for size in SIZES:
        drawing = _in_size(sheet, size)
        if drawing.width <= SLIDE[0] and drawing.height <= SLIDE[1]:
            break
    return _Slide(drawing)


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


def _with_figures(sheet: Sheet, figures: Sequence[Figure]) -> _Slide:
    """Return the title, what comes before the figures, these, and last the answer.

    Beside steps there is no room for what follows from them, and notes give way to figures.
    """
    first = next(place for place, part in enumerate(sheet.parts) if _figure(part))
    later = list(with_briefs(sheet.parts[first + 1 :]))
    asides = [part for part in later if isinstance(part, Sentence) and part.aside]
    above = [part for part in sheet.parts[:first] if isinstance(part, Sentence) and not part.aside]
    below = [
        part
        for part in (*later, *with_briefs(sheet.hidden))
        if isinstance(part, Sentence) and part not in asides
    ]
    notes = [part for part in below if part.label == "note"]
    has_steps = any(isinstance(part, Grid) for part in sheet.parts[: first + 1])
    for left_out in (notes,) if has_steps or not notes else ((), notes):
        kept = [part for part in below if part not in left_out]
        drawing = _composed(sheet, figures, above, kept)
        if drawing:
            return _Slide(drawing, (*asides, *left_out))
    raise DoesNotFit(TOO_LARGE, len(figures))


def _composed(
    sheet: Sheet, figures: Sequence[Figure], above: Sequence[Part], below: Sequence[Part]
) -> Drawing | None:
    """Return the slide, with figures as large as fit; None where they do not."""
    room = SLIDE[0] - 2 * MARGIN
    labels = label_width(sheet)
    head = _stacked([_title(sheet.title, room), *_parts(above, labels, SIZES[-1], room)])
    foot = _stacked(list(_parts(below, labels, SIZES[-1], room)))
    top = MARGIN + head.height + GAP
    high = SLIDE[1] - MARGIN - top - (foot.height + GAP if foot.marks else 0)
    body = composed(figures, room, high)
    if body is None:
        return None
    marks = [*moved(head.marks, MARGIN, MARGIN), *moved(body.marks, MARGIN, top)]
    if not sheet.hidden:  # until then, the room for the answer stays empty
        marks += moved(foot.marks, MARGIN, SLIDE[1] - MARGIN - foot.height)
    return Drawing(tuple(marks), *SLIDE)


def _parts(parts: Sequence[object], labels: int, size: float, room: float) -> Iterator[_Part]:
    for part in parts:
        if isinstance(part, Grid):
            yield _grid(part, labels, size)
        elif isinstance(part, Sentence):
            larger = (
                TITLE if _is_answer(part) and measure(part.text, TITLE, Role.YES) <= room else size
            )
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
