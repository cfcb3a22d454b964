"""Alternates inference and folding until neither finds more."""

from collections.abc import Iterator
from typing import Any

import onnx
import onnx.shape_inference

from bcastcli.model.inference import loops
from bcastcli.model.inference.folding import Folding
from bcastcli.model.inference.model import Prepared
from bcastcli.model.inference.protos import DOMAINS, walk

MAX_ROUNDS = 12
MAX_ASSUMPTIONS = 8


def infer(prepared: Prepared, is_careful: bool = False) -> Folding:
    """Return the values of each graph with their types, and onnx's complaints.

    With care it goes node by node: on a whole graph onnx's inference may end its process.
    """
    graph = prepared.proto.graph
    first = _infer(prepared, {}, is_careful)
    carried = loops.initial_shapes(graph, first.scopes)
    for _ in range(MAX_ASSUMPTIONS):
        if not carried:
            return first
        found = _infer(prepared, carried, is_careful)
        left = loops.invariant_shapes(graph, found, carried, prepared.opset)
        if left == carried:
            return found
        carried = left
    return first


def _infer(prepared: Prepared, carried: loops.Carried, is_careful: bool) -> Folding:
    model = onnx.ModelProto()
    model.CopyFrom(prepared.proto)
    loops.declare(model.graph, carried)
    for _ in range(MAX_ROUNDS):
        inferred = model if is_careful else _inferred(model)
        folding = Folding(model, prepared.opset)
        folding.run(inferred)
        if not (folding.has_changed and folding.has_open):
            break
    return folding


def _inferred(model: Any) -> Any:
    """Return a model with the types that onnx infers; the same one where it fails."""
    hidden = [*_misjudged(model.graph)]
    for node in hidden:
        node.op_type = "Hidden"  # which onnx passes over
    try:
        return onnx.shape_inference.infer_shapes(model, data_prop=True)
    except MemoryError:  # it follows the values of tensors, however large they are
        return onnx.shape_inference.infer_shapes(model)
    except Exception:  # it raises many kinds; node by node, more may come of it
        return model
    finally:
        for node in hidden:
            node.op_type = "Einsum"


def _misjudged(graph: Any) -> Iterator[Any]:
    """Yield the nodes whose shapes onnx infers wrongly: Einsum, where an operand's 1 stretches."""
    for each in (graph, *(inner for *_, inner in walk(graph))):
        for node in each.node:
            if node.op_type == "Einsum" and node.domain in DOMAINS:
                yield node
