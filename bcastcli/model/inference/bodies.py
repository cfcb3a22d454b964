"""Graphs: what onnx finds in them and what they declare, and those within nodes, which may run."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import onnx
import onnx.shape_inference

from bcastcli.core.shapes import written
from bcastcli.model.inference import protos
from bcastcli.model.inference.protos import DOMAINS, Scope
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


def of_lengths(lengths: Mapping[str, int]) -> Clash | None:
    """Why a Scan cannot take slices of inputs of these lengths; None if it can."""
    for (one, length), (other, its) in pairwise(lengths.items()):
        if length != its:
            return Clash(f"{one} has {length} slices and {other} has {its}")
    return None


def of_states(
    names: Sequence[str], ends: Sequence[Any], scope: Scope, inner: Scope
) -> Clash | None:
    """Why a Scan cannot carry its states: the body changes a shape; None if it can."""
    for name, end in zip(names, ends, strict=False):
        before, after = scope.shape(name), inner.shape(end.name)
        sizes = [*(before or "?"), *(after or "?")]
        if before != after and str not in map(type, sizes):
            its = f"the state {name} is {written(before or ())} before the body"
            return Clash(f"{its} and {written(after or ())} after it")
    return None


def never_run(node: Any, constants: Mapping[str, Any]) -> frozenset[str]:
    """The attributes with a node's graphs that never run."""
    if node.op_type not in ("If", "Loop") or node.domain not in DOMAINS:
        return frozenset()
    values = [constants.get(name) for name in node.input[:2]]
    values = [None if each is None or each.size != 1 else each.item() for each in values]
    first, condition = (*values, None, None)[:2]
    if node.op_type == "If":
        return frozenset() if first is None else frozenset({_OTHER_BRANCH[bool(first)]})
    is_never = condition is False or (first is not None and first <= 0)
    return frozenset({"body"}) if is_never else frozenset()


_OTHER_BRANCH = {True: "else_branch", False: "then_branch"}
