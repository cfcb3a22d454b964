"""Answers as records for JSON; operands and axes, which recur in a stream, are encoded once."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Note, Options, Reason
from bcastcli.core.shapes import UNKNOWN_RANK, Size
from bcastcli.render.json import Texts, encode
from bcastcli.reports import STATUS

if TYPE_CHECKING:
    from bcastcli.core.question import Suggestion


def record(answer: Answer) -> dict[str, object]:
    """Return an answer's record."""
    contraction = answer.question.contraction
    texts = None if answer.axes is None else [axis_text(axis, axis.number) for axis in answer.axes]
    if answer.question.impossible and answer.question.is_derived and contraction is None:
        texts = None  # operands cannot be derived from the inputs
    if texts is not None and contraction is not None and contraction.conflict is not False:
        summed = Axis(0, "K", contraction.sizes, None, (), contraction.conflict)
        beyond = len(texts) - len(contraction.rows[0])
        texts.insert(beyond + contraction.before_axis, axis_text(summed, None))
    return {
        "rule": answer.rule.name,
        "operands": Texts(map(operand_text, answer.operands)),
        **verdict(answer.options, answer.ok, answer.result, answer.when, answer.reason),
        "axes": None if texts is None else Texts(texts),
        "notes": [note._asdict() for note in answer.notes],
        **answer.question.details(),
    }


def with_steps(answer: Answer) -> dict[str, object]:
    """Return an answer's record with the figures of its steps.

    These are the elements of the result, their bytes as float32, and for each operand its strides
    along the axes of the result, in elements, and the axes to sum its gradient over. A value
    is null if the operand lacks it, as a target does, or if it depends on unknown sizes.
    """
    from bcastcli.core.amounts import BYTES
    from bcastcli.reports.memory import elements, operand_uses

    counts = answer.ok is not False
    taking_part = {use.name: use for use in operand_uses(answer)} if counts else {}
    operands = []
    for operand in answer.operands:
        use = taking_part.get(operand.name)
        is_certain = use is not None and all(each.when is None for each in use.sums)
        strides = use and [None if step is None else step.value for step in use.strides]
        summed = [each.axis.number for each in use.sums] if use and is_certain else None
        operands.append(encode({**operand._asdict(), "strides": strides, "gradient_axes": summed}))
    count = elements(answer) if counts else None
    return {
        **record(answer),
        "operands": Texts(operands),
        "elements": count and count.value,
        "bytes": count and count.of(BYTES).value,
    }


def verdict(
    options: Options,
    ok: bool | None,
    result: Iterable[Size] | None,
    when: str | None,
    reason: Reason | None,
) -> dict[str, object]:
    """Return the keys of the record between its operands and its axes."""
    return {
        "status": STATUS[ok],
        "options": options,
        "ok": ok,
        "result": result,
        "when": when,
        "reason": reason and reason.text,
        "reason_kind": reason and reason.kind,
    }


def operand_text(operand: Operand) -> str:
    """Return an operand as JSON."""
    shape = None if operand.shape == UNKNOWN_RANK else operand.shape
    return encode({"name": operand.name, "shape": shape})


def axis_text(axis: Axis, number: int | None) -> str:
    """Return an axis as JSON; the summed one of a matrix product has a null number."""
    label = {"label": axis.label} if axis.label else {}
    return encode(
        {
            "axis": number,
            **label,
            "sizes": axis.sizes,
            "result": axis.result,
            "stretched": axis.stretched,
            "conflict": axis.conflict,
        }
    )


def with_advice(
    own: Mapping[str, object], notes: Iterable[Note], lines: Iterable["Suggestion"]
) -> dict[str, object]:
    """Return a record with notes and suggestions, each complete enough to ask it."""
    suggestions = [
        {
            "write": line.write,
            **line.answer.question.record(),
            "result": line.answer.result,
            "kind": line.kind,
        }
        for line in lines
    ]
    return {**own, "notes": [note._asdict() for note in notes], "suggestions": suggestions}
