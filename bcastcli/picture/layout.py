"""The layout of a figure: a place for every block, arrow and word, in pixels or in characters.

Paper and terminal share this layout; they differ only in their `Metrics`.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from bcastcli.picture.boxes import in_boxes
from bcastcli.picture.cells import GLYPHS, UNMATCHED, in_cells, lane_of
from bcastcli.picture.figure import Block, Direction, Figure, Kind, Row, Step
from bcastcli.picture.marks import Cross, Drawing, Mark, Role, in_row, moved
from bcastcli.picture.metrics import Arrangement, Metrics, Placed, measure, on_page

MAX_ASPECT, MAX_PLAIN = 2.6, 1.5
"""How much wider than high a cell may be, with a number and without."""
MAX_OF_BOXES = 10.0
"""How much wider than high a box may be."""
MAX_CELL, MAX_BOX = 280.0, 640.0
"""The largest cell and the largest box, in pixels."""
MIN_CELL = 18.0
"""The smallest cell; a figure that needs smaller ones exceeds its room."""
MIN_LABEL = "n" * 72
"""The least width to which the label of a row is wrapped."""
LONG_NAME = 6
"""The longest name that has its shape beside it on paper; below a longer one, to save width."""
DIGIT = measure("0", 1, Role.STORED)
MIN_READABLE_TYPE = 32.0
"""Below this size of type, larger cells weigh more than their area."""


def arrangements(figure: Figure) -> list[Arrangement]:
    """Return the possible arrangements: operands that clash are side by side along that axis."""
    layers = max((block.room[0] for block in figure.blocks), default=1)
    cross = figure.rows[0].missing if figure.rows else None
    # Every line of layers is full; layers that clash are in one line, or in one column.
    across = [n for n in range(1, layers + 1) if layers % n == 0]
    across = across if cross is not Direction.LAYERS else [1, layers]
    ways = [Arrangement(*way) for way in product((False, True), across)]
    if not figure.blocks or len([row for row in figure.rows if row.label]) > 1:
        return [way for way in ways if not way.stacked]
    if cross is Direction.LAYERS:
        return [way for way in ways if way.stacked is (way.across > 1)]
    return [way for way in ways if cross is None or way.stacked is (cross is Direction.ACROSS)]


def arrange(figure: Figure, metrics: Metrics, arrangement: Arrangement) -> Placed:
    """Return the boxes or the blocks of a figure, without its captions."""
    placed = [_row(figure, row, metrics, arrangement) for row in figure.rows]
    tops: list[float] = []
    labels: list[list[Mark]] = []
    y, width = 0.0, max((part.width for part in placed), default=0.0)
    room = width
    for row, part in zip(figure.rows, placed, strict=True):
        y += metrics.line / 4 if y and metrics.on_paper else 0
        role = Role.CLASH if row.refused else Role.HEADING
        least = max(room, metrics.width(MIN_LABEL))
        lines = metrics.wrapped(row.label, least, role) if row.label else []
        width = max((width, *(metrics.width(line, role) for line in lines)))
        places = [y + (n + 0.5) * metrics.line for n in range(len(lines))]
        labels.append([metrics.text(0, *each, role) for each in zip(places, lines, strict=True)])
        is_tight = row.refused and bool(row.blocks) and metrics.on_paper  # the red box is higher
        tops.append(y + (len(lines) + 0.2 * is_tight) * metrics.line)
        y = tops[-1] + part.height

    def marks() -> Iterator[Mark]:
        for number, (texts, part, top) in enumerate(zip(labels, placed, tops, strict=True)):
            yield from texts
            yield from in_row(moved(part.marks(), 0, top), number)

    return Placed(marks, width, y)


def captions(figure: Figure, metrics: Metrics, width: float) -> Drawing:
    """Return the sentences below the blocks, several on a line if they fit."""
    marks: list[Mark] = []
    y = reach = end = 0.0
    compared, legend = (figure.comparisons, Step.COMPARE), tuple(_legend(figure, metrics))
    last = tuple(_differences(figure, metrics)), Step.RESULT
    sentences = [compared, ((*legend, *figure.captions), Step.ALIGN), last]
    if figure.alignment:
        sentences = [(figure.captions, Step.ALIGN), compared, (legend, Step.STRETCH)]
    on_sizes = Role.CLASH if figure.clashes else Role.LABEL
    for words, step in sentences:
        role = on_sizes if step is Step.COMPARE else Role.NOTE
        said = map(on_page, words) if metrics.on_paper else words
        for line in _flowed(tuple(said), metrics, width, role):
            wide, x = metrics.width(line, role), 0.0
            if step is Step.RESULT and end <= width - wide:  # on the line of the other keys
                x, y = end, y - metrics.line
            marks.append(metrics.text(x, y + metrics.line / 2, line, role, step=step))
            y, end = y + metrics.line, x + wide + metrics.width("   ")
            reach = max(reach, x + wide)
    return Drawing(tuple(marks), reach, y)


def _legend(figure: Figure, m: Metrics) -> Iterator[str]:
    """Yield the key to the marks of stored and repeated elements."""
    if m.glyphs and any(block.surplus for block in figure.blocks):
        yield f"{UNMATCHED} no partner"
    if not figure.legend:
        return
    if figure.alignment:
        yield "dashed below: repeated, not stored"
    elif m.glyphs:
        yield f"{GLYPHS[Kind.STORED]} stored; {GLYPHS[Kind.REPEATED]} repeated, not stored"
    else:
        first = "bold" if figure.longest else "filled"
        yield f"{first}: stored; dashed: repeated, not stored"


def _differences(figure: Figure, m: Metrics) -> Iterator[str]:
    """Yield the key to the mark of values that differ."""
    differs = any(cell.kind is Kind.DIFFERS for block in figure.blocks for cell in block.cells)
    if differs and not m.glyphs:
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


def fitted(figure: Figure, metrics: Metrics, width: float, height: float) -> Drawing:
    """Return the figure with cells as large as a room of this size allows, centred in it."""
    below = captions(figure, metrics, width)
    room = height - below.height - (metrics.line / 2 if below.height else 0)
    best, best_fits, area = Placed(tuple, 0, 0), False, -1.0
    at_most = MAX_CELL if figure.blocks else MAX_BOX
    for way in arrangements(figure):
        placed, cell = _largest(figure, metrics, way, width, room, at_most)
        size = cell[0] * cell[1] * min(1, _numeral(figure, *cell) / MIN_READABLE_TYPE) ** 2
        fits = placed.width <= width and placed.height <= room
        # Side by side reads as an equation, so stacking must make cells much larger.
        if (fits, size) > (best_fits, area * (1.35 if way.stacked else 1)):
            best, best_fits, area = placed, fits, size
    height = max(height, height - room + best.height)
    room = max(room, best.height)
    left = max(0, width - best.width) / 2
    marks = moved(best.marks(), left, (room - best.height) / 2)
    marks += moved(below.marks, 0, height - below.height)
    return Drawing(tuple(marks), max(width, best.width, below.width), height)


def _numeral(figure: Figure, across: float, down: float) -> float:
    """Return the largest type that fits a cell."""
    return min(down * 0.58, across * 0.86 / max(figure.longest, 2) / DIGIT)


def _largest(
    figure: Figure, metrics: Metrics, way: Arrangement, width: float, height: float, at_most: float
) -> tuple[Placed, tuple[float, float]]:
    """Return the arrangement with the largest cells that fit, and their size."""

    def placed(across: float, down: float) -> Placed:
        numeral = max(_numeral(figure, across, down), 1)
        sized = metrics._replace(cell=(across, down), numeral=numeral)
        return arrange(figure, sized, way)

    low, high = [MIN_CELL, MIN_CELL], [at_most, at_most]
    least = placed(*low)
    if least.width > width or least.height > height:
        return least, (MIN_CELL, MIN_CELL)
    for _ in range(9):
        middle = [(one + other) / 2 for one, other in zip(low, high, strict=True)]
        tried = placed(*middle)
        for place, fits in enumerate((tried.width <= width, tried.height <= height)):
            (low if fits else high)[place] = middle[place]
    aspect = (MAX_ASPECT if figure.longest else MAX_PLAIN) if figure.blocks else MAX_OF_BOXES
    across = min(low[0], low[1] * aspect)
    down = min(low[1], across * 1.1)
    return placed(across, down), (across, down)


def _row(figure: Figure, row: Row, m: Metrics, way: Arrangement) -> Placed:
    """Return a row of blocks with the signs between them, or of boxes."""
    if row.alignment:
        return in_boxes(row.alignment, m)
    if not row.blocks:
        return Placed(tuple, 0, 0)
    titled = not row.label or row is next(other for other in figure.rows if other.blocks)
    return (_stacked if way.stacked else _side_by_side)(figure, row, m, way, titled)


def _side_by_side(figure: Figure, row: Row, m: Metrics, way: Arrangement, titled: bool) -> Placed:
    columns = [_below(figure, place) for place in range(len(row.blocks))]
    parts = [
        in_cells(figure, row, block, m, way, max(lane_of(other, m) for other in others))
        for block, others in zip(row.blocks, columns, strict=True)
    ]
    wraps = m.on_paper and any(len(block.name) > LONG_NAME for block in row.blocks)
    over = (2 if wraps else 1) * m.line + m.line / 5 * m.on_paper if titled else 0
    top, high = max(part.top for part in parts), max(part.bottom - part.top for part in parts)
    middle = over + top + high / 2
    height = max(over + top - part.top + part.height for part in parts)
    starts: list[float] = []
    titles: list[list[str]] = []
    x = -m.space
    for block, others, part in zip(row.blocks, columns, parts, strict=True):
        words = [m.name(block), m.sizes(block)] if titled else []
        titles.append(words if wraps or not titled else [" ".join(words)])
        wide = max((m.width(text, Role.TITLE) for text in titles[-1]), default=0.0)
        starts.append(x + m.space)
        cells = max(other.room[2] for other in others) * m.cell[0] + m.edge
        x = starts[-1] + max(part.width, part.left + max(cells, wide))

    def marks() -> Iterator[Mark]:
        for x, block, sign, words, part in zip(
            starts, row.blocks, row.signs, titles, parts, strict=True
        ):
            if sign and not row.crossed:
                mark = m.sign(x - m.space / 2, middle, sign, block)
                yield mark._replace(size=max(m.type, min(mark.size, high)))
            for place, text in enumerate(words):
                yield m.title(block, x + part.left, (place + 0.5) * m.line, text)
            yield from moved(part.marks(), x, over + top - part.top)
        if row.crossed and len(parts) > 1:
            size = min(m.cross_size, m.space * 0.8)  # between the cells
            yield Cross(starts[1] - m.space / 2, middle, size)

    return Placed(marks, x, height)


def _below(figure: Figure, place: int) -> list[Block]:
    """Return the blocks at a place in all rows, which form a column."""
    return [row.blocks[place] for row in figure.rows if place < len(row.blocks)]


def _stacked(figure: Figure, row: Row, m: Metrics, way: Arrangement, titled: bool) -> Placed:
    lane = max(lane_of(block, m) for block in row.blocks)
    parts = [in_cells(figure, row, block, m, way, lane) for block in row.blocks]
    sign = (1.2 * m.sign_size if m.on_paper else int(m.space * 0.7)) if any(row.signs) else 0.0
    titles = [f"{m.name(block)} {m.sizes(block)}" for block in row.blocks]
    names = sign + max(m.width(title, Role.TITLE) for title in titles) + 2 * m.width(" ")
    tops: list[float] = []
    y = 0.0
    for part in parts:
        tops.append(y + m.line / 3 if y and m.on_paper else y)
        y = tops[-1] + part.height
    width = names + max(part.width for part in parts)

    def marks() -> Iterator[Mark]:
        placed = zip(row.blocks, row.signs, titles, parts, tops, strict=True)
        for block, before, title, part, top in placed:
            if before:
                yield m.sign(0, top + part.middle, before, block, "start")
            yield m.title(block, sign, top + part.middle, title)
            yield from moved(part.marks(), names, top)
        if row.crossed:
            yield Cross(width + m.cell[0] / 2, y / 2, m.cross_size)

    return Placed(marks, width + (m.cell[0] if row.crossed else 0), y)
