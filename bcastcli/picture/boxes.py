"""Shapes as rows of boxes, aligned below the axes, and a sign below each column."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf, log
from typing import NamedTuple

from bcastcli.picture.figure import RESULT, AlignedShape, Alignment, Step
from bcastcli.picture.marks import Box, Mark, Role, Text
from bcastcli.picture.metrics import Metrics, Placed, short

SIGN = 1.4
"""The scale of signs on paper, relative to words."""
ROW = 30.0
"""The least height of a row of boxes on paper."""
SHORTEST = 0.3
"""The length of the shortest box on paper, relative to a column."""
APART = 18.0
"""The least distance between boxes of neighbouring axes on paper; closer ones look like cells."""
LONGER = 5.0, 0.08
"""How much longer, at least, the box of a larger size is on paper: in pixels, and of a column."""
ROLES = {"=": Role.GHOST, "!": Role.CLASH, "?": Role.DEPENDS}


class _Columns(NamedTuple):
    """The places of the columns, and the size of a box."""

    title: float
    """Where the names of the operands begin, behind the titles of the steps."""
    left: float
    across: float
    """From one column to the next."""
    shortest: float
    lengths: Mapping[str, float]
    """The length of a box by the size in it: different for each size."""
    down: float
    numeral: float
    """The size of the type in boxes."""

    def at(self, number: int) -> float:
        """Return where a column begins."""
        return self.left + number * self.across

    def middle(self, number: int, m: Metrics) -> float:
        """Return the place of texts: on paper their middle, in characters their end."""
        return self.at(number) + (self.shortest / 2 if m.on_paper else self.shortest - 2)


def in_boxes(alignment: Alignment, m: Metrics) -> Placed:
    """Return a box for each size; signs and stretched shapes belong to further steps."""
    columns = _columns(alignment, m)
    anchor = "middle" if m.on_paper else "end"
    scale = SIGN if m.on_paper else 1
    high = m.line * scale
    first = len(alignment.heads) * m.line
    signs = first + len(alignment.shapes) * columns.down + m.edge - m.gap
    last = signs + high

    def marks() -> Iterator[Mark]:
        yield m.text(columns.title, m.line / 2, "axis", Role.HEADING, step=Step.ALIGN)
        for n, line in enumerate(alignment.heads):
            for place, text in enumerate(line):
                x, y = columns.middle(place, m), (n + 0.5) * m.line
                yield m.text(x, y, text, anchor=anchor, step=Step.ALIGN)
        for n, shape in enumerate(alignment.shapes):
            yield from _shape(shape, first + n * columns.down, columns, m, Step.STORED)
        yield from _unmatched(alignment, first, columns, m)
        tints = {shape.name: shape.tint for shape in alignment.shapes}
        for n, sign in enumerate(alignment.signs):
            role = ROLES.get(sign, Role.TITLE if sign in tints else Role.SIGN)
            is_wide = m.width(sign, Role.SIGN) * scale > columns.shortest
            x, side = (columns.at(n), "start") if is_wide else (columns.middle(n, m), anchor)
            size = m.type * (scale if len(sign) == 1 else 1)
            look = size, role, tints.get(sign, -1), side, Step.COMPARE
            yield Text(x, signs + high / 2, sign, *look)
        for n, shape in enumerate(alignment.stretched):
            step = Step.RESULT if shape.tint == RESULT else Step.STRETCH
            yield from _shape(shape, last + n * columns.down, columns, m, step)

    below = len(alignment.stretched) * columns.down + (m.edge - m.gap) * bool(alignment.stretched)
    return Placed(marks, columns.at(len(alignment.signs)), last + below)


def _columns(alignment: Alignment, m: Metrics) -> _Columns:
    """Return columns as wide as the box of the largest size, with a length for each size."""
    names = [m.width(f"{shape.title}  ", Role.TITLE) for shape in alignment.all_shapes]
    signs = [m.width(f"{sign} ", Role.SIGN) for sign in alignment.signs]
    sizes = alignment.sizes
    widths = [m.width(short(size), Role.SIZE) for size in sizes]
    widths += (m.width(text) for line in alignment.heads for text in line)
    widest = max(widths, default=0)
    shortest = max(widest + m.width("  ") + 2 * m.edge, m.cell[0] * SHORTEST)
    longer = max(LONGER[0], LONGER[1] * m.cell[0]) if m.on_paper else m.cell[0]
    # Lengths differ by a minimum; the rest of the column is divided by magnitude.
    left = max(m.cell[0] - shortest - (len(sizes) - 1) * longer, 0) if m.on_paper else 0
    shares = _magnitudes(sizes)
    lengths = {
        size: shortest + n * longer + left * share
        for n, (size, share) in enumerate(zip(sizes, shares, strict=True))
    }
    wide = max(*lengths.values(), *signs)
    first = max(*names, m.width("axis  ", Role.HEADING))
    across = wide + (max(m.width(" "), APART) if m.on_paper else m.width(" "))
    down, numeral = m.cell[1], 1.0
    if m.on_paper:
        down, room = max(down, ROW), (shortest - m.width("  ")) / max(widest, 1)
        numeral = min(m.numeral, m.type * room)
    return _Columns(0, first, across, shortest, lengths, down, numeral)


def _magnitudes(sizes: Sequence[str]) -> list[float]:
    """Return the logarithms of sizes relative to the largest; a name counts as the largest.

    >>> [round(each, 2) for each in _magnitudes(["1", "3", "99", "100", "N"])]
    [0.0, 0.24, 1.0, 1.0, 1.0]
    """
    logs = [log(max(int(size), 1)) if size.isdigit() else inf for size in sizes]
    most = max((each for each in logs if each < inf), default=0) or 1
    return [min(each / most, 1.0) for each in logs]


def _shape(
    shape: AlignedShape, y: float, columns: _Columns, m: Metrics, step: Step
) -> Iterator[Mark]:
    """Yield the name of an operand, or of the result, and its boxes."""
    high = columns.down - m.gap
    middle = y + (high + m.edge) / 2
    yield m.text(columns.title, middle, shape.title, Role.TITLE, shape.tint, step=step)
    own = Role.OUTLINE if shape.is_target and m.on_paper else Role.SIZE
    anchor = "middle" if m.on_paper else "end"
    for n, slot in enumerate(shape.slots):
        if slot:
            role = Role.REPEATED if slot.is_dashed else own
            look = role, shape.tint
            at = max(step, Step.ALIGN) if slot.is_dashed else step
            yield Box(columns.at(n), y, columns.lengths[slot.text] - m.edge, high, *look, at)
            numeral = max(m.type, columns.numeral)
            yield Text(columns.middle(n, m), middle, short(slot.text), numeral, *look, anchor, at)


def _unmatched(alignment: Alignment, first: float, columns: _Columns, m: Metrics) -> Iterator[Mark]:
    """Yield a box around the part of each size that clashes with a smaller one."""
    for n, slots in enumerate(zip(*(shape.slots for shape in alignment.shapes), strict=True)):
        clashing = [
            (columns.lengths[slot.text], first + place * columns.down)
            for place, slot in enumerate(slots)
            if slot and slot.clashes
        ]
        least = min((length for length, _ in clashing), default=0)
        has_none = any(slot and slot.clashes and slot.text == "0" for slot in slots)
        alike = all(length == least for length, _ in clashing)
        start = 0 if alike or has_none else least - m.edge
        for length, y in clashing:
            if length > least or not start:
                width = length - m.edge - start
                x, high = columns.at(n) + start, columns.down - m.gap
                yield Box(x, y, width, high, Role.SURPLUS, step=Step.COMPARE)
