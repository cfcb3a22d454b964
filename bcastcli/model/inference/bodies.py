"""Graphs: what onnx finds in them and what they declare, and those within nodes, which may run."""

from collections.abc import Mapping
from typing import Any

import onnx
import onnx.shape_inference

from bcastcli.model.inference import protos
from bcastcli.model.inference.protos import DOMAINS, Scope
from bcastcli.model.inference.single import array_of


def inferred(model: Any) -> Any:
    """A model with the types that onnx infers, for these alone; the same one where it fails."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for graph in (copy.graph, *(inner for _, inner in protos.walk(copy.graph))):
        for node in graph.node:
            if node.op_type == "Einsum" and node.domain in DOMAINS:
                node.ClearField("op_type")  # onnx infers it wrongly where an operand's 1 stretches
    try:
        return onnx.shape_inference.infer_shapes(copy, data_prop=True)
    except Exception:  # it raises many kinds; node by node, more may come of it
        return model


def declare(graph: Any, inferred: Any, scope: Scope) -> None:
    """Add a graph's declarations: the types that are inferred, and the constants."""
    for value in graph.input:  # these hide outer names
        scope.forget(value.name)
    # An output may be an input as well, which alone has its shape.
    for value in (*inferred.output, *inferred.value_info, *inferred.input):
        if value.HasField("type"):
            scope.types[value.name] = value.type
    for tensor in graph.initializer:
        scope.types[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
        scope.fixed[tensor.name] = None
        array = array_of(tensor)
        if array is not None:
            scope.constants[tensor.name] = array


def never_run(node: Any, constants: Mapping[str, Any]) -> str:
    """The attribute with a node's graph that never runs; empty where there is none."""
    operator = node.op_type if node.domain in DOMAINS else ""
    first, second = (_item(node, place, constants) for place in (0, 1))
    if operator == "If" and first is not None:
        return "else_branch" if first else "then_branch"
    if operator == "Loop" and (second is False or (first is not None and first <= 0)):
        return "body"
    return ""


def _item(node: Any, place: int, constants: Mapping[str, Any]) -> Any:
    """The value of an input of one element; None if it is not known."""
    array = constants.get(node.input[place]) if place < len(node.input) else None
    return array.item() if array is not None and array.size == 1 else None
