"""Alternates inference and folding until nothing more becomes known."""

from typing import Any, NamedTuple

import onnx
import onnx.shape_inference

from bcastcli.models.inference import loops
from bcastcli.models.inference.folding import Complaints, Folding, Scopes
from bcastcli.models.inference.model import Prepared

MAX_ROUNDS = 12
MAX_ASSUMPTIONS = 8


class Inferred(NamedTuple):
    """What inference finds."""

    scopes: Scopes
    complaints: Complaints


def infer(prepared: Prepared) -> Inferred:
    """Return the values of each graph with their types, and onnx's complaints."""
    graph = prepared.proto.graph
    opset = prepared.newest_opset or prepared.opset
    first = _infer(prepared, {})
    carried = loops.initial_shapes(graph, first.scopes)
    for _ in range(MAX_ASSUMPTIONS):
        if not carried:
            return first
        found = _infer(prepared, carried)
        left = loops.invariant_shapes(graph, *found, carried, opset)
        if left == carried:
            return found
        carried = left
    return first


def _infer(prepared: Prepared, carried: loops.Carried) -> Inferred:
    model = onnx.ModelProto()
    model.CopyFrom(prepared.proto)
    loops.declare(model.graph, carried)
    opset = prepared.newest_opset or prepared.opset
    for _ in range(MAX_ROUNDS):
        inferred = _inferred(model)
        folding = Folding(model, opset)
        folding.run(inferred)
        if not folding.has_changed:
            break
    return Inferred(folding.scopes, folding.complaints)


def _inferred(model: Any) -> Any:
    """Return a model with the types that onnx infers; the same one where it fails."""
    try:
        return onnx.shape_inference.infer_shapes(model, data_prop=True)
    except MemoryError:  # it follows the values of tensors, however large they are
        return onnx.shape_inference.infer_shapes(model)
    except Exception:  # it raises many kinds; node by node, more may come of it
        return model
