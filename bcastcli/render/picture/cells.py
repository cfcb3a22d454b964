"""Blocks in cells: each element has a place, with its number, and arrows show what stretches."""

from collections.abc import Iterator
from itertools import product

from bcastcli.render.picture.figure import AxisLabel, Block, Cell, Direction, Figure, Kind, Step
from bcastcli.render.picture.marks import Box, Line, Mark, Role, Text
from bcastcli.render.picture.metrics import Arrangement, Metrics, Placed


def lane_of(block: Block, m: Metrics) -> float:
    """Return the width of what is left of a block: an arrow, a letter, a slot."""
    ways = [arrow.way for arrow in block.arrows]
    lane = m.lane[0] if Direction.DOWN in ways else 0
    lane += sum(m.width(f"{letter} ") for way, letter in block.letters if way is Direction.DOWN)
    if block.slot and block.slot.way is Direction.DOWN:
        lane += m.width(f"{block.slot.label} ", Role.SLOT)
    return lane


def lane_under(block: Block, m: Metrics) -> float:
    """Return the height of the arrow under a block."""
    return m.lane[1] if any(arrow.way is Direction.ACROSS for arrow in block.arrows) else 0.0


def in_cells(
    figure: Figure, block: Block, m: Metrics, way: Arrangement, lanes: tuple[float, float]
) -> Placed:
    """Return the cells of a block, with its arrows, letters and what is boxed.

    `lanes` are left to its left and under it, as wide and as high as those of its neighbours.
    """
    lane, under = lanes
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
            marks.append(m.text(x, y + m.line / 2, text, Role.GHOST, block.tint, step=shown))
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
    below = bottom + (under if block.arrows else 0)
    if any(arrow.label for arrow in block.arrows):
        text = "  ".join(arrow.label for arrow in block.arrows)
        marks.append(
            m.text(left, below + m.line / 2, text, Role.ARROW, block.tint, step=Step.COMPARE)
        )
        right = max(right, left + m.width(text))
        below += m.line
    marks = [mark._replace(step=max(mark.step, block.step)) for mark in marks]
    return Placed(marks, right, below, left, top, bottom)


def _above(block: Block, m: Metrics) -> float:
    """Return the height of what is above the cells of a block."""
    is_named = Direction.ACROSS in dict(block.letters)
    return m.line if is_named or (block.slot and block.slot.way is Direction.ACROSS) else 0.0


def _letters(block: Block, m: Metrics, over: tuple[float, float], beside: float) -> Iterator[Mark]:
    """Yield the framework's own names of the axes."""
    for way, letter in block.letters:
        place = over if way is Direction.ACROSS else (m.width(letter) / 2, beside)
        yield Text(*place, letter, m.type * m.title_scale, Role.LABEL, anchor="middle")


def _layer_step(layer: tuple[tuple[Cell, ...], ...]) -> Step:
    """Return the step in which a layer appears."""
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
    yield Box(x, y, width, height, role, block.tint, step, cell)
    if cell.text:
        middle = x + (width + m.edge) / 2, y + (height + m.edge) / 2
        text = cell.text.rjust(round(across) - 3) if m.edge else cell.text
        if m.edge and cell.kind is Kind.DIFFERS:  # it stands out without its color too
            text = f"!{text} "
        yield Text(*middle, text, m.numeral, role, block.tint, "middle", step, cell=cell)


def _slot(block: Block, m: Metrics, x: float, y: float, height: float) -> Iterator[Mark]:
    """Yield the axis on which an operand was put."""
    if block.slot is None:
        return
    place = x, y - m.line / 2
    if block.slot.way is Direction.DOWN:
        has_arrow = any(arrow.way is Direction.DOWN for arrow in block.arrows)
        aside = m.width(f"{block.slot.label} ", Role.SLOT) + (m.lane[0] if has_arrow else 0)
        place = x - aside, y + height / 2
    yield m.text(*place, block.slot.label, Role.SLOT, block.tint)


def _surplus(
    block: Block, m: Metrics, tops: list[tuple[float, float]], size: tuple[float, float]
) -> Iterator[Mark]:
    """Yield a box around the cells without partners."""
    if block.surplus is None or m.glyphs:
        return
    way, start = block.surplus
    pad = m.gap
    for number, (x, y) in enumerate(tops):
        dx = start * m.cell[0] if way is Direction.ACROSS else 0
        dy = start * m.cell[1] if way is Direction.DOWN else 0
        if way is Direction.LAYERS and number < start:
            continue
        width, height = size[0] - dx - m.gap, size[1] - dy - m.gap
        if m.edge:
            width, height = width - m.edge, height - m.edge
        box = (x + dx - pad, y + dy - pad, width + 2 * pad, height + 2 * pad)
        yield Box(*box, Role.SURPLUS, step=Step.COMPARE)


def _arrow(
    arrow: AxisLabel,
    m: Metrics,
    tops: list[tuple[float, float]],
    size: tuple[float, float],
) -> Iterator[Mark]:
    """Yield the arrow along an axis that stretches; layers have none, since they are apart."""
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
