"""Answers as records for JSON; operands and axes, which recur in a stream, are encoded once."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Note, Options, Reason
from bcastcli.core.shapes import MAX_CACHED, UNKNOWN_RANK, Size
from bcastcli.render.json import Encoded, encode, in_brackets
from bcastcli.reports import STATUS

if TYPE_CHECKING:
    from bcastcli.core.question import Suggestion


def record(answer: Answer) -> dict[str, object]:
    """Return an answer's record."""
    contraction = answer.question.contraction
    reason = None if answer.ok else answer.reason
    texts = None if answer.axes is None else [axis_text(axis, axis.number) for axis in answer.axes]
    if answer.question.impossible and answer.question.is_derived and contraction is None:
        texts = None  # operands cannot be derived from the inputs
    if texts is not None and contraction is not None and contraction.conflict is not False:
        summed = Axis(0, "K", contraction.sizes, None, (), contraction.conflict)
        beyond = len(texts) - len(contraction.rows[0])
        texts.insert(beyond + contraction.before_axis, axis_text(summed, None))
    return {
        "rule": answer.rule.name,
        "operands": in_brackets(map(operand_text, answer.operands)),
        **verdict(answer.options, answer.ok, answer.result, answer.when, reason),
        "axes": None if texts is None else in_brackets(texts),
        "notes": [note._asdict() for note in answer.notes],
        **answer.question.details(),
    }


def verdict(
    options: Options,
    ok: bool | None,
    result: Sequence[Size] | None,
    when: str | None,
    reason: Reason | None,
) -> dict[str, object]:
    """Return the keys of the record between its operands and its axes."""
    return {
        "status": STATUS[ok],
        "options": options,
        "ok": ok,
        "result": None if result is None else sizes_text(result),
        "when": when,
        "reason": None if reason is None else reason.text,
        "reason_kind": None if reason is None else reason.kind,
    }


def operand_text(operand: Operand) -> str:
    """Return an operand as JSON."""
    name, shape = operand
    sizes = "null" if shape == UNKNOWN_RANK else sizes_text(shape)
    return f'{{"name": {encode(name)}, "shape": {sizes}}}'


def sizes_text(sizes: Sequence[Size | None]) -> Encoded:
    """Return sizes as JSON."""
    if str in map(type, sizes) or None in sizes:
        return Encoded(encode(sizes))
    return Encoded(list(sizes))  # as JSON writes a list of numbers


def axis_text(axis: Axis, number: int | None) -> str:
    """Return an axis as JSON; the summed one of a matrix product has a null number."""
    chosen = _recurring if len(axis.sizes) <= MAX_CACHED else _axis_text
    return chosen(axis, number)


def _axis_text(axis: Axis, number: int | None) -> str:
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


_recurring = lru_cache(2048)(_axis_text)


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
