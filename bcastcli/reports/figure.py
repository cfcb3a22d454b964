"""The figure of an answer: the elements that operands store and repeat, and those of the result."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import NamedTuple

from bcastcli.analysis.comparison import Comparison
from bcastcli.analysis.comparison import Row as Compared
from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Size
from bcastcli.render.picture.figure import (
    RESULT,
    WAYS,
    AxisLabel,
    Block,
    Direction,
    Edge,
    Figure,
    Kind,
    Row,
    Step,
    Unmatched,
)
from bcastcli.render.sheet import GHOST
from bcastcli.reports.arrays import (
    MAX_AXES,
    Array,
    arrays_of,
    axis_name,
    layers_of,
    operand_cell,
    outermost_first,
    result_cell,
    result_value,
    sign_between,
    text_of_size,
)
from bcastcli.reports.figure_words import captions, has_repeats, in_words, row_in_words, with_reason
from bcastcli.reports.frames import comparisons, frame, of_steps
from bcastcli.reports.tables import ghost_note

MAX_CELLS = 40
"""The most cells of a result whose elements are drawn one by one."""
MAX_APART = 48
"""The most cells, together, of two operands that do not broadcast."""
MAX_PAIRED = 4
"""The most operands that are drawn two by two."""
MAX_LAYERS = 4
MAX_ACROSS = 14
MAX_DRAWN = 32
"""The most axes that are drawn, a bar for each."""


class PictureOptions(NamedTuple):
    """Options for a picture."""

    operation: str = "+"
    values: bool = True
    until: Step = Step.RESULT
    notes: bool = True
    wants_values: bool = False
    """Whether numbers are asked for, so that a picture without them says why."""


DEFAULT_PICTURE = PictureOptions()


def of_answer(
    answer: Answer, look: PictureOptions = DEFAULT_PICTURE, *, with_shapes: bool = True
) -> Figure:
    """Return the figure: cells where there is room for them, else blocks with sizes.

    `with_shapes` tells whether the first steps are shapes in boxes; beside steps they are not.
    """
    aligned = frame(answer, look.until, notes=look.notes) if with_shapes else None
    if aligned:
        return aligned
    axes = outermost_first(answer)
    if axes is None:
        is_refused = answer.layout.refusal is not None
        text = "the unknown sizes decide how the operands line up"
        return _undrawn("the operands cannot be aligned" if is_refused else text, look)
    if len(axes) > MAX_DRAWN:
        return _undrawn(f"a picture has room for {MAX_DRAWN} axes, not for {len(axes)}", look)
    arrays = arrays_of(answer, axes)
    if answer.ok is False:
        return _of_rows([_mismatch(answer, axes, arrays, look)], answer, axes, arrays, look)
    whole = _of_rows([_equation(answer, axes, arrays, look)], answer, axes, arrays, look)
    if whole.blocks[0].layers and look.values and 2 < len(arrays) <= MAX_PAIRED:
        pairs = _pairs(answer, look)
        if pairs:
            whole = _of_rows(pairs, answer, axes, arrays, look)._replace(instead=whole)
    if look.wants_values and look.notes:
        whole = with_reason(whole, f"{MAX_CELLS} elements and {MAX_PAIRED} operands")
    return whole._replace(boxed=of_steps(answer, (), look.until))


def _of_rows(
    rows: Sequence[Row],
    answer: Answer,
    axes: Sequence[Axis],
    arrays: Sequence[Array],
    look: PictureOptions,
) -> Figure:
    """Return rows about one answer, with the sentences below them."""
    blocks = [block for row in rows for block in row.blocks]
    compared = list(comparisons(answer))
    if any(GHOST in extent.label for block in blocks for extent in block.extents):
        compared.append(ghost_note(answer))
    return Figure(
        tuple(rows),
        _layer_labels(axes) if blocks[0].layers else (),
        tuple(map(axis_name, answer.axes or ())),
        tuple(captions(answer, arrays, blocks)) if look.notes else (),
        tuple(compared) if look.notes else (),
        look.notes and any(map(has_repeats, rows)),
        in_words(answer, arrays, rows[-1]),
        look.until,
    )


def _pairs(answer: Answer, look: PictureOptions) -> list[Row]:
    """Return a row for each operation of several, the first two operands and so on.

    There is none where a result between them has no room for cells.
    """
    rows: list[Row] = []
    first, *others = arrays_of(answer, outermost_first(answer) or ())
    sign = sign_between((), look.operation)
    for each in others:
        question = answer.question.with_operands(
            [Operand(first.title, first.shape), Operand(each.name, each.shape)]
        )
        pair = question.answer()
        axes = outermost_first(pair) or ()
        arrays = [
            array._replace(tint=own.tint, numbers=own.numbers, sources=own.sources)
            for array, own in zip(arrays_of(pair, axes), (first, each), strict=True)
        ]
        left = f"({first.title})" if rows else first.title
        title = f"{left} {sign} {each.name}"
        row = _equation(pair, axes, arrays, look, "result" if each is others[-1] else title)
        if not row.blocks[0].layers:
            return []
        sizes = [size for size in pair.result or () if isinstance(size, int)]
        first = arrays[0]._replace(
            title=title,
            shape=pair.result or (),
            tint=RESULT,
            numbers=[
                result_value(arrays, look.operation, index) for index in product(*map(range, sizes))
            ],
            sources=[cell.sources for cell in row.blocks[-1].cells],
        )
        rows.append(row._replace(blocks=tuple(map(_without_labels, row.blocks))))
    return rows


def of_comparison(comparison: Comparison, look: PictureOptions = DEFAULT_PICTURE) -> Figure:
    """Return a row of blocks for each group of rules that agree, and a line for those that refuse.

    An element whose value differs from the first row of the same shape is framed. A rule with a
    target adds nothing up: it has its own row, in which nothing is framed.
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
            return _undrawn(f"a picture has room for {MAX_DRAWN} axes, not for {len(own)}", look)
        if own is None or answer.ok is False:
            why = "mismatch" if answer.ok is False else "depends on the unknown sizes"
            rows.append(Row((), (), f"{label}: {why}", refused=answer.ok is False))
            continue
        row = _equation(answer, own, arrays_of(answer, own), look)
        row = row._replace(label=label, blocks=tuple(map(_without_labels, row.blocks)))
        axes = axes or own
        if answer.rule.second_is_target:
            row = row._replace(in_words=f"{label}: {_of_target(answer)}")
        else:
            first = first or row
            row = _mark_differences(row, first)
        rows.append(row)
    return Figure(
        tuple(rows),
        _layer_labels(axes),
        tuple(map(axis_name, axes)),
        legend=look.notes and any(map(has_repeats, rows)),
        description="; ".join(row_in_words(row) for row in rows),
        until=look.until,
    )


def _of_refusals(comparison: Comparison, look: PictureOptions) -> Figure:
    """Return the operands as the first rule aligns them, where all rules refuse them."""
    first = next((row for row in comparison.rows if row.answer.axes), comparison.rows[0])
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
        adding = [each for each in members if not each.answer.rule.second_is_target]
        others = [each for each in members if each.answer.rule.second_is_target]
        if members[0].answer.ok is False:
            adding, others = members, []
        yield from filter(None, (adding, others))


def _undrawn(text: str, look: PictureOptions) -> Figure:
    """Return a sentence in place of blocks."""
    return Figure((), captions=(text,), description=text)


def _without_labels(block: Block) -> Block:
    """Return the block without the names of its axes: several rows have no room for them."""
    arrows = tuple(arrow._replace(label="") for arrow in block.arrows)
    return block._replace(arrows=arrows, letters=(), named=())


def _mark_differences(row: Row, first: Row) -> Row:
    """Return the row with the elements marked whose values differ from the first row."""
    result, other = row.blocks[-1], first.blocks[-1]
    if result.shape != other.shape or not result.layers or not other.layers:
        return row
    layers = tuple(
        tuple(
            tuple(
                cell if cell.text == same.text else cell._replace(kind=Kind.DIFFERS)
                for cell, same in zip(cells, others, strict=True)
            )
            for cells, others in zip(layer, wanted, strict=True)
        )
        for layer, wanted in zip(result.layers, other.layers, strict=True)
    )
    return row._replace(blocks=(*row.blocks[:-1], result._replace(layers=layers)))


def has_cells(shape: Sequence[Size | None]) -> bool:
    """Return whether a block of this shape has room for a cell for each element."""
    sizes = [size for size in shape if isinstance(size, int)]
    if len(sizes) < len(shape) or len(sizes) > MAX_AXES:
        return False
    layers, _, across = (1,) * (MAX_AXES - len(sizes)) + tuple(sizes)
    return 0 < prod(sizes) <= MAX_CELLS and layers <= MAX_LAYERS and across <= MAX_ACROSS


def _has_values(arrays: Sequence[Array], look: PictureOptions) -> bool:
    return look.values and len(arrays) <= 2


def _equation(
    answer: Answer,
    axes: Sequence[Axis],
    arrays: Sequence[Array],
    look: PictureOptions,
    name: str = "result",
) -> Row:
    """Return the operands stretched, and the result by its name."""
    sizes = tuple(axis.result for axis in axes)
    result = answer.result or ()
    signs = ("", *[sign_between(arrays, look.operation)] * (len(arrays) - 1), "=")
    letters = _letters(axes)
    if not (answer.ok and not answer.unknown_sizes and has_cells(sizes)):
        blocks = [
            Block(array.title, array.drawn, array.tint, extents=_extents(answer, array))
            for array in arrays
        ]
        found = [axis.result for axis in answer.axes or ()]
        whole = tuple(Edge(text_of_size(size), _text_size(size)) for size in found)
        return Row((*blocks, Block(name, result, RESULT, extents=whole)), signs)
    frame = tuple(size for size in sizes if isinstance(size, int))
    shown = _has_values(arrays, look)
    blocks = []
    for array in arrays:
        own = array.own if array.is_target else frame
        layers = layers_of(own, partial(operand_cell, array, shown))
        arrows = () if array.is_target else tuple(_arrows(axes, array.name))
        slot = _slot(answer, axes, array)
        blocks.append(
            Block(
                array.title,
                array.drawn,
                array.tint,
                layers,
                (),
                arrows,
                letters,
                array.named,
                slot,
            )
        )
    cells = layers_of(
        frame,
        partial(
            result_cell, name if name == "result" else f"({name})", arrays, shown, look.operation
        ),
    )
    named = tuple(f"{axis.label} {axis.result}" for axis in answer.axes or () if axis.label)
    blocks.append(Block(name, result, RESULT, cells, letters=letters, named=named))
    return Row(tuple(blocks), signs)


def _letters(axes: Sequence[Axis]) -> tuple[AxisLabel, ...]:
    """Return the framework's own names of the axes that run down and across."""
    ways = WAYS[-len(axes) :] if axes else ()
    return tuple(
        AxisLabel(way, axis.label)
        for way, axis in zip(ways, axes[-MAX_AXES:], strict=False)
        if axis.label and way is not Direction.LAYERS
    )


def _arrows(axes: Sequence[Axis], name: str) -> Iterator[AxisLabel]:
    """Yield an arrow for each axis along which an operand stretches."""
    ways = WAYS[-len(axes) :] if axes else ()
    for axis, way in zip(axes, ways, strict=True):
        if name in axis.stretched and axis.result != 0:
            is_named = axis.label and way is not Direction.LAYERS
            yield AxisLabel(way, "" if is_named else f"{axis_name(axis)} {way.value}")


def _slot(answer: Answer, axes: Sequence[Axis], array: Array) -> AxisLabel | None:
    """Return where pdpd placed its second operand, if it did."""
    if "axis" not in answer.options or array.tint != 1 or array.sizes.count(None) == len(axes):
        return None
    place = next(n for n, size in enumerate(array.sizes) if size is not None)
    way = WAYS[-len(axes) :][place]
    return AxisLabel(
        Direction.ACROSS if way is Direction.LAYERS else way, f"axis={answer.options['axis']}"
    )


def _text_size(size: Size | None) -> Size:
    return 1 if size is None else size


def _extents(answer: Answer, array: Array) -> tuple[Edge, ...]:
    return tuple(_extent(axis, axis.sizes[array.tint], array) for axis in answer.axes or ())


def _extent(axis: Axis, size: Size | None, array: Array) -> Edge:
    clashes = axis.conflict is True
    if array.name in axis.stretched and not array.is_target:
        return Edge(f"{text_of_size(size)}→{axis.result}", _text_size(axis.result), stretched=True)
    depends = axis.conflict is None and isinstance(size, str)
    label = "" if size is None and axis.result is None and not clashes else text_of_size(size)
    return Edge(label, _text_size(size), False, depends, clashes, array.is_target)


def _mismatch(
    answer: Answer, axes: Sequence[Axis], arrays: Sequence[Array], look: PictureOptions
) -> Row:
    """Return the operands as typed: two that clash side by side along the axis, none stretched."""
    clash = _clashing_axis(answer)
    shown = _clashing(clash, arrays) if clash and len(arrays) > 2 else arrays[:2]
    signs = ("", *[sign_between(arrays, look.operation)] * (len(shown) - 1))
    count = sum(prod(array.own) for array in shown)
    if count > MAX_APART or not all(has_cells(array.own) for array in shown):
        blocks = tuple(
            Block(array.title, array.drawn, array.tint, extents=_as_typed(answer, array))
            for array in shown
        )
        return Row(blocks, signs, crossed=True)
    values = _has_values(arrays, look)
    place = axes.index(clash) if clash else -1
    way = WAYS[-len(axes) :][place]
    beyond = _unmatched(way, [array.own[place] for array in shown]) if clash else None
    blocks = tuple(
        Block(
            array.title,
            array.drawn,
            array.tint,
            layers_of(array.own, partial(operand_cell, array, values)),
            letters=_letters(axes),
            slot=_slot(answer, axes, array),
            named=array.named,
            surplus=beyond if beyond and array.own[place] == beyond.stop else None,
            missing=beyond if beyond and array.own[place] == beyond.start else None,
        )
        for array in shown
    )
    return Row(blocks, signs, crossed=beyond is None)


def _unmatched(way: Direction, sizes: Sequence[int]) -> Unmatched | None:
    """Return the cells beyond the shorter of two operands."""
    return Unmatched(way, min(sizes), max(sizes)) if min(sizes) < max(sizes) else None


def _clashing_axis(answer: Answer) -> Axis | None:
    """Return the axis that the reason names, if sizes clash."""
    if answer.reason is None or answer.reason.kind != "sizes":
        return None
    return next((axis for axis in reversed(answer.axes or ()) if axis.conflict), None)


def _clashing(axis: Axis, arrays: Sequence[Array]) -> Sequence[Array]:
    """Return two operands that clash: the first whose size is not 1, and the first with another."""
    there = [(array, axis.sizes[array.tint]) for array in arrays]
    others = [(array, size) for array, size in there if size not in (1, None)]
    unlike = (array for array, size in others if size != others[0][1])
    return [others[0][0], next(unlike)] if len({size for _, size in others}) > 1 else arrays[:2]


def _as_typed(answer: Answer, array: Array) -> tuple[Edge, ...]:
    sizes = ((axis, axis.sizes[array.tint]) for axis in answer.axes or ())
    return tuple(
        Edge(
            "" if size is None else str(size),
            _text_size(size),
            clashes=axis.conflict is True,
            outlined=array.is_target,
        )
        for axis, size in sizes
    )


def _layer_labels(axes: Sequence[Axis]) -> tuple[str, ...]:
    """Return the words above the layers: `[0, :, :]`, or `c = 0` where axes have labels."""
    if len(axes) < MAX_AXES:
        return ()
    outer = axes[0]
    sizes = [size for size in (*outer.sizes, outer.result) if isinstance(size, int)]
    count = range(min(max(sizes, default=1), MAX_LAYERS))
    return tuple(f"{outer.label} = {n}" if outer.label else f"[{n}, :, :]" for n in count)
