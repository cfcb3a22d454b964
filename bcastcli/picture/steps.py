"""The steps from the question to its answer, for learners of the rule."""

from collections.abc import Iterator
from operator import itemgetter

from bcastcli.core import amounts
from bcastcli.core.amounts import BYTES, in_bytes
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import written
from bcastcli.core.wording import joined_with_and, transposed
from bcastcli.picture.figure import Step
from bcastcli.picture.frames import MAX_SENTENCES, ends, of_steps, sentence
from bcastcli.picture.terminal import Picture
from bcastcli.picture.words import why_unaligned, written_out
from bcastcli.render.sheet import GHOST, Cell, Grid, Line, Part, Row, Tone
from bcastcli.reports import tables
from bcastcli.reports.difference import NUMPY
from bcastcli.reports.memory import GradientSum, OperandUse, Product, elements, operand_uses
from bcastcli.reports.numpy_code import explicit_shapes


def steps(answer: Answer, until: Step = Step.RESULT) -> Iterator[Part]:
    """The steps up to one of them, or up to where it fails if it does."""
    yield Line("", answer.rule.summary, aside=True)
    titles = map(str, range(1, 6))
    counted = answer.rule.trim(tuple(operand.shape for operand in answer.operands))
    for (name, shape), kept in zip(answer.operands, counted, strict=True):
        if shape != kept and not answer.layout.refusal:
            text = f"{name} {written(shape)} counts as {written(kept)}: trailing ones are dropped"
            yield Line(f"{next(titles)} trim", text)
    taking_part = operand_uses(answer) if answer.ok is not False else []
    if answer.axes:
        for number, (name, shape) in enumerate(answer.operands):
            order = answer.order_of(number)
            turned = transposed(name, order)
            if turned != name:
                own = written([shape[axis] for axis in order])
                numbers = joined_with_and(list(map(str, order)))
                text = f"{turned} {own}: {name} with its axes in the order {numbers}"
                yield Line(f"{next(titles)} transpose", text)
        yield _grid(answer, taking_part, titles, until)
    else:
        why = why_unaligned(answer) if answer.axes is None else "scalars have no axes to align"
        yield Line(f"{next(titles)} align", why)
    if not ends(answer, until):
        return
    if answer.axes and answer.innermost_first:
        yield Line("in NumPy", _in_order_of_numpy(answer), aside=True)
    if answer.ok is not False:
        yield from _consequences(answer, taking_part)


def _grid(
    answer: Answer, taking_part: list[OperandUse], titles: Iterator[str], until: Step
) -> Grid:
    """The operands aligned, compared, and, unless it fails, stretched; up to a step."""
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
        sentences = [tables.sign_legend(answer, signs)]
    blank = [(Cell(),) * (len(axes) + 1)] * (len(sentences) - 1)
    bodies = [
        _titled(f"{next(titles)} align", aligned, remarks),
        _titled(f"{next(titles)} {tables.COMPARE}", [(Cell(), *signs), *blank], sentences),
    ]
    if taking_part:
        sizes = [tables.result_size(axis) for axis in axes]
        stretched = [(Cell(use.name), *sizes) for use in taking_part]
        besides = answer.rule.storage(answer)
        stored = [_stored(use, besides if use is taking_part[0] else None) for use in taking_part]
        bodies.append(_titled(f"{next(titles)} stretch", stretched, stored))
    drawn = of_steps(answer, [body[0][0].text for body in bodies], until)
    shown = tuple(bodies[:until])
    return Grid((), shown, range(2, len(axes) + 2), ruled=False, drawn=Picture(drawn))


def _titled(title: str, rows: list[Row], remarks: list[str]) -> tuple[Row, ...]:
    """The rows of a step, its title before the first one, and a remark behind each."""
    titles = [title] + [""] * (len(rows) - 1)
    return tuple(
        (Cell(head), *row, Cell(remark, Tone.NOTE))
        for head, row, remark in zip(titles, rows, remarks, strict=True)
    )


def _stored(use: OperandUse, storage: str | None) -> str:
    """Return the elements that an operand stores, and its strides.

    `storage` is the rule's text for the first operand, which explains strides; None for others.
    """
    stored = f"{_count(use.elements, 'element')} stored"
    if use.elements == Product(0):
        return stored
    strides = " ".join("?" if stride is None else str(stride) for stride in use.strides)
    again = "; 0 reuses the same element" if Product(0) in use.strides else ""
    explained = "" if storage is None else f" (in elements{storage}{again})"
    return f"{stored}; strides {strides}{explained}"


def _in_order_of_numpy(answer: Answer) -> str:
    """The same arrays in NumPy's order, and the verdict of its own rule on them."""
    axes = (answer.axes or ())[::-1]
    order = ",".join(axis.label for axis in axes)
    occupied_axes = " and ".join(
        f"{name} "
        + ",".join(GHOST if axis.sizes[place] is None else str(axis.sizes[place]) for axis in axes)
        for place, name in enumerate(answer.operand_names)
    )
    operands = [operand._replace(shape=operand.shape[::-1]) for operand in answer.operands]
    numpy = Question(NUMPY, operands).answer()
    if numpy.ok is False:
        own = "would reject these"
    elif explicit_shapes(numpy) == explicit_shapes(answer):
        own = "agrees"
    else:
        own = f"gives {written(numpy.result or ())}"
        if answer.ok is not False:
            own += ", with other values"
    return f"({order}): {occupied_axes}. NumPy itself {own}"


def _consequences(answer: Answer, taking_part: list[OperandUse]) -> Iterator[Line]:
    """Yield the consequences: the reshape, the gradient, the memory."""
    if code := written_out(answer):
        yield Line("written out", code, aside=True)
    if taking_part and answer.axes:
        sums = "; ".join(f"{use.name}: {_summed(use)}" for use in taking_part)
        yield Line("gradient", sums, aside=True)
    yield Line("size", _size(answer, taking_part), aside=True)


def _summed(use: OperandUse) -> str:
    """Return over which axes a gradient is summed."""
    steps = []
    if use.sums:
        steps.append(f"sum over {joined_with_and(list(map(_summed_over, use.sums)))}")
    back = transposed("", sorted(range(len(use.order)), key=use.order.__getitem__))
    if back:
        steps.append(f"transpose back ({back})")
    if use.trimmed is not None:
        steps.append(f"reshape to {written(use.trimmed)}")
    return ", then ".join(steps) or "unchanged"


def _summed_over(part: GradientSum) -> str:
    condition = f" if {part.when}" if part.when else ""
    how = "kept with size 1" if part.keeps else "dropped"
    return f"axis {part.axis.label or part.axis.number} ({how}){condition}"


def _size(answer: Answer, taking_part: list[OperandUse]) -> str:
    """The result's elements and bytes, and how it grew."""
    count = elements(answer)
    if count is None:
        return "the unknown sizes decide how many elements there are"
    text = _count(count, "element")
    own = ", ".join(f"{use.name} {use.elements}" for use in taking_part)
    own = answer.rule.storage(answer) + (f" ({own})" if own else "")
    if count.names:
        return f"{text} of {in_bytes(BYTES)} as float32{own}"
    text = f"{text}, {in_bytes(count.number * BYTES)} as float32{own}"
    if not taking_part or any(use.elements.names for use in taking_part):
        return text
    name, largest = max(((use.name, use.elements.number) for use in taking_part), key=itemgetter(1))
    if largest == 0 or count.number == 0:
        return text
    if count.number == largest:
        return f"{text}, no larger than {name}"
    return f"{text}, {_ratio(count.number, largest)} times as large as {name}"


def _count(product: Product, noun: str) -> str:
    return f"{product} {noun}{'' if product == Product(1) else 's'}"


def _ratio(number: int, other: int) -> str:
    """A quotient: in full where it is a whole number."""
    whole, rest = divmod(number, other)
    return f"about {number / other:.3g}" if rest else amounts.elements(whole)
