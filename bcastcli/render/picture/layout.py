"""The layout of a figure: a place for every block, arrow and word, in pixels or in characters.

The same code lays out for paper and for a terminal; what differs is in `Metrics`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from math import log
from typing import NamedTuple

from bcastcli.render.picture.figure import (
    Arrow,
    Block,
    Cell,
    Extent,
    Figure,
    Kind,
    Row,
    Size,
    Step,
    Way,
)
from bcastcli.render.picture.marks import (
    Box,
    Cross,
    Drawing,
    Line,
    Mark,
    Polygon,
    Role,
    Text,
    moved,
)
from bcastcli.render.picture.type import measure, wrapped

MAX_SLANTED = 3
"""Axes of a block in perspective; blocks of more axes have a bar for each."""
BAR = 6
"""The length of the longest bar, in cells."""
MAX_ASPECT = 2.3
"""How much wider than high a cell may be."""
MIN_CELL = 24.0
"""Where cells would be smaller, the figure outgrows its room."""
MIN_LABEL = 72
"""The label of a row is not wrapped to less than that."""
DIGIT = measure("0", 1, Role.STORED)
LEGIBLE = 32.0
"""The size of numbers below which a larger cell is worth more than its area."""


class Metrics(NamedTuple):
    """The measures of a medium."""

    cell: tuple[float, float]
    """From one cell to the next, across and down."""
    gap: float
    """Between neighbouring cells."""
    edge: float
    """The width that the border of the last cell adds to a block."""
    line: float
    """The height of a line of words."""
    type: float
    """The size of the type of words."""
    space: float
    """Between blocks side by side, where the sign stands."""
    lane: tuple[float, float]
    """The width of an arrow that points down, and the height of one that points across."""
    measure: Callable[[str, Role], float]
    """The width of a text of a role in the type of words."""
    shape: Callable[[Sequence[Size]], str]
    numeral: float = 1
    """The size of the type in cells."""
    slanted: bool = True
    """Whether a block can be drawn in perspective."""
    glyphs: bool = False
    """Whether a cell is one character, without a number."""

    def width(self, text: str, role: Role = Role.LABEL) -> float:
        """Return the width of a text in the type of words."""
        return self.measure(text, role)

    def wrapped(self, text: str, width: float, role: Role = Role.LABEL) -> list[str]:
        """Return a text as lines no wider than `width`, unless one word alone is."""
        return wrapped(text, width, partial(self.width, role=role))


class Arrangement(NamedTuple):
    """How the blocks of a row stand."""

    stacked: bool
    """Below each other, or side by side."""
    layers_across: bool
    """Whether the layers of a block stand side by side."""


ARRANGEMENTS = tuple(Arrangement(*flags) for flags in product((False, True), repeat=2))


class _Placed(NamedTuple):
    """Marks from 0, 0 on, their size, and where the cells of it begin and end."""

    marks: list[Mark]
    width: float
    height: float
    left: float = 0
    top: float = 0
    bottom: float = 0

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def arrangements(figure: Figure) -> list[Arrangement]:
    """Return how its blocks may stand: operands that clash run side by side along that axis."""
    has_layers = any(len(block.layers) > 1 for block in figure.blocks)
    ways = [way for way in ARRANGEMENTS if has_layers or not way.layers_across]
    if has_layers and any(block.letters for block in figure.blocks):
        ways = [way for way in ways if way.layers_across]
    crosses = {row.cross for row in figure.rows} - {None}
    if len(figure.rows) != 1 or not figure.blocks or not figure.blocks[0].layers:
        return [way for way in ways if not way.stacked]
    if Way.ACROSS in crosses:
        return [way for way in ways if way.stacked]
    if crosses:
        return [way for way in ways if not way.stacked]
    return ways


def arrange(figure: Figure, metrics: Metrics, arrangement: Arrangement) -> Drawing:
    """Return the blocks of a figure, without its captions."""
    placed = [_row(figure, row, metrics, arrangement, number) for number, row in _rows(figure)]
    marks: list[Mark] = []
    y = width = 0.0
    room = max(metrics.width("n" * MIN_LABEL), *(part.width for part in placed), 0)
    for row, part in zip(figure.rows, placed, strict=True):
        if row.label:
            y += metrics.line / 4 if y and metrics.edge == 0 else 0
            role = Role.CLASH if row.refused else Role.HEADING
            for label in metrics.wrapped(row.label, room, role):
                marks.append(Text(0, y + metrics.line / 2, label, metrics.type, role))
                width = max(width, metrics.width(label, role))
                y += metrics.line
        marks += moved(part.marks, 0, y)
        width, y = max(width, part.width), y + part.height
    return Drawing(tuple(marks), width, y)


def captions(figure: Figure, metrics: Metrics, width: float) -> Drawing:
    """Return what is said below the blocks: sentences that share lines where they fit."""
    marks: list[Mark] = []
    y = reach = 0.0
    notes = (*_legend(figure, metrics), *figure.captions)
    for words, step in ((figure.comparisons, Step.COMPARE), (notes, Step.STRETCH)):
        clashes = any(row.cross or row.crossed for row in figure.rows)
        role = Role.NOTE if step is Step.STRETCH else Role.CLASH if clashes else Role.LABEL
        for line in _flowed(words, metrics, width, role):
            marks.append(Text(0, y + metrics.line / 2, line, metrics.type, role, step=step))
            y += metrics.line
            reach = max(reach, metrics.width(line, role))
    return Drawing(tuple(marks), reach, y)


def _legend(figure: Figure, m: Metrics) -> Iterator[str]:
    """The key to the marks of stored and repeated elements."""
    has_cells = any(block.layers for block in figure.blocks)
    if m.slanted and figure.captions and not has_cells and len(figure.axes) == MAX_SLANTED:
        yield "{} runs back, {} down, {} across".format(*figure.axes)
    if not figure.legend:
        return
    if not has_cells:
        if not m.slanted:
            yield f"{BARS[Role.STORED]} stored; {BARS[Role.REPEATED]} repeated, not stored"
    elif m.glyphs:
        yield f"{GLYPHS[Kind.STORED]} stored; {GLYPHS[Kind.REPEATED]} repeated, not stored"
    else:
        first = "bold" if figure.longest else "filled"
        yield f"{first}: stored; dashed: repeated, not stored"
    if figure.has(Kind.DIFFERS) and not m.glyphs:
        yield f"{'!' if m.edge else 'framed'}: another value than in the first row"


def _flowed(sentences: Sequence[str], metrics: Metrics, width: float, role: Role) -> Iterator[str]:
    """Sentences on lines, wrapped between words."""
    line = ""
    for sentence in sentences:
        joined = f"{line}   {sentence}" if line else sentence
        if metrics.width(joined, role) <= width:
            line = joined
            continue
        if line:
            yield line
        *full, line = metrics.wrapped(sentence, width, role)
        yield from full
    if line:
        yield line


def fitted(
    figure: Figure, metrics: Metrics, width: float, height: float, at_most: float = 240
) -> Drawing:
    """Return the figure with cells as large as a room of this size allows, centred in it."""
    below = captions(figure, metrics, width)
    room = height - below.height - (metrics.line / 2 if below.height else 0)
    best: Drawing | None = None
    area = 0.0
    for way in arrangements(figure):
        drawing, cell = _largest(figure, metrics, way, width, room, at_most)
        size = cell[0] * cell[1] * min(1, _numeral(figure, *cell) / LEGIBLE) ** 2
        # Side by side reads as an equation: it is given up only for cells that are much larger.
        if best is None or size > area * (1.35 if way.stacked else 1):
            best, area = drawing, size
    if best is None:
        best = Drawing((), 0, 0)
    height = max(height, height - room + best.height)
    room = max(room, best.height)
    marks = moved(best.marks, max(0, width - best.width) / 2, (room - best.height) / 2)
    marks += moved(below.marks, max(0, width - below.width) / 2, height - below.height)
    return Drawing(tuple(marks), max(width, best.width), height)


def _numeral(figure: Figure, across: float, down: float) -> float:
    """The size of the type that a cell has room for."""
    return min(down * 0.58, (across - 12) / max(figure.longest, 2) / DIGIT)


def _largest(
    figure: Figure,
    metrics: Metrics,
    way: Arrangement,
    width: float,
    height: float,
    at_most: float,
) -> tuple[Drawing, tuple[float, float]]:
    """The drawing with the largest cells that fit, and their size."""

    def drawn(across: float, down: float) -> Drawing:
        numeral = max(_numeral(figure, across, down), 1)
        sized = metrics._replace(cell=(across, down), numeral=numeral)
        return arrange(figure, sized, way)

    low, high = [MIN_CELL, MIN_CELL], [at_most, at_most]
    for _ in range(9):
        middle = [(one + other) / 2 for one, other in zip(low, high, strict=True)]
        tried = drawn(*middle)
        for place, fits in enumerate((tried.width <= width, tried.height <= height)):
            (low if fits else high)[place] = middle[place]
    across = min(low[0], low[1] * MAX_ASPECT)
    down = min(low[1], across * 1.1)
    return drawn(across, down), (across, down)


def _rows(figure: Figure) -> list[tuple[int, Row]]:
    return list(enumerate(figure.rows))


def _row(figure: Figure, row: Row, m: Metrics, way: Arrangement, number: int) -> _Placed:
    """A row of blocks with the signs between them."""
    if not row.blocks:
        return _Placed([], 0, 0)
    if not row.blocks[0].layers:
        is_slanted = m.slanted and all(len(b.extents) <= MAX_SLANTED for b in row.blocks)
        if not is_slanted:
            return _bars(figure, row, m)
    titled = number == next(n for n, other in enumerate(figure.rows) if other.blocks)
    return (_stacked if way.stacked else _side_by_side)(figure, row, m, way, titled)


def _step(block: Block) -> Step:
    """The step in which a block appears."""
    return Step.RESULT if block.tint < 0 else Step.ALIGN


def _title(block: Block, m: Metrics) -> str:
    return f"{block.name} {m.shape(block.shape)}"


def _side_by_side(figure: Figure, row: Row, m: Metrics, way: Arrangement, titled: bool) -> _Placed:
    lanes = (
        max(_lane(other.blocks[n], m) for other in figure.rows if n < len(other.blocks))
        for n in range(len(row.blocks))
    )
    parts = [
        _block(figure, block, m, way, lane) for block, lane in zip(row.blocks, lanes, strict=True)
    ]
    over = m.line + _pad(m) if titled else 0
    top = max(part.top for part in parts)
    middle = over + top + max(part.bottom - part.top for part in parts) / 2
    marks: list[Mark] = []
    x = height = 0.0
    ends: list[float] = []
    for block, sign, part in zip(row.blocks, row.signs, parts, strict=True):
        step = _step(block)
        if sign and not row.crossed:
            marks.append(
                Text(x + m.space / 2, middle, sign, _sign(m), Role.SIGN, anchor="middle", step=step)
            )
            x += m.space
        elif sign or x:
            x += m.space
        title = _title(block, m)
        left = x
        if titled:
            marks.append(_named(block, title, x + part.left, m.line / 2, m, step))
        y = over + top - part.top
        marks += moved(part.marks, left, y)
        width = max(part.width, part.left + _reach(block, m) if titled else 0)
        x += width
        ends.append(x)
        height = max(height, y + part.height)
    if row.crossed and len(parts) > 1:
        marks.append(Cross(ends[0] + m.space / 2, middle, _cross(m)))
    if row.cross is not None:
        cross = _missing(row, parts, m, over, top)
        marks.append(cross)
        if m.edge == 0:
            height = max(height, cross.y + cross.size / 2)
    return _Placed(marks, x, height)


def _missing(row: Row, parts: list[_Placed], m: Metrics, over: float, top: float) -> Cross:
    """The cross beside the shorter of two operands, where its partners are missing."""
    place = next(n for n, block in enumerate(row.blocks) if block.surplus is None)
    x = 0.0
    for n, part in enumerate(parts[: place + 1]):
        x += m.space if n else 0
        if n < place:
            x += max(part.width, part.left + _reach(row.blocks[n], m))
    part = parts[place]
    longest = max(other.bottom - other.top for other in parts)
    own = part.bottom - part.top
    y = over + top + (own + longest) / 2
    return Cross(x + part.left + row.blocks[place].counts[2] * m.cell[0] / 2, y, _cross(m))


def _larger(m: Metrics) -> float:
    """How much larger names are than words."""
    return 1.08 if m.slanted else 1


def _reach(block: Block, m: Metrics) -> float:
    """The width of a block's name and shape, in bold type."""
    return m.width(_title(block, m), Role.TITLE) * _larger(m)


def _pad(m: Metrics) -> float:
    """The room between a title and its block on paper."""
    return 0 if m.edge else m.line / 5


def _sign(m: Metrics) -> float:
    return m.type * 1.9


def _cross(m: Metrics) -> float:
    return min(m.cell[0], m.cell[1]) * 0.66


def _named(block: Block, title: str, x: float, y: float, m: Metrics, step: Step) -> Text:
    return Text(x, y, title, m.type * _larger(m), Role.TITLE, block.tint, step=step)


def _stacked(figure: Figure, row: Row, m: Metrics, way: Arrangement, titled: bool) -> _Placed:
    lane = max(_lane(block, m) for block in row.blocks)
    parts = [_block(figure, block, m, way, lane) for block in row.blocks]
    sign = float(int(m.space * 0.7)) if any(row.signs) else 0.0
    names = sign + max(_reach(block, m) for block in row.blocks)
    names += 2 * m.width(" ")
    marks: list[Mark] = []
    y = width = 0.0
    reach = max(part.width for part in parts)
    for block, before, part in zip(row.blocks, row.signs, parts, strict=True):
        step = _step(block)
        y += m.line / 3 if y and m.edge == 0 else 0
        if before:
            marks.append(Text(0, y + part.middle, before, _sign(m), Role.SIGN, step=step))
        marks.append(_named(block, _title(block, m), sign, y + part.middle, m, step))
        marks += moved(part.marks, names, y)
        if row.cross is not None and block.surplus is None:
            start = names + part.left + block.counts[2] * m.cell[0] + m.edge
            missing = names + reach - start
            middle = y + part.middle
            if missing < m.cell[0] / 2:
                start, missing = names + reach, m.cell[0]
            marks.append(Cross(start + missing / 2, middle, _cross(m)))
        y += part.height
        width = max(width, names + part.width)
    if row.crossed:
        marks.append(Cross(width + m.cell[0] / 2, y / 2, _cross(m)))
        width += m.cell[0]
    return _Placed(marks, width, y)


def _lane(block: Block, m: Metrics) -> float:
    """The width of what stands left of a block: an arrow, a letter, a slot."""
    ways = [arrow.way for arrow in block.arrows]
    lane = m.lane[0] if Way.DOWN in ways else 0
    lane += sum(m.width(f"{letter} ") for way, letter in block.letters if way is Way.DOWN)
    if block.slot and block.slot.way is Way.DOWN:
        lane += m.width(f"{block.slot.label} ", Role.SLOT)
    return lane


def _block(figure: Figure, block: Block, m: Metrics, way: Arrangement, lane: float) -> _Placed:
    """The cells of a block, with its arrows, letters and what is boxed."""
    if not block.layers:
        return _slanted(figure, block, m)
    _, rows, columns = block.counts
    wide, high = columns * m.cell[0] + m.edge, rows * m.cell[1] + m.edge
    named = m.line if len(figure.layer_labels) > 1 else 0.0
    above = _above(block, m)
    step = (
        (wide + (2 if m.edge else m.cell[0] / 2), 0.0)
        if way.layers_across
        else (0.0, named + high + (0.0 if m.edge else m.line / 4))
    )
    marks: list[Mark] = []
    tops = []
    for number, layer in enumerate(block.layers):
        x, y = lane + number * step[0], above + number * step[1]
        if named:
            text, shown = figure.layer_labels[number], _layer_step(layer)
            marks.append(Text(x, y + m.line / 2, text, m.type, Role.GHOST, block.tint, step=shown))
        tops.append((x, y + named))
        for (r, cells), c in product(enumerate(layer), range(columns)):
            place = x + c * m.cell[0], y + named + r * m.cell[1]
            marks += _cell(cells[c], block, *place, m)
    left, top = tops[0]
    right, bottom = tops[-1][0] + wide, tops[-1][1] + high
    marks += _slot(block, m, left, top, high)
    marks += _letters(block, m, (left + wide / 2, above - m.line / 2), top + high / 2)
    marks += _surplus(block, m, tops, (wide, high))
    for arrow in block.arrows:
        marks += _arrow(arrow, m, tops, (wide, high))
    below = bottom
    if any(arrow.way is Way.ACROSS for arrow in block.arrows):
        below += m.lane[1]
    if any(arrow.label for arrow in block.arrows):
        text = "  ".join(arrow.label for arrow in block.arrows)
        marks.append(
            Text(left, below + m.line / 2, text, m.type, Role.ARROW, block.tint, step=Step.COMPARE)
        )
        right = max(right, left + m.width(text))
        below += m.line
    return _Placed(marks, right, below, left, top, bottom)


def _above(block: Block, m: Metrics) -> float:
    """The height of what stands above the cells of a block."""
    is_named = Way.ACROSS in dict(block.letters)
    return m.line if is_named or (block.slot and block.slot.way is Way.ACROSS) else 0.0


def _letters(block: Block, m: Metrics, over: tuple[float, float], beside: float) -> Iterator[Mark]:
    """The framework's own names of the axes."""
    for way, letter in block.letters:
        place = over if way is Way.ACROSS else (m.width(letter) / 2, beside)
        yield Text(*place, letter, m.type * _larger(m), Role.LABEL, anchor="middle")


def _layer_step(layer: tuple[tuple[Cell, ...], ...]) -> Step:
    """The step in which a layer appears."""
    kinds = {cell.kind for cells in layer for cell in cells}
    if kinds <= {Kind.RESULT, Kind.DIFFERS}:
        return Step.RESULT
    return Step.STRETCH if kinds == {Kind.REPEATED} else Step.ALIGN


_STEPS = {Kind.REPEATED: Step.STRETCH, Kind.RESULT: Step.RESULT, Kind.DIFFERS: Step.RESULT}
GLYPHS = {Kind.STORED: "■", Kind.REPEATED: "□", Kind.OUTLINE: "▫"}


def _cell(cell: Cell, block: Block, x: float, y: float, m: Metrics) -> Iterator[Mark]:
    role, step = Role(cell.kind.value), _STEPS.get(cell.kind, Step.ALIGN)
    across, down = m.cell
    if m.glyphs:
        glyph = GLYPHS.get(cell.kind, GLYPHS[Kind.STORED])
        yield Text(x, y + down / 2, glyph, m.numeral, role, block.tint, step=step)
        return
    width, height = across - m.gap, down - m.gap
    yield Box(x, y, width, height, role, block.tint, step)
    if cell.text:
        middle = x + (width + m.edge) / 2, y + (height + m.edge) / 2
        text = cell.text.rjust(round(across) - 3) if m.edge else cell.text
        if m.edge and cell.kind is Kind.DIFFERS:  # it stands out without its color too
            text = f"!{text} "
        yield Text(*middle, text, m.numeral, role, block.tint, "middle", step)


def _slot(block: Block, m: Metrics, x: float, y: float, height: float) -> Iterator[Mark]:
    """The axis on which an operand was put."""
    if block.slot is None:
        return
    place = x, y - m.line / 2
    if block.slot.way is Way.DOWN:
        has_arrow = any(arrow.way is Way.DOWN for arrow in block.arrows)
        aside = m.width(f"{block.slot.label} ", Role.SLOT) + (m.lane[0] if has_arrow else 0)
        place = x - aside, y + height / 2
    yield Text(*place, block.slot.label, m.type, Role.SLOT, block.tint)


def _surplus(
    block: Block, m: Metrics, tops: list[tuple[float, float]], size: tuple[float, float]
) -> Iterator[Mark]:
    """A box around the cells without partners."""
    if block.surplus is None or m.glyphs:
        return
    way, start = block.surplus
    pad = m.gap
    for number, (x, y) in enumerate(tops):
        dx = start * m.cell[0] if way is Way.ACROSS else 0
        dy = start * m.cell[1] if way is Way.DOWN else 0
        if way is Way.LAYERS and number < start:
            continue
        width, height = size[0] - dx - m.gap, size[1] - dy - m.gap
        if m.edge:
            width, height = width - m.edge, height - m.edge
        box = (x + dx - pad, y + dy - pad, width + 2 * pad, height + 2 * pad)
        yield Box(*box, Role.SURPLUS, step=Step.COMPARE)


def _arrow(
    arrow: Arrow,
    m: Metrics,
    tops: list[tuple[float, float]],
    size: tuple[float, float],
) -> Iterator[Mark]:
    """The arrow along an axis that stretches; layers have none, since they stand apart."""
    (x, _), (_, last) = tops[0], tops[-1]
    wide, high = size
    if arrow.way is Way.ACROSS:
        y = last + high + m.lane[1] / 2
        end = x + wide - m.gap - (1 if m.edge else 0)
        yield Line(x, y, end, y, Role.ARROW, step=Step.STRETCH, head=True)
    elif arrow.way is Way.DOWN:
        at = x - m.lane[0] / 2
        for _, y in tops if len({y for _, y in tops}) > 1 else tops[:1]:
            yield Line(at, y, at, y + high - m.gap, Role.ARROW, step=Step.STRETCH, head=True)


BARS = {Role.STORED: "█", Role.RESULT: "█", Role.REPEATED: "░", Role.OPEN: "?"}


def _length(size: Size, largest: int) -> float:
    """How long an edge or bar is drawn, of 1: by the logarithm; an unknown size is as the largest.

    >>> _length(1, 256) < _length(3, 256) < _length(256, 256)
    True
    """
    if not isinstance(size, int):
        return 1
    if size <= 1:
        return 0.16 if size else 0
    return 0.16 + 0.84 * log(size) / log(max(largest, 2))


def _largest_size(figure: Figure) -> int:
    sizes = (extent.length for block in figure.blocks for extent in block.extents)
    return max((size for size in sizes if isinstance(size, int)), default=1)


SLANT = (0.45, -0.38)
"""Where an edge that runs away from the reader ends, for a length of 1."""


def _slanted(figure: Figure, block: Block, m: Metrics) -> _Placed:
    """A block in perspective: solid where it is stored, dashed where it is repeated."""
    most = _largest_size(figure)
    unit = m.cell[0] * 3, m.cell[1] * 3
    none = Extent("", 0)
    depth, down, across = (none,) * (MAX_SLANTED - len(block.extents)) + block.extents
    x, y, z = (_length(extent.length, most) for extent in (across, down, depth))
    whole = x * unit[0], y * unit[1], z
    own = tuple(
        _length(1, most) if extent.stretched else length
        for extent, length in zip((across, down, depth), (x, y, z), strict=True)
    )
    rise = -SLANT[1] * unit[1]
    deepest = (_length(b.extents[0].length, most) for b in figure.blocks if len(b.extents) > 2)
    top = rise * max(deepest, default=0)
    tone = {extent: Role.CLASH if extent.clashes else Role.LABEL for extent in block.extents}
    left = m.width(f"{down.label} ", tone.get(down, Role.LABEL))
    role = Role.RESULT if block.tint < 0 else Role.STORED
    step = _step(block)
    if any(extent.depends for extent in block.extents):
        role = Role.OPEN
    marks: list[Mark] = []
    if any(extent.stretched for extent in block.extents):
        marks += _faces(left, top, whole, unit, Role.REPEATED, block.tint, Step.STRETCH)
    marks += _faces(
        left, top, (own[0] * unit[0], own[1] * unit[1], own[2]), unit, role, block.tint, step
    )
    width, height = whole[0], whole[1]
    if down.label:
        marks.append(
            Text(
                left - m.width(" "),
                top + height / 2,
                down.label,
                m.type,
                tone[down],
                anchor="end",
                step=step,
            )
        )
    reach = left + width + z * SLANT[0] * unit[0]
    if across.label:
        marks.append(
            Text(left, top + height + m.line * 0.6, across.label, m.type, tone[across], step=step)
        )
        reach = max(reach, left + m.width(across.label, tone[across]))
    if depth.label:
        dx, dy = z * SLANT[0] * unit[0], z * SLANT[1] * unit[1]
        at = left + width + dx / 2 + m.line / 4, top + height + dy / 2 + m.line / 2
        marks.append(Text(*at, depth.label, m.type, tone[depth], step=step))
        reach = max(reach, at[0] + m.width(depth.label, tone[depth]))
    return _Placed(marks, reach, top + height + m.line * 1.2, left, top, top + height)


def _faces(
    x: float,
    y: float,
    size: tuple[float, float, float],
    unit: tuple[float, float],
    role: Role,
    tint: int,
    step: Step,
) -> Iterator[Polygon]:
    """The front, the top and the right side of a block."""
    width, height, z = size
    dx, dy = z * SLANT[0] * unit[0], z * SLANT[1] * unit[1]
    right, low = x + width, y + height
    front = (x, y), (right, y), (right, low), (x, low)
    over = (x, y), (x + dx, y + dy), (right + dx, y + dy), (right, y)
    side = (right, y), (right + dx, y + dy), (right + dx, low + dy), (right, low)
    for shade, face in enumerate((front, over, side)):
        yield Polygon(face, role, tint, step, shade)


def _bars(figure: Figure, row: Row, m: Metrics) -> _Placed:
    """A line for each axis, and on it a bar for each block."""
    most = _largest_size(figure)
    longest = BAR * m.cell[0]
    high = min(max(m.line, m.cell[1]), 2 * m.line)
    above = m.line + _pad(m)
    marks: list[Mark] = []
    names = max((m.width(name) for name in figure.axes), default=0) + m.width("  ")
    for place, name in enumerate(figure.axes):
        marks.append(Text(0, above + (place + 0.5) * high, name, m.type, Role.LABEL))
    x = names
    middle = above + len(figure.axes) * high / 2
    for number, (block, sign) in enumerate(zip(row.blocks, row.signs, strict=True)):
        step = _step(block)
        if number:
            between = x - m.space / 2, middle
            if row.crossed and number == 1:
                marks.append(Cross(*between, min(m.line, m.space * 0.8)))
            else:
                marks.append(Text(*between, sign, _sign(m), Role.SIGN, anchor="middle", step=step))
        title = _title(block, m)
        marks.append(_named(block, title, x, m.line / 2, m, step))
        reach = _reach(block, m)
        for place, extent in enumerate(block.extents):
            y = above + place * high
            length = max(1.0, round(_length(extent.length, most) * BAR)) * m.cell[0]
            if extent.label and extent.length != 0:
                marks += _bar(extent, block, x, y, length, high, m, step)
            role = Role.CLASH if extent.clashes else Role.LABEL
            at = x + longest + m.width(" ")
            marks.append(Text(at, y + high / 2, extent.label, m.type, role, step=step))
            reach = max(reach, longest + m.width(f" {extent.label}", role))
        x += reach + m.space
    return _Placed(marks, max(0.0, x - m.space), above + len(figure.axes) * high)


def _bar(
    extent: Extent,
    block: Block,
    x: float,
    y: float,
    length: float,
    high: float,
    m: Metrics,
    step: Step,
) -> Iterator[Mark]:
    role = Role.RESULT if block.tint < 0 else Role.OPEN if extent.depends else Role.STORED
    stored = min(length, m.cell[0]) if extent.stretched else length
    pieces = [(x, stored, role, step)]
    if extent.stretched:
        pieces.append((x + stored, length - stored, Role.REPEATED, Step.STRETCH))
    for start, size, kind, shown in pieces:
        if size <= 0:
            continue
        if m.slanted:
            height = high * 0.7
            box = start, y + (high - height) / 2, size - m.gap, height
            yield Box(*box, kind, block.tint, shown)
        else:
            text = BARS[kind] * round(size)
            yield Text(start, y + high / 2, text, m.type, kind, block.tint, step=shown)
