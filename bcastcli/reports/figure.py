"""The figure of an answer: the elements that operands store and repeat, and those of the result."""

from collections.abc import Iterator, Sequence
from itertools import product

from bcastcli.analysis.comparison import Comparison
from bcastcli.analysis.comparison import Row as Compared
from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.answer import Answer
from bcastcli.render.picture.figure import (
    RESULT,
    Block,
    Figure,
    Kind,
    Row,
    without_numbers,
)
from bcastcli.render.sheet import GHOST
from bcastcli.reports.arrays import (
    MAX_AXES,
    Array,
    arrays_of,
    axis_name,
    outermost_first,
    result_value,
    sign_between,
)
from bcastcli.reports.figure_words import captions, has_repeats, in_words, row_in_words, with_reason
from bcastcli.reports.frames import comparisons, frame, of_steps
from bcastcli.reports.rows import MAX_CELLS, MAX_LAYERS, PictureOptions, equation, mismatch
from bcastcli.reports.tables import ghost_note
from bcastcli.reports.ways import ways

MAX_PAIRED = 4
"""The most operands that are drawn two by two."""
MAX_HIGH = 15
"""The most lines of cells, and two for each way, of all ways in which unknown sizes fit."""
MAX_DRAWN = 32
"""The most axes that are drawn, a bar for each."""


DEFAULT_PICTURE = PictureOptions()


def of_answer(
    answer: Answer, look: PictureOptions = DEFAULT_PICTURE, *, with_shapes: bool = True
) -> Figure:
    """Return the figure: cells where there is room for them, else blocks with sizes.

    `with_shapes` tells whether the first steps are shapes in boxes; beside steps they are not.
    """
    figure = frame(answer, look.until, notes=look.notes) if with_shapes else None
    if figure:
        return figure
    figure = _of_ways(answer, look)
    axes = outermost_first(answer)
    if axes is None or len(axes) > MAX_DRAWN:
        return figure or _undrawn(_why_undrawn(answer))
    arrays = arrays_of(answer, axes)
    if answer.ok is False:
        return _of_rows([mismatch(answer, axes, arrays, look)], answer, axes, arrays, look)
    whole = _of_rows([equation(answer, axes, arrays, look)], answer, axes, arrays, look)
    if axes:
        whole = whole._replace(boxed=of_steps(answer, (), look.until))
    if figure:
        whole = figure._replace(instead=without_numbers(figure)._replace(instead=whole))
    elif whole.blocks[0].layers and look.values and 2 < len(arrays) <= MAX_PAIRED:
        pairs = _pairs(answer, look)
        if pairs:
            whole = _of_rows(pairs, answer, axes, arrays, look)._replace(instead=whole)
    if look.wants_values and look.notes:
        whole = with_reason(whole, f"{MAX_CELLS} elements and {MAX_PAIRED} operands")
    return whole


def _why_undrawn(answer: Answer) -> str:
    if answer.axes is not None:
        return f"a picture has room for {MAX_DRAWN} axes, not for {len(answer.axes)}"
    if answer.layout.refusal is not None:
        return "the operands cannot be aligned"
    return "the unknown sizes decide how the operands line up"


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


def _of_ways(answer: Answer, look: PictureOptions) -> Figure | None:
    """Return a row for each way in which unknown sizes make it a yes, below the shapes as typed.

    None where no size is unknown, or where one of the ways has no room for cells.
    """
    rows: list[Row] = []
    labels: tuple[str, ...] = ()
    high = 0
    found = ways(answer) if answer.unknown_sizes and answer.ok is not False else []
    for label, asked in found:
        axes = outermost_first(asked) or ()
        arrays = arrays_of(asked, axes)
        row = equation(asked, axes, arrays, look)
        if not row.blocks[0].layers:
            return None
        said = f"{label}: {in_words(asked, arrays, row)}"
        row = row._replace(label=label, blocks=tuple(map(_without_labels, row.blocks)))
        layers, lines, _ = row.blocks[-1].counts
        high += lines + (2 if layers == 1 else 3)
        if high <= MAX_HIGH:
            rows.append(row._replace(in_words=said))
            labels = max(labels, _layer_labels(axes), key=len)
    if not rows:
        return None
    typed = (*answer.operands, Operand("result", answer.result or ()))
    blocks = (  # a transposed operand has another name, and the shape that is drawn
        block._replace(shape=own.shape) if block.name == own.name else block
        for block, own in zip(rows[0].blocks, typed, strict=True)
    )
    rows[0] = rows[0]._replace(blocks=tuple(blocks))
    left_out = [label for label, _ in found[len(rows) :]]
    return Figure(
        tuple(row._replace(in_words="") for row in rows),
        labels,
        captions=(f"not drawn: {'; '.join(left_out)}",) if left_out and look.notes else (),
        legend=look.notes and any(map(has_repeats, rows)),
        description="; ".join(row.in_words for row in rows),
        until=look.until,
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
        row = equation(pair, axes, arrays, look, "result" if each is others[-1] else title)
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
            return _undrawn(f"a picture has room for {MAX_DRAWN} axes, not for {len(own)}")
        if own is None or answer.ok is False:
            why = "mismatch" if answer.ok is False else "depends on the unknown sizes"
            rows.append(Row((), (), f"{label}: {why}", refused=answer.ok is False))
            continue
        row = equation(answer, own, arrays_of(answer, own), look)
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


def _undrawn(text: str) -> Figure:
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


def _layer_labels(axes: Sequence[Axis]) -> tuple[str, ...]:
    """Return the words above the layers: `[0, :, :]`, or `c = 0` where axes have labels."""
    if len(axes) < MAX_AXES:
        return ()
    outer = axes[0]
    sizes = [size for size in (*outer.sizes, outer.result) if isinstance(size, int)]
    count = range(min(max(sizes, default=1), MAX_LAYERS))
    return tuple(f"{outer.label} = {n}" if outer.label else f"[{n}, :, :]" for n in count)
