"""The layout of a figure: a place for every block, arrow and word, in characters or on a slide.

Both media share it; they differ only in their `Metrics`.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import log

from bcastcli.picture.drawing import (
    Box,
    Drawing,
    Line,
    Mark,
    Metrics,
    Role,
    Text,
    below,
    in_row,
    moved,
    short,
)
from bcastcli.picture.figure import (
    MISSING,
    RESULT,
    WAYS,
    Alignment,
    AxisLabel,
    Block,
    Cell,
    Direction,
    Figure,
    Kind,
    Row,
    Slot,
    Step,
)

SHAPE = 3.5
"""How many more cells there are across than down, about, where they fill a slide."""
SHORTEST = 12
"""The letters of a name beside aligned shapes on paper."""
_STEPS = {Kind.REPEATED: Step.COMPARE, Kind.RESULT: Step.RESULT, Kind.DIFFERS: Step.RESULT}
_MARKED = {"→": Role.TITLE, "!": Role.CLASH, "?": Role.DEPENDS}


def across(figure: Figure) -> int:
    """The layers to lie side by side, so that a row of blocks is as wide as a slide."""
    if figure.grid or not figure.blocks:
        return figure.grid
    layers, rows, columns = (max(block.counts[n] for block in figure.blocks) for n in range(3))
    count = max(len(row.blocks) for row in figure.rows)
    whole = [n for n in range(1, layers + 1) if layers % n == 0]  # every line of layers is full
    return min(whole, key=lambda n: abs(log(count * columns * n * n / (rows * layers) / SHAPE)))


def arrange(figure: Figure, m: Metrics, *, stacked: bool = False) -> Drawing:
    """The rows of a figure, without its captions; grids are below each other, others if asked."""
    stacked = figure.grid > 0 or (stacked and len(figure.rows) == 1 and bool(figure.blocks))
    if stacked:
        [only] = figure.rows
        pairs = zip(only.blocks, only.signs, strict=True)
        figure = figure._replace(rows=tuple(Row((block,), (sign,)) for block, sign in pairs))
    placed = [_row(figure, row, m) for row in figure.rows]
    room = max(72 * m.width("n"), *(part.width for part in placed), 0)
    parts = []
    for number, (row, part) in enumerate(zip(figure.rows, placed, strict=True)):
        role = Role.CLASH if row.refused else Role.HEADING
        lines = m.wrapped(row.label, room) if row.label else []
        label = [m.text(0, (n + 0.5) * m.line, line, role) for n, line in enumerate(lines)]
        top = len(lines) * m.line
        marks = [*label, *moved(in_row(part.marks, 0 if stacked else number), 0, top)]
        width = max([part.width, *(m.width(line) for line in lines)])
        parts.append(Drawing(marks, width, top + part.height))
    return below(parts, m.between)


def captions(figure: Figure, m: Metrics, width: float) -> Drawing:
    """The sentences below the figure, several on a line if they fit."""
    on_sizes = Role.CLASH if figure.clashes else Role.LABEL
    keys = list(figure.captions)
    if figure.legend:
        keys.insert(0, "bold: stored; dashed: repeated, not stored")
    sentences: list[tuple[Sequence[str], Role, Step]] = [
        (figure.comparisons, on_sizes, Step.COMPARE),
        (keys, Role.NOTE, Step.COMPARE),
    ]
    if any(cell.kind is Kind.DIFFERS for block in figure.blocks for cell in block.cells):
        mark = "framed" if m.on_paper else "!"
        difference = f"{mark}: value differs from the first row"
        sentences.append(([difference], Role.NOTE, Step.RESULT))
    marks: list[Mark] = []
    y = reach = 0.0
    for words, role, step in sentences:
        for line in _flowed(words, m, width):
            marks.append(m.text(0, y + m.line / 2, line, role, step=step))
            y, reach = y + m.line, max(reach, m.width(line))
    return Drawing(marks, reach, y)


def _flowed(sentences: Sequence[str], m: Metrics, width: float) -> Iterator[str]:
    """Lines of sentences, wrapped between words."""
    line = ""
    for sentence in sentences:
        joined = f"{line}   {sentence}" if line else sentence
        if m.width(joined) <= width:
            line = joined
            continue
        if line:
            yield line
        *full, line = m.wrapped(sentence, width)
        yield from full
    if line:
        yield line


def _row(figure: Figure, row: Row, m: Metrics) -> Drawing:
    if not row.blocks:
        return _aligned(row.alignment, m) if row.alignment else Drawing([], 0, 0)
    return _side_by_side(figure, row, m)


# Aligned shapes


def longest_name(alignment: Alignment, m: Metrics) -> int:
    """The letters of the longest name, of which paper has room for some."""
    longest = max(len("axis"), *(len(shape.name) for shape in alignment.shapes))
    return min(longest, SHORTEST) if m.on_paper else longest


def _aligned(alignment: Alignment, m: Metrics) -> Drawing:
    """The shapes in columns below the numbers of their axes, each size with its mark."""
    size = m.large
    letter = m.width("n", size)
    high = size * 1.35 if m.on_paper else m.line
    names = longest_name(alignment, m)
    ends: list[float] = []
    x = names * letter
    for column in alignment.columns():
        ends.append(x + (column + 2) * letter)
        x = ends[-1] + letter  # for its mark
    marks: list[Mark] = [m.text(0, m.line / 2, "axis", Role.HEADING, step=Step.COMPARE)]
    for n, head in enumerate(alignment.heads):
        for end, text in zip(ends, head, strict=True):
            place = end, (n + 0.5) * m.line
            marks.append(m.text(*place, text, anchor="end", step=Step.COMPARE))
    top = len(alignment.heads) * m.line
    for n, shape in enumerate(alignment.shapes):
        y = top + (n + 0.5) * high
        step = Step.RESULT if shape.tint == RESULT else Step.STORED
        name = short(shape.name, names) if m.on_paper else shape.name
        marks.append(Text(0, y, name, size, Role.TITLE, shape.tint, step=step))
        for end, slot in zip(ends, shape.slots, strict=True):
            marks += _slot(slot, shape.tint, (end, y), size)
    return Drawing(marks, x, top + len(alignment.shapes) * high)


def _slot(slot: Slot, tint: int, end: tuple[float, float], size: float) -> Iterator[Text]:
    """A size that ends at a place, and later its mark."""
    role, step = _MARKED.get(slot.mark, Role.LABEL), Step.STORED
    if tint == RESULT:
        role, step = Role.RESULT, Step.RESULT
    elif slot.text == MISSING:
        step = Step.COMPARE
        role = role if slot.mark else Role.GHOST
    shown = Text(*end, slot.text, size, role, tint, "end", step)
    yield shown
    if slot.mark:
        yield shown._replace(text=slot.mark, anchor="start", step=Step.COMPARE)


# Blocks of cells


def _below(figure: Figure, place: int) -> list[Block]:
    """The blocks at a place in all rows, which form a column."""
    return [row.blocks[place] for row in figure.rows if place < len(row.blocks)]


def _side_by_side(figure: Figure, row: Row, m: Metrics) -> Drawing:
    """The blocks of a row beside each other, with titles above the first one's."""
    layers = across(figure)
    titled = not row.label or row is next(other for other in figure.rows if other.blocks)
    columns = [_below(figure, place) for place in range(len(row.blocks))]
    parts = [
        _in_cells(figure, row, block, m, max(_lane(other, m) for other in others))
        for block, others in zip(row.blocks, columns, strict=True)
    ]
    over = m.line + m.between if titled else 0.0
    top, high = max(part.top for part in parts), max(part.bottom - part.top for part in parts)
    height = max(over + top - part.top + part.height for part in parts)
    marks: list[Mark] = []
    x = m.space if len(row.blocks) == 1 else 0.0
    for block, others, sign, part in zip(row.blocks, columns, row.signs, parts, strict=True):
        cells = max(other.counts[2] for other in others) * m.cell[0] * layers + m.edge
        if sign:
            size = max(m.type, min(m.sign, high))
            place = x - m.space / 2, over + top + high / 2
            marks.append(Text(*place, sign, size, Role.SIGN, anchor="middle", step=_sign(block)))
        title = m.title(block, cells + m.space * 0.8) if titled else ""
        if title:
            place = x + part.left, m.line / 2
            marks.append(m.text(*place, title, Role.TITLE, block.tint, step=block.step))
        marks += moved(part.marks, x, over + top - part.top)
        wide = m.width(title)
        if m.on_paper and block is not row.blocks[-1]:
            wide -= m.space * 0.8  # it may stand above the sign
        x += max(part.width, part.left + max(cells if layers == 1 else 0, wide)) + m.space
    return Drawing(marks, x - m.space, height)


def _sign(block: Block) -> Step:
    return max(block.step, Step.COMPARE)


def _lane(block: Block, m: Metrics) -> float:
    """The width of the arrow that is left of a block."""
    return m.lane[0] if any(each.way is Direction.DOWN for each in block.arrows) else 0.0


def _in_cells(figure: Figure, row: Row, block: Block, m: Metrics, lane: float) -> Drawing:
    """The cells of a block, with its arrows, and boxes for unmatched cells."""
    layers, rows, columns = block.counts
    wide, high = columns * m.cell[0] + m.edge, rows * m.cell[1] + m.edge
    labels = figure.layer_labels if layers > 1 else ()
    beside = across(figure)
    named = m.layer_line if labels else 0.0
    pad = m.width("  ") + m.edge
    label = max((m.width(text) + pad for text in labels), default=0.0)
    # Layers keep the same distance in all blocks.
    _, most_rows, most_columns = map(max, zip(*(other.counts for other in row.blocks), strict=True))
    right_of = max(most_columns * m.cell[0] + m.edge + m.apart[0], label)
    down = named + most_rows * m.cell[1] + m.edge + m.apart[1]
    tops = [(lane + n % beside * right_of, named + n // beside * down) for n in range(layers)]
    left, top = tops[0]
    reach = max(wide, label - pad) if labels else wide
    right, bottom = max(x for x, _ in tops) + reach, tops[-1][1] + high
    under = m.lane[1] if any(each.way is Direction.ACROSS for each in block.arrows) else 0.0
    words = [arrow.label for arrow in block.arrows if arrow.label]
    if m.on_paper and layers > 1:
        words = []  # sentences say the same, and leave more room for numbers
    joined = "  ".join(words)
    if words and m.width(joined) <= right - left + (m.space if m.on_paper else 0):
        words = [joined]
    right = max([right, *(left + m.width(text) for text in words)])
    marks: list[Mark] = []
    for number, (layer, (x, y)) in enumerate(zip(block.layers, tops, strict=False)):
        if labels:
            step = min(_STEPS.get(cell.kind, Step.STORED) for line in layer for cell in line)
            place = x, y - named * 0.64
            marks.append(m.text(*place, labels[number], Role.GHOST, block.tint, step=step))
        for (r, cells), c in product(enumerate(layer), range(columns)):
            marks += _cell(cells[c], block, x + c * m.cell[0], y + r * m.cell[1], m)
    marks += _unmatched(block, m, tops)
    for arrow in block.arrows:
        marks += _arrow(arrow, m, tops, (wide, high))
    for n, text in enumerate(words):
        place = left, bottom + under + (n + 0.5) * m.line
        marks.append(m.text(*place, text, Role.ARROW, block.tint, step=Step.COMPARE))
    marks = [mark._replace(step=max(mark.step, block.step)) for mark in marks]
    height = bottom + under + len(words) * m.line
    return Drawing(marks, right, height, left, top, bottom)


def _cell(cell: Cell, block: Block, x: float, y: float, m: Metrics) -> Iterator[Mark]:
    role, step = Role(cell.kind.value), _STEPS.get(cell.kind, Step.STORED)
    across, down = m.cell
    width, height = across - m.gap, down - m.gap
    yield Box(x, y, width, height, role, block.tint, step, cell)
    middle = x + (width + m.edge) / 2, y + (height + m.edge) / 2
    text = cell.text if m.on_paper else cell.text.rjust(round(across) - 3)
    if cell.kind is Kind.DIFFERS and not m.on_paper:  # visible without colors too
        text = f"!{text} "
    if role is Role.REPEATED:  # before that its cell is empty
        step = Step.STRETCH
    yield Text(*middle, text, m.numeral, role, block.tint, "middle", step, cell=cell)


def _unmatched(block: Block, m: Metrics, tops: list[tuple[float, float]]) -> Iterator[Mark]:
    """A box around the cells without partners."""
    for unmatched in block.surplus:
        within = [range(count) for count in block.counts]
        within[WAYS.index(unmatched.way)] = range(unmatched.start, unmatched.stop)
        layers, rows, columns = within
        wide, high = len(columns) * m.cell[0] + m.gap, len(rows) * m.cell[1] + m.gap
        for x, y in [tops[number] for number in layers]:
            place = x + columns.start * m.cell[0] - m.gap, y + rows.start * m.cell[1] - m.gap
            yield Box(*place, wide, high, Role.SURPLUS, step=Step.COMPARE)


def _arrow(
    arrow: AxisLabel, m: Metrics, tops: list[tuple[float, float]], size: tuple[float, float]
) -> Iterator[Mark]:
    """The arrow along an axis that stretches; an axis of layers has only its label."""
    (x, _), (_, last) = tops[0], tops[-1]
    wide, high = size
    if arrow.way is Direction.ACROSS:
        y = last + high + m.lane[1] / 2
        end = x + wide - m.gap - m.edge
        yield Line(x, y, end, y)
    elif arrow.way is Direction.DOWN:
        at = x - m.lane[0] / 2
        for y in dict.fromkeys(y for _, y in tops):
            yield Line(at, y, at, y + high - m.gap)
