"""Shapes as boxes, aligned and stretched, and a sentence for each axis."""

from collections.abc import Iterable, Iterator, Sequence

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.wording import joined_with_and
from bcastcli.picture.figure import RESULT, AlignedShape, Alignment, Figure, Row, Slot
from bcastcli.render.sheet import Cell, Tone
from bcastcli.reports import tables

MAX_SENTENCES = 4
"""The most axes for which each gets a sentence."""
LENGTHS = "longer is larger, not to scale"
UNKNOWN_LENGTHS = "longer is larger where both sizes are numbers, not to scale"
"""The legends for the lengths of boxes."""
MAX_OPERANDS = 4
"""The most operands for sentences about sizes, and for cells with numbers."""


def aligned_and_stretched(answer: Answer) -> Figure:
    """Return the shapes aligned, stretched, and the result."""
    stretched = tuple(_stretched(answer))
    own = alignment(answer)._replace(stretched=stretched)
    ghost = tables.ghost_note(answer, "dashed above") if _is_dashed(own.shapes) else ""
    said = answer.rule.describe_alignment(answer)
    told = [sentence(answer, axis) for axis in answer.axes or ()]
    return Figure(
        (Row(alignment=own),),
        captions=tuple(filter(None, (said, ghost, _lengths(own)))),
        comparisons=tuple(comparisons(answer)),
        legend=_is_dashed(stretched),
        description=f"The shapes aligned: {'; '.join(told)}.",
    )


def _is_dashed(shapes: Iterable[AlignedShape]) -> bool:
    """Return whether any box of these shapes is dashed."""
    return any(slot and slot.is_dashed for shape in shapes for slot in shape.slots)


def with_result(answer: Answer) -> Row:
    """Return the shapes aligned, and below them the result, if there is one."""
    return Row(alignment=alignment(answer)._replace(stretched=tuple(_stretched(answer))[-1:]))


def _lengths(alignment: Alignment) -> str:
    """Return the legend for the lengths of boxes; empty if all are equal."""
    if len(alignment.sizes) < 2:
        return ""
    return LENGTHS if all(map(str.isdigit, alignment.sizes)) else UNKNOWN_LENGTHS


def comparisons(answer: Answer) -> Sequence[str]:
    """Return a sentence for each axis with its sizes and their effect; only for clashes if any."""
    axes = answer.axes or ()
    if len(axes) > MAX_SENTENCES or len(answer.operands) > MAX_OPERANDS:
        return ()
    clashes = [axis for axis in axes if axis.conflict]
    more = _unmatched(answer, clashes[0]) if len(clashes) == 1 else ""
    return [sentence(answer, axis) + more for axis in clashes or axes]


def _unmatched(answer: Answer, axis: Axis) -> str:
    """Return how many elements of the larger of two clashing sizes lack a partner."""
    sizes = sorted(size for size in tables.clashing(axis) if isinstance(size, int))
    if len(sizes) != 2 or 0 in sizes:
        return ""
    less, more = sizes
    owners = zip(answer.operand_names, axis.sizes, strict=True)
    [owner, *others] = [name for name, size in owners if size == more]
    whose = "" if others else f"{owner}'{'s' * (not owner.endswith('s'))} "
    verb = "has" if more - less == 1 else "have"
    return f"; {more - less} of {whose}{more} {verb} no partner"


def _stretched(answer: Answer) -> Iterator[AlignedShape]:
    """Yield the stretched operands, then the result; nothing after a mismatch."""
    axes = answer.axes or ()
    if answer.ok is False or answer.result_by_rule is None:
        return
    sizes = [tables.result_size(axis).text for axis in axes]
    for tint, name in enumerate(answer.operand_names):
        if tint and answer.rule.second_is_target:
            continue
        slots = (
            Slot(size, name in axis.stretched and axis.result != 0) if size else None
            for axis, size in zip(axes, sizes, strict=True)
        )
        yield AlignedShape(name, tint, name, tuple(slots))
    yield AlignedShape("", RESULT, "result", tuple(Slot(size) if size else None for size in sizes))


def alignment(answer: Answer) -> Alignment:
    """Return the shapes of the operands, below the numbers of their axes."""
    axes = answer.axes or ()
    heads = tuple(tuple(cell.text for cell in row[1:]) for row in tables.axis_header(answer))
    # Under a rule that forbids missing axes, a ghost would look allowed.
    refused = [bool(axis.conflict and answer.layout.refusal) for axis in axes]
    shapes = []
    rows = zip(answer.operand_names, tables.operand_rows(answer), strict=True)
    for place, (name, row) in enumerate(rows):
        slots, is_target = map(_slot, row[1:], refused), answer.rule.second_is_target and place == 1
        title = name if row[0].text == name else f"{name} transposed"
        shapes.append(AlignedShape(name, place, title, tuple(slots), is_target))
    # After a mismatch, only the axes that clash have a sign.
    shown = (axis.conflict or answer.ok is not False for axis in axes)
    signs = (tables.sign(axis).text * bool(own) for axis, own in zip(axes, shown, strict=True))
    return Alignment(heads, tuple(shapes), tuple(signs))


def sentence(answer: Answer, axis: Axis) -> str:
    """Return the sizes on an axis, and the outcome."""
    shown = tables.clashing(axis) if axis.conflict else axis.sizes
    sizes = ["missing" if size is None else str(size) for size in axis.sizes if size in shown]
    targets = answer.operand_names[1:] if answer.rule.second_is_target else ()
    names = tables.operands_of(axis)
    if axis.conflict is None:
        what = "depends"
    elif axis.conflict:
        what = tables.why_it_clashes(answer, axis)
    elif targets and axis.stretched == targets:
        what = f"the result has {axis.result}"
    elif names:
        what = f"{names} stretch{'es' if len(axis.stretched) == 1 else ''} to {axis.result}"
    else:
        what = "equal" if len(sizes) > 1 and axis.result is not None else ""
    text = joined_with_and(sizes) if len(sizes) <= tables.MAX_NAMED else f"{len(sizes)} sizes"
    return ": ".join(filter(None, (f"axis {axis.label or axis.number}", text, what)))


def _slot(cell: Cell, refused: bool) -> Slot | None:
    if cell.tone is Tone.GHOST:
        return None if refused else Slot("1", is_dashed=True)
    return Slot(cell.text, False, cell.tone is Tone.CLASH) if cell.text else None
