"""The layout of a figure: a place for every block, arrow and word, in pixels or in characters.

Paper and terminal share this layout; they differ only in their `Metrics`.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from bcastcli.render.picture.bars import BARS, in_bars
from bcastcli.render.picture.cells import GLYPHS, in_cells, lane_of
from bcastcli.render.picture.figure import Block, Direction, Figure, Kind, Row, Step
from bcastcli.render.picture.frames import in_boxes
from bcastcli.render.picture.marks import Cross, Drawing, Mark, Role, in_row, moved
from bcastcli.render.picture.metrics import Arrangement, Metrics, Placed, measure

MAX_ASPECT = 2.6
"""How much wider than high a cell may be."""
MIN_CELL = 24.0
"""Where cells would be smaller, the figure outgrows its room."""
MIN_LABEL = 72
"""The label of a row is not wrapped to less than that."""
LONG_NAME = 12
"""On paper the shape is below a name that is longer: the cells need the width."""
DIGIT = measure("0", 1, Role.STORED)
MIN_READABLE_TYPE = 32.0
"""The size of numbers below which a larger cell is worth more than its area."""


def arrangements(figure: Figure) -> list[Arrangement]:
    """Return the possible arrangements: operands that clash are side by side along that axis."""
    layers = max((block.room[0] for block in figure.blocks if block.layers), default=1)
    cross = figure.rows[0].missing if figure.rows else None
    across = {1, layers, (layers + 1) // 2} if cross is not Direction.LAYERS else {1, layers}
    ways = [Arrangement(*way) for way in product((False, True), sorted(across))]
    has_names = len([row for row in figure.rows if row.label]) > 1
    if has_names or not figure.blocks or not figure.blocks[0].layers:
        return [way for way in ways if not way.stacked]
    if cross is Direction.LAYERS:
        return [way for way in ways if way.stacked is (way.across > 1)]
    return [way for way in ways if cross is None or way.stacked is (cross is Direction.ACROSS)]


def arrange(figure: Figure, metrics: Metrics, arrangement: Arrangement) -> Drawing:
    """Return the boxes or the blocks of a figure, without its captions."""
    if figure.alignment:
        return in_boxes(figure.alignment, metrics)
    placed = [_row(figure, row, metrics, arrangement) for row in figure.rows]
    marks: list[Mark] = []
    y = width = 0.0
    room = max(metrics.width("n" * MIN_LABEL), *(part.width for part in placed), 0)
    for number, (row, part) in enumerate(zip(figure.rows, placed, strict=True)):
        y += metrics.line / 4 if y and metrics.on_paper else 0
        if row.label:
            role = Role.CLASH if row.refused else Role.HEADING
            for label in metrics.wrapped(row.label, room, role):
                marks.append(metrics.text(0, y + metrics.line / 2, label, role))
                width = max(width, metrics.width(label, role))
                y += metrics.line
        marks += in_row(moved(part.marks, 0, y), number)
        width, y = max(width, part.width), y + part.height
    return Drawing(tuple(marks), width, y)


def captions(figure: Figure, metrics: Metrics, width: float) -> Drawing:
    """Return the sentences below the blocks, which share lines where they fit."""
    marks: list[Mark] = []
    y = reach = 0.0
    compared, legend = (figure.comparisons, Step.COMPARE), tuple(_legend(figure, metrics))
    sentences = [compared, ((*legend, *figure.captions), Step.STRETCH)]
    clashes = any(row.missing or row.crossed for row in figure.rows)
    if figure.alignment:
        sentences = [(figure.captions, Step.ALIGN), compared, (legend, Step.STRETCH)]
        clashes = "!" in figure.alignment.signs
    for words, step in sentences:
        is_note = step is not Step.COMPARE
        role = Role.NOTE if is_note else Role.CLASH if clashes else Role.LABEL
        for line in _flowed(words, metrics, width, role):
            marks.append(metrics.text(0, y + metrics.line / 2, line, role, step=step))
            y += metrics.line
            reach = max(reach, metrics.width(line, role))
    return Drawing(tuple(marks), reach, y)


def _legend(figure: Figure, m: Metrics) -> Iterator[str]:
    """Yield the key to the marks of stored and repeated elements."""
    has_cells = any(block.layers for block in figure.blocks)
    if not figure.legend:
        return
    if figure.alignment:
        yield "dashed below: repeated, not stored"
    elif not has_cells and not m.on_paper:
        yield f"{BARS[Role.STORED]} stored; {BARS[Role.REPEATED]} repeated, not stored"
    elif m.glyphs:
        yield f"{GLYPHS[Kind.STORED]} stored; {GLYPHS[Kind.REPEATED]} repeated, not stored"
    else:
        first = "bold" if figure.longest else "filled"
        yield f"{first}: stored; dashed: repeated, not stored"
    if figure.has(Kind.DIFFERS) and figure.until is Step.RESULT and not m.glyphs:
        yield f"{'!' if m.edge else 'framed'}: value differs from the first row"


def _flowed(sentences: Sequence[str], metrics: Metrics, width: float, role: Role) -> Iterator[str]:
    """Yield lines of sentences, wrapped between words."""
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
    figure: Figure, metrics: Metrics, width: float, height: float, at_most: float = 280
) -> Drawing:
    """Return the figure with cells as large as a room of this size allows, centred in it.

    Steps begin at its left, as the words above and below them.
    """
    below = captions(figure, metrics, width)
    room = height - below.height - (metrics.line / 2 if below.height else 0)
    best: Drawing | None = None
    best_fits, area = False, 0.0
    for way in arrangements(figure):
        drawing, cell = _largest(figure, metrics, way, width, room, at_most)
        size = cell[0] * cell[1] * min(1, _numeral(figure, *cell) / MIN_READABLE_TYPE) ** 2
        fits = drawing.width <= width and drawing.height <= room
        # Side by side reads as an equation: it is given up only for cells that are much larger.
        if best is None or (fits, size) > (best_fits, area * (1.35 if way.stacked else 1)):
            best, best_fits, area = drawing, fits, size
    if best is None:
        best = Drawing((), 0, 0)
    height = max(height, height - room + best.height)
    room = max(room, best.height)
    has_titles = figure.alignment and figure.alignment.titles
    left = 0 if has_titles else max(0, width - best.width) / 2
    marks = moved(best.marks, left, (room - best.height) / 2)
    marks += moved(below.marks, 0, height - below.height)
    return Drawing(tuple(marks), max(width, best.width), height)


def _numeral(figure: Figure, across: float, down: float) -> float:
    """Return the size of the type that a cell has room for."""
    return min(down * 0.58, (across - 12) / max(figure.longest, 2) / DIGIT)


def _largest(
    figure: Figure,
    metrics: Metrics,
    way: Arrangement,
    width: float,
    height: float,
    at_most: float,
) -> tuple[Drawing, tuple[float, float]]:
    """Return the drawing with the largest cells that fit, and their size."""

    def drawn(across: float, down: float) -> Drawing:
        numeral = max(_numeral(figure, across, down), 1)
        sized = metrics._replace(cell=(across, down), numeral=numeral)
        return arrange(figure, sized, way)

    low, high = [MIN_CELL, MIN_CELL], [at_most, at_most]
    least = drawn(*low)
    if least.width > width or least.height > height:
        return least, (MIN_CELL, MIN_CELL)
    for _ in range(9):
        middle = [(one + other) / 2 for one, other in zip(low, high, strict=True)]
        tried = drawn(*middle)
        for place, fits in enumerate((tried.width <= width, tried.height <= height)):
            (low if fits else high)[place] = middle[place]
    across = min(low[0], low[1] * MAX_ASPECT)
    down = min(low[1], across * 1.1)
    return drawn(across, down), (across, down)


def _row(figure: Figure, row: Row, m: Metrics, way: Arrangement) -> Placed:
    """Return a row of blocks with the signs between them."""
    if not row.blocks:
        return Placed([], 0, 0)
    if not row.blocks[0].layers:
        return in_bars(figure, row, m)
    titled = not row.label or row is next(other for other in figure.rows if other.blocks)
    return (_stacked if way.stacked else _side_by_side)(figure, row, m, way, titled)


def _side_by_side(figure: Figure, row: Row, m: Metrics, way: Arrangement, titled: bool) -> Placed:
    lanes = (max(lane_of(other, m) for other in _below(figure, n)) for n in range(len(row.blocks)))
    parts = [
        in_cells(figure, row, block, m, way, lane)
        for block, lane in zip(row.blocks, lanes, strict=True)
    ]
    wraps = m.on_paper and any(len(block.name) > LONG_NAME for block in row.blocks)
    over = (2 if wraps else 1) * m.line + m.title_gap if titled else 0
    top = max(part.top for part in parts)
    middle = over + top + max(part.bottom - part.top for part in parts) / 2
    marks: list[Mark] = []
    x = height = wide = 0.0
    starts: list[float] = []
    for block, sign, part in zip(row.blocks, row.signs, parts, strict=True):
        if sign and not row.crossed:
            mark = m.sign(x + m.space / 2, middle, sign, block)
            high = max(part.bottom - part.top for part in parts)
            marks.append(mark._replace(size=max(m.type, min(mark.size, high))))
        x += m.space if starts else 0
        starts.append(x)
        if titled:
            title = m.title(block, x + part.left, m.line / 2)
            shape = title.text.removeprefix(f"{block.name} ")
            texts = [block.name, shape] if wraps else [title.text]
            marks += [
                title._replace(text=text, y=title.y + place * m.line)
                for place, text in enumerate(texts)
            ]
            wide = max(m.width(text, Role.TITLE) for text in texts) * m.title_scale
        y = over + top - part.top
        marks += moved(part.marks, x, y)
        columns = max(other.room[2] for other in _below(figure, len(starts) - 1))
        reach = part.left + max(columns * m.cell[0] + m.edge, wide)
        x += max(part.width, reach)
        height = max(height, y + part.height)
    if row.crossed and len(parts) > 1:
        size = min(m.cross_size, m.space * 0.8)  # between the cells
        marks.append(Cross(starts[1] - m.space / 2, middle, size))
    return Placed(marks, x, height)


def _below(figure: Figure, place: int) -> list[Block]:
    """Return the blocks in cells that are below each other in all rows, at a place."""
    rows = (row.blocks for row in figure.rows if place < len(row.blocks))
    return [blocks[place] for blocks in rows if blocks[place].layers]


def _stacked(figure: Figure, row: Row, m: Metrics, way: Arrangement, titled: bool) -> Placed:
    lane = max(lane_of(block, m) for block in row.blocks)
    parts = [in_cells(figure, row, block, m, way, lane) for block in row.blocks]
    sign = (1.2 * m.sign_size if m.on_paper else int(m.space * 0.7)) if any(row.signs) else 0.0
    names = sign + max(m.title_width(block) for block in row.blocks)
    names += 2 * m.width(" ")
    marks: list[Mark] = []
    y = width = 0.0
    for block, before, part in zip(row.blocks, row.signs, parts, strict=True):
        y += m.line / 3 if y and m.on_paper else 0
        if before:
            marks.append(m.sign(0, y + part.middle, before, block, "start"))
        marks.append(m.title(block, sign, y + part.middle))
        marks += moved(part.marks, names, y)
        y += part.height
        width = max(width, names + part.width)
    if row.crossed:
        marks.append(Cross(width + m.cell[0] / 2, y / 2, m.cross_size))
        width += m.cell[0]
    return Placed(marks, width, y)
