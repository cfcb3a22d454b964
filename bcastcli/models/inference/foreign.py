"""Operators of ONNX Runtime, in the domain com.microsoft, that are like ONNX's own."""

from typing import Any

import onnx

from bcastcli.models.inference.protos import set_shape, shape

DOMAIN = "com.microsoft"
_LIKE_FIRST = frozenset(
    {
        *("BiasAdd", "BiasGelu", "BiasSoftmax", "FastGelu", "Gelu", "NGramRepeatBlock"),
        *("QuickGelu", "RotaryEmbedding", "SimplifiedLayerNormalization"),
        *("SkipGroupNorm", "SkipLayerNormalization", "SkipSimplifiedLayerNormalization"),
    }
)
"""Operators whose first output has the type of their first input."""
_AS = {"FusedMatMul": "MatMul", "FusedGemm": "Gemm", "FusedConv": "Conv"}
"""Operators that have the shapes of ONNX's."""
_BROADCASTING = frozenset({"BiasGelu", "FastGelu", "FusedMatMul"})
"""Operators that broadcast, by their documents: a product, or the second input to the first."""


def broadcasting(node: Any) -> frozenset[str]:
    """Return the operators that broadcast in the domain of a node that is none of ONNX's."""
    return _BROADCASTING if node.domain == DOMAIN else frozenset()


def infer(node: Any, types: dict[str, Any], opset: int) -> None:
    """Add the type of a node's first output, where it follows from that of its inputs."""
    names = [name for name in node.input if name]
    if node.domain != DOMAIN or not node.output or any(name not in types for name in names):
        return
    if node.op_type in _LIKE_FIRST:
        types[node.output[0]] = types[node.input[0]]
    operator = _AS.get(node.op_type)
    if operator is None:
        return
    known = {name: types[name] for name in names}
    own = onnx.helper.make_node(operator, list(node.input), list(node.output[:1]))
    own.attribute.extend(node.attribute)
    if operator == "MatMul":
        own = _of_transposed(node, known)
    try:
        schema = onnx.defs.get_schema(operator, opset, "")
        types |= onnx.shape_inference.infer_node_outputs(schema, own, known)
    except Exception:  # what cannot be inferred stays open
        return


def _of_transposed(node: Any, types: dict[str, Any]) -> Any:
    """Return a MatMul of transposed matrices, whose types are added."""
    flips = {each.name: each.i for each in node.attribute}
    names = []
    for side, name in zip("AB", node.input, strict=False):
        matrix = onnx.TypeProto()
        matrix.CopyFrom(types[name])
        sizes = shape(matrix)
        if flips.get(f"trans{side}") and sizes and len(sizes) > 1:
            set_shape(matrix, [*sizes[:-2], sizes[-1], sizes[-2]])
        types[f"{side} {name}"] = matrix
        names.append(f"{side} {name}")
    return onnx.helper.make_node("MatMul", names, list(node.output))


def is_foreign(node: Any) -> bool:
    """Return whether the shapes of a node's outputs are not known from its inputs'."""
    is_own = node.domain in ("", "ai.onnx", "ai.onnx.ml")
    return not is_own and not (
        node.domain == DOMAIN and (node.op_type in _LIKE_FIRST or node.op_type in _AS)
    )
