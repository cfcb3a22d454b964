"""Shapes that onnx's inference lacks or gets wrong.

Einsum, sequences of tensors, the models of ai.onnx.ml, and ONNX Runtime's operators: those of its
domain com.microsoft, and those that it writes into ONNX's own.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from math import prod
from typing import Any

import onnx
import onnx.helper

from bcastcli.core.shapes import stretch
from bcastcli.model.inference import sequences
from bcastcli.model.inference.protos import DOMAINS, UNKNOWN, Dims, Size, shape, typed
from bcastcli.operators import einsum

_RUNTIME, CLASSIC = "com.microsoft", "ai.onnx.ml"
_LIKE_FIRST = frozenset(
    {
        *("BiasAdd", "BiasGelu", "BiasSoftmax", "FastGelu", "Gelu", "GroupNorm"),
        *("QLinearLeakyRelu", "QLinearSigmoid", "QLinearSoftmax", "QuickGelu"),
        *("RotaryEmbedding", "SimplifiedLayerNormalization", "SkipGroupNorm"),
        *("SkipLayerNormalization", "SkipSimplifiedLayerNormalization"),
        *("Imputer", "Normalizer", "Scaler", "Binarizer"),
    }
)
"""Operators whose outputs have the type of their first input."""
# Operators that have the shapes of ONNX's, of the inputs at these places.
_AS: Mapping[str, tuple[str, slice]] = {
    "DynamicQuantizeMatMul": ("MatMul", slice(2)),
    "FusedConv": ("Conv", slice(3)),
    "FusedGemm": ("Gemm", slice(3)),
    "FusedMatMul": ("MatMul", slice(2)),
    "MatMulIntegerToFloat": ("MatMul", slice(2)),
    "QLinearAdd": ("Add", slice(0, 4, 3)),
    "QLinearAveragePool": ("AveragePool", slice(1)),
    "QLinearConcat": ("Concat", slice(2, None, 3)),
    "QLinearGlobalAveragePool": ("GlobalAveragePool", slice(1)),
    "QLinearMul": ("Mul", slice(0, 4, 3)),
}
_PRODUCTS = frozenset({"Add", "Gemm", "MatMul", "Mul"})
"""ONNX's operators in `_AS` that broadcast."""
_BIASED = ("BiasGelu", "FastGelu")
"""Operators that broadcast the second input to the first, by their documents."""


def asked(node: Any) -> tuple[str, slice] | None:
    """Return the question that a broadcasting node of ONNX Runtime asks, and its inputs."""
    if node.op_type == "SimplifiedLayerNormalization":  # which is written into ONNX's domain too
        return "LayerNormalization", slice(2)
    if node.domain != _RUNTIME:
        return None
    if node.op_type in _BIASED:
        return "onnx-uni", slice(2)
    own = _AS.get(node.op_type)
    return own if own and own[0] in _PRODUCTS else None


def turned(sizes: Dims, attributes: Mapping[str, int], side: str) -> Dims:
    """Return the sizes of FusedMatMul's matrices as it multiplies them, but for transA, transB.

    >>> turned([7, 2, 8], {"transBatchA": 1}, "A")
    [2, 7, 8]
    """
    if attributes.get(f"transBatch{side}") and len(sizes) > 2:
        return [*sizes[1:-1], sizes[0], sizes[-1]]
    return sizes


def is_known(node: Any) -> bool:
    """Return whether the shapes of a node's outputs are known here."""
    name = node.op_type
    if node.domain in DOMAINS:
        return name in ("Einsum", "SimplifiedLayerNormalization")
    known = name in _LIKE_FIRST or name in _AS or name in _SHAPES
    return node.domain in (_RUNTIME, CLASSIC) and known


def infer(node: Any, types: dict[str, Any], constants: Mapping[str, Any], opset: int) -> None:
    """Add the types of a node's outputs, where they follow from those of its inputs."""
    is_sequence = node.op_type in sequences.OPERATORS and node.domain in DOMAINS
    if not is_sequence and not is_known(node):
        return
    try:
        given = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
        if is_sequence:
            sequences.infer(node, types, constants, given)
        elif all(name in types for name in filter(None, node.input)):
            _infer(node, types, given, opset)
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
        return  # a rank, an attribute: nothing is known


def _infer(node: Any, types: dict[str, Any], given: Mapping[str, Any], opset: int) -> None:
    name = node.op_type
    if name in _LIKE_FIRST:
        for output in filter(None, (*node.output[:1], *node.output[3:4])):  # the last: the sum
            types[output] = types[node.input[0]]
        return
    if name in _AS:
        found = _as_onnx(node, types, given, opset)
    else:
        found = _SHAPES[name]([shape(types.get(each)) for each in node.input], given)
    like = _FLOATS if node.domain == CLASSIC or name in _OF_INTEGERS else types[node.input[0]]
    for output, sizes in zip(node.output, found, strict=False):
        if output:
            types[output] = typed(types.get(output), sizes, like)


_OF_INTEGERS = ("EmbedLayerNormalization", "MatMulIntegerToFloat")
"""Operators that make floats of integers."""


def _as_onnx(
    node: Any, types: Mapping[str, Any], given: Mapping[str, Any], opset: int
) -> Sequence[Dims]:
    """Return the shape of the output of a node that is like one of ONNX's; empty if unknown."""
    operator, places = _AS[node.op_type]
    if given.get("channels_last"):
        return []
    inputs: dict[str, Any] = {}
    for side, name in zip_longest("AB", node.input[places]):
        if not name:
            continue
        sizes = shape(types[name])
        if operator == "MatMul" and sizes is not None:
            sizes = turned(sizes, given, side)
            if given.get(f"trans{side}") and len(sizes) > 1:
                sizes = [*sizes[:-2], sizes[-1], sizes[-2]]
        known = _FLOATS if sizes is None else typed(None, sizes, _FLOATS)
        inputs[f"{len(inputs)} {name}"] = known
    own = onnx.helper.make_node(operator, [*inputs], ["out"])
    try:
        schema = onnx.defs.get_schema(operator, opset, "")
        own.attribute.extend(each for each in node.attribute if each.name in schema.attributes)
        found = shape(onnx.shape_inference.infer_node_outputs(schema, own, inputs)["out"])
    except Exception:  # it stays open
        return []
    return [] if found is None else [found]


def _einsum(shapes: Sequence[Dims], given: Mapping[str, Any]) -> Sequence[Dims]:
    """Return the sizes of the letters that are kept: a size of 1 goes with any other one."""
    asked = einsum.parse(given["equation"].decode())
    pairs = list(zip(asked.terms, shapes, strict=True))
    columns: dict[einsum.Label, list[Size]] = {}
    for term, each in pairs:
        for label, size in einsum.labelled(term, each) or ():
            columns.setdefault(label, []).append(size)
    kept = asked.labels(max(einsum.dotted(*pair) for pair in pairs))
    sizes = [stretch(tuple(columns[label])).result for label in kept]
    return [[UNKNOWN if size is None else size for size in sizes]]


def _merged_heads(shapes: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Dims]:
    """MultiHeadAttention, where its inputs are not packed."""
    (batch, length, _), _, value = shapes[:3]
    return [[batch, length, value[2] if len(value) == 3 else given["num_heads"] * value[3]]]


def _own_attention(shapes: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Dims]:
    (batch, length, _), (_, width) = shapes[:2]
    sizes = given.get("qkv_hidden_sizes")
    return [[batch, length, sizes[2] if sizes else width // 3]]


def _lstm(shapes: Sequence[Dims], given: Mapping[str, Any]) -> Sequence[Dims]:
    (length, batch, _), (directions, _, _) = shapes[:2]
    size = given["hidden_size"]
    last = [directions, batch, size]
    return [[length, directions, batch, size], last, last]


def _classes(given: Mapping[str, Any], prefix: str = "classlabels_") -> int:
    return max(len(values) for name, values in given.items() if name.startswith(prefix))


def _count(sizes: Dims) -> Size:
    return prod(sizes) if all(isinstance(size, int) for size in sizes) else UNKNOWN


_FLOATS = onnx.helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, None)
_SHAPES: Mapping[str, Callable[[Sequence[Any], Mapping[str, Any]], Sequence[Dims]]] = {
    "ArrayFeatureExtractor": lambda data, _: [[*(data[0][:-1] or [1]), _count(data[1])]],
    "Attention": _own_attention,
    "CategoryMapper": lambda shapes, _: shapes,
    "DynamicQuantizeLSTM": _lstm,
    "Einsum": _einsum,
    "EmbedLayerNormalization": lambda shapes, _: [[*shapes[0], shapes[2][1]], shapes[0][:1]],
    "FeatureVectorizer": lambda data, given: [[data[0][-2], sum(given["inputdimensions"])]],
    "LabelEncoder": lambda shapes, _: shapes,
    "LinearClassifier": lambda data, given: [data[0][:-1], [data[0][-2], _classes(given)]],
    "LinearRegressor": lambda shapes, given: [[shapes[0][0], given.get("targets", 1)]],
    "MatMulNBits": lambda shapes, given: [[*shapes[0][:-1], given["N"]]],
    "MultiHeadAttention": _merged_heads,
    "OneHotEncoder": lambda shapes, given: [[*shapes[0], _classes(given, "cats_")]],
    "SVMRegressor": lambda shapes, _: [[shapes[0][0], 1]],
    "TreeEnsembleClassifier": lambda data, given: [data[0][:1], [data[0][0], _classes(given)]],
    "TreeEnsembleRegressor": lambda shapes, given: [[shapes[0][0], given.get("n_targets", 1)]],
}
