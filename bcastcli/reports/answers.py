"""Answers as sheets: the table, the notes and last the answer."""

from collections.abc import Collection, Iterator, Sequence

from bcastcli.core.answer import Answer, Axis, Suggestion
from bcastcli.core.shapes import Size, written
from bcastcli.render.plain import verdict
from bcastcli.render.sheet import GHOST, Cell, Grid, Line, Part, Row, Sheet, Tone

MAX_NAMED = 8
"""As many operands as are told by name below an axis: a column is as wide as its widest cell."""
LAST = {True: Tone.YES, False: Tone.NO, None: Tone.CONDITION}


def of_answer(answer: Answer) -> Sheet:
    """The operands aligned by axis, a sign below each axis, notes, and last the answer."""
    return sheet(answer, [aligned(answer), *ending(answer)])


def sheet(answer: Answer, parts: Sequence[Part]) -> Sheet:
    """A sheet about an answer."""
    inputs = "; ".join(f"{name} {written(shape)}" for name, shape in answer.inputs)
    title = f"{answer.asked_name}: {inputs}"
    return Sheet(title, f"{title}. {verdict(answer, 'No broadcast')}.", tuple(parts))


def ending(answer: Answer, shown_kinds: Collection[str] = ()) -> Iterator[Grid | Line]:
    """What comes below all else: notes, what to write instead, and last the answer.

    Notes of the kinds in `shown_kinds` are left out.
    """
    for note in answer.notes:
        if note.kind not in shown_kinds:
            yield Line("note", note.text, Tone.NOTE)
    if answer.suggestions:
        yield Grid((), (tuple(map(_suggested, answer.suggestions)),), ruled=False)
    yield Line("", verdict(answer, "no broadcast"), LAST[answer.ok])


def _suggested(suggestion: Suggestion) -> Row:
    shapes = " ".join(written(operand.shape) for operand in suggestion.changed)
    gives = f"gives {written(suggestion.answer.result or ())}"
    return Cell("try"), Cell(suggestion.write), Cell(shapes), Cell(gives)


def aligned(answer: Answer) -> Grid:
    """The operands aligned by axis, and a sign below each axis."""
    if not answer.axes:
        below = Cell("?", Tone.DEPENDS) if answer.axes is None else Cell("=", Tone.EQUAL)
        shapes = tuple((Cell(name), Cell(written(shape))) for name, shape in answer.operands)
        return Grid(((Cell("operand"), Cell("shape")),), (shapes, ((Cell(), below),)))
    return Grid(
        heads(answer, "axis"),
        (operand_rows(answer), ((Cell(), *map(sign, answer.axes)),)),
        range(1, len(answer.axes) + 1),
    )


def heads(answer: Answer, label: str) -> tuple[Row, ...]:
    """The axes' labels; or their numbers, counted from both ends."""
    axes = answer.axes or ()
    if axes and axes[0].label:
        return ((Cell(label), *(Cell(axis.label) for axis in axes)),)
    rank = answer.layout.rank
    from_the_end = (str(axis.number - rank) if axis.number < rank else "" for axis in axes)
    return (
        (Cell(label), *(Cell(str(axis.number)) for axis in axes)),
        (Cell(), *(Cell(number) for number in from_the_end)),
    )


def operand_rows(answer: Answer) -> tuple[Row, ...]:
    """The sizes of each operand, in the columns of the axes on which they lie."""
    axes = answer.axes or ()
    return tuple(
        (Cell(name), *(_size(axis.sizes[place], axis.number < answer.layout.rank) for axis in axes))
        for place, name in enumerate(answer.operand_names)
    )


def _size(size: Size | None, within: bool) -> Cell:
    if size is None:
        return Cell(GHOST, Tone.GHOST) if within else Cell()
    return Cell(str(size))


def sign(axis: Axis) -> Cell:
    """What happens on an axis, without words: `=`, who stretches, `!` clash, `?` depends."""
    if axis.conflict is None:
        return Cell("?", Tone.DEPENDS)
    if axis.conflict:
        return Cell("!", Tone.CLASH)
    if not axis.stretched:
        return Cell("=", Tone.EQUAL)
    named = axis.stretched[:MAX_NAMED]
    more = ("...",) if len(named) < len(axis.stretched) else ()
    return Cell(",".join((*named, *more)), Tone.STRETCH)
