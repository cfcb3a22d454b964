"""The picture of a comparison: a row of blocks for each group of rules that agree."""

from collections.abc import Iterator

from bcastcli.compare.comparison import Comparison
from bcastcli.compare.comparison import Row as Compared
from bcastcli.core.answer import Answer
from bcastcli.picture.answers import DEFAULT_PICTURE, alignment, equation, without_labels
from bcastcli.picture.arrays import MAX_AXES, arrays_of, layer_labels, outermost_first
from bcastcli.picture.figure import Figure, Kind, PictureOptions, Row
from bcastcli.picture.words import legend, row_in_words


def of_comparison(comparison: Comparison, look: PictureOptions = DEFAULT_PICTURE) -> Figure:
    """A row of blocks for each group of rules that agree, and a line for those that refuse.

    Elements with other values than in the first row of the same shape are framed.
    """
    rows: list[Row] = []
    labels: tuple[str, ...] = ()
    keys: list[str] = []
    for members in _drawn_alike(comparison):
        answer = members[0].answer
        row = _row(", ".join(row.name for row in members), answer, look)
        first = next((other for other in rows if other.blocks), row)
        rows.append(_mark_differences(row, first) if row.blocks else row)
        if row.blocks and not labels:
            labels = tuple(layer_labels(outermost_first(answer) or (), [row.blocks[0].counts[0]]))
        if row.alignment:
            keys += [key for key in legend(answer, row.alignment) if key not in keys]
    description = "; ".join(row_in_words(row) for row in rows)
    without_blocks = tuple(row._replace(blocks=()) for row in rows)
    shapes = Figure(without_blocks, captions=tuple(keys), description=description)
    if not any(row.blocks for row in rows):
        return shapes
    return Figure(
        tuple(rows),
        labels,
        captions=tuple(keys) if any(row.alignment and not row.blocks for row in rows) else (),
        legend=any(row.has_repeats for row in rows),
        description=description,
        instead=shapes,
    )


def _row(label: str, answer: Answer, look: PictureOptions) -> Row:
    """The arrays under a rule, or their shapes; a line where it refuses or has a target."""
    axes = outermost_first(answer)
    if answer.ok is False:
        return Row(label=f"{label}: mismatch", refused=True)
    if axes is None:
        return Row(label=f"{label}: depends on the unknown sizes")
    if answer.rule.second_is_target:
        kept, target = answer.operand_names
        text = f"the same shape with {kept}'s values; {target} is a target shape"
        return Row(label=f"{label}: {text}")
    shapes = Row(label=label, alignment=alignment(answer))
    row = equation(answer, axes, arrays_of(answer, axes, look), look)
    if row is None or len(axes) == MAX_AXES:
        return shapes
    return shapes._replace(blocks=tuple(map(without_labels, row.blocks)), signs=row.signs)


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
