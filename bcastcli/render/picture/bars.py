"""Blocks that are too large for cells: a bar for each axis."""

from collections.abc import Iterator
from math import log

from bcastcli.render.picture.figure import Block, Edge, Figure, Row, Size, Step
from bcastcli.render.picture.marks import Box, Cross, Mark, Role
from bcastcli.render.picture.metrics import Metrics, Placed

BAR = 6
"""The length of the longest bar, in cells."""
NARROW = 12
"""How much narrower than a cell a unit of a bar is: there is no number in it."""
BARS = {
    Role.STORED: "█",
    Role.RESULT: "█",
    Role.REPEATED: "░",
    Role.OPEN: "?",
    Role.OUTLINE: "▯",
}


def _length(size: Size, largest: int) -> float:
    """Return the length of an edge or bar, of 1, by the logarithm; an unknown size has the largest.

    >>> _length(1, 256) < _length(3, 256) < _length(256, 256)
    True
    """
    if not isinstance(size, int):
        return 1
    if size <= 1:
        return 0.16 if size else 0
    return 0.16 + 0.84 * log(size) / log(max(largest, 2))


def _unit(m: Metrics) -> float:
    return m.cell[0] - (NARROW if m.on_paper else 0)


def _largest_size(figure: Figure) -> int:
    sizes = (extent.length for block in figure.blocks for extent in block.extents)
    return max((size for size in sizes if isinstance(size, int)), default=1)


def in_bars(figure: Figure, row: Row, m: Metrics) -> Placed:
    """Return a line for each axis, and on it a bar for each block."""
    most = _largest_size(figure)
    unit = _unit(m)
    longest = BAR * unit
    high = min(max(m.line, m.cell[1]), 2 * m.line)
    above = m.line + m.title_gap
    marks: list[Mark] = []
    names = max((m.width(name) for name in figure.axes), default=0) + m.width("  ")
    for place, name in enumerate(figure.axes):
        marks.append(m.text(0, above + (place + 0.5) * high, name, Role.LABEL))
    x = names
    middle = above + len(figure.axes) * high / 2
    for number, (block, sign) in enumerate(zip(row.blocks, row.signs, strict=True)):
        step = block.step
        if number:
            between = x - m.space / 2, middle
            if row.crossed and number == 1:
                clashes = [place for place, edge in enumerate(block.extents) if edge.clashes]
                if clashes:  # the last one is what the reason names
                    between = between[0], above + (clashes[-1] + 0.5) * high
                marks.append(Cross(*between, min(m.line, m.space * 0.8)))
            else:
                marks.append(m.sign(*between, sign, block))
        marks.append(m.title(block, x, m.line / 2))
        reach = m.title_width(block)
        for place, extent in enumerate(block.extents):
            y = above + place * high
            length = max(1.0, round(_length(extent.length, most) * BAR)) * unit
            if extent.label:
                marks += _bar(extent, block, (x, y), (length, high), m)
            role = Role.CLASH if extent.clashes else Role.LABEL
            at = x + longest + m.width(" ")
            marks.append(m.text(at, y + high / 2, extent.label, role, step=step))
            reach = max(reach, longest + m.width(f" {extent.label}", role))
        x += reach + m.space
    return Placed(marks, max(0.0, x - m.space), above + len(figure.axes) * high)


def _bar(
    extent: Edge, block: Block, place: tuple[float, float], size: tuple[float, float], m: Metrics
) -> Iterator[Mark]:
    (x, y), (length, high) = place, size
    role = Role.RESULT if block.tint < 0 else Role.OPEN if extent.depends else Role.STORED
    stored = min(length, _unit(m)) if extent.stretched else length
    pieces = [(x, stored, role, block.step)]
    if extent.length == 0 or extent.outlined:  # nothing is stored there
        pieces = [(x, length, Role.OUTLINE, block.step)]
    elif extent.stretched:
        pieces.append((x + stored, length - stored, Role.REPEATED, Step.STRETCH))
    for start, long, kind, shown in pieces:
        if long <= 0:
            continue
        if m.on_paper:
            height = high * 0.7
            box = start, y + (high - height) / 2, long - m.gap, height
            yield Box(*box, kind, block.tint, shown)
        else:
            text = BARS[kind] * round(long)
            yield m.text(start, y + high / 2, text, kind, block.tint, step=shown)
