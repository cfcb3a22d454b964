"""Blocks of cells: a place and a number for each element, and arrows along axes that stretch."""

from collections.abc import Iterator
from itertools import product
from math import fsum

from bcastcli.picture.figure import WAYS, AxisLabel, Block, Cell, Direction, Figure, Kind, Row, Step
from bcastcli.picture.marks import Box, Cross, Line, Mark, Role, Text
from bcastcli.picture.metrics import Arrangement, Metrics, Placed


def lane_of(block: Block, m: Metrics) -> float:
    """Return the width of the labels left of a block: an arrow, a letter, a slot."""
    ways = [arrow.way for arrow in block.arrows]
    lane = m.lane[0] if Direction.DOWN in ways else 0
    lane += fsum(m.width(f"{letter} ") for way, letter in block.letters if way is Direction.DOWN)
    if block.slot and block.slot.way is Direction.DOWN:
        lane += m.width(f"{block.slot.label} ", Role.SLOT)
    return lane


def _under(block: Block, m: Metrics) -> float:
    """Return the height of the arrow under a block."""
    return m.lane[1] if any(arrow.way is Direction.ACROSS for arrow in block.arrows) else 0.0


def in_cells(
    figure: Figure, row: Row, block: Block, m: Metrics, way: Arrangement, lane: float
) -> Placed:
    """Return the cells of a block, with its arrows, its letters, and boxes for unmatched cells."""
    under = max(_under(other, m) for other in ([block] if way.stacked else row.blocks))
    layers, rows, columns = block.room
    wide, high = columns * m.cell[0] + m.edge, rows * m.cell[1] + m.edge
    follows = row is not next(other for other in figure.rows if other.blocks)
    names = figure.layer_labels if layers > 1 else ()
    first = row.blocks[0]
    is_below = way.stacked and block is not first and block.counts[0] <= first.counts[0]
    labels = () if (follows or is_below) and layers == way.across else names
    named, above = m.layer_line if labels else 0.0, _above(block, m, bool(labels))
    pad = m.width("   " if m.edge else "     ")  # a letter stands in its middle
    label = max((m.width(text) + pad for text in names), default=0.0)
    # Layers keep the same distance in all blocks.
    _, most_rows, most_columns = map(max, zip(*(other.room for other in row.blocks), strict=True))
    apart = (m.cell[0] / 4, m.line / 4) if m.on_paper else (1 + m.edge, 0.0)
    across = max(most_columns * m.cell[0] + m.edge + apart[0], label)
    step = across, named + most_rows * m.cell[1] + m.edge + apart[1]
    tops = [
        (lane + n % way.across * step[0], above + named + n // way.across * step[1])
        for n in range(layers)
    ]
    left, top = tops[0]
    reach = wide if m.edge else max(wide, label - pad)
    right, bottom = max(x for x, _ in tops) + reach, tops[-1][1] + high
    below = bottom + (under if block.arrows else 0)
    words = [arrow.label for arrow in block.arrows if arrow.label]
    joined = "  ".join(words)
    stretched = [joined][: len(words)] if m.width(joined) <= right - left else words
    right = max((right, *(left + m.width(text) for text in stretched)))

    def marks() -> Iterator[Mark]:
        for number, (layer, (x, y)) in enumerate(zip(block.layers, tops, strict=False)):
            if labels:
                look = labels[number], Role.GHOST, block.tint
                yield m.text(x, y - m.layer_line * 0.64, *look, step=_layer_step(layer))
            if layer[0][0].kind is Kind.OUTLINE and not m.glyphs:  # lines would look like cells
                _, rows, columns = block.counts  # without the place of missing cells
                size = columns * m.cell[0] - m.gap, rows * m.cell[1] - m.gap
                yield Box(x, y, *size, Role.OUTLINE, block.tint)
                continue
            for (r, cells), c in product(enumerate(layer), range(block.counts[2])):
                yield from _cell(cells[c], block, x + c * m.cell[0], y + r * m.cell[1], m)
        yield from _slot(block, m, (left, top), high, named)
        over = left + max(wide / 2, label - (m.width(" ") if m.edge else pad / 2) if labels else 0)
        yield from _letters(block, m, (over, top - m.layer_line * 0.64), top + high / 2)
        yield from _unmatched(block, m, tops)
        for arrow in block.arrows:
            yield from _arrow(arrow, m, tops, (wide, high))
        for n, text in enumerate(stretched):
            look = text, Role.ARROW, block.tint
            yield m.text(left, below + (n + 0.5) * m.line, *look, step=Step.COMPARE)

    def shown() -> Iterator[Mark]:
        return (mark._replace(step=max(mark.step, block.step)) for mark in marks())

    return Placed(shown, right, below + len(stretched) * m.line, left, top, bottom)


def _above(block: Block, m: Metrics, has_labels: bool) -> float:
    """Return the heights above the cells of a block and above the names of layers."""
    is_named = Direction.ACROSS in dict(block.letters) and not has_labels
    return m.line if is_named or (block.slot and block.slot.way is Direction.ACROSS) else 0.0


def _letters(block: Block, m: Metrics, over: tuple[float, float], beside: float) -> Iterator[Mark]:
    """Yield the framework's own names of the axes."""
    for way, letter in block.letters:
        place = over if way is Direction.ACROSS else (m.width(letter) / 2, beside)
        yield m.text(*place, letter, anchor="middle")


def _layer_step(layer: tuple[tuple[Cell, ...], ...]) -> Step:
    """Return the step in which a layer appears."""
    return min(_STEPS.get(cell.kind, Step.STORED) for cells in layer for cell in cells)


_STEPS = {Kind.REPEATED: Step.ALIGN, Kind.RESULT: Step.RESULT, Kind.DIFFERS: Step.RESULT}
UNMATCHED = "▣"
GLYPHS = {Kind.STORED: "■", Kind.REPEATED: "□", Kind.OUTLINE: "▫"}


def _cell(cell: Cell, block: Block, x: float, y: float, m: Metrics) -> Iterator[Mark]:
    role, step = Role(cell.kind.value), _STEPS.get(cell.kind, Step.STORED)
    across, down = m.cell
    if m.glyphs:
        glyph = GLYPHS.get(cell.kind, GLYPHS[Kind.STORED])
        yield Text(x, y + down / 2, glyph, m.numeral, role, block.tint, step=step)
        return
    width, height = across - m.gap, down - m.gap
    yield Box(x, y, width, height, role, block.tint, step, cell)
    if cell.text:
        middle = x + (width + m.edge) / 2, y + (height + m.edge) / 2
        text = cell.text.rjust(round(across) - 3) if m.edge else cell.text
        if m.edge and cell.kind is Kind.DIFFERS:  # visible without colors too
            text = f"!{text} "
        if role is Role.REPEATED:  # before that its cell is empty
            step = Step.STRETCH
        yield Text(*middle, text, m.numeral, role, block.tint, "middle", step, cell=cell)


def _slot(
    block: Block, m: Metrics, corner: tuple[float, float], height: float, named: float
) -> Iterator[Mark]:
    """Yield the axis on which an operand was put, above or left of its cells."""
    if block.slot is None:
        return
    x, y = corner
    place = x, y - named - m.line / 2
    if block.slot.way is Direction.DOWN:
        has_arrow = any(arrow.way is Direction.DOWN for arrow in block.arrows)
        aside = m.width(f"{block.slot.label} ", Role.SLOT) + (m.lane[0] if has_arrow else 0)
        place = x - aside, y + height / 2
    yield m.text(*place, block.slot.label, Role.SLOT, block.tint, step=Step.ALIGN)


def _unmatched(block: Block, m: Metrics, tops: list[tuple[float, float]]) -> Iterator[Mark]:
    """Yield a box around the cells without partners, or a cross where they are missing."""
    for found in (*block.surplus, *([block.missing] if block.missing else [])):
        within = [range(count) for count in block.counts]
        within[WAYS.index(found.way)] = range(found.start, found.stop)
        layers, rows, columns = within
        for x, y in [tops[number] for number in layers][: 1 if found is block.missing else None]:
            left, top = x + columns.start * m.cell[0], y + rows.start * m.cell[1]
            wide, high = len(columns) * m.cell[0] - m.gap, len(rows) * m.cell[1] - m.gap
            if found is block.missing:
                if found.way is Direction.LAYERS:
                    return  # between slices it would read as a product
                x = left + (0 if m.glyphs else (wide + m.edge) / 2)
                yield Cross(x, top + high / 2, m.cross_size)
            elif m.glyphs:
                for c, r in product(range(len(columns)), range(len(rows))):
                    place = left + c * m.cell[0], top + r + 0.5
                    yield m.text(*place, UNMATCHED, Role.CLASH, step=Step.COMPARE)
            else:
                box = left - m.gap, top - m.gap, wide + 2 * m.gap, high + 2 * m.gap
                yield Box(*box, Role.SURPLUS, step=Step.COMPARE)


def _arrow(
    arrow: AxisLabel, m: Metrics, tops: list[tuple[float, float]], size: tuple[float, float]
) -> Iterator[Mark]:
    """Yield the arrow along an axis that stretches; an axis of layers has only its label."""
    (x, _), (_, last) = tops[0], tops[-1]
    wide, high = size
    if arrow.way is Direction.ACROSS:
        y = last + high + m.lane[1] / 2
        end = x + wide - m.gap - (1 if m.edge else 0)
        yield Line(x, y, end, y, Role.ARROW, step=Step.STRETCH, head=True)
    elif arrow.way is Direction.DOWN:
        at = x - m.lane[0] / 2
        for _, y in tops if len({y for _, y in tops}) > 1 else tops[:1]:
            yield Line(at, y, at, y + high - m.gap, Role.ARROW, step=Step.STRETCH, head=True)
