"""Changes to operands as code, in the syntax of a framework, or else as shapes."""

from collections.abc import Sequence
from typing import NamedTuple

from bcastcli.core.alignment import Change
from bcastcli.core.shapes import Size, written


class Words(NamedTuple):
    """How a framework writes changes; the braces hold the operand, and axes or sizes."""

    insert: str = ""
    """New axes; empty: by an index, `B[:, None]`."""
    inserts_several: bool = False
    """Whether `insert` takes several axes; if a line needs them and it does not, none uses it."""
    drop: str = "{}.squeeze({})"
    group: str = "({})"
    """Several axes to drop."""
    permute: str = "{}.transpose({})"
    reverse: str = ""
    """The axes of a matrix in the other order; empty: as any other order."""
    swap: str = ""
    """The last two axes of more exchanged; empty: as any other order."""
    reshape: str = "{}.reshape({})"
    spread: str = "numpy.broadcast_to({}, ({}))"
    is_julia: bool = False
    """Whether axes count from 1, and are inserted and dropped by the new shape."""


_NUMPY = Words(reverse="{}.T", swap="{}.swapaxes(-1, -2)")
_TORCH = _NUMPY._replace(
    insert="{}.unsqueeze({})", permute="{}.permute({})", swap="{}.mT", spread="{}.expand({})"
)
_TENSORFLOW = Words(
    insert="tf.expand_dims({}, {})",
    drop="tf.squeeze({}, {})",
    group="[{}]",
    permute="tf.transpose({}, [{}])",
    reverse="tf.transpose({})",
    reshape="tf.reshape({}, [{}])",
    spread="tf.broadcast_to({}, [{}])",
)
_ONNX = Words(
    insert="Unsqueeze({}, axes=[{}])",
    inserts_several=True,
    drop="Squeeze({}, axes=[{}])",
    group="{}",
    permute="Transpose({}, perm=[{}])",
    reshape="Reshape({}, shape=[{}])",
    spread="Expand({}, shape=[{}])",
)
_JULIA = Words(permute="permutedims({}, ({}))", reshape="reshape({}, {})", is_julia=True)
_NCNN = frozenset(["ncnn", "binaryop", "pnnx"])
_TABLE = {
    "numpy np jax cupy dask mlx numba triton mxnet mindspore": _NUMPY,
    "torch pytorch executorch gpytorch": _TORCH,
    "tensorflow tf keras tflite litert": _TENSORFLOW,
    "onnx multidirectional unidirectional onnx-unidirectional onnxruntime ort": _ONNX,
    "julia": _JULIA,
}
_WORDS_OF = {name: words for names, words in _TABLE.items() for name in names.split()}
HAVE_WORDS = _NCNN.union(_WORDS_OF)
"""The frameworks whose code is written; for others changes are written as shapes."""

_NCNNS_ORDERS = {
    2: "wh hw",
    3: "whc hwc wch cwh hcw chw",
    4: "whdc hwdc wdhc dwhc hdwc dhwc whcd hwcd wchd cwhd hcwd chwd "
    "wdch dwch wcdh cwdh dcwh cdwh hdcw dhcw hcdw chdw dchw cdhw",
}
"""The orders that ncnn's Permute numbers, by the number of axes."""
_NCNNS_KEYS = {1: (0,), 2: (0, 1), 3: (0, 1, 2), 4: (0, 1, 11, 2)}
"""The parameters of ncnn's Reshape that hold w, h, d and c."""


def in_words_of(framework: str, lines: Sequence[Sequence[Change]]) -> list[str]:
    """Lines of changes as a framework's code, all of them in one style; without one as NumPy's.

    >>> from bcastcli.core.alignment import change
    >>> column, bias = change("B", (3,), (0, None)), change("B", (3,), (0, None, None))
    >>> [in_words_of(each, [[column]])[0] for each in ("", "torch", "tf", "onnx", "ncnn")]
    ['B[:, None]', 'B.unsqueeze(1)', 'tf.expand_dims(B, 1)', 'Unsqueeze(B, axes=[1])', \
'Reshape B 0=1 1=3']
    >>> in_words_of("torch", [[column], [bias]])
    ['B[:, None]', 'B[:, None, None]']
    >>> wide, alone = column._replace(wide=(3, 2)), change("A", (1,), (0,))._replace(wide=(4,))
    >>> for name in ("", "torch", "tf", "onnx", "openvino"):
    ...     print(*in_words_of(name, [[wide, alone]]))
    numpy.broadcast_to(B[:, None], (3, 2)), numpy.broadcast_to(A, (4,))
    B.unsqueeze(1).expand(3, 2), A.expand(4)
    tf.broadcast_to(tf.expand_dims(B, 1), [3, 2]), tf.broadcast_to(A, [4])
    Expand(Unsqueeze(B, axes=[1]), shape=[3, 2]), Expand(A, shape=[4])
    reshape B to 3,1, then broadcast it to 3,2, broadcast A to 4
    """
    if framework in _NCNN:
        return [", ".join(map(_layers, line)) for line in lines]
    if framework and framework not in _WORDS_OF:
        return [", ".join(map(_shapes, line)) for line in lines]
    words = _WORDS_OF[framework or "numpy"]
    if not words.inserts_several and any(len(each.added) > 1 for line in lines for each in line):
        words = words._replace(insert="")
    return [", ".join([_code(each, words) for each in line]) for line in lines]


def _code(changed: Change, words: Words) -> str:
    """An operand with its change, one step around the other or after it."""
    text = changed.name
    kept, dropped, added = changed.kept, changed.dropped, changed.added
    if words.is_julia and not _reorders(changed):
        return words.reshape.format(text, _listed(changed.shape))
    if kept != sorted(kept):
        if dropped and not words.is_julia:
            text = _dropped(text, dropped, words)
            dropped = []
        order = [*kept, *dropped]  # a reshape to the final shape drops them in the last step
        text = _permuted(text, [sorted(order).index(axis) for axis in order], words)
    if changed.splits or (words.is_julia and (dropped or added)):
        text = words.reshape.format(text, _listed(changed.shape))
    elif added and not words.insert:
        text = f"{text}[{_index(changed.order, dropped)}]"
    else:
        if dropped:
            text = _dropped(text, dropped, words)
        if added:
            text = words.insert.format(text, _listed(added))
    if changed.wide is None:
        return text
    sizes = _listed(changed.wide)
    is_tuple_of_one = len(changed.wide) == 1 and "({})" in words.spread.partition(" ")[2]
    return words.spread.format(text, f"{sizes}," if is_tuple_of_one else sizes)


def _dropped(text: str, axes: Sequence[int], words: Words) -> str:
    listed = _listed(axes)
    return words.drop.format(text, listed if len(axes) == 1 else words.group.format(listed))


def _permuted(text: str, order: Sequence[int], words: Words) -> str:
    last = len(order) - 1
    if words.reverse and list(order) == [1, 0]:
        return words.reverse.format(text)
    if words.swap and list(order) == [*range(last - 1), last, last - 1]:
        return words.swap.format(text)
    return words.permute.format(text, _listed([axis + words.is_julia for axis in order]))


def _index(order: Sequence[int | None], dropped: Sequence[int]) -> str:
    """The index that inserts and drops axes; several that are kept first are `...`."""
    left = list(dropped)
    marks = []
    for axis in order:
        while axis is not None and left and left[0] < axis:
            del left[0]
            marks.append("0")
        marks.append("None" if axis is None else ":")
    marks += ["0"] * len(left)
    whole = next(place for place, mark in enumerate(marks) if mark != ":")
    return ", ".join(["...", *marks[whole:]] if whole > 1 else marks)


def _layers(changed: Change) -> str:
    """A change as layers of ncnn, with their parameters."""
    layers = []
    order = [*changed.kept, *changed.dropped]
    if changed.kept != sorted(changed.kept):
        orders = _NCNNS_ORDERS[len(order)].split()
        labels = orders[0][::-1]
        own = "".join([labels[axis] for axis in reversed(order)])
        layers.append(f"Permute {changed.name} 0={orders.index(own)}")
    if changed.splits or changed.dropped or changed.added:
        keys = _NCNNS_KEYS[len(changed.shape)]
        sizes = [f"{key}={size}" for key, size in zip(keys, changed.shape[::-1], strict=True)]
        layers.append(f"Reshape {changed.name} {' '.join(sizes)}")
    return ", ".join(layers)


def _shapes(changed: Change) -> str:
    """A change as the shapes that the operand takes."""
    own, shape = changed.own, changed.own
    steps = []
    if _reorders(changed):
        shape = tuple([own[axis] for axis in (*changed.kept, *changed.dropped)])
        steps.append(f"transpose {{}} to {written(shape)}")  # equal sizes keep their order
    if shape != changed.shape:
        steps.append(f"reshape {{}} to {written(changed.shape)}")
    if changed.wide is not None:
        steps.append(f"broadcast {{}} to {written(changed.wide)}")
    first, *rest = steps
    return ", then ".join([first.format(changed.name), *[step.format("it") for step in rest]])


def _reorders(changed: Change) -> bool:
    """Whether axes of other sizes than 1 are in another order."""
    axes = [axis for axis in changed.kept if changed.own[axis] != 1]
    return axes != sorted(axes)


def _listed(sizes: Sequence[Size]) -> str:
    return ", ".join(map(str, sizes))
