"""Sentences about a picture, the picture in words, and the rule as code."""

from collections.abc import Iterator, Sequence

from bcastcli.core.alignment import Axis, change
from bcastcli.core.answer import Answer
from bcastcli.core.wording import joined_with_and, with_verb
from bcastcli.picture.arrays import SIGNS, axis_name, letter
from bcastcli.picture.figure import MISSING, Alignment, Block, Row
from bcastcli.render.sheet import page_shape
from bcastcli.reports import tables
from bcastcli.rules import EITHER_STRETCHES

MAX_SENTENCES = 4
"""The most axes, and the most operands, for which there are sentences about each axis."""


def comparisons(answer: Answer) -> Sequence[str]:
    """A sentence for each axis with its sizes and their effect; only for clashes if any."""
    axes = answer.axes or ()
    if len(axes) > MAX_SENTENCES or len(answer.operands) > MAX_SENTENCES:
        return ()
    clashes = [axis for axis in axes if axis.conflict]
    return [sentence(answer, axis) for axis in clashes or axes]


def sentence(answer: Answer, axis: Axis) -> str:
    """The sizes on an axis, and the outcome."""
    name = f"axis {axis.label or axis.number}"
    shown = tables.clashing(axis) if axis.conflict else axis.sizes
    sizes = [str(size) for size in axis.sizes if size is not None and size in shown]
    pairs = zip(answer.operand_names, axis.sizes, strict=True)
    lacking = [name for name, size in pairs if size is None]
    text = joined_with_and(sizes) if len(sizes) <= tables.MAX_NAMED else f"{len(sizes)} sizes"
    stretched = tables.operands_of(axis)
    one = len(axis.stretched) == 1
    if axis.conflict is None:
        return f"{name}: {text}, so it depends"
    if axis.conflict:
        why = ""
        if not (lacking and answer.layout.refusal):  # else it lacks a size to compare
            why = answer.why_sizes_clash(axis.number)
        outcome = f", but {with_verb(lacking)} no such axis" if lacking else " clash"
        return f"{name}: {text}, and {why}" if why else f"{name}: {text}{outcome}"
    if axis.stretched and list(axis.stretched) == lacking:
        has, repeated = ("has", "it is") if one else ("have", "they are")
        text = f"{stretched} {has} no such axis, so {repeated} repeated"
        return f"{name}: {text} {axis.result} times"
    if answer.rule.second_is_target and axis.stretched == answer.operand_names[1:]:
        return f"{name}: {text}, so the result has {axis.result}"
    if stretched:
        return f"{name}: {text}, so {stretched} stretch{'es' * one} to {axis.result}"
    is_equal = len(sizes) > 1 and axis.result is not None
    return f"{name}: {text} are equal" if is_equal else f"{name}: {text}"


def legend(answer: Answer, alignment: Alignment) -> list[str]:
    """The keys to aligned shapes: what holds in each column, and the marks that are drawn."""
    keys = {MISSING: "no such axis", "→": "stretches", "!": "clashes", "?": "depends"}
    texts = [f"{mark} {text}" for mark, text in keys.items() if mark in alignment.marks]
    if answer.ok and answer.rule.name in EITHER_STRETCHES:
        texts.insert(0, "each column: equal, or one is 1")
    return texts


def why_unaligned(answer: Answer) -> str:
    """The reason for which the operands are not aligned."""
    if answer.layout.refusal:
        return "the operands cannot be aligned"
    return "the unknown sizes decide how the operands line up"


def in_words(answer: Answer, blocks: Sequence[Block] = ()) -> str:
    """The picture in words, for screen readers; with `blocks`, the values of the result."""
    if answer.ok is False:
        operands = joined_with_and([f"{n} {page_shape(shape)}" for n, shape in answer.operands])
        why = answer.reason.text if answer.reason else ""
        return f"{operands} do not broadcast: {why}"
    pieces = []
    for place, (name, shape) in enumerate(answer.operands):
        along = [axis_name(axis) for axis in answer.axes or () if name in axis.stretched]
        verb = f"stretches along {joined_with_and(along)}" if along else "is not stretched"
        if place and answer.rule.second_is_target:
            verb = "is the target shape"
        pieces.append(f"{name} {page_shape(shape)} {verb}")
    text = f"{', '.join(pieces)}; the result is {page_shape(answer.result or ())}"
    lines = [cells for layer in blocks[-1].layers for cells in layer] if blocks else []
    values = [" ".join(cell.text for cell in cells) for cells in lines if cells[0].text]
    return f"{text}, row by row {'; '.join(values)}" if values else text


def row_in_words(row: Row) -> str:
    """The row of a comparison in words: its rules, and the values of their result."""
    if not row.blocks:
        return row.label
    values = " ".join(cell.text for cell in row.blocks[-1].cells)
    return f"{row.label}: {page_shape(row.blocks[-1].shape)} {values}".rstrip()


def written_out(answer: Answer, sign: str = "+") -> str:
    """The rule as code, in the words of the framework that was named, else in NumPy's.

    It is in NumPy's order where the rule's own is another. Empty if it is just the operator between
    the operands, or unknown.
    """
    if answer.ok is False or answer.axes is None:
        return ""
    if answer.rule.second_is_target or answer.innermost_first:
        from bcastcli.reports.numpy_code import numpy_expression  # for few rules

        return numpy_expression(answer).replace(" + ", f" {sign} ")
    has_letters = any(map(letter, answer.axes))  # and layers in place of code
    framework = "" if has_letters else answer.question.words
    between = f" {SIGNS.get(framework, {}).get(sign, sign)} "
    code = between.join(_with_axes(answer, framework))
    return "" if code == between.join(answer.operand_names) else code


def _with_axes(answer: Answer, framework: str) -> Iterator[str]:
    """Each operand with the axes that it lacks as code of a framework, or NumPy's."""
    from bcastcli.advice.dialects import in_words_of  # for pictures and steps alone

    axes = range(answer.layout.rank)
    places = [list(answer.places_of(place)) for place, _ in enumerate(answer.operands)]
    orders = [tuple(at.index(axis) if axis in at else None for axis in axes) for at in places]
    pairs = zip(answer.operands, orders, strict=True)
    changed = [[change(*operand, order)] if None in order else [] for operand, order in pairs]
    lines = zip(in_words_of(framework, changed), answer.operand_names, strict=True)
    yield from (line or name for line, name in lines)
