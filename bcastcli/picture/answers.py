"""The figure of an answer: the elements that operands store and repeat, and those of the result."""

from collections.abc import Sequence

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.picture.arrays import MAX_AXES, Array, arrays_of, letter, outermost_first
from bcastcli.picture.figure import Figure, PictureOptions
from bcastcli.picture.frames import aligned_and_stretched, comparisons
from bcastcli.picture.mismatch import mismatch
from bcastcli.picture.rows import MAX_LAYERS, equation
from bcastcli.picture.words import captions, has_repeats, in_words, why_unaligned

MAX_DRAWN = 32
"""The most axes that are drawn, a column of boxes for each."""
IN_CELLS = ("numpy", "onnx", "pdpd", "ncnn", "left")
"""The rules that are drawn in cells; of others the aligned sizes show as much."""
DEFAULT_PICTURE = PictureOptions()


def of_answer(answer: Answer, look: PictureOptions = DEFAULT_PICTURE) -> Figure:
    """Return the figure: cells if they fit, else boxes with sizes."""
    axes = outermost_first(answer)
    if (axes is None and answer.ok is not False) or len(axes or ()) > MAX_DRAWN:
        return _in_place_of_it(answer)
    axes = axes or ()
    arrays = arrays_of(answer, axes, look)
    drawn = mismatch if answer.ok is False else equation
    is_boxed = answer.rule.name not in IN_CELLS and bool(axes)
    row = None if is_boxed else drawn(answer, axes, arrays, look)
    boxed = _in_place_of_it(answer) if answer.axes is None else _boxed(answer, arrays)
    if row is None:
        return boxed
    return Figure(
        (row,),
        layer_labels(axes),
        tuple(captions(answer, arrays, row.blocks)),
        tuple(comparisons(answer)),
        has_repeats(row),
        in_words(answer, arrays, row.blocks),
        boxed if axes else None,
    )


def _in_place_of_it(answer: Answer) -> Figure:
    if answer.axes is None:
        return undrawn(why_unaligned(answer))
    return undrawn(f"a picture has room for {MAX_DRAWN} axes, not for {len(answer.axes)}")


def _boxed(answer: Answer, arrays: Sequence[Array]) -> Figure:
    """Return the shapes in boxes, aligned and stretched, with the sentences below them."""
    figure = aligned_and_stretched(answer)
    said = (*figure.captions, *captions(answer, arrays))
    return figure._replace(captions=said, description=in_words(answer, arrays))


def undrawn(text: str) -> Figure:
    """Return a sentence in place of blocks."""
    return Figure((), captions=(text,), description=text)


def layer_labels(axes: Sequence[Axis]) -> tuple[str, ...]:
    """Return the words above the layers: `[0, :, :]`, or `c = 0` where axes have labels."""
    if len(axes) < MAX_AXES:
        return ()
    outer = axes[0]
    sizes = [size for size in (*outer.sizes, outer.result) if isinstance(size, int)]
    count = range(min(max(sizes, default=1), MAX_LAYERS))
    name, first = letter(outer), outer.label.isdigit()
    return tuple(f"{name} = {n}" if name else f"[{n + first}, :, :]" for n in count)
