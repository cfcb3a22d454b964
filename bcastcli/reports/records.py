"""Answers as records for JSON."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Note, Reason
from bcastcli.core.shapes import UNKNOWN_RANK
from bcastcli.reports import STATUS

if TYPE_CHECKING:
    from bcastcli.core.question import Suggestion


def record(answer: Answer) -> dict[str, object]:
    """An answer's record."""
    known = {"options": answer.options, "result": answer.result, "when": answer.when}
    return {
        "rule": answer.rule.name,
        "operands": [_operand(each) for each in answer.operands],
        **verdict(answer.ok, answer.reason, **known),
        "axes": _axes(answer),
        "notes": [note._asdict() for note in answer.notes],
        **answer.question.details(),
    }


def _operand(operand: Operand) -> dict[str, object]:
    return {"name": operand.name, "shape": None if operand.shape == UNKNOWN_RANK else operand.shape}


def _axes(answer: Answer) -> list[dict[str, object]] | None:
    """The axes, with the one that a matrix product sums over; None if operands cannot have them."""
    contraction = answer.question.contraction
    if answer.axes is None:
        return None
    if answer.question.impossible and answer.question.is_derived and contraction is None:
        return None  # operands cannot be derived from the inputs
    axes = [_axis(axis, axis.number) for axis in answer.axes]
    if contraction is not None and contraction.conflict is not False:
        summed = Axis(0, "K", contraction.sizes, None, (), contraction.conflict)
        beyond = len(axes) - len(contraction.rows[0])
        axes.insert(beyond + contraction.before_axis, _axis(summed, None))
    return axes


def _axis(axis: Axis, number: int | None) -> dict[str, object]:
    """An axis; the summed one of a matrix product has a null number."""
    own = {"axis": number, **axis._asdict()}
    del own["number"]
    if not axis.label:
        del own["label"]
    return own


def verdict(ok: bool | None, reason: Reason | None, **more: object) -> dict[str, object]:
    """The keys of the record between its operands and its axes."""
    return {
        "status": STATUS[ok],
        "options": {},
        "ok": ok,
        "result": None,
        "when": None,
        "reason": None if reason is None else reason.text,
        "reason_kind": None if reason is None else reason.kind,
        **more,
    }


def with_advice(
    own: Mapping[str, object], notes: Iterable[Note], lines: Iterable["Suggestion"]
) -> dict[str, object]:
    """A record with notes and suggestions, each complete enough to ask it."""
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
