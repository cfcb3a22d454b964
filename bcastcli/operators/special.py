"""Constraints of special-purpose operators: quantization, signals, detection, classic models.

Each function yields why the shapes of an operator's inputs are impossible, as in `constraints`.
"""

from collections.abc import Callable, Iterator, Mapping
from math import prod

from bcastcli.core.shapes import written
from bcastcli.core.wording import joined_with_and
from bcastcli.operators.constraints import CONSTRAINTS, equal, in_range, windows
from bcastcli.operators.facts import Clash, Dims, Facts


def _one_or(facts: Facts, place: int, wanted: Dims, why: str) -> Iterator[Clash]:
    """Yield a clash if an input has neither one element nor the shape that is wanted."""
    shape = [*facts.shape(place)] if facts.is_given(place) else []
    may_be_one = len(shape) == 1 < len(wanted) and not isinstance(shape[0], int)
    if shape not in ([], [1]) and not may_be_one:
        yield from equal(facts, place, wanted, why)


def _for_columns(facts: Facts, place: int, matrices: int) -> Iterator[Clash]:
    """Yield a clash unless there is one scale or zero point, or one for each matrix column."""
    *stack, _, columns = facts.shape(matrices)
    is_row = not stack and len(facts.shape(place)) < 2
    wanted = [columns] if is_row else [*stack, 1, columns]
    yield from _one_or(facts, place, wanted, facts.names[matrices])


def _zero_points(facts: Facts) -> Iterator[Clash]:
    """MatMulInteger and ConvInteger, as ONNX Runtime runs them."""
    yield from _one_or(facts, 2, [1], "ONNX Runtime")
    if facts.operator == "ConvInteger":
        yield from windows(facts)
        yield from _one_or(facts, 3, [1], "ONNX Runtime")
    else:
        yield from _for_columns(facts, 3, 1)


def _scales(facts: Facts) -> Iterator[Clash]:
    """QLinearMatMul and QLinearConv: a scale and a zero point for each column or filter."""
    is_product = facts.operator == "QLinearMatMul"
    if not is_product:
        yield from windows(facts)
    for place in (4, 5):
        if is_product:
            yield from _for_columns(facts, place, 3)
        else:
            yield from _one_or(facts, place, facts.shape(3)[:1], facts.names[3])


def _zero_point(facts: Facts) -> Iterator[Clash]:
    """QuantizeLinear and DequantizeLinear: a zero point for each scale."""
    yield from CONSTRAINTS[facts.operator](facts)
    if facts.is_given(2):
        scale, zero = ([*facts.shape(place)] for place in (1, 2))
        is_known = all(isinstance(size, int) for size in (*scale, *zero))
        if is_known and scale != zero and {*scale, *zero} != {1}:
            text = f"{facts.names[2]} is {written(zero)}, and {facts.names[1]} is {written(scale)}"
            yield Clash(text, operands=(2, 1))


def _joined(facts: Facts) -> Iterator[Clash]:
    """QLinearConcat and ConcatFromSequence: Concat's constraints on the joined arrays."""
    first, step = (2, 3) if facts.operator.endswith("QLinearConcat") else (0, 1)
    shapes, names = facts.shapes[first::step], facts.names[first::step]
    arrays = facts._replace(shapes=shapes, names=names)
    if not facts.attributes.get("new_axis"):
        yield from CONSTRAINTS["Concat"](arrays)
        return
    for place in range(len(shapes)):
        yield from equal(arrays, place, arrays.shape(0), names[0])


def _signal(facts: Facts) -> Iterator[Clash]:
    """STFT: frames of the signal, each as long as the window."""
    length, at = facts.value(3), 3
    if facts.is_given(2):
        size = facts.shape(2)[0]
        if length and isinstance(size, int) and size != length[0]:
            yield facts.clash(2, 0, f", and {facts.names[3]} is {length[0]}", 3)
        length, at = length or ([size] if isinstance(size, int) else None), 2
    samples = facts.shape(0)[1]
    if length and isinstance(samples, int) and samples < length[0]:
        yield facts.clash(0, 1, f", but a frame needs {length[0]}", at)
    yield from _complex(facts)


def _complex(facts: Facts) -> Iterator[Clash]:
    """DFT and STFT: the last axis has the parts of a number."""
    if facts.size(0, -1) not in (1, 2):
        yield facts.clash(0, -1, ", not 1 (real) or 2 (complex)")


def _reverse(facts: Facts) -> Iterator[Clash]:
    """ReverseSequence: a length for each sequence of the batch."""
    axis = facts.attributes.get("batch_axis", 1)
    yield from equal(facts, 1, [facts.shape(0)[axis]], f"axis {axis} of {facts.names[0]}")


def _unpool(facts: Facts) -> Iterator[Clash]:
    yield from equal(facts, 1, facts.shape(0), facts.names[0])


def _scaler(facts: Facts) -> Iterator[Clash]:
    """An offset and a scale for each feature, or one for all."""
    counts = {name: len(facts.attributes.get(name, ())) for name in ("offset", "scale")}
    size = facts.size(0, -1)
    if [*counts.values()] not in ([1, 1], [size, size]):
        text = joined_with_and([f"{count} in {name}" for name, count in counts.items()])
        yield facts.clash(0, -1, f", but there are {text}")


def _linear(facts: Facts) -> Iterator[Clash]:
    """LinearRegressor, LinearClassifier: a coefficient for each feature, of each output."""
    is_regressor = facts.operator.endswith("Regressor")
    default = len(facts.attributes.get("intercepts", ())) or 1
    outputs = facts.attributes.get("targets", 1) if is_regressor else default
    count = len(facts.attributes["coefficients"])
    if facts.size(0, -1) * outputs > count:
        text = f"{count} coefficients for {outputs} output{'s' * (outputs != 1)}"
        yield facts.clash(0, -1, f", but there are {text}")


def _support_vectors(facts: Facts) -> Iterator[Clash]:
    vectors = facts.attributes.get("vectors_per_class", [facts.attributes.get("n_supports")])
    wanted = len(facts.attributes["support_vectors"]) // sum(vectors)
    if facts.size(0, -1) != wanted:
        yield facts.clash(0, -1, f", and a support vector {wanted}")


def _rows(facts: Facts) -> Iterator[Clash]:
    """FeatureVectorizer: as many rows in each input."""
    for place in range(len(facts.shapes)):
        (size, *row), (its, *other) = facts.shape(0), facts.shape(place)
        if isinstance(size, int) and isinstance(its, int) and size != its and row and other:
            yield facts.clash(0, 0, f", and {facts.has(place, 0)}", place)


def _blocks(facts: Facts) -> Iterator[Clash]:
    """Col2Im: a column for each block of the image, a row for each element of a block."""
    image, block = facts.numbers("image_shape", 1), facts.numbers("block_shape", 2)
    rows, columns = facts.shape(0)[1], facts.shape(0)[2]
    if isinstance(rows, int) and rows % prod(block):
        yield facts.clash(0, 1, f", not a multiple of {prod(block)} (block_shape)", 2)
    count = len(image)
    pads = facts.attributes.get("pads", [0] * 2 * count)
    strides = facts.attributes.get("strides", [1] * count)
    dilations = facts.attributes.get("dilations", [1] * count)
    wanted = prod(
        (image[n] + pads[n] + pads[n + count] - dilations[n] * (block[n] - 1) - 1) // strides[n] + 1
        for n in range(count)
    )
    if isinstance(columns, int) and columns != wanted:
        yield facts.clash(0, 2, f", and the image has {wanted} blocks", 1)


def _labels(facts: Facts) -> Iterator[Clash]:
    """SoftmaxCrossEntropyLoss: at most as many labels as scores; ONNX Runtime takes fewer."""
    scores, labels = facts.shape(0), facts.shape(1)
    for axis, (size, its) in enumerate(zip([scores[0], *scores[2:]], labels, strict=True)):
        if isinstance(size, int) and isinstance(its, int) and its > size:
            yield facts.clash(1, axis, f", and {facts.names[0]} has {size}", 0)


def _features(facts: Facts) -> Iterator[Clash]:
    yield from in_range(facts, facts.value(1), len(facts.shape(0)) - 1)


def _trees(facts: Facts) -> Iterator[Clash]:
    """Ensembles of trees: a feature for each that a node compares."""
    last = max(facts.attributes.get("nodes_featureids", [0]))
    if facts.size(0, -1) <= last:
        yield facts.clash(0, -1, f", and its trees compare feature {last}, counted from 0")


def _positions(facts: Facts) -> Iterator[Clash]:
    """EmbedLayerNormalization: a position for each word of a sentence."""
    if facts.size(0, 1) > facts.size(3, 0):
        yield facts.clash(0, 1, f", and {facts.has(3, 0)}", 3)


def _whole_window(facts: Facts) -> Iterator[Clash]:
    """Global pools: an axis at least behind batch and channels."""
    if len(facts.shape(0)) < 3:
        yield Clash(f"{facts.has_axes(0)}, and {facts.operator} needs three or more", operands=(0,))


def _running(facts: Facts) -> Iterator[Clash]:
    """CumSum and CumProd: the axis is one of the array."""
    [axis] = facts.numbers("axis", 1)
    facts._replace(attributes={"axis": axis}).axis(0, len(facts.shape(0)))
    yield from ()


SPECIAL: Mapping[str, Callable[[Facts], Iterator[Clash]]] = {
    "Col2Im": _blocks,
    "ConcatFromSequence": _joined,
    "ConvInteger": _zero_points,
    "CumProd": _running,
    "CumSum": _running,
    "DFT": _complex,
    "DequantizeLinear": _zero_point,
    **dict.fromkeys(("GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool"), _whole_window),
    "MatMulInteger": _zero_points,
    "MaxUnpool": _unpool,
    "QLinearConv": _scales,
    "QLinearMatMul": _scales,
    "QuantizeLinear": _zero_point,
    "ReverseSequence": _reverse,
    "STFT": _signal,
    "SoftmaxCrossEntropyLoss": _labels,
    "ai.onnx.ml::ArrayFeatureExtractor": _features,
    "ai.onnx.ml::FeatureVectorizer": _rows,
    "ai.onnx.ml::LinearClassifier": _linear,
    "ai.onnx.ml::LinearRegressor": _linear,
    "ai.onnx.ml::SVMClassifier": _support_vectors,
    "ai.onnx.ml::SVMRegressor": _support_vectors,
    "ai.onnx.ml::Scaler": _scaler,
    "ai.onnx.ml::TreeEnsembleClassifier": _trees,
    "ai.onnx.ml::TreeEnsembleRegressor": _trees,
    "com.microsoft::EmbedLayerNormalization": _positions,
    "com.microsoft::FusedConv": windows,
    "com.microsoft::QLinearConcat": _joined,
}
