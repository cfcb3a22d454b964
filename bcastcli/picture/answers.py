"""The figure of an answer: arrays in cells, or the shapes below each other; and its report."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from math import prod
from typing import NamedTuple

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Size
from bcastcli.picture.arrays import (
    MAX_AXES,
    MAX_VALUES,
    Array,
    arrays_of,
    axis_name,
    layer_labels,
    layers_of,
    letter,
    operand_cell,
    outermost_first,
    result_cell,
    sign_between,
)
from bcastcli.picture.figure import (
    MISSING,
    RESULT,
    WAYS,
    AlignedShape,
    Alignment,
    AxisLabel,
    Block,
    Direction,
    Figure,
    PictureOptions,
    Row,
    Slot,
    Step,
    Unmatched,
)
from bcastcli.picture.words import comparisons, in_words, legend, why_unaligned, written_out
from bcastcli.render import size
from bcastcli.render.sheet import Line, Part, Piece, Sheet, Tone
from bcastcli.reports import tables
from bcastcli.reports.answers import SingleAnswerReport

MAX_DRAWN = 32
"""The most axes that are drawn, a column for each."""
MAX_LAYERS, MAX_ACROSS = 6, 16
MAX_OPERANDS = 4
"""The most operands that are drawn in cells."""
IN_CELLS = ("numpy", "onnx", "pdpd", "ncnn", "left")
"""The rules that are drawn in cells; of others the aligned sizes show as much."""
DEFAULT_PICTURE = PictureOptions()
BELOW = 4
"""The lines of a terminal that are reserved for the text after a picture."""


def of_answer(answer: Answer, look: PictureOptions = DEFAULT_PICTURE) -> Figure:
    """The figure: arrays in cells if they fit, else the shapes below each other."""
    axes = outermost_first(answer)
    if axes is None:
        return undrawn(why_unaligned(answer))
    if len(axes) > MAX_DRAWN:
        return undrawn(f"a picture has room for {MAX_DRAWN} axes, not for {len(axes)}")
    shapes = of_shapes(answer)
    is_many = len(answer.operands) > MAX_OPERANDS
    if not look.values or is_many or (answer.rule.name not in IN_CELLS and axes):
        return shapes
    arrays = arrays_of(answer, axes, look)
    row = (mismatch if answer.ok is False else equation)(answer, axes, arrays, look)
    if row is None:
        return shapes
    outer = [max(block.counts[0] for block in row.blocks)]
    if len(axes) == MAX_AXES:
        outer = [int(axis.result or 1) for axis in axes[:2]]
    return Figure(
        (row,),
        tuple(layer_labels(axes, outer)),
        outer[1] if len(axes) == MAX_AXES else 0,
        (),
        tuple(comparisons(answer)) if len(axes) < MAX_AXES else (),
        row.has_repeats,
        in_words(answer, row.blocks),
        shapes if axes else None,
        _as_stored(answer, arrays, look) if answer.ok else None,
    )


def undrawn(text: str) -> Figure:
    """A sentence in place of a picture."""
    return Figure((), captions=(text,), description=text)


# The shapes below each other


def of_shapes(answer: Answer) -> Figure:
    """The shapes below each other, and the result."""
    aligned = alignment(answer)
    captions = legend(answer, aligned)
    if 0 in (answer.result or ()):
        captions.append("no cells: the result has no elements")
    clashes = comparisons(answer) if answer.ok is False else ()
    return Figure(
        (Row(alignment=aligned),),
        captions=tuple(captions),
        comparisons=tuple(clashes),
        description=in_words(answer),
    )


def alignment(answer: Answer) -> Alignment:
    """The shapes of the operands in columns below their axes, and the result if there is one."""
    axes = answer.axes or ()
    heads = tuple(tuple(cell.text for cell in row[1:]) for row in tables.axis_header(answer))
    shapes = []
    stretches = answer.ok is not False  # after a mismatch nothing does
    rows = zip(answer.operand_names, tables.operand_rows(answer), strict=True)
    for tint, (name, (title, *sizes)) in enumerate(rows):
        shown = name if title.text == name else f"{name} transposed"
        pairs = zip(axes, sizes, strict=True)
        slots = tuple(_slot(axis, name, cell.text, cell.tone, stretches) for axis, cell in pairs)
        shapes.append(AlignedShape(shown, tint, slots))
    if answer.ok is not False:
        result = tuple(Slot(tables.result_size(axis).text) for axis in axes)
        shapes.append(AlignedShape("result", RESULT, result))
    return Alignment(heads, tuple(shapes))


def _slot(axis: Axis, name: str, text: str, tone: Tone, stretches: bool) -> Slot:
    if tone is Tone.CLASH:
        return Slot(text, "!")
    shown = MISSING if tone is Tone.GHOST else text
    if stretches and name in axis.stretched:
        return Slot(shown, "→")
    return Slot(shown, "?" if axis.conflict is None else "")


# Arrays in cells


def has_cells(shape: Sequence[Size | None]) -> bool:
    """Whether a block of this shape has room for a cell for each element."""
    sizes = [size for size in shape if isinstance(size, int)]
    if len(sizes) < len(shape) or len(sizes) > MAX_AXES:
        return False
    across = sizes[-1] if sizes else 1
    return 0 < prod(sizes) <= MAX_VALUES and prod(sizes[:-2]) <= MAX_LAYERS and across <= MAX_ACROSS


def equation(
    answer: Answer, axes: Sequence[Axis], arrays: Sequence[Array], look: PictureOptions
) -> Row | None:
    """The stretched operands and the result; None if cells do not fit."""
    sizes = tuple(axis.result for axis in axes)
    if not answer.ok or answer.unknown_sizes or not has_cells(sizes):
        return None
    frame = tuple(size for size in sizes if isinstance(size, int))
    blocks = []
    for array in arrays:
        arrows = tuple(_arrows(axes, array.name))
        blocks.append(_operand(array, frame)._replace(arrows=arrows))
    cells = layers_of(frame, partial(result_cell, arrays, look.operation))
    named = tuple(f"{letter(axis)} {axis.result}" for axis in answer.axes or () if letter(axis))
    blocks.append(Block("result", answer.result or (), RESULT, cells, named=named))
    if len(arrays) > 2:  # too little room for the names of their axes
        blocks = list(map(without_labels, blocks))
    sign = sign_between(arrays, look.operation)
    return Row(tuple(blocks), ("", *[sign] * (len(arrays) - 1), "="))


def without_labels(block: Block) -> Block:
    """The block without the names of its axes, to save room in several rows."""
    arrows = tuple(arrow._replace(label="") for arrow in block.arrows)
    return block._replace(arrows=arrows, named=())


def _operand(array: Array, sizes: Sequence[int]) -> Block:
    """An operand in cells of these sizes: its own, or those of the result."""
    layers = layers_of(sizes, partial(operand_cell, array))
    return Block(array.name, array.shape, array.tint, layers, named=array.named)


def _ways(axes: Sequence[Axis]) -> Iterator[tuple[Axis, Direction]]:
    """Each axis with the direction in which it runs; the first of four run as layers too."""
    for place, axis in enumerate(axes, start=len(WAYS) - len(axes)):
        yield axis, WAYS[max(place, 0)]


def _arrows(axes: Sequence[Axis], name: str) -> Iterator[AxisLabel]:
    """An arrow for each axis along which an operand stretches."""
    for axis, way in _ways(axes):
        if name in axis.stretched and axis.result != 0:
            yield AxisLabel(way, f"{axis_name(axis)} {way.value}")


def _as_stored(answer: Answer, arrays: Sequence[Array], look: PictureOptions) -> Figure | None:
    """The operands as they are stored, where one is not stored as it lies in the result."""
    ranks = [len(array.places) for array in arrays]
    rank = max(ranks)
    if all([*a.places] == [*range(rank - n, rank)] for a, n in zip(arrays, ranks, strict=True)):
        return None
    blocks = []
    for array in arrays:
        alone = array._replace(
            sizes=tuple(array.sizes[axis] for axis in array.places),
            places=tuple(range(len(array.places))),
            labels=tuple(array.labels[axis] for axis in array.places),
        )
        blocks.append(_operand(alone, alone.own))
    signs = ("", *[sign_between(arrays, look.operation)] * (len(arrays) - 1))
    return Figure((Row(tuple(blocks), signs),))


# A mismatch


def mismatch(
    answer: Answer, axes: Sequence[Axis], arrays: Sequence[Array], look: PictureOptions
) -> Row | None:
    """Two operands that clash, as typed; None for others, or where cells do not fit.

    They are side by side along the axis that clashes, and cells without partners are boxed.
    """
    is_of_sizes = answer.reason is not None and answer.reason.kind == "sizes"
    if not is_of_sizes or len(arrays) != 2 or len(axes) == MAX_AXES:
        return None
    is_open = any(isinstance(size, str) for array in arrays for size in array.sizes)
    # Layers would give an operand of fewer axes an index of three.
    in_layers = len(axes) == len(WAYS) and any(a.own[0] > 1 and None in a.sizes for a in arrays)
    if is_open or in_layers or not all(has_cells(array.own) for array in arrays):
        return None
    unmatched = _unmatched(axes, arrays)
    if not unmatched:
        return None
    blocks = []
    for array in arrays:
        surplus = tuple(each for place, each in unmatched.items() if array.own[place] == each.stop)
        blocks.append(_operand(array, array.own)._replace(surplus=surplus))
    return Row(tuple(blocks), ("", sign_between(arrays, look.operation)))


def _unmatched(axes: Sequence[Axis], arrays: Sequence[Array]) -> dict[int, Unmatched]:
    """The cells beyond the shorter of two operands, by the places of the axes that clash."""
    unmatched = {}
    for place, (axis, way) in enumerate(_ways(axes)):
        sizes = [array.own[place] for array in arrays]
        if axis.conflict and min(sizes) < max(sizes):
            unmatched[place] = Unmatched(way, min(sizes), max(sizes))
    return unmatched


# The report


class Picture(NamedTuple):
    """A figure as a part of a sheet."""

    figure: Figure
    until: Step = Step.RESULT
    """The last step that is shown; its place is that in the whole picture."""

    def lines(self, columns: int | None, *, boxes: bool) -> Sequence[Sequence[Piece]]:
        """Its lines, as wide and as high as the terminal allows."""
        from bcastcli.picture.terminal import drawn  # not for slides

        rows = size(sys.stdout).lines - BELOW if columns else None
        return drawn(self.figure, columns, rows, boxes=boxes, until=self.until)


class PicturedReport(SingleAnswerReport):
    """An answer to a single question, with the steps to it, its picture, or both."""

    def __init__(
        self,
        answer: Answer,
        *,
        steps: bool = False,
        picture: PictureOptions | None = None,
        until: Step = Step.RESULT,
    ) -> None:
        """Take whether there are steps, the options of the picture, and its last step."""
        super().__init__(answer)
        self._steps, self._picture, self._until = steps, picture, until

    def sheet(self) -> Sheet:
        """The steps, the picture, and below them notes and the answer."""
        answer = self.answer
        parts: list[Part] = []
        shown_kinds = ["layout"] if answer.axes is None else []
        if self._steps:
            from bcastcli.picture.steps import steps  # not for pictures

            parts += steps(answer)
            shown_kinds += ["axis", "trim"]
        if self._picture:
            figure = of_answer(answer, self._picture)
            is_first = self._until is Step.STORED
            shown = figure.stored if is_first and figure.stored else figure
            parts.append(Picture(shown, self._until))
        if self._until is not Step.RESULT:
            return tables.sheet(answer, parts)
        is_coded = not (answer.rule.second_is_target or any(map(letter, answer.axes or ())))
        if self._picture and is_coded and not self._steps:
            code = written_out(answer, self._picture.operation)
            parts += [Line("written out", code)] if code else []
        return tables.sheet(answer, [*parts, *tables.ending(answer, shown_kinds)])
