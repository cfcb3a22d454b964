"""Shapes as rows of boxes, aligned below the axes, and a sign below each column."""

from collections.abc import Iterator
from typing import NamedTuple

from bcastcli.render.picture.figure import RESULT, AlignedShape, Alignment, Step
from bcastcli.render.picture.marks import Box, Drawing, Mark, Role, Text
from bcastcli.render.picture.metrics import Metrics

SIGN = 1.4
"""The scale of signs on paper, relative to words."""
ROLES = {"=": Role.GHOST, "!": Role.CLASH, "?": Role.DEPENDS}


class _Columns(NamedTuple):
    """The places of the columns, and the size of a box."""

    title: float
    """Where the names of the operands begin, behind the titles of the steps."""
    left: float
    across: float
    down: float
    number: int

    def middles(self, m: Metrics) -> list[float]:
        """Return where texts stand: on paper in the middle, as characters at the end."""
        inset = (self.across - m.gap) / 2 if m.on_paper else self.across - 1
        return [self.left + n * self.across + inset for n in range(self.number)]


def in_boxes(alignment: Alignment, m: Metrics) -> Drawing:
    """Return a box for each size; signs and stretched shapes belong to further steps."""
    columns = _columns(alignment, m)
    anchor = "middle" if m.on_paper else "end"
    middles = columns.middles(m)
    titles = iter(alignment.titles)
    marks: list[Mark] = [m.text(columns.title, m.line / 2, "axis", Role.HEADING)]
    y = 0.0

    def title(height: float, step: Step) -> None:
        text = next(titles, "")
        marks.extend([m.text(0, y + height / 2, text, Role.HEADING, step=step)] if text else [])

    for line in alignment.heads:
        for x, text in zip(middles, line, strict=True):
            marks.append(m.text(x, y + m.line / 2, text, anchor=anchor))
        y += m.line
    title(columns.down - m.gap, Step.ALIGN)
    for shape in alignment.shapes:
        marks += _shape(shape, y, columns, m, Step.ALIGN)
        y += columns.down
    y += m.edge
    scale = SIGN if m.on_paper else 1
    high = m.line * scale
    title(high, Step.COMPARE)
    tints = {shape.name: shape.tint for shape in alignment.shapes}
    for x, sign in zip(middles, alignment.signs, strict=True):
        role = ROLES.get(sign, Role.TITLE if sign in tints else Role.SIGN)
        look = m.type * scale, role, tints.get(sign, -1), anchor, Step.COMPARE
        marks += [Text(x, y + high / 2, sign, *look)] if sign else []
    y += high
    title(columns.down - m.gap, Step.STRETCH)
    for shape in alignment.stretched:
        step = Step.RESULT if shape.tint == RESULT else Step.STRETCH
        marks += _shape(shape, y, columns, m, step)
        y += columns.down
    return Drawing(tuple(marks), columns.left + columns.number * columns.across + m.edge, y)


def _columns(alignment: Alignment, m: Metrics) -> _Columns:
    """Return columns that are as wide as their widest text."""
    shapes = alignment.all_shapes
    names = max(m.width(f"{shape.title}  ", Role.TITLE) for shape in shapes) * m.title_scale
    titles = [m.width(f"{title}  ", Role.HEADING) for title in alignment.titles]
    texts = [slot.text for shape in shapes for slot in shape.slots if slot]
    scale = SIGN if m.on_paper else 1
    widths = (
        *(m.width(text, Role.STORED) for text in texts),
        *(m.width(text) for line in alignment.heads for text in line),
        *(m.width(sign, Role.SIGN) * scale for sign in alignment.signs),
    )
    across = max(m.cell[0], max(widths) + m.width("  ") + m.edge)
    down = max(m.cell[1], m.line) if m.on_paper else 2
    title = max(titles, default=0)
    left = title + max(names, m.width("axis  ", Role.HEADING))
    return _Columns(title, left, across, down, len(alignment.signs))


def _shape(
    shape: AlignedShape, y: float, columns: _Columns, m: Metrics, step: Step
) -> Iterator[Mark]:
    """Yield the name of an operand, or of the result, and its boxes."""
    across, down = columns.across, columns.down
    middle = y + (down - m.gap + m.edge) / 2
    size = m.type * m.title_scale
    yield Text(columns.title, middle, shape.title, size, Role.TITLE, shape.tint, step=step)
    own = Role.RESULT if shape.tint == RESULT else Role.STORED
    if shape.is_target and m.on_paper:  # as characters, only what is missing is dashed
        own = Role.OUTLINE
    anchor = "middle" if m.on_paper else "end"
    for n, (slot, x) in enumerate(zip(shape.slots, columns.middles(m), strict=True)):
        if slot is None:
            continue
        box = columns.left + n * across, y, across - m.gap, down - m.gap
        role = Role.REPEATED if slot.is_dashed else own
        yield Box(*box, role, shape.tint, step)
        if slot.clashes:
            yield Box(*box, Role.SURPLUS, step=Step.COMPARE)
        look = max(m.type, m.numeral), role, shape.tint, anchor, step
        yield Text(x, middle, slot.text, *look)
