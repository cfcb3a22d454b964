"""The frames before the cells: the shapes aligned in boxes, and what each column decides."""

from collections.abc import Sequence

from bcastcli.core.answer import Answer
from bcastcli.render.picture.figure import AlignedShape, Alignment, Figure, Slot, Step
from bcastcli.render.sheet import Cell, Tone
from bcastcli.reports import tables
from bcastcli.reports.arrays import axis_name
from bcastcli.reports.steps import MAX_SENTENCES, ends, sentence


def frame(answer: Answer, until: Step, *, notes: bool = True) -> Figure | None:
    """Return the shapes up to a step; None where the step has more, or nothing can be aligned.

    Where the sizes clash, comparing them is the last step: the figure is whole.
    """
    if not answer.axes or until > _last(answer):
        return None
    ghost = tables.ghost_note(answer, "dashed")
    said = answer.rule.describe_alignment(answer) or answer.rule.summary
    sentences = [(axis, sentence(answer, axis)) for axis in answer.axes]
    decisive = [text for axis, text in sentences if axis.conflict]
    shown = decisive or [text for _, text in sentences]
    compared = [text for _, text in sentences] if until > Step.ALIGN else []
    return Figure(
        (),
        captions=tuple(filter(None, (said, ghost))) if notes else (),
        comparisons=tuple(shown) if notes and len(shown) <= MAX_SENTENCES else (),
        description=_in_words(answer, compared),
        until=Step.RESULT if ends(answer, until) else until,
        alignment=alignment(answer),
    )


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
            row[0].text,
            tuple(map(_slot, row[1:])),
            answer.rule.second_is_target and place == 1,
        )
        for place, (name, row) in enumerate(
            zip(answer.operand_names, tables.operand_rows(answer), strict=True)
        )
    )
    return Alignment(heads, shapes, tuple(tables.sign(axis).text for axis in answer.axes or ()))


def _in_words(answer: Answer, compared: Sequence[str]) -> str:
    """Return the boxes in words, axis by axis."""
    if compared:
        return f"The shapes compared. {'. '.join(compared)}."
    columns = (
        f"{axis_name(axis)}: "
        + ", ".join(
            f"{name} has {'no axis' if size is None else size}"
            for name, size in zip(answer.operand_names, axis.sizes, strict=True)
        )
        for axis in answer.axes or ()
    )
    return f"The shapes aligned. {'. '.join(columns)}."


def _slot(cell: Cell) -> Slot | None:
    if cell.tone is Tone.GHOST:
        return Slot("1", is_missing=True)
    return Slot(cell.text, clashes=cell.tone is Tone.CLASH) if cell.text else None
