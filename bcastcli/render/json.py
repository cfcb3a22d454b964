"""One object on one line; its keys are a promise to the programs that read it."""

import json

from bcastcli.answers import Answer, Axis
from bcastcli.render import Style

SCHEMA = 1


def render(answer: Answer, style: Style) -> str:
    return f"{json.dumps(as_object(answer))}\n"


def as_object(answer: Answer) -> dict[str, object]:
    """The answer, in the words of schema 1."""
    reason = answer.reason
    axes = answer.axes
    return {
        "schema": SCHEMA,
        "rule": answer.rule.name,
        "operands": [{"name": name, "shape": shape} for name, shape in answer.operands],
        "options": answer.options,
        "ok": answer.ok,
        "result": answer.result,
        "when": answer.when,
        "reason": reason and reason.text,
        "reason_kind": reason and reason.kind,
        "axes": None if axes is None else [_axis(axis) for axis in axes],
        "notes": [note._asdict() for note in answer.notes],
    }


def _axis(axis: Axis) -> dict[str, object]:
    label = {"label": axis.label} if axis.label else {}
    return {
        "axis": axis.number,
        **label,
        "sizes": axis.sizes,
        "result": axis.result,
        "stretched": axis.stretched,
        "conflict": axis.conflict,
    }
