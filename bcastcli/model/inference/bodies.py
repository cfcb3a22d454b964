"""Graphs: what onnx finds in them and what they declare, and those within nodes, which may run."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import onnx
import onnx.shape_inference

from bcastcli.core.shapes import written
from bcastcli.model.inference import protos
from bcastcli.model.inference.protos import DOMAINS, Scope, Size
from bcastcli.model.inference.single import array_of
from bcastcli.operators.facts import Clash


def inferred(model: Any) -> Any:
    """A model with the types that onnx infers; the same one where it fails."""
    hidden = [
        node
        for graph in (model.graph, *(inner for _, inner in protos.walk(model.graph)))
        for node in graph.node
        if node.op_type == "Einsum" and node.domain in DOMAINS
    ]
    for node in hidden:
        node.op_type = "Hidden"  # onnx infers it wrongly where an operand's 1 stretches
    try:
        return onnx.shape_inference.infer_shapes(model, data_prop=True)
    except MemoryError:  # it follows the values of tensors, however large they are
        return onnx.shape_inference.infer_shapes(model)
    except Exception:  # it raises many kinds; node by node, more may come of it
        return model
    finally:
        for node in hidden:
            node.op_type = "Einsum"


def declare(graph: Any, inferred: Any, scope: Scope) -> None:
    """Add a graph's declarations: the types that are inferred, and the constants."""
    for value in graph.input:  # these hide outer names
        scope.forget(value.name)
    # An output may be an input as well, which alone has its shape.
    for value in (*inferred.output, *inferred.value_info, *inferred.input):
        if value.HasField("type"):
            scope.types[value.name] = value.type
    for tensor in graph.initializer:
        scope.types[tensor.name] = protos.tensor_type(tensor.data_type, tensor.dims)
        scope.kinds[tensor.name] = "initializer"
        array = array_of(tensor)
        if array is not None:
            scope.constants[tensor.name] = array
    for tensor in graph.sparse_initializer:
        values = tensor.values
        scope.types[values.name] = protos.tensor_type(values.data_type, tensor.dims)


def of_lengths(lengths: Mapping[str, Size]) -> Clash | None:
    """Why a Scan cannot take slices of inputs of these lengths; None if it can."""
    known = [(name, length) for name, length in lengths.items() if isinstance(length, int)]
    for (one, length), (other, its) in pairwise(known):
        if length != its:
            return Clash(f"{one} has {length} slices and {other} has {its}")
    return None


def of_states(carried: Sequence[tuple[str, Any, Any]], scope: Scope, inner: Scope) -> Clash | None:
    """Why a Scan cannot carry its states: the body changes a shape; None if it can."""
    for name, _, end in carried:
        before, after = scope.types.get(name), inner.types.get(end.name)
        if protos.is_static(before) and protos.is_static(after):
            sizes, its = protos.shape(before) or [], protos.shape(after) or []
            if sizes != its:
                state = f"the state {name} is {written(sizes)} before the body"
                return Clash(f"{state} and {written(its)} after it")
    return None


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
