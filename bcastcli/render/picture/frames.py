"""Shapes as rows of boxes, aligned below the axes, and a sign below each column."""

from collections.abc import Iterator

from bcastcli.render.picture.figure import AlignedShape, Alignment, Slot, Step
from bcastcli.render.picture.marks import Box, Drawing, Mark, Role, Text
from bcastcli.render.picture.metrics import Metrics

SIGN = 1.4
"""The scale of signs on paper, relative to words."""
ROLES = {"=": Role.GHOST, "!": Role.CLASH, "?": Role.DEPENDS}


def in_boxes(alignment: Alignment, m: Metrics) -> Drawing:
    """Return a box for each size; the signs belong to the second step."""
    scale = SIGN if m.on_paper else 1
    names = max(m.width(f"{shape.title}  ", Role.TITLE) for shape in alignment.shapes)
    left = max(names * m.title_scale, m.width("axis  "))
    texts = [slot.text for shape in alignment.shapes for slot in shape.slots if slot]
    widths = (
        *(m.width(text, Role.STORED) for text in texts),
        *(m.width(text) for line in alignment.heads for text in line),
        *(m.width(sign, Role.SIGN) * scale for sign in alignment.signs),
    )
    across = max(m.cell[0], max(widths) + m.width("  ") + m.edge)
    down = m.cell[1] if m.on_paper else 2
    # Characters end below each other, other texts have their middle there.
    anchor, inset = ("middle", (across - m.gap) / 2) if m.on_paper else ("end", across - 1)
    places = [left + n * across + inset for n in range(len(alignment.signs))]
    marks: list[Mark] = [m.text(0, m.line / 2, "axis", Role.HEADING)]
    y = 0.0
    for line in alignment.heads:
        for x, text in zip(places, line, strict=True):
            marks.append(m.text(x, y + m.line / 2, text, anchor=anchor))
        y += m.line
    for tint, shape in enumerate(alignment.shapes):
        middle = y + (down - m.gap + m.edge) / 2
        marks.append(Text(0, middle, shape.title, m.type * m.title_scale, Role.TITLE, tint))
        for n, (slot, x) in enumerate(zip(shape.slots, places, strict=True)):
            if slot:
                box = left + n * across, y, across - m.gap, down - m.gap
                role = _role(shape, slot, m)
                size = max(m.type, m.numeral)
                marks += _box(slot, box, role, tint)
                marks.append(Text(x, middle, slot.text, size, role, tint, anchor))
        y += down
    y += m.edge
    high = m.line * scale
    tints = {shape.name: tint for tint, shape in enumerate(alignment.shapes)}
    for x, sign in zip(places, alignment.signs, strict=True):
        role = ROLES.get(sign, Role.TITLE if sign in tints else Role.SIGN)
        look = m.type * scale, role, tints.get(sign, -1), anchor, Step.COMPARE
        marks += [Text(x, y + high / 2, sign, *look)] if sign else []
    return Drawing(tuple(marks), left + len(places) * across + m.edge, y + high)


def _role(shape: AlignedShape, slot: Slot, m: Metrics) -> Role:
    """Return the role of a box: dashed where the axis is missing, unfilled in a target shape."""
    if slot.is_missing:
        return Role.REPEATED
    return Role.OUTLINE if shape.is_target and m.on_paper else Role.STORED


def _box(
    slot: Slot, box: tuple[float, float, float, float], role: Role, tint: int
) -> Iterator[Mark]:
    yield Box(*box, role, tint)
    if slot.clashes:
        yield Box(*box, Role.SURPLUS, step=Step.COMPARE)
