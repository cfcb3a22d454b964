"""Sheets of answers: the table of the aligned axes, and below it the notes and the answer."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from bcastcli.core.alignment import Axis, Contraction
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Size, written
from bcastcli.core.wording import joined_with_and, transposed, with_verb
from bcastcli.render.sheet import GHOST, Cell, Grid, Line, Part, Row, Sheet, Tone, page_shape
from bcastcli.reports import advice_on, verdict
from bcastcli.rules.frameworks import remark
from bcastcli.rules.frameworks import title as name_of

if TYPE_CHECKING:
    from bcastcli.core.question import Suggestion

MAX_NAMED = 8
"""The most operands named below an axis, since a column is as wide as its widest cell."""
ANSWER_TONE = {True: Tone.YES, False: Tone.NO, None: Tone.CONDITION}


def sheet(answer: Answer, parts: Sequence[Part]) -> Sheet:
    """A sheet about an answer.

    >>> from bcastcli.operators.questions import ask
    >>> sheet(ask("ncnn x=2,3 3"), ())
    Sheet(title='ncnn: x (2, 3); B (3,)', description='ncnn: x (2, 3); B (3,). (2, 3).', parts=())
    """
    inputs = "; ".join(f"{name} {page_shape(shape)}" for name, shape in answer.question.inputs)
    title = f"{name_of(answer.question.framework or answer.question.name)}: {inputs}"
    last = sentence(verdict(answer, page_shape))
    return Sheet(title, f"{title}. {last}", tuple(parts))


def sentence(text: str) -> str:
    """A text as a full sentence."""
    return f"{text[0].upper()}{text[1:]}."


def ending(answer: Answer, shown_kinds: Collection[str] = ()) -> Iterator[Grid | Line]:
    """The last lines: notes, suggestions, and the answer at the end.

    Notes of the kinds in `shown_kinds` are left out.

    >>> from bcastcli.operators.questions import ask
    >>> answer = ask("pdpd 2,3 2 axis=0")
    >>> [line.text for line in ending(answer)], [line.text for line in ending(answer, ["axis"])]
    (['B starts at axis 0 (--axis 0)', '2,3'], ['2,3'])
    """
    notes = [note.text for note in answer.notes if note.kind not in shown_kinds]
    for text in filter(None, (*notes, remark(answer.question.framework, answer.shapes))):
        yield Line("note", text, Tone.NOTE)
    yield from _advice(answer)
    yield Line("", verdict(answer), ANSWER_TONE[answer.ok], on_page=verdict(answer, page_shape))


def _advice(answer: Answer) -> Iterator[Grid | Line]:
    """The lines that say what to write instead, and the likely cause."""
    lines, note = advice_on(answer)
    if note:
        yield Line("note", note.text, Tone.NOTE)
    tried = [line for line in lines if line.kind != "pairs"]
    if tried:
        yield advised(tried)._replace(brief="" if answer.ok else _brief(tried))
    for line in lines:
        if line.kind == "pairs":
            texts = [line.write, _shapes(line), _gives(line)]
            yield Line("", f"to combine every pair: {'  '.join(filter(None, texts))}")


def _brief(lines: "Sequence[Suggestion]") -> str:
    """The first line that is no command and no option of ours, as a figure has it below.

    >>> from bcastcli.operators.questions import ask
    >>> [_brief(advice_on(ask(each))[0]) for each in ("numpy 2,3 3,4", "pdpd 2,3 2", "numpy 4 4")]
    ['A @ B   gives 2,4', 'B[:, None]   gives 2,3', '']
    """
    for line in lines:
        write = line.write
        if line.kind == "product":
            write = " @ ".join(line.answer.question.operand_names)
        if "--" not in line.setting:
            return f"{write}   {_gives(line)}"
    return ""


def advised(lines: "Sequence[Suggestion]") -> Grid:
    """Lines of advice with the shapes and the results that they give."""
    rows = []
    for line in lines:
        texts = ["try", line.write, _shapes(line), _gives(line)]
        if not any(map(_shapes, lines)):
            del texts[2]
        rows.append(tuple(map(Cell, texts)))
    return Grid((), (tuple(rows),), ruled=False)


def _shapes(line: "Suggestion") -> str:
    return "" if line.names_shapes else " ".join(written(shape) for _, shape in line.changed)


def _gives(line: "Suggestion") -> str:
    always = " always" if line.makes_sure else ""
    where = f"   ({line.where})" if line.where else ""
    return f"gives {written(line.answer.result or ())}{always}{where}"


def table(answer: Answer) -> Iterator[Part]:
    """The operands aligned by axis, the result, a sign for each axis, and a legend."""
    contraction = answer.question.contraction
    if contraction is not None:
        yield from _product(answer, contraction, answer.axes or ())
        return
    if not answer.axes or answer.question.impossible:
        shapes = [(Cell(name), Cell(written(shape))) for name, shape in answer.question.inputs]
        result = [] if answer.result is None else [(_result(Cell(written(answer.result))),)]
        yield Grid(((Cell("operand"), Cell("shape")),), (tuple(shapes), *result))
        return
    sizes = operand_rows(answer)
    signs = tuple(map(sign, answer.axes))
    below: tuple[Row, ...] = ((Cell(STRETCH), *signs),)
    if answer.result is not None:
        below = (_result(*map(result_size, answer.axes)), *below)
    yield Grid(axis_header(answer), (sizes, below), range(1, len(answer.axes) + 1))
    text = "; ".join(filter(None, (ghost_note(answer), sign_legend(answer, signs))))
    if text:
        yield Line("", text, Tone.GHOST)


def _product(answer: Answer, contraction: Contraction, axes: Sequence[Axis]) -> Iterator[Part]:
    """The table of a matrix product: its factors with the axis K between M and N."""
    beyond = len(axes) - len(contraction.rows[0])  # the axes that only a further operand has
    at = beyond + contraction.before_axis
    batch = len(axes) - len(contraction.labels)
    names = (*map(str, range(batch)), *contraction.labels)
    rows: list[Row] = []
    factors = zip(contraction.names, contraction.rows, contraction.sizes, strict=True)
    for name, sizes, own in factors:
        own_sizes = (*[None] * beyond, *sizes)
        cells = [Cell("" if size is None else str(size)) for size in own_sizes]
        tone = Tone.CLASH if contraction.conflict else Tone.PLAIN
        rows.append((Cell(name), *_with(cells, at, Cell(str(own), tone))))
    added = len(answer.question.inputs) - len(contraction.rows)
    others = operand_rows(answer)[len(answer.operands) - added :] if added else ()
    rows += [(row[0], *_with(row[1:], at, Cell())) for row in others]
    [size, *_] = contraction.sizes
    summed = sign(Axis(at, "", contraction.sizes, size, (), contraction.conflict))
    signs = [
        Cell() if number >= batch and not added else sign(axis) for number, axis in enumerate(axes)
    ]
    below: list[Row] = [(Cell(STRETCH), *_with(signs, at, summed))]
    if answer.result is not None:
        below.insert(0, _result(*_with(list(map(result_size, axes)), at, Cell())))
    head = (Cell("axis"), *_with(list(map(Cell, names)), at, Cell("K")))
    yield Grid((head,), (tuple(rows), tuple(below)), range(1, len(head)))
    has_ghost = any(cell.tone is Tone.GHOST for row in others for cell in row)
    ghost = ghost_note(answer) if has_ghost else ""
    summing = "K: the product sums over it, so its sizes must be equal"
    yield Line(
        "", "; ".join(filter(None, (summing, ghost, sign_legend(answer, signs)))), Tone.GHOST
    )


def _with(cells: Sequence[Cell], place: int, cell: Cell) -> tuple[Cell, ...]:
    return (*cells[:place], cell, *cells[place:])


STRETCH = "stretch"
"""The label of the signs, which are the operands that stretch."""


def _result(*cells: Cell) -> Row:
    return Cell("result"), *cells


def result_size(axis: Axis) -> Cell:
    """The result's size on an axis."""
    return Cell("" if axis.result is None else str(axis.result))


def ghost_note(answer: Answer, mark: str = GHOST) -> str:
    """The legend of the mark for missing axes, if an axis is missing."""
    within = [axis.sizes for axis in answer.axes or () if axis.number < answer.layout.rank]
    lacking = {place for sizes in within for place, size in enumerate(sizes) if size is None}
    names = [name for place, name in enumerate(answer.operand_names) if place in lacking]
    if not names:
        return ""
    have = with_verb(names) if len(names) <= MAX_NAMED else f"{len(names)} operands have"
    counts = "" if answer.layout.refusal else ", so it counts as 1"
    return f"{mark}: {have} no such axis{counts}"


def sign_legend(answer: Answer, signs: Sequence[Cell]) -> str:
    """The meaning of the sign that needs explaining; where ranks are refused, none depends."""
    tones = {cell.tone for cell in signs}
    if Tone.DEPENDS in tones:
        return "?: depends on unknown sizes"
    return "!: not allowed" if Tone.CLASH in tones and answer.layout.refusal else ""


def axis_header(answer: Answer) -> tuple[Row, ...]:
    """The axes' labels; or their numbers, counted from both ends."""
    axes = answer.axes or ()
    if axes and axes[0].label:
        return ((Cell("axis"), *(Cell(axis.label) for axis in axes)),)
    rank = answer.layout.rank
    from_the_end = (str(axis.number - rank) if axis.number < rank else "" for axis in axes)
    return (
        (Cell("axis"), *(Cell(str(axis.number)) for axis in axes)),
        (Cell(), *(Cell(number) for number in from_the_end)),
    )


def operand_rows(answer: Answer) -> tuple[Row, ...]:
    """The sizes of each operand, in the columns of their axes."""
    axes = [(axis, clashing(axis)) for axis in answer.axes or ()]
    rank = answer.layout.rank
    rows = []
    for place, name in enumerate(answer.operand_names):
        sizes = (_size(axis.sizes[place], own, axis.number < rank) for axis, own in axes)
        rows.append((Cell(transposed(name, answer.order_of(place))), *sizes))
    return tuple(rows)


def _size(size: Size | None, clashing: Collection[Size | None], within: bool) -> Cell:
    if size is None:
        return Cell(GHOST, Tone.GHOST) if within else Cell()
    return Cell(str(size), Tone.CLASH if size in clashing else Tone.PLAIN)


def clashing(axis: Axis) -> Collection[Size | None]:
    """The sizes on an axis that clash: a 1 counts only where there is no other clash.

    >>> sizes = (1, 2, 3, None), (1, 2), (2, None)
    >>> [clashing(Axis(0, "", each, None, (), True)) for each in sizes[:2]]
    [{2, 3}, {1, 2}]
    >>> clashing(Axis(0, "", sizes[2], None, (), True)) == {2, None}
    True
    >>> clashing(Axis(0, "", (1, 2), 2, (), False))
    set()
    """
    sizes = {*axis.sizes} if axis.conflict else set()
    others = sizes - {1, None}
    return others if len(others) > 1 else sizes


def operands_of(axis: Axis) -> str:
    """The names of the operands that stretch on an axis, at most `MAX_NAMED`.

    >>> [operands_of(Axis(0, "", (), 3, (*names,), False)) for names in ("", "AB", "ABCDEFGHI")]
    ['', 'A and B', 'A, B, C, D, E, F, G, H and others']
    """
    others = ["others"] if len(axis.stretched) > MAX_NAMED else []
    return joined_with_and([*axis.stretched[:MAX_NAMED], *others] or [""])


def sign(axis: Axis) -> Cell:
    """The sign of an axis: `=`, the operand that stretches, `!` (clash) or `?` (depends).

    It is empty if only the ranks make it a mismatch, or if the axis is beyond the result.
    """
    if axis.conflict is None:
        return Cell("?", Tone.DEPENDS)
    if axis.conflict:
        return Cell("!", Tone.CLASH)
    if not axis.stretched:
        return Cell() if axis.result is None else Cell("=", Tone.EQUAL)
    more = ["..."] if len(axis.stretched) > MAX_NAMED else []
    return Cell(",".join([*axis.stretched[:MAX_NAMED], *more]), Tone.STRETCH)
