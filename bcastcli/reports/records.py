"""Answers as records; what recurs in a stream, operands and axes, is encoded on its own."""

from collections.abc import Iterable, Mapping

from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.answer import Answer, Suggestion
from bcastcli.core.rule import Note, Options, Reason, Rule
from bcastcli.core.shapes import UNKNOWN_RANK, Size
from bcastcli.render.json import Texts, encode


def record(answer: Answer) -> dict[str, object]:
    """Return an answer's record."""
    axes = answer.axes
    found = assembled(
        answer.rule,
        map(operand_text, answer.operands),
        verdict(answer.options, answer.ok, answer.result, answer.when, answer.reason),
        None if axes is None else map(axis_text, axes),
        answer.notes,
    )
    found.update(answer.question.details())
    return found


def assembled(
    rule: Rule,
    operands: Iterable[str],
    verdict: Mapping[str, object],
    axes: Iterable[str] | None,
    notes: Iterable[Note],
) -> dict[str, object]:
    """Return a record from its parts; operands and axes are JSON already."""
    return {
        "rule": rule.name,
        "operands": Texts(operands),
        **verdict,
        "axes": None if axes is None else Texts(axes),
        "notes": [note._asdict() for note in notes],
    }


def verdict(
    options: Options,
    ok: bool | None,
    result: Iterable[Size] | None,
    when: str | None,
    reason: Reason | None,
) -> dict[str, object]:
    """Return what the record holds between its operands and its axes."""
    return {
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


def axis_text(axis: Axis) -> str:
    """Return an axis as JSON."""
    label = {"label": axis.label} if axis.label else {}
    return encode(
        {
            "axis": axis.number,
            **label,
            "sizes": axis.sizes,
            "result": axis.result,
            "stretched": axis.stretched,
            "conflict": axis.conflict,
        }
    )


def suggestion(suggested: Suggestion) -> dict[str, object]:
    """Return the record of what to write instead."""
    answer = suggested.answer
    return {"write": suggested.write, **answer.question.record(), "result": answer.result}
