"""Rewrites for operands that all compared rules, or one of them, refuse."""

from collections.abc import Sequence

from bcastcli.advice.dialects import in_words_of
from bcastcli.advice.lines import sizes_note
from bcastcli.compare.comparison import Comparison, Rewrite
from bcastcli.core.answer import Answer
from bcastcli.core.question import MAX_SUGGESTIONS, Suggestion
from bcastcli.core.rule import Note


def all_refuse(comparison: Comparison) -> bool:
    """Return whether all rules that count refuse the operands."""
    return all(row.answer.ok is False for row in comparison.rows if row.counts)


def suggestions(comparison: Comparison) -> tuple[Rewrite, ...]:
    """Return rewrites under which the rules agree, or that most accept if all refuse."""
    if comparison.suggestions or not all_refuse(comparison):
        return comparison.suggestions
    found: dict[object, tuple[int, Suggestion]] = {}
    for number, row in enumerate(comparison.rows):
        for each in row.answer.suggestions if row.counts else ():
            if each.kind != "pairs" and each.changes and not each.setting:
                found.setdefault(each.answer.operands, (number, each))
    accepted = [(_under(comparison, each.answer), like, each) for like, each in found.values()]
    best = sorted(accepted, key=lambda each: -len(each[0]))[:MAX_SUGGESTIONS]
    codes = in_words_of("", [each.changes for *_, each in best])
    return tuple(
        Rewrite(code, each.answer.operands, comparison.axis, like, each.answer.result or (), under)
        for code, (under, like, each) in zip(codes, best, strict=True)
    )


def _under(comparison: Comparison, answer: Answer) -> tuple[str, ...]:
    """Return the rules that give an answer's result for its operands."""
    rows = comparison.of(answer.operands, comparison.axis).rows
    answers = ((row.name, row.answer) for row in rows if row.counts)
    return tuple(name for name, own in answers if own.ok and own.result == answer.result)


def notes(comparison: Comparison, suggested: Sequence[Rewrite]) -> tuple[Note, ...]:
    """Return the comparison's notes, with the cause if nothing helps.

    `suggested` is the result of `suggestions`.
    """
    if suggested or not all_refuse(comparison):
        return comparison.notes
    note = sizes_note(comparison.rows[comparison.first].answer, ())
    return (*comparison.notes, *([note] if note else []))
