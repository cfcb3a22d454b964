"""Suggestions as lines of code, or else the likely cause of the mismatch."""

from collections.abc import Sequence
from typing import NamedTuple

from bcastcli.core.answer import Answer
from bcastcli.core.question import MAX_SUGGESTIONS, Suggestion
from bcastcli.core.rule import Note
from bcastcli.core.shapes import UNKNOWN, written
from bcastcli.core.wording import joined_with_and
from bcastcli.rules import NUMPYS

_MATRIX_PRODUCT = "MatMul"
_LANDING = ("insert", "drop", "permute", "split")
"""The kinds of changes that put an operand on axes of another one."""


class Advice(NamedTuple):
    """What to write instead."""

    lines: tuple[Suggestion, ...]
    note: Note | None
    """The likely cause, if every possible line changes the meaning of the sizes."""


def advise(answer: Answer) -> Advice:
    """Suggestions in the syntax of the question's framework."""
    found = answer.suggestions
    product = _matrix_product(answer)
    first = (product,) if product else ()
    lines = (*first, *lines_of(answer, found[: MAX_SUGGESTIONS - len(first)]))
    return Advice(lines, sizes_note(answer, lines))


def lines_of(
    answer: Answer, suggestions: Sequence[Suggestion], framework: str = ""
) -> tuple[Suggestion, ...]:
    """Suggestions for a question, each written as a line in the syntax of one framework."""
    if not suggestions:
        return ()
    from bcastcli.advice.dialects import HAVE_WORDS, in_words_of  # not for every mismatch

    words = framework or answer.question.words
    codes = in_words_of(words, [each.changes for each in suggestions])
    landing = [_owner(each) for each in suggestions]
    return tuple(
        each._replace(
            write=", ".join(filter(None, (each.setting, code))),
            names_shapes=bool(words) and words not in HAVE_WORDS,
            where=_where(each) if owner and landing.count(owner) > 1 else "",
            makes_sure=answer.ok is None,
        )
        for each, code, owner in zip(suggestions, codes, landing, strict=True)
    )


def sizes_note(answer: Answer, lines: Sequence[Suggestion]) -> Note | None:
    """The likely cause, if no line keeps one operand's shape."""
    kinds = {line.kind for line in lines}
    if answer.ok is not False or kinds - {"pairs"}:
        return None
    from bcastcli.rules.sizes import sentence  # rarely needed

    text = sentence(answer, beside_pairs=bool(kinds))
    return Note("sizes", text) if text else None


def _owner(suggestion: Suggestion) -> str:
    """The operand that a suggestion puts on axes of another one; empty for the rest."""
    is_one = len(suggestion.changed) == 1 and not suggestion.setting
    return suggestion.changed[0].name if is_one and suggestion.kind in _LANDING else ""


def _where(suggestion: Suggestion) -> str:
    """The axes of the result that the changed operand's sizes other than 1 are on."""
    [(name, shape)] = suggestion.changed
    answer = suggestion.answer
    if name not in answer.operand_names:
        return ""
    places = answer.places_of(answer.operand_names.index(name))
    rule, rank = answer.rule, answer.layout.rank
    axes = [
        rule.label(place, rank, answer.options, answer.question.framework) or str(place)
        for place, size in sorted(zip(places, shape, strict=False))  # pdpd trims
        if size != 1
    ]
    return f"{name} on {'axis' if len(axes) == 1 else 'axes'} {joined_with_and(axes or ['-'])}"


def _matrix_product(answer: Answer) -> Suggestion | None:
    """The product of two matrices, or stacks of them, with equal inner sizes."""
    operands = answer.question.inputs
    if answer.question.name not in NUMPYS or answer.ok is not False or answer.result_by_rule:
        return None
    if len(operands) != 2 or min(answer.ranks) < 2:
        return None
    (_, left), (_, right) = operands
    # Of stacks, both of the last axes clash.
    pairs = [*zip(left[-2:], right[-2:], strict=True)] if max(answer.ranks) > 2 else []
    clash_twice = all(one != other and 1 not in (one, other) for one, other in pairs)
    if left[-1] != right[-2] or left[-1] in (1, UNKNOWN) or not clash_twice:
        return None
    from bcastcli.operators.questions import ask  # rarely needed

    typed = written(left), written(right)
    made = ask(" ".join([_MATRIX_PRODUCT, *typed]))
    quoted = [f"'{text}'" if {*text} & {*"?()"} else text for text in typed]
    write = " ".join(["bcastcli op", _MATRIX_PRODUCT, *quoted])
    return Suggestion("product", (), "", (), made, write) if made.ok else None
