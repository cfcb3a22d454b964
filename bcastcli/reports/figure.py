"""The figure of an answer: which elements every operand stores, repeats, and gives to the result.

Numbers in the cells tell elements apart: A counts in tens from 0, B in ones from 1, in the order in
which they are stored, so that the result's 31 can only be 30 + 1.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from operator import eq, floordiv, ge, gt, le, lt, mod, mul, ne, sub, truediv
from typing import NamedTuple

from bcastcli.analysis.comparison import Comparison
from bcastcli.analysis.comparison import Row as Compared
from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape, Size
from bcastcli.render.picture.figure import (
    RESULT,
    Arrow,
    Block,
    Cell,
    Extent,
    Figure,
    Kind,
    Layer,
    Row,
    Slot,
    Step,
    Surplus,
    Way,
)
from bcastcli.render.sheet import page_shape
from bcastcli.reports import tables

MAX_CELLS = 40
"""Cells of a result whose elements are drawn one by one."""
MAX_APART = 48
"""Cells of two operands that do not broadcast, together."""
MAX_LAYERS = 4
MAX_ACROSS = 14
MAX_AXES = 3
MAX_DRAWN = 32
"""The most axes that are drawn, a bar for each."""
MAX_COMPARED = 4
"""As many axes have a sentence each."""
WAYS = (Way.LAYERS, Way.DOWN, Way.ACROSS)

Number = int | float
OPERATIONS: dict[str, Callable[[Number, Number], Number]] = {
    "+": lambda one, other: one + other,
    "-": sub,
    "*": mul,
    "/": truediv,
    "//": floordiv,
    "%": mod,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "==": eq,
    "!=": ne,
}
SIGNS = {"*": "×", "/": "÷", "-": "−"}
"""How an operator is written between blocks, where that is another character."""


class Look(NamedTuple):
    """The wishes for a picture besides the answer."""

    operation: str = "+"
    values: bool = True
    until: Step = Step.RESULT
    notes: bool = True


PLAIN = Look()


class _Array(NamedTuple):
    """One operand on the result's axes, outermost first."""

    name: str
    shape: Shape
    tint: int
    sizes: tuple[Size | None, ...]
    """As typed; None where it has no such axis."""
    is_target: bool

    @property
    def own(self) -> tuple[int, ...]:
        """Its sizes, a missing axis as 1."""
        return tuple(size if isinstance(size, int) else 1 for size in self.sizes)

    def value(self, index: Sequence[int]) -> int:
        """The number in the element at an index of the result: its place in memory, numbered."""
        place = 0
        for at, size in zip(index, self.own, strict=True):
            place = place * size + (at if size != 1 else 0)
        return place + 1 if self.tint else 10 * place

    def stores(self, index: Sequence[int]) -> bool:
        """Whether an element is stored at this index, and not repeated from another one."""
        return all(at < size for at, size in zip(index, self.own, strict=True))


def of_answer(answer: Answer, look: Look = PLAIN) -> Figure:
    """Return the figure: cells where there is room for them, else blocks with sizes."""
    axes = _outermost_first(answer)
    if axes is None:
        return _undrawn("the unknown sizes decide how the operands line up", look)
    if len(axes) > MAX_DRAWN:
        return _undrawn(f"a picture has room for {MAX_DRAWN} axes, not for {len(axes)}", look)
    arrays = _arrays(answer, axes)
    compared = tuple(_compared(answer, axes)) if look.notes else ()
    if answer.ok is False:
        row = _mismatch(answer, axes, arrays, look)
    else:
        row = _equation(answer, axes, arrays, look)
    notes = tuple(_captions(answer, axes, arrays, row)) if look.notes else ()
    return Figure(
        (row,),
        _layer_labels(axes) if row.blocks[0].layers else (),
        tuple(map(_named, axes)),
        notes,
        compared,
        look.notes and _has_repeats(row),
        _in_words(answer, axes, arrays, row),
        look.until,
    )


def of_comparison(comparison: Comparison, look: Look = PLAIN) -> Figure:
    """Return a row of blocks for each group of rules that agree, and a line for those that refuse.

    An element with another value than in the first row of the same shape stands out. A rule with a
    target adds nothing up: it has a row of its own, in which nothing stands out.
    """
    rows: list[Row] = []
    first: Row | None = None
    axes: Sequence[Axis] = ()
    for members in _drawn_alike(comparison):
        answer = members[0].answer
        label = ", ".join(row.name for row in members)
        own = _outermost_first(answer)
        if own and len(own) > MAX_DRAWN:
            return _undrawn(f"a picture has room for {MAX_DRAWN} axes, not for {len(own)}", look)
        if own is None or answer.ok is False:
            why = "mismatch" if answer.ok is False else "depends on the unknown sizes"
            rows.append(Row((), (), f"{label}: {why}", refused=answer.ok is False))
            continue
        row = _equation(answer, own, _arrays(answer, own), look)
        row = row._replace(label=label, blocks=tuple(map(_without_labels, row.blocks)))
        axes = axes or own
        if answer.rule.second_is_target:
            row = row._replace(in_words=f"{label}: {_of_target(answer)}")
        else:
            first = first or row
            row = _told_apart(row, first)
        rows.append(row)
    return Figure(
        tuple(rows),
        _layer_labels(axes),
        tuple(map(_named, axes)),
        legend=look.notes and any(map(_has_repeats, rows)),
        description="; ".join(_row_in_words(row) for row in rows),
        until=look.until,
    )


def _of_target(answer: Answer) -> str:
    """Return in words what a rule with a target gives."""
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


def _undrawn(text: str, look: Look) -> Figure:
    """Return a sentence in place of blocks."""
    return Figure((), captions=(text,), description=text, until=look.until)


def _without_labels(block: Block) -> Block:
    """The block without the names of its axes: several rows have no room for them."""
    arrows = tuple(arrow._replace(label="") for arrow in block.arrows)
    return block._replace(arrows=arrows, letters=())


def _told_apart(row: Row, first: Row) -> Row:
    """The row with the elements marked that have other values than in the first row."""
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


def _last_cells(row: Row) -> Iterator[Cell]:
    """The cells of the result."""
    for layer in row.blocks[-1].layers if row.blocks else ():
        for cells in layer:
            yield from cells


def _row_in_words(row: Row) -> str:
    if not row.blocks:
        return row.label
    values = " ".join(cell.text for cell in _last_cells(row))
    return f"{row.label}: {page_shape(row.blocks[-1].shape)} {values}".rstrip()


def _outermost_first(answer: Answer) -> tuple[Axis, ...] | None:
    if answer.axes is None:
        return None
    return answer.axes[:: -1 if answer.innermost_first else 1]


def _arrays(answer: Answer, axes: Sequence[Axis]) -> list[_Array]:
    return [
        _Array(
            name,
            shape,
            place,
            tuple(axis.sizes[place] for axis in axes),
            answer.rule.second_is_target and place == 1,
        )
        for place, (name, shape) in enumerate(answer.operands)
    ]


def _named(axis: Axis) -> str:
    """An axis as people name it: `axis 0`, or `w` where it has a label."""
    return axis.label or f"axis {axis.number}"


def has_cells(shape: Sequence[Size | None]) -> bool:
    """Return whether a block of this shape has room for a cell for each element."""
    sizes = [size for size in shape if isinstance(size, int)]
    if len(sizes) < len(shape) or len(sizes) > MAX_AXES:
        return False
    layers, _, across = (1,) * (MAX_AXES - len(sizes)) + tuple(sizes)
    return 0 < prod(sizes) <= MAX_CELLS and layers <= MAX_LAYERS and across <= MAX_ACROSS


def _has_values(arrays: Sequence[_Array], look: Look) -> bool:
    return look.values and len(arrays) <= 2


def _equation(answer: Answer, axes: Sequence[Axis], arrays: Sequence[_Array], look: Look) -> Row:
    """The operands stretched, and the result."""
    sizes = tuple(axis.result for axis in axes)
    result = answer.result or ()
    signs = ("", *[_between(arrays, look)] * (len(arrays) - 1), "=")
    letters = _letters(axes)
    if not (answer.ok and not answer.unknown_sizes and has_cells(sizes)):
        blocks = [
            _large(array.name, array.shape, array.tint, _extents(axes, array)) for array in arrays
        ]
        whole = tuple(Extent(_text(axis.result), _text_size(axis.result)) for axis in axes)
        return Row((*blocks, _large("result", result, RESULT, whole)), signs)
    frame = tuple(size for size in sizes if isinstance(size, int))
    shown = _has_values(arrays, look)
    blocks = []
    for array in arrays:
        own = array.own if array.is_target else frame
        layers = _layers(own, partial(_operand_cell, array, shown))
        arrows = () if array.is_target else tuple(_arrows(axes, array.name))
        slot = _slot(answer, axes, array)
        blocks.append(Block(array.name, array.shape, array.tint, layers, (), arrows, letters, slot))
    cells = _layers(frame, partial(_result_cell, arrays, shown, look))
    blocks.append(Block("result", result, RESULT, cells, letters=letters))
    return Row(tuple(blocks), signs)


def _between(arrays: Sequence[_Array], look: Look) -> str:
    """The sign between two operands."""
    if any(array.is_target for array in arrays):
        return "→"
    return SIGNS.get(look.operation, look.operation) if len(arrays) < 3 else "∘"


def _letters(axes: Sequence[Axis]) -> tuple[tuple[Way, str], ...]:
    """The framework's own names of the axes that run down and across."""
    ways = WAYS[-len(axes) :] if axes else ()
    return tuple(
        (way, axis.label)
        for way, axis in zip(ways, axes[-MAX_AXES:], strict=False)
        if axis.label and way is not Way.LAYERS
    )


def _layers(sizes: tuple[int, ...], cell: Callable[[tuple[int, ...]], Cell]) -> tuple[Layer, ...]:
    """A cell for each index, in three axes of which the first ones may be missing."""
    missing = MAX_AXES - len(sizes)
    outer, middle, inner = (1,) * missing + sizes
    return tuple(
        tuple(tuple(cell((k, j, i)[missing:]) for i in range(inner)) for j in range(middle))
        for k in range(outer)
    )


def _operand_cell(array: _Array, shown: bool, index: tuple[int, ...]) -> Cell:
    if array.is_target:
        return Cell("", Kind.OUTLINE)
    kind = Kind.STORED if array.stores(index) else Kind.REPEATED
    return Cell(str(array.value(index)) if shown else "", kind)


def _result_cell(arrays: Sequence[_Array], shown: bool, look: Look, index: tuple[int, ...]) -> Cell:
    return Cell(_number(_value(arrays, index, look)) if shown else "", Kind.RESULT)


def _value(arrays: Sequence[_Array], index: tuple[int, ...], look: Look) -> Number:
    """The number in an element of the result."""
    values = [array.value(index) for array in arrays if not array.is_target]
    return values[0] if len(values) == 1 else OPERATIONS[look.operation](*values)


def _number(value: Number) -> str:
    if isinstance(value, bool):
        return "T" if value else "F"
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _arrows(axes: Sequence[Axis], name: str) -> Iterator[Arrow]:
    """An arrow for each axis along which an operand stretches."""
    ways = WAYS[-len(axes) :] if axes else ()
    for axis, way in zip(axes, ways, strict=True):
        if name in axis.stretched and axis.result != 0:
            yield Arrow(way, f"{_named(axis)} {way.value}")


def _slot(answer: Answer, axes: Sequence[Axis], array: _Array) -> Slot | None:
    """Where pdpd put its second operand."""
    if "axis" not in answer.options or array.tint != 1 or array.sizes.count(None) == len(axes):
        return None
    place = next(n for n, size in enumerate(array.sizes) if size is not None)
    way = WAYS[-len(axes) :][place]
    return Slot(Way.ACROSS if way is Way.LAYERS else way, f"axis={answer.options['axis']}")


def _large(name: str, shape: Shape, tint: int, extents: tuple[Extent, ...]) -> Block:
    return Block(name, shape, tint, extents=extents)


def _text(size: Size | None) -> str:
    return "(1)" if size is None else str(size)


def _text_size(size: Size | None) -> Size:
    return 1 if size is None else size


def _extents(axes: Sequence[Axis], array: _Array) -> tuple[Extent, ...]:
    return tuple(_extent(axis, size, array) for axis, size in zip(axes, array.sizes, strict=True))


def _extent(axis: Axis, size: Size | None, array: _Array) -> Extent:
    clashes = axis.conflict is True
    if array.name in axis.stretched and not array.is_target:
        return Extent(f"{_text(size)}→{axis.result}", _text_size(axis.result), stretched=True)
    depends = axis.conflict is None and isinstance(size, str)
    label = "" if size is None and axis.result is None and not clashes else _text(size)
    return Extent(label, _text_size(size), depends=depends, clashes=clashes)


def _mismatch(answer: Answer, axes: Sequence[Axis], arrays: Sequence[_Array], look: Look) -> Row:
    """The operands as typed: two that clash side by side along the axis, nothing stretched."""
    clash = next(_blamed(answer), None)
    shown = _clashing(clash, arrays) if clash and len(arrays) > 2 else arrays[:2]
    signs = ("", *[_between(arrays, look)] * (len(shown) - 1))
    count = sum(prod(array.own) for array in shown)
    if count > MAX_APART or not all(has_cells(array.own) for array in shown):
        blocks = tuple(
            _large(array.name, array.shape, array.tint, _as_typed(axes, array)) for array in shown
        )
        return Row(blocks, signs, crossed=True)
    values = _has_values(arrays, look)
    surplus = _surplus(axes, clash, shown) if clash else {}
    blocks = tuple(
        Block(
            array.name,
            array.shape,
            array.tint,
            _layers(array.own, partial(_operand_cell, array, values)),
            letters=_letters(axes),
            slot=_slot(answer, axes, array),
            surplus=surplus.get(array.name),
        )
        for array in shown
    )
    ways = {each.way for each in surplus.values()} - {Way.LAYERS}
    return Row(blocks, signs, cross=next(iter(ways), None), crossed=not ways)


def _surplus(axes: Sequence[Axis], clash: Axis, shown: Sequence[_Array]) -> dict[str, Surplus]:
    """Return the part of an operand beyond the shorter one on the axis that clashes."""
    place = axes.index(clash)
    shorter = min(array.own[place] for array in shown)
    way = WAYS[-len(axes) :][place]
    return {array.name: Surplus(way, shorter) for array in shown if array.own[place] > shorter}


def _blamed(answer: Answer) -> Iterator[Axis]:
    """The axes that clash, the one that the reason names first."""
    if answer.reason is not None and answer.reason.kind == "sizes":
        yield from (axis for axis in reversed(answer.axes or ()) if axis.conflict)


def _clashing(axis: Axis, arrays: Sequence[_Array]) -> Sequence[_Array]:
    """Two operands that clash: the first with a size other than 1, and the first with another."""
    there = [(array, axis.sizes[array.tint]) for array in arrays]
    others = [(array, size) for array, size in there if size not in (1, None)]
    unlike = (array for array, size in others if size != others[0][1])
    return [others[0][0], next(unlike)] if len({size for _, size in others}) > 1 else arrays[:2]


def _as_typed(axes: Sequence[Axis], array: _Array) -> tuple[Extent, ...]:
    return tuple(
        Extent("" if size is None else str(size), _text_size(size), clashes=axis.conflict is True)
        for axis, size in zip(axes, array.sizes, strict=True)
    )


def _compared(answer: Answer, axes: Sequence[Axis]) -> Iterator[str]:
    """For each axis a sentence: the sizes there, and what they decide."""
    if len(axes) > MAX_COMPARED or len(answer.operands) > 3:
        return
    clashes = [axis for axis in axes if axis.conflict]
    for axis in clashes if answer.ok is False and clashes else axes:
        yield f"{_named(axis)}: {_sentence(answer, axis)}"


def _sentence(answer: Answer, axis: Axis) -> str:
    sizes = list(map(_text, axis.sizes))
    if answer.layout.refusal or axis.conflict:
        sizes = ["no axis" if size is None else str(size) for size in axis.sizes]
    typed = f"{', '.join(sizes[:-1])} and {sizes[-1]}" if len(sizes) > 1 else sizes[0]
    if axis.conflict:
        return f"{typed}: {tables.why_it_clashes(answer, axis)}"
    if axis.conflict is None:
        return f"{typed}: it depends"
    if not axis.stretched or axis.result is None:
        return typed if answer.ok is False or len(set(axis.sizes)) > 1 else f"{typed}: equal"
    if answer.ok is False:
        return typed
    target = answer.operand_names[1] if answer.rule.second_is_target else None
    stretched = [name for name in axis.stretched if name != target]
    if not stretched:
        return f"{typed}: the result has {axis.result}"
    names = " and ".join(stretched)
    return f"{typed}: {names} stretch{'es' if len(stretched) == 1 else ''} to {axis.result}"


def _captions(
    answer: Answer, axes: Sequence[Axis], arrays: Sequence[_Array], row: Row
) -> Iterator[str]:
    """Yield how to read the picture, and what cannot be seen in it."""
    in_cells = bool(row.blocks[0].layers)
    missing = [array.name for array in arrays if None in array.sizes]
    missing = [name for name in missing if not (answer.rule.second_is_target and in_cells)]
    if missing and answer.ok is not False:
        yield f"(1): {' and '.join(missing)} ha{'s' if len(missing) == 1 else 've'} no such axis"
    if not in_cells and axes:
        yield "not to scale"
    shown = {block.name for block in row.blocks}
    left_out = [array.name for array in arrays if array.name not in shown]
    if left_out:
        yield f"not drawn: {', '.join(left_out)}"
    if 0 in (answer.result or ()):
        yield "no cells: the result has no elements"
    if answer.rule.second_is_target:
        yield f"{answer.operand_names[1]} is a shape: an outline, nothing of it is stored"


def _has_repeats(row: Row) -> bool:
    """Whether an operand is drawn stretched."""
    return any(
        block.arrows or any(extent.stretched for extent in block.extents) for block in row.blocks
    )


def _layer_labels(axes: Sequence[Axis]) -> tuple[str, ...]:
    """Return the words above the layers: `[0, :, :]`, or `c = 0` where axes have labels."""
    if len(axes) < MAX_AXES:
        return ()
    outer = axes[0]
    sizes = [size for size in (*outer.sizes, outer.result) if isinstance(size, int)]
    count = range(min(max(sizes, default=1), MAX_LAYERS))
    return tuple(f"{outer.label} = {n}" if outer.label else f"[{n}, :, :]" for n in count)


def _in_words(answer: Answer, axes: Sequence[Axis], arrays: Sequence[_Array], row: Row) -> str:
    """The picture for those who do not see it."""
    if answer.ok is False:
        operands = " and ".join(f"{array.name} {page_shape(array.shape)}" for array in arrays)
        return f"{operands} do not broadcast: {answer.reason.text if answer.reason else ''}"
    pieces = []
    for array in arrays:
        along = [_named(axis) for axis in axes if array.name in axis.stretched]
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
