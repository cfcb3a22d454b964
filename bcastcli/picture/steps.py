"""The steps from the question to its answer, for learners of the rule."""

from collections.abc import Iterator

from bcastcli.core.answer import Answer
from bcastcli.core.shapes import written
from bcastcli.core.wording import joined_with_and, transposed
from bcastcli.picture.words import MAX_SENTENCES, sentence, why_unaligned, written_out
from bcastcli.render.sheet import GHOST, Cell, Grid, Line, Part, Row, Tone
from bcastcli.reports import tables


def steps(answer: Answer) -> Iterator[Part]:
    """The steps, up to where the question fails if it does."""
    yield Line("", answer.rule.summary)
    titles = map(str, range(1, 6))
    counted = answer.rule.trim(tuple(operand.shape for operand in answer.operands))
    for (name, shape), kept in zip(answer.operands, counted, strict=True):
        if shape != kept and not answer.layout.refusal:
            text = f"trailing 1s of {name} are ignored: {written(shape)} is treated as"
            yield Line(f"{next(titles)} trim", f"{text} {written(kept)}")
    if answer.axes:
        for number, (name, shape) in enumerate(answer.operands):
            order = answer.order_of(number)
            turned = transposed(name, order)
            if turned != name:
                sizes = written([shape[axis] for axis in order])
                numbers = joined_with_and(list(map(str, order)))
                text = f"{turned} {sizes}: {name} with its axes in the order {numbers}"
                yield Line(f"{next(titles)} transpose", text)
        yield _grid(answer, titles)
    else:
        why = why_unaligned(answer) if answer.axes is None else "scalars have no axes to align"
        yield Line(f"{next(titles)} align", why)
    code = "" if answer.ok is False else written_out(answer)
    if code:
        yield Line("written out", code)


def _grid(answer: Answer, titles: Iterator[str]) -> Grid:
    """The operands aligned, compared, and, unless it fails, stretched."""
    axes = answer.axes or ()
    aligned = [*tables.axis_header(answer), *tables.operand_rows(answer)]
    remarks = [""] * len(aligned)
    remarks[0] = answer.rule.describe_alignment(answer)
    ghosts = (place for place, row in enumerate(aligned) if any(c.text == GHOST for c in row))
    first = next(ghosts, None)
    if first is not None:
        remarks[first] = tables.ghost_note(answer)
    signs = [tables.sign(axis) for axis in axes]
    if len(axes) <= MAX_SENTENCES:
        sentences = [sentence(answer, axis) for axis in axes]
    else:
        legend = tables.sign_legend(answer, signs)
        sentences = ["; ".join(filter(None, ("each name is the operand that stretches", legend)))]
    blank = [(Cell(),) * (len(axes) + 1)] * (len(sentences) - 1)
    bodies = [
        _titled(f"{next(titles)} align", aligned, remarks),
        _titled(f"{next(titles)} compare", [(Cell(), *signs), *blank], sentences),
    ]
    if answer.ok is not False:
        sizes = [tables.result_size(axis) for axis in axes]
        names = answer.operand_names[: 1 if answer.rule.second_is_target else None]
        stretched = [(Cell(name), *sizes) for name in names]
        bodies.append(_titled(f"{next(titles)} stretch", stretched, [""] * len(stretched)))
    return Grid((), tuple(bodies), range(2, len(axes) + 2), ruled=False)


def _titled(title: str, rows: list[Row], remarks: list[str]) -> tuple[Row, ...]:
    """The rows of a step, its title before the first one, and a remark behind each."""
    titles = [title] + [""] * (len(rows) - 1)
    return tuple(
        (Cell(head), *row, Cell(remark, Tone.NOTE))
        for head, row, remark in zip(titles, rows, remarks, strict=True)
    )
