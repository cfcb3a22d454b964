"""What graphs and single nodes give: types and small constants, and which graphs never run.

Exported models compute shapes from shapes (Shape, Gather, Concat, Reshape): such constants are
worked out by onnx's reference implementation, all else is onnx's inference of the node.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np  # noqa: TID253  # a process of its own
import onnx
import onnx.numpy_helper
import onnx.reference.ops
import onnx.shape_inference

from bcastcli.model.inference import known, protos
from bcastcli.model.inference.protos import DOMAINS, Dims, Scope

MAX_ELEMENTS = 1024
"""The most elements of a computed value; a shape has far fewer."""
_SIZED_BY_VALUES = frozenset({"Compress", "NonZero", "Unique", "Range"})
_OF_SHAPES = "[ShapeInferenceError]"
"""How onnx marks a complaint about shapes; there are others, about types."""


class Inference:
    """Infers the nodes of a model."""

    def __init__(self, model: Any, opset: int) -> None:
        self._opset = opset
        self._versions = {each.domain: each.version for each in model.opset_import}
        self._names = 0

    def node(self, node: Any, scope: Scope) -> str:
        """Add the types and constants of a node's outputs; return onnx's complaint, if any."""
        complaint = ""
        outputs = [name for name in node.output if name]
        is_found = all(protos.is_named(scope.types.get(name)) for name in outputs)
        if not is_found and node.op_type != "Einsum":  # which onnx infers wrongly, or for ever
            like = known.stand_in(node, scope, self._opset)
            if like is not None:
                complaint = self._infer(like, scope, is_like=like.op_type != node.op_type)
            if node.op_type == "Slice":
                self._take_last(node, scope)
        if node.domain in DOMAINS:
            self._fold(node, scope)
        return complaint

    def _take_last(self, node: Any, scope: Scope) -> None:
        """Set the sizes of 1 that a Slice from -1 leaves of an axis, whatever its size is."""
        given, sizes = scope.shape(node.input[0]), scope.shape(node.output[0])
        known: list[Any] = [scope.constants.get(name) for name in node.input[1:4]]
        if given is None or sizes is None or len(known) < 3 or any(each is None for each in known):
            return
        for start, end, axis in zip(*(each.flatten().tolist() for each in known), strict=False):
            if start == -1 and end >= np.iinfo(np.int32).max and isinstance(given[axis], str):
                sizes[axis] = 1
        self.give(scope, node.output[0], scope.types.get(node.input[0]), sizes)

    def typed(self, like: Any, sizes: Dims) -> Any:
        """A type of this shape, with the elements of another type."""
        made = onnx.TypeProto()
        made.CopyFrom(like)
        protos.set_shape(made, sizes)
        self._name(made)
        return made

    def give(self, scope: Scope, name: str, like: Any, sizes: Dims | None) -> None:
        """Give a value a shape, if that is known, and the elements of another value."""
        if name and like is not None and sizes is not None:
            scope.types[name] = self.typed(like, sizes)

    def _name(self, type_: Any) -> None:
        """Name the open sizes of a type, as onnx does: values with one name have one size."""
        for dim in protos.dims(type_):
            if not dim.HasField("dim_value") and not dim.dim_param:
                self._names += 1
                dim.dim_param = f"{protos.MADE_UP}own_{self._names}"

    def _infer(self, node: Any, scope: Scope, *, is_like: bool) -> str:
        """Infer the outputs of a node, or those of one that is like it but for its elements.

        Return onnx's complaint about its shapes, if any.
        """
        if any(name and name not in scope.types for name in node.input):
            return ""
        seen = {name: scope.types[name] for name in node.input if name}
        elements = next(iter(seen.values()), None)
        if is_like:  # it may have integers, where its like takes numbers of any kind
            dtype, made = onnx.TensorProto.FLOAT, onnx.helper.make_tensor_type_proto
            seen = {name: made(dtype, scope.shape(name) or []) for name in seen}
        values = {
            name: onnx.numpy_helper.from_array(scope.constants[name], name)
            for name in seen
            if name in scope.constants
        }
        try:
            opset = self._opset if node.domain in DOMAINS else self._versions[node.domain]
            schema = known.schema(node.op_type, node.domain, opset)
            types = onnx.shape_inference.infer_node_outputs(schema, node, seen, values)
        except Exception as error:  # of many types; an output that cannot be inferred stays open
            is_of_shapes = node.domain in DOMAINS
            return str(error).partition(_OF_SHAPES)[2].strip() if is_of_shapes else ""
        for name, type_ in types.items():
            for dim in protos.dims(type_):
                if dim.dim_value < 0:  # onnx's process would die of one
                    dim.Clear()
            self._name(type_)
            if is_like and elements is not None:
                type_.tensor_type.elem_type = elements.tensor_type.elem_type
            before = scope.types.get(name)
            if before is None or protos.known_sizes(type_) > protos.known_sizes(before):
                scope.types[name] = type_
        return ""

    def _fold(self, node: Any, scope: Scope) -> None:
        """Work out the outputs of a node, if they are small."""
        is_of_shape = node.op_type in ("Shape", "Size")
        if not is_of_shape and any(name and name not in scope.constants for name in node.input):
            return  # as most nodes do
        sizes = [protos.elements(scope.types.get(name)) for name in node.output if name]
        if None in sizes and node.op_type not in _SIZED_BY_VALUES:
            return
        if any(size is not None and size > MAX_ELEMENTS for size in sizes):
            return
        arrays = _of_shape(node, scope) if is_of_shape else self._evaluated(node, scope)
        if any(array.size > MAX_ELEMENTS for array in arrays):
            return
        for name, array in zip(node.output, arrays, strict=False):
            scope.constants[name] = array
            dtype = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
            scope.types[name] = onnx.helper.make_tensor_type_proto(dtype, array.shape)

    def _evaluated(self, node: Any, scope: Scope) -> Sequence[Any]:
        """The outputs of a node; empty if they cannot be computed."""
        inputs = [scope.constants[name] if name else None for name in node.input]
        if not inputs and node.op_type != "Constant":  # random numbers
            return []
        try:
            run = onnx.reference.ops.load_op("", node.op_type, self._opset)
            context = {"log": _drop, "opsets": {"": self._opset}, "new_ops": None, "verbose": 0}
            outputs = [np.asarray(each) for each in run(node, context).run(*inputs)]
            for each in outputs:
                onnx.helper.np_dtype_to_tensor_dtype(each.dtype)
        except Exception:  # an operator may raise anything on unsuitable values
            return []
        return outputs


def _of_shape(node: Any, scope: Scope) -> Sequence[Any]:
    """The output of a node Shape or Size; empty if it is not known."""
    if len(node.input) != 1 or not protos.is_static(scope.types.get(node.input[0])):
        return []
    sizes: Any = scope.shape(node.input[0])
    if node.op_type == "Size":
        return [np.array(min(prod(sizes), np.iinfo(np.int64).max), np.int64)]
    given = protos.attributes(node)
    return [np.array(sizes[given.get("start", 0) : given.get("end", len(sizes))], np.int64)]


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


def array_of(tensor: Any) -> Any:
    """The values of a tensor; None if they are external, or many."""
    sizes = list(tensor.dims)
    if tensor.data_location or any(size < 0 for size in sizes) or prod(sizes) > MAX_ELEMENTS:
        return None
    try:
        return onnx.numpy_helper.to_array(tensor)
    except Exception:  # fewer values than its shape has, or of no known type
        return None


def _drop(*_: object) -> None:
    """Discard a line of the reference implementation's log."""
