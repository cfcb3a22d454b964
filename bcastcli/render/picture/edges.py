"""Blocks that are too large for cells: in perspective, or a bar for each axis."""

from collections.abc import Iterator
from math import log

from bcastcli.render.picture.figure import Block, Edge, Figure, Row, Size, Step
from bcastcli.render.picture.marks import Box, Cross, Mark, Polygon, Role
from bcastcli.render.picture.metrics import Metrics, Placed

MAX_SLANTED = 3
"""Axes of a block in perspective; blocks of more axes have a bar for each."""
BAR = 6
"""The length of the longest bar, in cells."""
BARS = {Role.STORED: "█", Role.RESULT: "█", Role.REPEATED: "░", Role.OPEN: "?"}


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


def _largest_size(figure: Figure) -> int:
    sizes = (extent.length for block in figure.blocks for extent in block.extents)
    return max((size for size in sizes if isinstance(size, int)), default=1)


SLANT = (0.45, -0.38)
"""Where an edge that runs away from the reader ends, for a length of 1."""


def in_perspective(figure: Figure, block: Block, m: Metrics) -> Placed:
    """Return a block in perspective: solid where it is stored, dashed where it is repeated."""
    most = _largest_size(figure)
    unit = m.cell[0] * 3, m.cell[1] * 3
    none = Edge("", 0)
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
    if any(extent.depends for extent in block.extents):
        role = Role.OPEN
    step = block.step
    marks: list[Mark] = []
    if any(extent.stretched for extent in block.extents):
        marks += _faces(left, top, whole, unit, Role.REPEATED, block.tint, Step.STRETCH)
    stored = own[0] * unit[0], own[1] * unit[1], own[2]
    marks += _faces(left, top, stored, unit, role, block.tint, step)
    width, height, _ = whole
    dx, dy = z * SLANT[0] * unit[0], z * SLANT[1] * unit[1]
    if down.label:
        at = left - m.width(" "), top + height / 2
        marks.append(m.text(*at, down.label, tone[down], anchor="end", step=step))
    reach = left + width + dx
    if across.label:
        marks.append(
            m.text(left, top + height + m.line * 0.6, across.label, tone[across], step=step)
        )
        reach = max(reach, left + m.width(across.label, tone[across]))
    if depth.label:
        at = left + width + dx / 2 + m.line / 4, top + height + dy / 2 + m.line / 2
        marks.append(m.text(*at, depth.label, tone[depth], step=step))
        reach = max(reach, at[0] + m.width(depth.label, tone[depth]))
    return Placed(marks, reach, top + height + m.line * 1.2, left, top, top + height)


def _faces(
    x: float,
    y: float,
    size: tuple[float, float, float],
    unit: tuple[float, float],
    role: Role,
    tint: int,
    step: Step,
) -> Iterator[Polygon]:
    """Yield the front, the top and the right side of a block."""
    width, height, z = size
    dx, dy = z * SLANT[0] * unit[0], z * SLANT[1] * unit[1]
    right, low = x + width, y + height
    front = (x, y), (right, y), (right, low), (x, low)
    over = (x, y), (x + dx, y + dy), (right + dx, y + dy), (right, y)
    side = (right, y), (right + dx, y + dy), (right + dx, low + dy), (right, low)
    for shade, face in enumerate((front, over, side)):
        yield Polygon(face, role, tint, step, shade)


def in_bars(figure: Figure, row: Row, m: Metrics) -> Placed:
    """Return a line for each axis, and on it a bar for each block."""
    most = _largest_size(figure)
    longest = BAR * m.cell[0]
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
                marks.append(Cross(*between, min(m.line, m.space * 0.8)))
            else:
                marks.append(m.sign(*between, sign, block))
        marks.append(m.title(block, x, m.line / 2))
        reach = m.title_width(block)
        for place, extent in enumerate(block.extents):
            y = above + place * high
            length = max(1.0, round(_length(extent.length, most) * BAR)) * m.cell[0]
            if extent.label and extent.length != 0:
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
    stored = min(length, m.cell[0]) if extent.stretched else length
    pieces = [(x, stored, role, block.step)]
    if extent.stretched:
        pieces.append((x + stored, length - stored, Role.REPEATED, Step.STRETCH))
    for start, long, kind, shown in pieces:
        if long <= 0:
            continue
        if m.slanted:
            height = high * 0.7
            box = start, y + (high - height) / 2, long - m.gap, height
            yield Box(*box, kind, block.tint, shown)
        else:
            text = BARS[kind] * round(long)
            yield m.text(start, y + high / 2, text, kind, block.tint, step=shown)
