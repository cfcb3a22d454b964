"""Changes to operands as code, in the syntax of a framework."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bcastcli.core.changes import Change
from bcastcli.core.shapes import Shape, Size

_NCNNS_ORDERS = {
    2: "wh hw",
    3: "whc hwc wch cwh hcw chw",
    4: "whdc hwdc wdhc dwhc hdwc dhwc whcd hwcd wchd cwhd hcwd chwd "
    "wdch dwch wcdh cwdh dcwh cdwh hdcw dhcw hcdw chdw dchw cdhw",
}
"""The orders that ncnn's Permute numbers, by the number of axes."""
_NCNNS_KEYS = {1: (0,), 2: (0, 1), 3: (0, 1, 2), 4: (0, 1, 11, 2)}
"""The parameters of ncnn's Reshape that hold w, h, d and c."""
_TABLE = """
numpy np jax | swap {}.mT
cupy dask mlx numba triton mxnet mindspore gpytorch executorch
torch pytorch | insert {}.unsqueeze({}) | one only | permute {}.permute({}) | spread {}.expand({})
  | swap {}.mT
tinygrad | insert {}.unsqueeze({}) | one only | drop | permute {}.permute({}) | swap
  | spread {}.expand({})
paddle paddlepaddle | insert {}.unsqueeze({}) | one only | group [{}] | permute {}.transpose([{}])
  | reshape {}.reshape([{}]) | spread {}.expand([{}]) | swap
pytensor pymc | reshape {}.reshape(({}))
tensorflow tf keras tflite litert | insert tf.expand_dims({}, {}) | one only
  | drop tf.squeeze({}, {}) | group [{}] | permute tf.transpose({}, [{}]) | reverse tf.transpose({})
  | swap | reshape tf.reshape({}, [{}]) | spread tf.broadcast_to({}, [{}])
tensorflowjs tfjs | insert {}.expandDims({}) | one only | drop | permute {}.transpose([{}])
  | reverse {}.transpose() | swap | reshape {}.reshape([{}])
webnn | drop | permute builder.transpose({}, {{permutation: [{}]}}) | reverse | swap
  | reshape builder.reshape({}, [{}])
onnx multidirectional unidirectional onnx-unidirectional onnxruntime ort
  | insert Unsqueeze({}, axes=[{}]) | drop Squeeze({}, axes=[{}]) | group {}
  | permute Transpose({}, perm=[{}]) | reverse | swap | reshape Reshape({}, shape=[{}])
  | spread Expand({}, shape=[{}])
openvino ngraph | insert opset13.unsqueeze({}, [{}]) | drop opset13.squeeze({}, [{}]) | group {}
  | permute opset13.transpose({}, [{}]) | reverse | swap | reshape opset13.reshape({}, [{}], False)
  | spread opset13.broadcast({}, [{}])
coreml coremltools mil | insert mb.expand_dims(x={}, axes=[{}]) | drop mb.squeeze(x={}, axes=[{}])
  | group {} | permute mb.transpose(x={}, perm=[{}]) | reverse | swap
  | reshape mb.reshape(x={}, shape=[{}])
tvm | insert relax.op.expand_dims({}, [{}]) | drop relax.op.squeeze({}, [{}]) | group {}
  | permute relax.op.permute_dims({}, [{}]) | reverse | swap | reshape relax.op.reshape({}, ({}))
tensorrt trt | drop | permute IShuffleLayer({}, first_transpose=({})) | reverse | swap
  | reshape IShuffleLayer({}, reshape_dims=({}))
tosa | drop | permute tosa.transpose({}, [{}]) | reverse | swap | reshape tosa.reshape({}, [{}])
candle | insert {}.unsqueeze({})? | one only | drop | permute {}.permute(({}))? | reverse {}.t()?
  | swap | reshape {}.reshape(&[{}])? | spread {}.broadcast_as(&[{}])?
burn | drop | permute {}.permute([{}]) | reverse | swap | reshape {}.reshape([{}])
ndarray | drop | permute {}.permuted_axes([{}]) | reverse {}.t() | swap
  | reshape {}.to_shape([{}]).unwrap()
julia | drop | permute permutedims({}, ({})) | reverse | swap | reshape reshape({}, {}) | axes 1
matlab octave | drop | permute permute({}, [{}]) | reverse | swap | reshape reshape({}, {})
  | axes two
r rray | drop | permute aperm({}, c({})) | reverse t({}) | swap | reshape array({}, c({})) | axes 1
ncnn binaryop pnnx | drop | permute Permute {} 0={} | reverse | swap | reshape Reshape {} {}
  | axes ncnn
"""
"""How frameworks write changes where they differ from NumPy, by the fields of `Words`."""
_ROWS = [line.split(" | ") for line in _TABLE.replace("\n  |", " |").strip().splitlines()]
_FIELDS = {name: fields for names, *fields in _ROWS for name in names.split()}
HAVE_WORDS = frozenset(_FIELDS)
"""The frameworks in the table; others get NumPy's words at a prompt, and shapes on pages."""


class Words(NamedTuple):
    """How a framework writes changes; the braces hold the operand, and axes or sizes."""

    insert: str = ""
    """New axes; empty: by an index, `B[:, None]`, or by the new shape if `drop` is empty too."""
    one: str = ""
    """Whether `insert` takes one axis only: if any line needs more, no line uses it."""
    drop: str = "{}.squeeze({})"
    """Axes to drop; empty: by the new shape."""
    group: str = "({})"
    """Several axes to drop."""
    permute: str = "{}.transpose({})"
    reverse: str = "{}.T"
    """The axes of a matrix in the other order; empty: as any other order."""
    swap: str = "{}.swapaxes(-1, -2)"
    """The last two axes of more exchanged; empty: as any other order."""
    reshape: str = "{}.reshape({})"
    spread: str = "numpy.broadcast_to({}, ({}))"
    axes: str = ""
    """How axes are counted: from 1, which `two` is for arrays of two axes or more; or with ncnn's
    parameters, each step a layer of its own."""

    def order(self, order: Sequence[int]) -> str:
        """Return an order of axes in the form that `permute` takes."""
        if self.axes != "ncnn":
            return _listed([axis + bool(self.axes) for axis in order])
        orders = _NCNNS_ORDERS[len(order)].split()
        labels = orders[0][::-1]
        return str(orders.index("".join([labels[axis] for axis in order[::-1]])))

    def padded(self, shape: Shape) -> Shape:
        """Return a shape as an array has it: where all have two axes or more, 3 is 3 by 1."""
        return (*shape, 1, 1)[: max(len(shape), 2)] if self.axes == "two" else shape

    def sizes(self, shape: Shape) -> str:
        """Return a shape in the form that `reshape` takes."""
        if self.axes != "ncnn":
            return _listed(self.padded(shape))
        keys = _NCNNS_KEYS[len(shape)]
        return " ".join([f"{key}={size}" for key, size in zip(keys, shape[::-1], strict=True)])


def _listed(sizes: Sequence[Size]) -> str:
    return ", ".join(map(str, sizes))


def words_of(framework: str | None) -> Words:
    """Return a framework's words; if it is not in the table, those of older NumPy releases."""
    parts = (field.partition(" ") for field in _FIELDS.get(framework or "numpy", ()))
    return Words(**{name: text for name, _, text in parts})


def in_words_of(framework: str, lines: Sequence[Sequence[Change]]) -> list[str]:
    """Return lines of changes as a framework's code, all of them in one style.

    >>> from bcastcli.core.changes import change
    >>> column, bias = change("B", (3,), (0, None)), change("B", (3,), (0, None, None))
    >>> [in_words_of(each, [[column]])[0] for each in ("", "torch", "tf", "onnx", "ncnn")]
    ['B[:, None]', 'B.unsqueeze(1)', 'tf.expand_dims(B, 1)', 'Unsqueeze(B, axes=[1])', \
'Reshape B 0=1 1=3']
    >>> in_words_of("torch", [[column], [bias]])
    ['B[:, None]', 'B[:, None, None]']
    """
    words = words_of(framework)
    if words.one and any(len(each.added) > 1 for line in lines for each in line):
        words = words._replace(insert="")
    return [", ".join([_code(each, words) for each in line]) for line in lines]


def with_batch_axis(changed: Change, rank: int) -> Change:
    """Return a change with one more axis, in front of all those of a result of some rank.

    >>> from bcastcli.core.changes import change
    >>> with_batch_axis(change("B", (3,), (0, None)), 3).order
    (0, None, 1, None)
    """
    added = (None,) * (rank - len(changed.order))
    order = (0, *added, *(None if axis is None else axis + 1 for axis in changed.order))
    batch = "-1"  # the size that reshape infers
    shape = (batch, *(1,) * len(added), *changed.shape)
    return Change(changed.name, (batch, *changed.own), order, shape)


def _code(changed: Change, words: Words) -> str:
    """Return an operand with its change, one step around the other or after it."""
    text = changed.name
    if words.axes == "ncnn":
        return ", ".join([step.format(text, numbers) for step, numbers in _steps(changed, words)])
    for step, numbers in _steps(changed, words):
        text = step.format(text, numbers)
    return text


def _steps(changed: Change, words: Words) -> Iterator[tuple[str, str]]:
    """Yield the steps of a change: how each is written, and its axes or sizes."""
    kept, dropped, added = changed.kept, changed.dropped, changed.added
    if kept != sorted(kept):
        if dropped and words.drop:
            yield words.drop, _grouped(dropped, words)
            dropped = []
        order = [*kept, *dropped]  # a reshape to the final shape drops them in the last step
        yield _permuted([sorted(order).index(axis) for axis in order], words)
    names_shape = not words.drop and bool(dropped or (added and not words.insert))
    if changed.splits or names_shape:
        yield _with_comma(words.reshape, words.sizes(changed.shape))
    elif added and not words.insert:
        yield "{}[{}]", _index(changed.order, dropped)
    else:
        if dropped:
            yield words.drop, _grouped(dropped, words)
        if added:
            yield words.insert, _listed(added)
    if changed.wide is not None:
        yield _with_comma(words.spread, _listed(changed.wide))


def _with_comma(step: str, sizes: str) -> tuple[str, str]:
    """Return a step and its sizes; one alone gets a comma where only that makes it a tuple."""
    is_tuple = any(mark in step for mark in (" ({})", "=({})", "(({}))"))
    return step, f"{sizes}," if is_tuple and sizes and "," not in sizes else sizes


def _permuted(order: Sequence[int], words: Words) -> tuple[str, str]:
    last = len(order) - 1
    if words.reverse and list(order) == [1, 0]:
        return words.reverse, ""
    if words.swap and list(order) == [*range(last - 1), last, last - 1]:
        return words.swap, ""
    return words.permute, words.order(order)


def _grouped(axes: Sequence[int], words: Words) -> str:
    return _listed(axes) if len(axes) == 1 else words.group.format(_listed(axes))


def _index(order: Sequence[int | None], dropped: Sequence[int]) -> str:
    """Return the index that inserts and drops axes; several that are kept first are `...`."""
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
