"""The sentences below a figure, and the figure in words."""

from collections.abc import Iterator, Sequence

from bcastcli.core.answer import Answer
from bcastcli.core.wording import with_shapes
from bcastcli.render.picture.figure import Block, Figure, Row, without_numbers
from bcastcli.render.sheet import page_shape
from bcastcli.reports.arrays import MAX_AXES, Array, axis_name


def captions(answer: Answer, arrays: Sequence[Array], blocks: Sequence[Block]) -> Iterator[str]:
    """Yield sentences on how to read the picture, and on what it cannot show."""
    if not blocks[0].layers and answer.axes:
        yield "not to scale"
    shown = {block.name for block in blocks}
    left_out = [array.name for array in arrays if array.title not in shown]
    if left_out:
        yield f"not drawn: {', '.join(left_out)}"
    if 0 in (answer.result or ()):
        yield "no cells: the result has no elements"
    if answer.rule.second_is_target:
        yield f"{answer.operand_names[1]} is only a shape: an outline, with no stored elements"


def with_reason(figure: Figure, most: str) -> Figure:
    """Return the figure with the reason why it has no numbers, if it has none or loses them."""
    if figure.longest:
        plain = without_numbers(figure)
        text = "no numbers: there is no room for them"
        return figure._replace(instead=plain._replace(captions=(*plain.captions, text)))
    text = f"no numbers: they need at most {MAX_AXES} axes, {most}"
    return figure._replace(captions=(*figure.captions, text))


def has_repeats(row: Row) -> bool:
    """Return whether an operand is drawn stretched."""
    return any(
        block.arrows or any(extent.stretched for extent in block.extents) for block in row.blocks
    )


def in_words(answer: Answer, arrays: Sequence[Array], row: Row) -> str:
    """Return the picture in words, for those who do not see it."""
    if answer.ok is False:
        operands = " and ".join(f"{array.name} {page_shape(array.shape)}" for array in arrays)
        why = with_shapes(answer.reason.text, answer.operands, page_shape) if answer.reason else ""
        return f"{operands} do not broadcast: {why}"
    pieces = []
    for array in arrays:
        along = [axis_name(axis) for axis in answer.axes or () if array.name in axis.stretched]
        verb = f"stretches along {' and '.join(along)}" if along else "is not stretched"
        if array.is_target:
            verb = "is the target shape"
        pieces.append(f"{array.name} {page_shape(array.shape)} {verb}")
    said = f"{', '.join(pieces)}; the result is {page_shape(answer.result or ())}"
    values = [
        " ".join(cell.text for cell in cells)
        for layer in row.blocks[-1].layers
        for cells in layer
        if cells[0].text
    ]
    return f"{said}, row by row {'; '.join(values)}" if values else said


def row_in_words(row: Row) -> str:
    """Return the row of a comparison in words: its rules, and the values of their result."""
    if not row.blocks:
        return row.label
    values = " ".join(cell.text for cell in row.blocks[-1].cells)
    return f"{row.label}: {page_shape(row.blocks[-1].shape)} {values}".rstrip()
