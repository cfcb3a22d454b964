"""The picture of a comparison: a row of blocks for each group of rules that agree."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bcastcli.compare.comparison import Comparison
from bcastcli.compare.comparison import Row as Compared
from bcastcli.core.answer import Answer
from bcastcli.picture.answers import DEFAULT_PICTURE, MAX_DRAWN, layer_labels, of_answer, undrawn
from bcastcli.picture.arrays import MAX_VALUES, arrays_of, outermost_first
from bcastcli.picture.figure import Figure, Kind, PictureOptions, Row
from bcastcli.picture.frames import with_result
from bcastcli.picture.rows import equation, without_labels
from bcastcli.picture.words import has_repeats, row_in_words
from bcastcli.render.sheet import page_shape
from bcastcli.reports import verdict

if TYPE_CHECKING:
    from bcastcli.core.alignment import Axis


def of_comparison(comparison: Comparison, look: PictureOptions = DEFAULT_PICTURE) -> Figure:
    """Return a row of blocks for each group of rules that agree, and a line for those that refuse.

    Elements with other values than in the first row of the same shape are framed. A rule with a
    target does not add operands, so a line shows its result.
    """
    if all(row.answer.ok is False for row in comparison.rows):
        return _of_refusals(comparison, look)
    rows: list[Row] = []
    first: Row | None = None
    axes: Sequence[Axis] = ()
    for members in _drawn_alike(comparison):
        answer = members[0].answer
        label = ", ".join(row.name for row in members)
        own = outermost_first(answer)
        if own and len(own) > MAX_DRAWN:
            return undrawn(f"a picture has room for {MAX_DRAWN} axes, not for {len(own)}")
        if own is None or answer.ok is False:
            why = "mismatch" if answer.ok is False else "depends on the unknown sizes"
            rows.append(Row(label=f"{label}: {why}", refused=answer.ok is False))
            continue
        if answer.rule.second_is_target:
            rows.append(Row(label=f"{label}: {_of_target(answer)}"))
            continue
        row = equation(answer, own, arrays_of(answer, own, look), look)
        if row is None or len(row.blocks[-1].cells) > MAX_VALUES:  # without values no cell differs
            words = f"{label}: {verdict(answer, page_shape)}"
            rows.append(with_result(answer)._replace(label=label, in_words=words))
            continue
        row = row._replace(label=label, blocks=tuple(map(without_labels, row.blocks)))
        axes = axes or own
        first = first or row
        rows.append(_mark_differences(row, first))
    return Figure(
        tuple(rows),
        layer_labels(axes),
        legend=any(map(has_repeats, rows)),
        description="; ".join(row_in_words(row) for row in rows),
    )


def _of_refusals(comparison: Comparison, look: PictureOptions) -> Figure:
    """Return the operands as the first rule aligns them, where all rules refuse them."""
    first = comparison.rows[0]
    figure = of_answer(first.answer, look)
    label = f"{', '.join(row.name for row in comparison.rows)}: mismatch"
    return figure._replace(
        rows=tuple(row._replace(label=label, refused=True) for row in figure.rows),
        comparisons=tuple(f"{first.name}: {text}" for text in figure.comparisons),
    )


def _of_target(answer: Answer) -> str:
    """Return a sentence on the result of a rule with a target."""
    (name, _), (target, _) = answer.operands
    return f"the same shape with {name}'s values; {target} is a target shape"


def _drawn_alike(comparison: Comparison) -> Iterator[list[Compared]]:
    """Yield the rules of each group that agrees, those with a target apart from the others."""
    for numbers in comparison.groups:
        members = [comparison.rows[number] for number in numbers]
        refuse = members[0].answer.ok is False
        adding = [each for each in members if refuse or not each.answer.rule.second_is_target]
        yield from filter(None, (adding, [each for each in members if each not in adding]))


def _mark_differences(row: Row, first: Row) -> Row:
    """Return the row, with the elements that differ from the first row marked."""
    result, other = row.blocks[-1], first.blocks[-1]
    if result.shape != other.shape:
        return row
    cells = (
        cell if cell.text == same.text else cell._replace(kind=Kind.DIFFERS)
        for cell, same in zip(result.cells, other.cells, strict=True)
    )
    return row._replace(blocks=(*row.blocks[:-1], result.with_cells(cells)))
