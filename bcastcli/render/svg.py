"""A sheet as a slide: one SVG file that asks for nothing else."""

from collections.abc import Iterable, Iterator
from itertools import compress
from textwrap import wrap
from typing import NamedTuple
from xml.sax.saxutils import escape

from bcastcli.render import Style
from bcastcli.render.pages import LIGHT, MONOSPACE, PAPER, WEIGHTS, in_any_encoding, rules
from bcastcli.render.sheet import (
    Cell,
    Grid,
    Line,
    Sheet,
    Tone,
    label_width,
    size_widths,
    text_without_bracket,
)
from bcastcli.reports.answers import sign
from bcastcli.reports.picture import BAR, Block, Extent, Kind, Picture, axis_name

# A character of the text takes CHARACTER, whatever font there is: textLength sees to it.
FONT, CHARACTER, LEADING = 30, 18, 44
MARGIN = 40
SLIDE = (960, 540)
"""The least size: a small answer does not fill the wall."""
MIN_LINE = 48
"""Words are not wrapped to fewer characters than that."""
MAX_ACROSS = 1600
"""Blocks that would reach further go below the others."""
CELL, PITCH = 42, 50
UNIT, THICK = 27, 32


class Drawn(NamedTuple):
    """Elements, and the size of what they draw from the origin."""

    elements: list[str]
    width: int
    height: int


def show(sheet: Sheet, style: Style) -> str:
    """The sheet as a file."""
    body = _laid_out(sheet)
    width = max(SLIDE[0], body.width + 2 * MARGIN)
    height = max(SLIDE[1], body.height + 2 * MARGIN)
    text = "\n".join(
        (
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
                ' role="img" aria-labelledby="title description">'
            ),
            f'<title id="title">{escape(sheet.title)}</title>',
            f'<desc id="description">{escape(sheet.description)}</desc>',
            f"<style>\ntext{{font:{FONT}px {MONOSPACE};white-space:pre}}",
            f"{rules(LIGHT)}\n{WEIGHTS}\n.title text{{font-weight:bold}}\n</style>",
            f'<rect width="{width}" height="{height}" fill="{PAPER["light"]}"/>',
            _moved(body.elements, MARGIN, MARGIN),
            "</svg>\n",
        )
    )
    return in_any_encoding(text)


def _laid_out(sheet: Sheet) -> Drawn:
    """The parts below each other, or pictures beside the rest, whichever gives larger type."""
    labels = label_width(sheet)
    shapes = [
        figure(part) if isinstance(part, Picture) else _grid(part, labels)
        for part in sheet.parts
        if not isinstance(part, Line)
    ]
    line = max(MIN_LINE, *(shape.width // CHARACTER for shape in shapes), 0)
    title = _line(Line("", sheet.title), 0, line)
    drawn = iter(shapes)
    parts = [
        _line(part, labels, line) if isinstance(part, Line) else next(drawn) for part in sheet.parts
    ]
    heading = title._replace(elements=['<g class="title">', *title.elements, "</g>"])
    stacked = _stacked([heading, *parts])
    pictures = [isinstance(part, Picture) for part in sheet.parts]
    rest = [part for part, is_picture in zip(parts, pictures, strict=True) if not is_picture]
    beside = _beside(_stacked([heading, *rest]), _stacked(compress(parts, pictures)))
    return min(stacked, beside, key=_scale)


def _scale(drawn: Drawn) -> float:
    """By how much it is larger than a slide."""
    width, height = SLIDE
    return max(1, (drawn.width + 2 * MARGIN) / width, (drawn.height + 2 * MARGIN) / height)


def figure(picture: Picture) -> Drawn:
    """The blocks of a picture, with what is said of them below."""
    edge = _edge(picture)
    rows: list[Drawn] = []
    row = edge
    for before, block in picture.blocks:
        drawn = _block(picture, before, block)
        beside = _beside(row, drawn)
        if row is not edge and beside.width > MAX_ACROSS:
            rows.append(row)
            beside = _beside(edge, drawn)
        row = beside
    return _stacked([*rows, row, _words(picture)])


def _stacked(parts: Iterable[Drawn]) -> Drawn:
    """Parts below each other."""
    elements, width, height = [], 0, 0
    for part in parts:
        if part.elements:
            gap = LEADING // 3 if height else 0
            elements.append(_moved(part.elements, 0, height + gap))
            width, height = max(width, part.width), height + gap + part.height
    return Drawn(elements, width, height)


def _beside(left: Drawn, right: Drawn) -> Drawn:
    if not left.elements:
        return right
    start = left.width + 2 * CHARACTER
    elements = [*left.elements, _moved(right.elements, start, 0)]
    return Drawn(elements, start + right.width, max(left.height, right.height))


def _moved(elements: list[str], x: int, y: int) -> str:
    return "\n".join((f'<g transform="translate({x} {y})">', *elements, "</g>"))


def _text(text: str, tone: Tone, column: int, y: int = 0) -> str:
    """Text from a column of characters on, in a line that begins at y."""
    if not text:
        return ""
    return (
        f'<text class="{tone.value}" x="{column * CHARACTER}" y="{y + FONT}"'
        f' textLength="{len(text) * CHARACTER}" lengthAdjust="spacingAndGlyphs">'
        f"{escape(text)}</text>"
    )


def _line(line: Line, labels: int, width: int) -> Drawn:
    """A line of words, wrapped between words; no word is ever cut."""
    column = labels + 2 if line.label else 0
    kept = max(MIN_LINE, width - column)
    lines = wrap(line.text, kept, break_long_words=False, break_on_hyphens=False)
    elements = [_text(line.label, Tone.PLAIN, 0)] if line.label else []
    elements += (_text(text, line.tone, column, y * LEADING) for y, text in enumerate(lines))
    longest = max(map(len, lines), default=0)
    return Drawn(elements, (column + longest) * CHARACTER, len(lines) * LEADING)


def _grid(grid: Grid, labels: int) -> Drawn:
    sizes = size_widths(grid)
    columns = enumerate(zip(*grid.rows, strict=True))
    widths = [
        sizes.get(place) or max(len(cell.text) for cell in column) for place, column in columns
    ]
    if not grid.ruled:
        widths[0] = max(widths[0], labels)
    starts = [sum(widths[:place]) + 3 * place for place in range(len(widths))]
    if not grid.ruled:
        starts = [start - (place > 0) for place, start in enumerate(starts)]
    across = (starts[-1] + widths[-1] + 1) * CHARACTER
    elements: list[str] = []
    y = 0
    for number, body in enumerate(part for part in (grid.head, *grid.bodies) if part):
        if number and grid.ruled:
            y += LEADING // 4
            elements.append(f'<path class="rule" d="M0 {y}h{across}"/>')
            y += LEADING // 4
        for row in body:
            for place, cell in enumerate(row):
                room = sizes.get(place)
                indent = 0 if room is None else room - len(text_without_bracket(cell))
                elements += _cell(cell, starts[place] + indent, y)
            y += LEADING
    return Drawn(list(filter(None, elements)), across, y)


def _cell(cell: Cell, column: int, y: int) -> Iterator[str]:
    yield _text(cell.text, cell.tone, column, y)
    if cell.tone is Tone.CLASH:  # it stands out without its color too
        x, width = column * CHARACTER - 8, len(cell.text) * CHARACTER + 16
        yield f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{LEADING - 4}"/>'


def _edge(picture: Picture) -> Drawn:
    """What stands left of the blocks: the names of the layers, or of the axes with their signs."""
    if picture.by_cell:
        names, rows = picture.layer_names, len(picture.result.layers[0])
        step = rows * PITCH + LEADING // 2
        elements = [
            _text(name, Tone.PLAIN, 0, LEADING + place * step) for place, name in enumerate(names)
        ]
        return Drawn(elements, len(max(names, default="")) * CHARACTER, 0)
    names = [axis_name(axis) for axis in picture.axes]
    widest = max(map(len, names), default=0)
    elements, longest = [], 0
    for place, (name, axis) in enumerate(zip(names, picture.axes, strict=True)):
        y, mark = (place + 1) * LEADING, sign(axis)
        elements += [_text(name, Tone.PLAIN, 0, y), *_cell(mark, widest + 2, y)]
        longest = max(longest, len(mark.text))
    return Drawn(list(filter(None, elements)), (widest + 2 + longest) * CHARACTER, 0)


def _block(picture: Picture, before: str, block: Block) -> Drawn:
    """A block below its title."""
    elements = [_text(before, Tone.PLAIN, 0), _text(block.title, Tone.PLAIN, 2)]
    shapes = _cells(block) if picture.by_cell else _bars(block)
    if shapes.elements:
        elements.append(_moved(shapes.elements, 2 * CHARACTER, LEADING))
    width = 2 * CHARACTER + max(len(block.title) * CHARACTER, shapes.width)
    elements = ['<g class="block">', *filter(None, elements), "</g>"]
    return Drawn(elements, width, LEADING + shapes.height)


def _rect(kind: Kind, x: int, y: int, width: int, height: int) -> str:
    return f'<rect class="{kind.name.lower()}" x="{x}" y="{y}" width="{width}" height="{height}"/>'


def _cells(block: Block) -> Drawn:
    elements: list[str] = []
    y = width = 0
    for layer in block.layers:
        for row in layer:
            for place, stored in enumerate(row):
                kind = Kind.STORED if stored else Kind.REPEATED
                elements.append(_rect(kind, place * PITCH + 2, y + 2, CELL, CELL))
            width = len(row) * PITCH
            y += PITCH
        y += LEADING // 2
    return Drawn(elements, width, y - LEADING // 2)


def _bars(block: Block) -> Drawn:
    elements: list[str] = []
    for place, extent in enumerate(block.extents):
        elements += _bar(extent, place * LEADING)
    longest = max((len(extent.size) for extent in block.extents), default=0)
    width = BAR * UNIT + (longest + 1) * CHARACTER if block.extents else 0
    return Drawn(list(filter(None, elements)), width, len(block.extents) * LEADING)


def _bar(extent: Extent, y: int) -> Iterator[str]:
    x = 0
    for kind, amount in zip(Kind, (extent.stored, extent.repeated, extent.open), strict=True):
        if amount:
            yield _rect(kind, x + 2, y + 4, amount * UNIT - 4, THICK)
        if kind is Kind.OPEN and amount:
            yield _text("?", Tone.DEPENDS, amount * UNIT // CHARACTER // 2, y)
        x += amount * UNIT
    yield _text(extent.size, Tone.PLAIN, BAR * UNIT // CHARACTER + 1, y)


def _words(picture: Picture) -> Drawn:
    """What each kind of part means, and what else there is to say."""
    elements: list[str] = []
    lines: list[tuple[Kind | None, str]] = [(kind, kind.value) for kind in picture.kinds]
    lines += [(None, text) for text in picture.words]
    for place, (kind, text) in enumerate(lines):
        y = place * LEADING
        if kind:
            elements.append(f'<g class="key">{_rect(kind, 2, y + 6, 28, 28)}</g>')
        elements.append(_text(text, Tone.PLAIN, 3 if kind else 0, y))
    longest = max((len(text) + 3 for _, text in lines), default=0)
    return Drawn(elements, longest * CHARACTER, len(lines) * LEADING)
