"""A sheet as a slide of 1280 by 720: one SVG file, with type that can be read from the last row.

Colors, type and strokes are attributes of the elements: programs without CSS show the same, and a
page that the file is put into keeps its own rules and names. Nothing is shown by color alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from re import sub
from typing import NamedTuple
from xml.sax.saxutils import escape

from bcastcli.picture.answers import Picture
from bcastcli.picture.drawing import (
    NARROW,
    Box,
    Drawing,
    Mark,
    Metrics,
    Role,
    Text,
    below,
    ems,
    moved,
    short,
)
from bcastcli.picture.drawing import Line as Arrow
from bcastcli.picture.figure import Element, Figure, Step
from bcastcli.picture.layout import across, arrange, captions
from bcastcli.render import Terminal, escaped
from bcastcli.render.sheet import Grid, Line, Part, Sheet, Tone
from bcastcli.reports.tables import ANSWER_TONE

SLIDE = (1280.0, 720.0)
SANS = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif"
MARGIN = 36.0
ROOM = SLIDE[0] - 2 * MARGIN
TYPE, LARGE, LEAST = 26.0, 32.0, 24.0
"""The sizes of type: of words, of the title and the answer, and of the smallest numeral."""
LEADING = 1.28
MOST_LINES = 5
"""The most lines of a sentence: one that has more is cut."""
GAP = 14.0
BUILD = (Step.STORED, Step.COMPARE, Step.STRETCH, Step.RESULT)
"""The steps in which a picture is built up, as on a board."""
MAX_LARGE, MAX_NUMERAL, MAX_CELL = 60.0, 72.0, 280.0
MAX_WIDE, MAX_HIGH = 2.2, 1.6
"""How much wider than high, and higher than wide, a cell may be."""
_SAMPLES = 500.0, 1000.0
"""Sizes of cells that are larger than all titles."""
TOO_LARGE = "there is no room for a picture of so many sizes"
PAPER = Metrics(
    cell=(100, 100),
    gap=4,
    edge=0,
    line=TYPE * LEADING,
    type=TYPE,
    space=64,
    lane=(34, 26),
    sign=TYPE * 1.9,
    layer_line=TYPE * 1.1,
    apart=(24, 8),
    between=8,
    large=TYPE,
    on_paper=True,
)


def show(sheet: Sheet, _: Terminal, *, scales: bool = False) -> str:
    """The sheet as the file of a slide, which can scale to the width of its place."""
    [only] = slides(sheet)
    return ascii_page(only.written(scales=scales))


def ascii_page(text: str) -> str:
    """A page in ASCII: it is the same file wherever it is written."""
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def slides(
    sheet: Sheet, steps: Sequence[Step] = (Step.RESULT,), *, sources: bool = False
) -> "list[Svg]":
    """The slides of a sheet with a picture, one for each step that shows more than the one before.

    The description of the last one holds the answer and the picture in words.
    """
    [figure] = [part.figure for part in sheet.parts if isinstance(part, Picture)]
    whole = _slide(sheet, figure)
    shown = [whole.until(step) for step in steps]
    if figure.stored and Step.STORED in steps:
        shown[0] = _slide(sheet._replace(parts=()), figure.stored)
    different = [drawing for n, drawing in enumerate(shown) if drawing not in shown[:n]]
    last = f"{sheet.description} {figure.description}"
    texts = [f"{sheet.title}."] * (len(different) - 1) + [last]
    return [
        Svg(drawing, sheet.title, text, sources=sources)
        for drawing, text in zip(different, texts, strict=True)
    ]


def _slide(sheet: Sheet, figure: Figure) -> Drawing:
    """The title, the figure as large as possible, and below it what to write, and the answer."""
    head = prose(sheet.title, LARGE, Role.HEADING)
    foot = below(_sentences(sheet.parts, figure.clashes), GAP / 2)
    top = MARGIN + head.height + GAP
    high = SLIDE[1] - MARGIN - top - (foot.height + GAP if foot.marks else 0)
    body = _drawn(figure, high)
    marks = moved(head.marks, MARGIN, MARGIN) + moved(body.marks, MARGIN, top)
    marks += moved(foot.marks, MARGIN, SLIDE[1] - MARGIN - foot.height)
    return Drawing(marks, *SLIDE)


# Words around the figure


def _sentences(parts: Iterable[Part], clashes: bool) -> Iterator[Drawing]:
    """The sentences below a figure, without notes; a clash comes one step before the advice."""
    lines = [line for line in map(_line, parts) if line and line.label != "note"]
    start = max((PAPER.width(f"{line.label}  ") for line in lines if line.label), default=0.0)
    for line in lines:
        text = line.on_page or line.text
        is_answer = line.tone in ANSWER_TONE.values()
        largest = min(LARGE, ROOM / ems(text)) if is_answer and text else TYPE
        role = TONES.get(line.tone, Role.LABEL)
        sentence = prose(text, max(largest, TYPE), role, start * bool(line.label))
        label = [PAPER.text(0, PAPER.line / 2, line.label, Role.HEADING)] if line.label else []
        step = Step.COMPARE if line.tone is Tone.NO and clashes else Step.RESULT
        marks = [mark._replace(step=step) for mark in (*label, *sentence.marks)]
        yield sentence._replace(marks=marks)


def _line(part: Part) -> Line | None:
    """A part as a line: a table as its brief one, if it has any."""
    if isinstance(part, Grid):
        return Line(part.rows[0][0].text, part.brief) if part.brief else None
    return part if isinstance(part, Line) else None


def prose(text: str, size: float, role: Role, start: float = 0, anchor: str = "start") -> Drawing:
    """Words in lines that begin at `start`; long words, and too many lines, are cut."""
    room, high = ROOM - start, size * LEADING
    words = text.split(" ")
    long = [word for word in words if PAPER.width(word, size) > room]
    cut = " ".join(short(word, int(room / size)) if word in long else word for word in words)
    lines = PAPER.wrapped(cut, room, size)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], "…"]
    marks: list[Mark] = [
        Text(start, (n + 0.5) * high, line, size, role, anchor=anchor)
        for n, line in enumerate(lines)
    ]
    return Drawing(marks, ROOM, len(lines) * high)


# The figure


def _drawn(figure: Figure, high: float) -> Drawing:
    """The figure in a room of some height, with its captions at the foot of it.

    Where numerals would be too small, another figure takes the place.
    """
    words = captions(figure, PAPER, ROOM)
    room = high - words.height - (GAP if words.height else 0)
    drawing = _sized(figure, room)
    if drawing is None and figure.instead:
        return _drawn(figure.instead, high)
    if drawing is None:
        return captions(Figure((), captions=(TOO_LARGE,)), PAPER, ROOM)
    left, top = max(ROOM - drawing.width, 0) / 2, max(room - drawing.height, 0) / 2
    marks = moved(drawing.marks, left, top)
    marks += moved(words.marks, 0, high - words.height)
    return Drawing(marks, ROOM, high)


def _sized(figure: Figure, room: float) -> Drawing | None:
    """The figure as large as a room of some height allows; None if numerals would be too small.

    Its width and its height grow evenly with those of a cell, so that two drawings tell how.
    """
    if not figure.blocks and not figure.alignment:
        words = arrange(figure, PAPER)
        return words if words.height <= room else None
    less, more = (arrange(figure, _measures(figure, each, each)) for each in _SAMPLES)
    start, step = _SAMPLES[0], _SAMPLES[1] - _SAMPLES[0]
    wide = start + step * (ROOM - less.width) / (more.width - less.width)
    down = start + step * (room - less.height) / (more.height - less.height)
    most = MAX_CELL if figure.blocks else MAX_LARGE
    m = _measures(figure, min(wide, down * MAX_WIDE, most), min(down, wide * MAX_HIGH, most))
    drawing = arrange(figure, m)
    if drawing.width > ROOM and figure.blocks:  # the last title is wider than its cells
        others = sum(block.counts[2] for block in figure.rows[0].blocks[:-1]) * across(figure)
        narrower = m.cell[0] - (drawing.width - ROOM) / max(others, 1)
        m = _measures(figure, narrower, min(m.cell[1], narrower * MAX_HIGH))
        drawing = arrange(figure, m)
    fits = drawing.width <= ROOM + 1 and drawing.height <= room + 1 and m.numeral >= LEAST
    return drawing if fits else None


def _measures(figure: Figure, across: float, down: float) -> Metrics:
    """The measures for cells of a size; without cells, for shapes in type of that size."""
    if not figure.blocks:
        return PAPER._replace(numeral=min(across, down), large=min(across, down))
    letters = max(figure.longest, 2) * NARROW
    numeral = min(down * 0.62, across * 0.86 / letters, MAX_NUMERAL)
    return PAPER._replace(cell=(across, down), numeral=numeral)


# Colors

TONES = {
    **{tone: Role(tone.value) for tone in Tone if tone.value in {*map(str, Role)}},
    Tone.PLAIN: Role.LABEL,
    Tone.STRETCH: Role.HEADING,
    Tone.EQUAL: Role.GHOST,
    Tone.NO: Role.CLASH,
    Tone.CONDITION: Role.DEPENDS,
}
"""How the text of a sheet is drawn: `Role` has most tones too."""


class Tint(NamedTuple):
    """The colors of one operand, or of the result."""

    fill: str
    stroke: str
    ink: str
    """Of its name and its numbers."""


# Every ink stands out from its ground by at least 4.5 to 1.
WHITE, INK, FAINT, CLASH = "#ffffff", "#111111", "#555555", "#b00020"
GOOD, MAYBE = "#0a5c1f", "#7a4b00"
OPERANDS = (
    Tint("#cfe4fa", "#0b4f8a", "#083a66"),
    Tint("#ffe3bd", "#9a4a00", "#6b3300"),
    Tint("#d6f0d6", "#1d6b2a", "#154d1e"),
    Tint("#ecdcf7", "#6a2c91", "#4d2069"),
)
RESULT = Tint("#ededed", "#333333", "#111111")


def tint_of(number: int) -> Tint:
    """The colors of an operand by its number; -1 is the result."""
    return RESULT if number < 0 else OPERANDS[number % len(OPERANDS)]


def words(role: Role, tint: int = -1) -> str:
    """The color of a text."""
    if role in (Role.TITLE, Role.STORED, Role.RESULT):
        return tint_of(tint).ink
    if role in (Role.GHOST, Role.REPEATED, Role.NOTE):
        return FAINT
    if role in (Role.CLASH, Role.DIFFERS):
        return CLASH
    return {Role.YES: GOOD, Role.DEPENDS: MAYBE}.get(role, INK)


_BOLD = {
    *(Role.STORED, Role.RESULT, Role.DIFFERS, Role.TITLE, Role.SIGN),
    *(Role.HEADING, Role.CLASH, Role.YES, Role.DEPENDS),
}
"""The parts that are bold, so that they also show in black and white."""
STROKE = 2.5
HEAD = 12
"""The length of an arrow's head."""
CORNER = (1244, 710)
"""Where the number of a slide ends."""
EMPTY = (Role.REPEATED, Role.SURPLUS)
"""Shapes without a fill."""


class Svg:
    """A drawing as a file, with its title and a description in words.

    `sources` covers each cell of a result with an area that a page's script reads: it highlights
    the sources of the cell that is pointed at.
    """

    def __init__(
        self, drawing: Drawing, title: str, description: str, *, sources: bool = False
    ) -> None:
        """Write the marks; their hash makes class and id names unique on a page."""
        areas = list(_areas(drawing)) if sources else []
        body = [element for mark in drawing.marks for element in _element(mark, bool(areas))]
        if areas:
            over = f'<g fill="none" stroke="{INK}" stroke-width="0" pointer-events="all">'
            body = ['<g aria-hidden="true">', *body, "</g>", over, *areas, "</g>"]
        self.drawing, self._body = drawing, body
        self._title, self._description, self.has_sources = title, description, bool(areas)
        self._name = "b" + sha256("\n".join([title, description, *body]).encode()).hexdigest()[:8]

    def written(self, *, number: int | None = None, scales: bool = False) -> str:
        """Its text; a slide may have a number in the corner, and the width of its place."""
        name = f"{self._name}{number or ''}"
        width, height = _number(self.drawing.width), _number(self.drawing.height)
        size = "" if scales else f' width="{width}" height="{height}"'
        ground = f'<rect width="{width}" height="{height}" fill="{WHITE}"/>'
        place = f'x="{CORNER[0]}" y="{CORNER[1]}" font-size="24" text-anchor="end"'
        corner = f'<text class="number" {place} fill="{FAINT}">{number}</text>'
        lines = (
            (
                f'<svg xmlns="http://www.w3.org/2000/svg"{size}'
                f' viewBox="0 0 {width} {height}" font-family="{SANS}" font-size="24"'
                f' text-rendering="geometricPrecision"'  # else letters are wider at some scales
                f' fill="{INK}" role="{"group" if self.has_sources else "img"}"'
                f' aria-labelledby="{name}-title {name}-description">'
            ),
            f'<title id="{name}-title">{escape(escaped(self._title))}</title>',
            f'<desc id="{name}-description">{escape(escaped(self._description))}</desc>',
            ground,
            *(sub('^(<[a-z]+ class=")', rf"\1{name}-", line) for line in self._body),
            *([corner] if number else []),
            "</svg>\n",
        )
        return "\n".join(lines)


def _areas(drawing: Drawing) -> Iterator[str]:
    """An area over each cell of a result, with its sources in words and as keys."""
    for mark in drawing.marks:
        if isinstance(mark, Box) and mark.cell and mark.cell.sources:
            keys = " ".join(_key(mark.row, element) for element in mark.cell.sources)
            label = escape(escaped(mark.cell.in_words), {'"': "&quot;"})
            place = _attributes(x=mark.x, y=mark.y, width=mark.width, height=mark.height)
            yield f'<rect {place} tabindex="0" role="img" data-from="{keys}" aria-label="{label}"/>'


def _key(row: int, element: Element) -> str:
    """A key for an element, unique in the drawing."""
    return ".".join(map(str, (row, element.operand, *element.at)))


def _element(mark: Mark, with_keys: bool) -> Iterator[str]:
    key = ""
    if with_keys and isinstance(mark, Text | Box) and mark.cell and mark.cell.element:
        key = f' data-at="{_key(mark.row, mark.cell.element)}"'
    if isinstance(mark, Text):
        yield _text(mark, key)
    elif isinstance(mark, Box):
        place = _attributes(x=mark.x, y=mark.y, width=mark.width, height=mark.height)
        look = _paint(mark.role, mark.tint)
        yield f"<rect {_class(mark)}{key} {place} {look}/>"
    else:
        yield from _arrow(mark)


def _text(mark: Text, key: str) -> str:
    """A text; its baseline is set by its size, since few programs know of others."""
    place = _attributes(x=mark.x, y=mark.y + 0.35 * mark.size)
    look = f'font-size="{_number(mark.size)}" fill="{words(mark.role, mark.tint)}"'
    if mark.role in _BOLD:
        look += ' font-weight="bold"'
    if mark.anchor != "start":
        look += f' text-anchor="{mark.anchor}"'
    space = ' xml:space="preserve"' if "  " in mark.text else ""
    text = escape(escaped(mark.text))
    return f"<text {_class(mark)}{key} {place} {look}{space}>{text}</text>"


def _paint(role: Role, tint: int) -> str:
    """The fill and the stroke of a shape."""
    color = tint_of(tint)
    fill, stroke, width = color.fill, color.stroke, STROKE
    if role in EMPTY:
        fill = "none"
    if role in (Role.SURPLUS, Role.DIFFERS):
        stroke, width = CLASH, STROKE * 2
    dashes = ' stroke-dasharray="7 5"' if role is Role.REPEATED else ""
    return f'fill="{fill}" stroke="{stroke}" stroke-width="{_number(width)}"{dashes}'


def _arrow(mark: Arrow) -> Iterator[str]:
    dx, dy = (1, 0) if mark.y1 == mark.y2 else (0, 1)
    x2, y2 = mark.x2 - dx * HEAD, mark.y2 - dy * HEAD
    wide, high = dy * HEAD * 0.6, dx * HEAD * 0.6
    points = (mark.x2, mark.y2), (x2 - wide, y2 - high), (x2 + wide, y2 + high)
    text = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    yield f'<polygon {_class(mark)} points="{text}" fill="{INK}"/>'
    place = _attributes(x1=mark.x1, y1=mark.y1, x2=x2, y2=y2)
    look = f'stroke="{INK}" stroke-width="{_number(STROKE * 1.4)}"'
    yield f"<line {_class(mark)} {place} {look}/>"


def _class(mark: Mark) -> str:
    return f'class="{mark.role.value}{mark.tint if mark.tint >= 0 else ""}"'


def _attributes(**values: float) -> str:
    return " ".join([f'{name}="{_number(value)}"' for name, value in values.items()])


def _number(value: float) -> str:
    """A number of few digits: the same file wherever it is made.

    >>> _number(2.0), _number(1.26)
    ('2', '1.3')
    """
    return f"{value:.1f}".removesuffix(".0")
