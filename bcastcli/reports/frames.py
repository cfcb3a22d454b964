"""Shapes in boxes: the frames before the cells, and the steps on a slide."""

from collections.abc import Iterator, Sequence

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.wording import joined_with_and
from bcastcli.render.picture.figure import RESULT, AlignedShape, Alignment, Figure, Slot, Step
from bcastcli.render.sheet import Cell, Tone
from bcastcli.reports import tables

MAX_SENTENCES = 4
"""The most axes for which each gets a sentence."""
MAX_OPERANDS = 4
"""The most operands whose sizes a sentence below a picture names."""


def ends(answer: Answer, until: Step) -> bool:
    """Return whether a step is the last one: comparing is where the operands do not broadcast."""
    is_refused = answer.ok is False and until > Step.ALIGN
    return until is Step.RESULT or answer.axes is None or is_refused


def frame(answer: Answer, until: Step, *, notes: bool = True) -> Figure | None:
    """Return the shapes up to a step; None where the step has more, or nothing can be aligned."""
    if not answer.axes or until > _last(answer):
        return None
    ghost = tables.ghost_note(answer, "dashed")
    said = answer.rule.describe_alignment(answer) or answer.rule.summary
    figure = _figure(answer, until, (said, ghost), alignment(answer))
    return figure if notes else figure._replace(captions=(), comparisons=())


def of_steps(answer: Answer, titles: Sequence[str], until: Step) -> Figure:
    """Return the shapes aligned, stretched, and the result, beside the titles of the steps."""
    stretched = tuple(_stretched(answer))
    ghost = tables.ghost_note(answer, "dashed above" if stretched else "dashed")
    repeated = any(slot and slot.is_dashed for shape in stretched for slot in shape.slots)
    own = alignment(answer)._replace(titles=tuple(titles), stretched=stretched)
    figure = _figure(answer, until, (answer.rule.describe_alignment(answer), ghost), own)
    return figure._replace(legend=repeated)


def _figure(answer: Answer, until: Step, captions: Sequence[str], own: Alignment) -> Figure:
    """Return shapes with the sentences below them; up to the first step, nothing is compared."""
    told = [sentence(answer, axis) for axis in answer.axes or ()]
    if until is Step.ALIGN:
        told = [": ".join(text.split(": ")[:2]) for text in told]
    return Figure(
        (),
        captions=tuple(filter(None, captions)),
        comparisons=tuple(comparisons(answer)),
        description=f"The shapes aligned: {'; '.join(told)}.",
        until=until,
        alignment=own,
    )


def comparisons(answer: Answer) -> Sequence[str]:
    """Return a sentence for each axis, the sizes there and what they decide; a clash alone."""
    axes = answer.axes or ()
    if len(axes) > MAX_SENTENCES or len(answer.operands) > MAX_OPERANDS:
        return ()
    clashes = [axis for axis in axes if axis.conflict]
    return [sentence(answer, axis) for axis in clashes or axes]


def _stretched(answer: Answer) -> Iterator[AlignedShape]:
    """Yield the operands stretched, and the result; none if there is none."""
    axes = answer.axes or ()
    if answer.ok is False or answer.result_by_rule is None:
        return
    sizes = [tables.result_size(axis).text for axis in axes]
    for tint, name in enumerate(answer.operand_names):
        if tint and answer.rule.second_is_target:
            continue
        slots = (
            Slot(size, name in axis.stretched) if size else None
            for axis, size in zip(axes, sizes, strict=True)
        )
        yield AlignedShape(name, tint, name, tuple(slots))
    yield AlignedShape("", RESULT, "result", tuple(Slot(size) if size else None for size in sizes))


def _last(answer: Answer) -> Step:
    """Return the last step that shows no more than shapes."""
    stretches = answer.ok is None or any(axis.stretched for axis in answer.axes or ())
    return Step.COMPARE if stretches and answer.ok is not False else Step.STRETCH


def alignment(answer: Answer) -> Alignment:
    """Return the shapes of the operands, below the numbers of their axes."""
    heads = tuple(tuple(cell.text for cell in row[1:]) for row in tables.axis_header(answer))
    shapes = tuple(
        AlignedShape(
            name,
            place,
            row[0].text,
            tuple(map(_slot, row[1:])),
            answer.rule.second_is_target and place == 1,
        )
        for place, (name, row) in enumerate(
            zip(answer.operand_names, tables.operand_rows(answer), strict=True)
        )
    )
    return Alignment(heads, shapes, tuple(tables.sign(axis).text for axis in answer.axes or ()))


def sentence(answer: Answer, axis: Axis) -> str:
    """Return what happens on an axis, in words."""
    sizes = ["no axis" if size is None else str(size) for size in axis.sizes]
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


def _slot(cell: Cell) -> Slot | None:
    if cell.tone is Tone.GHOST:
        return Slot("1", is_dashed=True)
    return Slot(cell.text, clashes=cell.tone is Tone.CLASH) if cell.text else None
