"""The sentences below a figure, and the figure in words."""

from collections.abc import Iterator, Sequence
from itertools import chain

from bcastcli.advice.dialects import HAVE_WORDS, in_words_of
from bcastcli.core.alignment import change
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import UNKNOWN
from bcastcli.core.wording import with_shapes
from bcastcli.picture.arrays import SIGNS, Array, axis_name
from bcastcli.picture.figure import Block, Row
from bcastcli.render.sheet import page_shape
from bcastcli.reports.numpy_code import explicit_shapes, numpy_expression


def captions(
    answer: Answer, arrays: Sequence[Array], blocks: Sequence[Block] = ()
) -> Iterator[str]:
    """Yield sentences on how to read the blocks or boxes, and on facts that these cannot show."""
    shown = {block.name for block in blocks}
    left_out = [array for array in arrays if blocks and array.title not in shown]
    if left_out and not answer.rule.second_is_target:
        yield f"not drawn: {', '.join(array.name for array in left_out)}"
    if 0 in (answer.result or ()):
        yield "no cells: the result has no elements"
    if answer.rule.second_is_target and not left_out:
        yield f"{answer.operand_names[1]} is a shape, drawn as an outline: it stores nothing"


def why_unaligned(answer: Answer) -> str:
    """Return the reason for which the operands are not aligned."""
    if answer.layout.refusal:
        return "the operands cannot be aligned"
    return "the unknown sizes decide how the operands line up"


def has_repeats(row: Row) -> bool:
    """Return whether an operand is drawn stretched."""
    return any(block.arrows for block in row.blocks)


def in_words(answer: Answer, arrays: Sequence[Array], blocks: Sequence[Block] = ()) -> str:
    """Return the picture in words, for screen readers; with `blocks`, the values of the result."""
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
    lines = chain.from_iterable(blocks[-1].layers if blocks else ())
    values = [" ".join(cell.text for cell in cells) for cells in lines if cells[0].text]
    return f"{said}, row by row {'; '.join(values)}" if values else said


def written_out(answer: Answer, sign: str = "+", *, on_page: bool = False) -> str:
    """Return the rule as code, in the words of the framework that was named, else in NumPy's.

    On a page as shapes, unless these words are the rule's own. Empty if it is just the operator
    between the operands, or unknown.
    """
    names, rule = answer.operand_names, answer.rule.name
    is_known = answer.question.words in HAVE_WORDS and rule != "ncnn"  # which has layers
    framework = answer.question.words if is_known else ""
    code = numpy_expression(answer)
    between = f" {SIGNS.get(framework, {}).get(sign, sign)} "
    if code is None:
        return ""
    if on_page and not framework and (rule != "numpy" or answer.question.framework):
        if code != between.join(names):
            shapes = map(page_shape, explicit_shapes(answer) or ())
            code, *others = map("{} {}".format, names, shapes)
            if answer.rule.second_is_target:
                return f"{code} → {page_shape(answer.result or ())}"
            code = between.join((code, *others))
    elif not framework:
        code = code.replace(" + ", between)
    elif any(UNKNOWN in shape for _, shape in answer.operands):
        return ""
    else:
        own = [list(answer.places_of(place)) for place, _ in enumerate(names)]
        axes = range(answer.layout.rank)
        orders = (tuple(at.index(n) if n in at else None for n in axes) for at in own)
        changed = [
            [change(name, shape, order)] if None in order else []
            for (name, shape), order in zip(answer.operands, orders, strict=True)
        ]
        written = in_words_of(framework, changed)
        code = between.join(text or name for text, name in zip(written, names, strict=True))
    return "" if code == between.join(names) else code


def row_in_words(row: Row) -> str:
    """Return the row of a comparison in words: its rules, and the values of their result."""
    if not row.blocks:
        return row.in_words or row.label
    values = " ".join(cell.text for cell in row.blocks[-1].cells)
    return f"{row.label}: {page_shape(row.blocks[-1].shape)} {values}".rstrip()
