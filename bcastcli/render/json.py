"""One object on one line; its keys are a promise to the programs that read it."""

import json
from collections.abc import Iterable, Mapping

from bcastcli.core.answer import Answer, Axis, Note, Operand, Options, Reason, Rule, Suggestion
from bcastcli.core.shapes import Size
from bcastcli.notation.text import NotationError
from bcastcli.render import Style

HEADER = ""
NUMBERED = True
BRIEF = False
SCHEMA = 1
encode = json.JSONEncoder(check_circular=False).encode


def single(answer: Answer, style: Style) -> str:
    text = render(answer, style)
    suggestions = encode([_suggested(each) for each in answer.suggestions])
    return f'{text[:-2]}, "suggestions": {suggestions}}}\n'


def _suggested(suggestion: Suggestion) -> dict[str, object]:
    write, _, answer = suggestion
    return {"write": write, **answer.question, "result": answer.result}


def render(answer: Answer, style: Style) -> str:
    axes = answer.axes
    text = assembled(
        answer.rule,
        map(operand_text, answer.operands),
        verdict(answer.options, answer.ok, answer.result, answer.when, answer.reason),
        None if axes is None else map(axis_text, axes),
        answer.notes,
    )
    return f"{text[:-2]}, {encode(answer.about)[1:-1]}}}\n" if answer.about else text


def assembled(
    rule: Rule,
    operands: Iterable[str],
    verdict: Mapping[str, object],
    axes: Iterable[str] | None,
    notes: Iterable[Note],
) -> str:
    """The object on its line, from its parts; operands and axes as their texts."""
    aligned = "null" if axes is None else f"[{', '.join(axes)}]"
    return (
        f'{{"schema": {SCHEMA}, "rule": "{rule.name}", "operands": [{", ".join(operands)}], '
        f'{encode(verdict)[1:-1]}, "axes": {aligned}, '
        f'"notes": {encode([note._asdict() for note in notes])}}}\n'
    )


def verdict(
    options: Options,
    ok: bool | None,
    result: Iterable[Size] | None,
    when: str | None,
    reason: Reason | None,
) -> dict[str, object]:
    """What the object says between its operands and its axes."""
    return {
        "options": options,
        "ok": ok,
        "result": result,
        "when": when,
        "reason": reason and reason.text,
        "reason_kind": reason and reason.kind,
    }


def operand_text(operand: Operand) -> str:
    """An operand as its object."""
    return encode(operand._asdict())


def axis_text(axis: Axis) -> str:
    """An axis as its object."""
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


def of_data(data: Mapping[str, object]) -> str:
    """The object of what is no answer."""
    return encode({"schema": SCHEMA, **data}) + "\n"


def tagged(text: str, tags: Mapping[str, object]) -> str:
    """The object with its label and its id."""
    return f"{text[:-2]}, {encode(tags)[1:-1]}}}\n"


def numbered(text: str, number: int) -> str:
    return f'{text[:-2]}, "line": {number}}}\n'


def failed(error: NotationError, number: int) -> str:
    return (
        encode(
            {
                "schema": SCHEMA,
                "line": number,
                "input": error.text,
                "error": error.message,
                "column": error.span[0] + 1,
            }
        )
        + "\n"
    )
