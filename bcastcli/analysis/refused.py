"""What to write instead where rules that are compared refuse the operands, all or one of them."""

from collections.abc import Iterator, Sequence

from bcastcli.analysis.advice import sizes_note
from bcastcli.analysis.comparison import Comparison, Rewrite
from bcastcli.analysis.dialects import in_words_of
from bcastcli.core.question import MAX_SUGGESTIONS, Suggestion
from bcastcli.core.rule import Note
from bcastcli.core.shapes import written
from bcastcli.rules.ncnn import WITHOUT_BATCH, Ncnn, without_batch


def all_refuse(comparison: Comparison) -> bool:
    """Return whether no rule that counts broadcasts the operands."""
    return all(row.answer.ok is False for row in comparison.rows if row.counts)


def suggestions(comparison: Comparison) -> tuple[Rewrite, ...]:
    """Return what makes the rules agree, or what most of them accept where all refuse."""
    return comparison.suggestions or _for_most_rules(comparison)


def _for_most_rules(comparison: Comparison) -> tuple[Rewrite, ...]:
    """Return what most rules answer with yes, where all refuse the operands as they are."""
    if not all_refuse(comparison):
        return ()
    found: dict[object, tuple[Rewrite, Suggestion]] = {}
    for number, row in enumerate(comparison.rows):
        for each in row.answer.suggestions if row.counts else ():
            operands = each.answer.operands
            keeps = each.kind != "pairs" and each.changes and not each.setting
            if keeps and operands not in found:
                asked = Comparison(operands, comparison.chosen, comparison.axis)
                result = each.answer.result or ()
                names = [
                    other.name
                    for other in asked.rows
                    if other.counts and other.answer.ok and other.answer.result == result
                ]
                rewrite = Rewrite("", operands, comparison.axis, number, result, tuple(names))
                found[operands] = rewrite, each
    best = sorted(found.values(), key=lambda each: -len(each[0].under))[:MAX_SUGGESTIONS]
    codes = in_words_of("", [suggestion.changes for _, suggestion in best])
    return tuple(
        rewrite._replace(write=code) for (rewrite, _), code in zip(best, codes, strict=True)
    )


def notes(comparison: Comparison, suggested: Sequence[Rewrite]) -> tuple[Note, ...]:
    """Return the rules' notes, what is wrong where nothing helps, and the batch that ncnn lacks.

    `suggested` is what `suggestions` returns.
    """
    found = [*comparison.notes]
    if all_refuse(comparison) and not suggested:
        note = sizes_note(comparison.rows[comparison.first].answer, ())
        found += [note] if note else []
    for each in _without_batch(comparison):
        shapes = " with ".join(written(shape) for _, shape in each.answer.operands)
        text = (
            f"ncnn has no batch axis: without it {shapes} gives {written(each.answer.result or ())}"
        )
        found.append(Note("layout", text))
    found += _agrees_by_batch(comparison)
    return tuple(found)


def differs_by_batch(comparison: Comparison) -> bool:
    """Return whether one rule differs from the others, which agree, by the batch axis alone."""
    results = {
        row.answer.result if row.answer.ok else None
        for row in comparison.rows
        if row.counts and not _bare(row.answer.suggestions)
    }
    bare = {(1, *(each.answer.result or ())) for each in _without_batch(comparison)}
    return bool(bare) and bare == results and len(comparison.groups) == 2


def _agrees_by_batch(comparison: Comparison) -> Iterator[Note]:
    """Yield a note where rules agree, but not without the batch axis, which ncnn lacks."""
    of_ncnn = [n for n, row in enumerate(comparison.rows) if row.answer.rule.name == Ncnn.name]
    if not (comparison.ok and of_ncnn) or all_refuse(comparison):
        return
    question = comparison.rows[of_ncnn[0]].answer.question
    bare = without_batch(question, max(question.ranks))
    if bare is None:
        return
    asked = Comparison(bare.operands, comparison.chosen, comparison.axis)
    if any(asked.first in group and of_ncnn[0] not in group for group in asked.groups):
        shapes = " ".join(written(shape) for _, shape in bare.operands)
        text = f"ncnn has no batch axis: if the 1 on axis 0 is the batch, compare {shapes} instead"
        yield Note("layout", f"{text}, where ncnn differs")


def _without_batch(comparison: Comparison) -> list[Suggestion]:
    return [each for row in comparison.rows if row.counts for each in _bare(row.answer.suggestions)]


def _bare(suggestions: tuple[Suggestion, ...]) -> list[Suggestion]:
    return [each for each in suggestions if each.setting == WITHOUT_BATCH]
