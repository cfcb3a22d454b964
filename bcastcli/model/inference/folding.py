"""Constant folding: one pass over a model, in the order of its nodes.

Exported models compute shapes from shapes: Shape, Gather, Concat, Reshape. Once the sizes are known
the values are, and the inference after it sees through.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from math import prod
from typing import Any, NamedTuple

import numpy as np  # noqa: TID253  # a process of its own
import onnx
import onnx.numpy_helper
import onnx.reference.ops
import onnx.shape_inference

from bcastcli.model.inference import further, protos

MAX_ELEMENTS = 1024
"""The most elements of a computed value; a shape has far fewer."""

# Cheap, always the same, and without graphs within.
_FOLDED = frozenset(
    {
        *("Abs", "Add", "And", "ArgMax", "ArgMin", "Cast", "CastLike", "Ceil", "Clip", "Compress"),
        *("Concat", "ConstantOfShape", "CumSum", "Div", "Equal", "Expand", "Flatten", "Floor"),
        *("Gather", "GatherElements", "GatherND", "Greater", "GreaterOrEqual", "Identity", "Less"),
        *("LessOrEqual", "Max", "Min", "Mod", "Mul", "Neg", "NonZero", "Not", "OneHot", "Or"),
        *("Pad", "Pow", "Range", "Reciprocal", "ReduceMax", "ReduceMin", "ReduceProd"),
        *("ReduceSum", "Reshape", "Round", "ScatterElements", "ScatterND", "Shape", "Sign"),
        *("Size", "Slice", "Split", "Sqrt", "Squeeze", "Sub", "Tile", "TopK", "Transpose"),
        *("Trilu", "Unique", "Unsqueeze", "Where", "Xor"),
    }
)
_OF_SHAPES = "[ShapeInferenceError]"
"""How onnx marks a complaint about shapes; there are others, about types."""
_SIZED_BY_VALUES = frozenset({"Compress", "NonZero", "Unique", "Range"})


class Scope(NamedTuple):
    """The values visible in a graph: its own, and those of the graphs around it."""

    types: dict[str, Any]
    constants: dict[str, Any]
    """The values that are known, as arrays."""

    def within(self, names: Iterable[str]) -> "Scope":
        """Return the scope of a graph within that uses these names."""
        return Scope(protos.only(self.types, names), protos.only(self.constants, names))


Scopes = dict[str, Scope]
"""The scope of each graph that may run, by its path; the main graph's path is empty."""
Complaints = dict[tuple[str, int], str]
"""onnx's complaints about nodes, by graph path and index."""


class Folding:
    """One pass over a model, which turns nodes with constant outputs into constants."""

    def __init__(self, model: Any, opset: int) -> None:
        self._model = model
        self._opset = opset
        self.has_changed = False
        self.has_open = False
        """Whether a size of a node's output is open."""
        self.scopes: Scopes = {}
        self.complaints: Complaints = {}
        self._refined: set[str] = set()
        """The values whose shapes or data are known better than in onnx's inference."""

    def run(self, inferred: Any) -> None:
        """Start from the result of inference: the same model, with its types."""
        self._graph(self._model.graph, inferred.graph, Scope({}, {}), "")

    def _graph(self, graph: Any, inferred: Any, scope: Scope, path: str) -> None:
        self.scopes[path] = scope
        _declare(graph, inferred, scope)
        for place, node in enumerate(graph.node):
            if node.op_type == "Constant" and node.domain in protos.DOMAINS:
                array = _constant(node)
                if array is not None and node.output:
                    scope.constants[node.output[0]] = array
                continue
            inferred_types = [scope.types.get(name) for name in node.output]
            if any(protos.subgraphs(node)):
                self._within(node, inferred.node[place], scope, (path, place))
            if node.domain in protos.DOMAINS:
                self._node(node, scope, (path, place))
            further.infer(node, scope.types, scope.constants, self._opset)
            for name, type_ in zip(node.output, inferred_types, strict=True):
                if name in scope.constants or scope.types.get(name) is not type_:
                    self._refined.add(name)
            if not self.has_open:
                outputs = filter(None, node.output)
                self.has_open = not all(protos.is_static(scope.types.get(name)) for name in outputs)

    def _within(self, node: Any, inferred: Any, scope: Scope, where: tuple[str, int]) -> None:
        """Go through the graphs within a node that may run."""
        never = never_run(node, scope.constants)
        types = dict(protos.subgraphs(inferred))
        for attribute, inner in protos.subgraphs(node):
            if attribute not in never:
                within = scope.within(protos.names_used(inner))
                there = protos.inner_path(*where, attribute)
                self._graph(inner, types.get(attribute, inner), within, there)
                if never:  # this branch, and no other one, is taken
                    _copy(within, [value.name for value in inner.output], scope, node.output)
        if node.op_type == "Loop" and never:
            _copy(scope, node.input[2:], scope, node.output)
        if not never:
            self._leave(node, scope, where)

    def _leave(self, node: Any, scope: Scope, where: tuple[str, int]) -> None:
        """Set a node's outputs to those of its graphs: of any branch, or of each iteration."""
        scopes = [
            (self.scopes[protos.inner_path(*where, attribute)], graph)
            for attribute, graph in protos.subgraphs(node)
        ]
        ends = [[own.types.get(value.name) for value in graph.output] for own, graph in scopes]
        names: Sequence[str] = ()
        if node.op_type == "Loop":
            names, ends = node.input[2:], [each[1:] for each in ends]  # past the condition
        if node.op_type == "Scan":
            names = node.input[: -_attribute(node, "num_scan_inputs", len(node.input))]
        first = [protos.shape(scope.types.get(name)) for name in names]
        outputs = zip(node.output, *ends, strict=False) if ends else ()
        for place, (output, *types) in enumerate(outputs):
            shapes = [protos.shape(each) for each in types]
            if node.op_type == "If" or place < len(first):
                left = reduce(protos.common, [*first[place : place + 1], *shapes])
            else:  # of all iterations
                left = None if shapes[0] is None else [protos.UNKNOWN, *shapes[0]]
            if left is not None and output:
                _add(scope, output, protos.typed(types[0], left, types[0]))

    def _node(self, node: Any, scope: Scope, where: tuple[str, int]) -> None:
        outputs = [name for name in node.output if name]
        if all(name in scope.constants for name in outputs):
            return
        is_foldable = node.op_type in _FOLDED and _has_values(node, scope)
        if node.op_type != "Einsum" and self._may_gain(node, outputs, scope, where):
            self._infer(node, scope, where)
        if is_foldable:
            self._fold(node, scope)

    def _may_gain(
        self, node: Any, outputs: Sequence[str], scope: Scope, where: tuple[str, int]
    ) -> bool:
        """Return whether inference of this node alone may find more than that of the whole graph.

        The latter leaves a refused node without a shape, and inner graphs without outer constants.
        """
        types = [scope.types.get(name) for name in outputs]
        if all(map(protos.is_static, types)):
            return False
        if where[0] or any(protos.subgraphs(node)) or None in map(protos.shape, types):
            return True
        return not self._refined.isdisjoint(node.input)

    def _infer(self, node: Any, scope: Scope, where: tuple[str, int]) -> None:
        """Infer the outputs of one node: more may be known of its inputs by now."""
        if any(name and name not in scope.types for name in node.input):
            return
        names = {name for name in node.input if name}
        for _, inner in protos.subgraphs(node):
            names |= protos.names_used(inner)
        seen = scope.within(names).types
        filled = [name for name in node.input if protos.elements(seen.get(name)) != 0]
        if node.op_type == "Concat" and len(filled) < len(node.input):
            # ONNX Runtime passes over empty inputs, whatever their other sizes are.
            if not filled:
                return
            axis = _attribute(node, "axis", 1)
            node = onnx.helper.make_node("Concat", filled, node.output, axis=axis)
        values = {
            name: onnx.numpy_helper.from_array(array, name)
            for name, array in protos.only(scope.constants, node.input).items()
        }
        opsets, version = list(self._model.opset_import), self._model.ir_version
        try:
            schema = self._schema(node.op_type)
            found = onnx.shape_inference.infer_node_outputs(
                schema, node, seen, values, None, opsets, version
            )
        except Exception as error:  # of many types; an output that cannot be inferred stays open
            if _OF_SHAPES in str(error):
                self.complaints[where] = str(error).partition(_OF_SHAPES)[2].strip()
            return
        for name, type_ in found.items():
            protos.forget_negative(type_)  # onnx's process would die of one
            _add(scope, name, type_)

    def _schema(self, operator: str) -> Any:
        """Return an operator's schema; raise SchemaError if the opset lacks it.

        ONNX Runtime runs a LayerNormalization in older opsets than ONNX has it in.
        """
        first = 17 if operator == "LayerNormalization" else 1
        return onnx.defs.get_schema(operator, max(self._opset, first), "")

    def _fold(self, node: Any, scope: Scope) -> None:
        """Compute the outputs of a node, if they are small, and make it a constant."""
        sizes = [protos.elements(scope.types.get(name)) for name in node.output if name]
        if None in sizes and node.op_type not in _SIZED_BY_VALUES:
            return
        if any(size is not None and size > MAX_ELEMENTS for size in sizes):
            return
        arrays = self._evaluate(node, scope) or []
        if any(array.size > MAX_ELEMENTS for array in arrays):
            return
        for name, array in zip(node.output, arrays, strict=False):
            scope.constants[name] = array
            dtype = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
            scope.types[name] = _type(dtype, array.shape)
        if len(arrays) == 1 == len(node.output):
            self.has_changed = True
            tensor = onnx.numpy_helper.from_array(arrays[0], node.output[0])
            node.op_type = "Constant"
            del node.input[:], node.attribute[:]
            node.attribute.add(name="value", type=onnx.AttributeProto.TENSOR, t=tensor)

    def _evaluate(self, node: Any, scope: Scope) -> list[Any] | None:
        """Return the outputs of a node; None if they cannot be computed."""
        if node.op_type in ("Shape", "Size"):
            return [_of_shape(node, protos.shape(scope.types[node.input[0]]))]
        inputs = [scope.constants[name] if name else None for name in node.input]
        if node.op_type == "Range" and not _is_short(*inputs):
            return None
        try:
            run = onnx.reference.ops.load_op("", node.op_type, self._opset)
            context = {"log": _drop, "opsets": {"": self._opset}, "new_ops": None, "verbose": 0}
            with np.errstate(all="ignore"):
                outputs = [np.asarray(each) for each in run(node, context).run(*inputs)]
            for each in outputs:
                onnx.helper.np_dtype_to_tensor_dtype(each.dtype)
        except Exception:  # an operator may raise anything on unsuitable values
            return None
        return outputs


def _add(scope: Scope, name: str, type_: Any) -> None:
    """Give a value a type, if that is more precise than the one it has."""
    if protos.known_sizes(type_) > protos.known_sizes(scope.types.get(name)):
        scope.types[name] = type_


def _attribute(node: Any, name: str, default: int) -> int:
    return next((each.i for each in node.attribute if each.name == name), default)


def _declare(graph: Any, inferred: Any, scope: Scope) -> None:
    """Add a graph's declarations: the types that are inferred, and the constants."""
    for value in graph.input:  # these hide outer names
        scope.types.pop(value.name, None)
        scope.constants.pop(value.name, None)
    # An output may be an input as well, which alone has its shape.
    for value in (*inferred.output, *inferred.value_info, *inferred.input):
        if value.HasField("type"):
            scope.types[value.name] = value.type
    for tensor in graph.initializer:
        scope.types[tensor.name] = _type(tensor.data_type, tensor.dims)
        if (array := _array(tensor)) is not None:
            scope.constants[tensor.name] = array
    for tensor in graph.sparse_initializer:
        scope.types[tensor.values.name] = _type(tensor.values.data_type, tensor.dims)


def _copy(source: Scope, names: Iterable[str], target: Scope, outputs: Iterable[str]) -> None:
    """Give the outputs of a node the types and constants of these values."""
    for name, output in zip(names, outputs, strict=False):
        if name in source.types:
            target.types[output] = source.types[name]
        if name in source.constants:
            target.constants[output] = source.constants[name]


def _has_values(node: Any, scope: Scope) -> bool:
    """Return whether everything is known that the outputs of a node depend on."""
    if node.op_type in ("Shape", "Size"):
        return len(node.input) == 1 and protos.is_static(scope.types.get(node.input[0]))
    return all(not name or name in scope.constants for name in node.input)


def _of_shape(node: Any, sizes: Any) -> Any:
    """Return the value of a node Shape or Size."""
    if node.op_type == "Size":
        return np.array(min(prod(sizes), np.iinfo(np.int64).max), np.int64)
    bounds = {each.name: each.i for each in node.attribute}
    return np.array(sizes[bounds.get("start", 0) : bounds.get("end", len(sizes))], np.int64)


def _is_short(start: Any, limit: Any, delta: Any) -> bool:
    """Return whether a Range has few enough elements."""
    distance, step = abs(float(limit) - float(start)), abs(float(delta))
    return step > 0 and distance <= MAX_ELEMENTS * step


def _constant(node: Any) -> Any:
    """Return the value of a node Constant, in any form; None if it is not numeric."""
    for each in node.attribute:
        match each.name:
            case "value":
                return _array(each.t)
            case "value_int" | "value_ints":
                return np.array(each.i if each.name == "value_int" else list(each.ints), np.int64)
            case "value_float" | "value_floats":
                values = each.f if each.name == "value_float" else list(each.floats)
                return np.array(values, np.float32)
    return None


def _array(tensor: Any) -> Any:
    """Return the values of a tensor; None if they are external, or many."""
    sizes = list(tensor.dims)
    if tensor.data_location or any(size < 0 for size in sizes) or prod(sizes) > MAX_ELEMENTS:
        return None
    try:
        return onnx.numpy_helper.to_array(tensor)
    except Exception:  # fewer values than its shape has, or of no known type
        return None


def _type(dtype: int, sizes: Any) -> Any:
    return onnx.helper.make_tensor_type_proto(dtype, list(sizes))


def _drop(*_: object) -> None:
    """Discard a line of the reference implementation's log."""


def never_run(node: Any, constants: Mapping[str, Any]) -> frozenset[str]:
    """Return the attributes with a node's graphs that never run."""
    if node.op_type not in ("If", "Loop") or node.domain not in protos.DOMAINS:
        return frozenset()
    values = [constants.get(name) for name in node.input[:2]]
    known = [None if each is None or each.size != 1 else each.item() for each in values]
    first, condition = (*known, None, None)[:2]
    if node.op_type == "If":
        return frozenset() if first is None else frozenset({_OTHER_BRANCH[bool(first)]})
    is_never = condition is False or (first is not None and first <= 0)
    return frozenset({"body"}) if is_never else frozenset()


_OTHER_BRANCH = {True: "else_branch", False: "then_branch"}
