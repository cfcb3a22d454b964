"""Marks as SVG that looks the same wherever it is embedded.

Colors, type and strokes are attributes of the elements: programs without CSS show the same, and a
page that the file is put into keeps its own rules and names.
"""

from collections.abc import Iterator
from hashlib import sha256
from re import sub
from xml.sax.saxutils import escape

from bcastcli.picture.figure import Element
from bcastcli.picture.marks import Box, Cross, Drawing, Line, Mark, Role, Text
from bcastcli.picture.metrics import BOLD, FIXED, SANS
from bcastcli.picture.themes import CLASH, FAINT, INK, PAPER, tint_of, words
from bcastcli.render.user_text import escaped

STROKE = 2.5
HEAD = 12
"""The length of an arrow's head."""
CORNER = (1244, 710)
"""Where the number of a slide ends."""
EMPTY = (Role.SIZE, Role.REPEATED, Role.OUTLINE, Role.SURPLUS)
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
        """Return its text; a slide may have a number in the corner, and the width of its place."""
        name = f"{self._name}{number or ''}"
        width, height = _number(self.drawing.width), _number(self.drawing.height)
        own = "" if scales else f' width="{width}" height="{height}"'
        ground = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
        place = f'x="{CORNER[0]}" y="{CORNER[1]}" font-size="24" text-anchor="end"'
        corner = f'<text class="number" {place} fill="{FAINT}">{number}</text>'
        lines = (
            (
                f'<svg xmlns="http://www.w3.org/2000/svg"{own}'
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
    """Yield an area over each cell of a result, with its sources in words and as keys."""
    for mark in drawing.marks:
        if isinstance(mark, Box) and mark.cell and mark.cell.sources:
            keys = " ".join(_key(mark.row, element) for element in mark.cell.sources)
            label = escape(escaped(mark.cell.in_words), {'"': "&quot;"})
            place = _attributes(x=mark.x, y=mark.y, width=mark.width, height=mark.height)
            yield f'<rect {place} tabindex="0" role="img" data-from="{keys}" aria-label="{label}"/>'


def _key(row: int, element: Element) -> str:
    """Return a key for an element, unique in the drawing."""
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
    elif isinstance(mark, Line):
        yield from _line(mark)
    else:
        yield from _cross(mark)


def _text(mark: Text, key: str) -> str:
    """Return a text; its baseline is set by its size, since few programs know of others."""
    place = _attributes(x=mark.x, y=mark.y + 0.35 * mark.size)
    look = f'font-size="{_number(mark.size)}" fill="{words(mark.role, mark.tint)}"'
    if mark.role in BOLD:
        look += ' font-weight="bold"'
    if mark.anchor != "start":
        look += f' text-anchor="{mark.anchor}"'
    if mark.fixed:
        look += f' font-family="{FIXED}"'
    space = ' xml:space="preserve"' if "  " in mark.text else ""
    text = escape(escaped(mark.text))
    return f"<text {_class(mark)}{key} {place} {look}{space}>{text}</text>"


def _paint(role: Role, tint: int) -> str:
    """Return the fill and the stroke of a shape."""
    color = tint_of(tint)
    fill, stroke, width = color.fill, color.stroke, STROKE
    if role in EMPTY:
        fill = "none"
    if role in (Role.SURPLUS, Role.DIFFERS):
        stroke, width = CLASH, STROKE * 2
    dashes = ' stroke-dasharray="7 5"' if role is Role.REPEATED else ""
    return f'fill="{fill}" stroke="{stroke}" stroke-width="{_number(width)}"{dashes}'


def _line(mark: Line) -> Iterator[str]:
    color = INK
    x2, y2 = mark.x2, mark.y2
    if mark.head:
        dx, dy = (1, 0) if mark.y1 == mark.y2 else (0, 1)
        x2, y2 = x2 - dx * HEAD, y2 - dy * HEAD
        wide, high = dy * HEAD * 0.6, dx * HEAD * 0.6
        points = (mark.x2, mark.y2), (x2 - wide, y2 - high), (x2 + wide, y2 + high)
        text = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        yield f'<polygon {_class(mark)} points="{text}" fill="{color}"/>'
    place = _attributes(x1=mark.x1, y1=mark.y1, x2=x2, y2=y2)
    look = f'stroke="{color}" stroke-width="{_number(STROKE * 1.4)}"'
    yield f"<line {_class(mark)} {place} {look}/>"


def _cross(mark: Cross) -> Iterator[str]:
    reach = mark.size / 2
    look = f'stroke="{CLASH}" stroke-width="{_number(max(6, mark.size / 9))}"'
    for side in (1, -1):
        place = _attributes(
            x1=mark.x - reach, y1=mark.y - side * reach, x2=mark.x + reach, y2=mark.y + side * reach
        )
        yield f'<line {_class(mark)} {place} {look} stroke-linecap="round"/>'


def _class(mark: Mark) -> str:
    role, tint = (Role.CLASH, -1) if isinstance(mark, Cross) else (mark.role, mark.tint)
    return f'class="{role.value}{tint if tint >= 0 else ""}"'


def _attributes(**values: float) -> str:
    return " ".join([f'{name}="{_number(value)}"' for name, value in values.items()])


def _number(value: float) -> str:
    """Return a number of few digits: the same file wherever it is made.

    >>> _number(2.0), _number(1.26)
    ('2', '1.3')
    """
    return f"{value:.1f}".removesuffix(".0")
