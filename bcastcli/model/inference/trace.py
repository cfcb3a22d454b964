"""The types and constants of all values, found in one pass in the order of execution.

Where sizes are open, onnx infers the whole graph first. Then each node whose sizes are not known is
inferred alone: exported models compute shapes from shapes (Shape, Gather, Concat, Reshape), and
such small constants are worked out here by onnx's reference implementation.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np  # noqa: TID253  # a process of its own
import onnx
import onnx.numpy_helper
import onnx.shape_inference

from bcastcli.core.shapes import written
from bcastcli.model.inference import known, protos
from bcastcli.model.inference.asking import clash, result
from bcastcli.model.inference.protos import DOMAINS, UNKNOWN, Dims, Scope
from bcastcli.model.inference.reading import Prepared

MAX_ELEMENTS = 1024
"""The most elements of a computed value; a shape has far fewer."""
MAX_TURNS = 8
"""How often a loop's body is inferred, until it keeps the shapes that it is given."""
_RANDOM = frozenset(
    {"Bernoulli", "Dropout", "Multinomial", "RandomNormalLike", "RandomUniformLike"}
)
_SIZED_BY_VALUES = frozenset({"Compress", "NonZero", "Unique", "Range"})
_OF_SHAPES = "[ShapeInferenceError]"
"""How onnx marks a complaint about shapes; there are others, about types."""
_NOTHING: Mapping[str, Any] = {}
_FLOATS = onnx.helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, None)


class _Body(NamedTuple):
    """A graph within a node."""

    graph: Any
    inferred: Any
    """The same graph, with the types that onnx found."""
    path: str


class Trace:
    """What is found about the values of a model."""

    def __init__(self, prepared: Prepared) -> None:
        """Infer a model, node by node where all sizes are known."""
        model, known_model = prepared.proto, prepared.model
        self._opset = prepared.opset
        self._imports = list(model.opset_import)
        self._versions = {each.domain: each.version for each in model.opset_import}
        self._ir_version = model.ir_version
        self._names = 0
        self.scopes: dict[str, Scope] = {}
        """The scope of each graph that may run, by its path; the main graph's path is empty."""
        self.complaints: dict[tuple[str, int], str] = {}
        """onnx's complaints about nodes, by graph path and index."""
        # Of the whole graph onnx follows the names of open sizes; but a negative size ends it.
        is_open = known_model.sizes or known_model.open_inputs
        inferred = _inferred(model) if is_open else model
        self._graph(_Body(model.graph, inferred.graph, ""), Scope({}, {}))

    def _graph(self, body: _Body, scope: Scope, given: Mapping[str, Any] = _NOTHING) -> None:
        """Go through a graph; `given` are the types of its inputs, None for an unknown one."""
        graph, inferred, path = body
        self.scopes[path] = scope
        _declare(graph, inferred, scope)
        for name, type_ in given.items():
            scope.types.pop(name, None)
            if type_ is not None:
                scope.types[name] = type_
        for place, node in enumerate(graph.node):
            where = path, place
            if node.op_type == "Constant" and node.domain in DOMAINS:
                self._infer(node, scope, where)
                array = _constant(node)
                if array is not None and node.output:
                    scope.constants[node.output[0]] = array
            elif any(protos.subgraphs(node)):
                self._control(node, inferred.node[place], scope, where)
            else:
                self._node(node, scope, where)

    # Graphs within

    def _control(self, node: Any, inferred: Any, scope: Scope, where: tuple[str, int]) -> None:
        """Go through the graphs within a node that may run, and set the node's outputs."""
        never = never_run(node, scope.constants)
        types = dict(protos.subgraphs(inferred))
        bodies = [
            _Body(inner, types.get(attribute, inner), protos.inner_path(*where, attribute))
            for attribute, inner in protos.subgraphs(node)
            if attribute not in never
        ]
        operator = node.op_type if node.domain in DOMAINS else ""
        if operator == "Loop" and not bodies:  # it never runs
            _copy(scope, node.input[2:], scope, node.output)
        elif operator == "Loop":
            self._loop(node, bodies[0], scope)
        elif operator == "Scan":
            self._scan(node, bodies[0], scope, where)
        else:
            for body in bodies:
                self._graph(body, scope.within())
            if operator == "If":
                self._branches(node, bodies, scope)

    def _branches(self, node: Any, bodies: Sequence[_Body], scope: Scope) -> None:
        """Set the outputs of an If: those of the branch that is taken, or what both agree on."""
        ends = [[value.name for value in body.graph.output] for body in bodies]
        scopes = [self.scopes[body.path] for body in bodies]
        if len(bodies) == 1:
            _copy(scopes[0], ends[0], scope, node.output)
            return
        for output, *names in zip(node.output, *ends, strict=False):
            shapes = [own.shape(name) for own, name in zip(scopes, names, strict=True)]
            like = scopes[0].types.get(names[0])
            self._give(scope, output, like, reduce(protos.common, shapes))

    def _loop(self, node: Any, body: _Body, scope: Scope) -> None:
        """Infer the body of a Loop, and set its outputs."""
        names = node.input[2:]
        inputs, ends = body.graph.input[2:], body.graph.output[1:]  # past the condition
        kept = self._carried(body, scope, names, inputs, ends, {})
        inner = self.scopes[body.path]
        for place, (output, end) in enumerate(zip(node.output, ends, strict=False)):
            like, sizes = inner.types.get(end.name), inner.shape(end.name)
            if place < len(kept):
                self._give(scope, output, like or scope.types.get(names[place]), kept[place])
            elif sizes is not None:
                self._give(scope, output, like, [UNKNOWN, *sizes])  # one of each iteration

    def _scan(self, node: Any, body: _Body, scope: Scope, where: tuple[str, int]) -> None:
        """Infer the body of a Scan, which takes slices of its inputs, and set its outputs."""
        given = protos.attributes(node)
        count = len(node.input) - given.get("num_scan_inputs", len(node.input))
        states, scanned = node.input[:count], node.input[count:]
        inputs, ends = body.graph.input, body.graph.output
        lengths: dict[str, int] = {}
        slices: dict[str, Any] = {}
        axes = given.get("scan_input_axes") or [0] * len(scanned)
        for name, value, axis in zip(scanned, inputs[count:], axes, strict=False):
            sizes = scope.shape(name)
            if sizes is not None and -len(sizes) <= axis < len(sizes):
                taken = sizes.pop(axis)
                if isinstance(taken, int):
                    lengths[name] = taken
                slices[value.name] = self._typed(scope.types[name], sizes)
        kept = self._carried(body, scope, states, inputs[:count], ends, slices)
        inner = self.scopes[body.path]
        complaint = _of_lengths(lengths) or _of_states(states, ends, scope, inner)
        if complaint:
            self.complaints[where] = complaint
        length = next(iter(lengths.values()), UNKNOWN)
        axes = given.get("scan_output_axes") or [0] * len(ends)
        for place, (output, end) in enumerate(zip(node.output, ends, strict=False)):
            like, sizes = inner.types.get(end.name), inner.shape(end.name)
            if place < count:
                self._give(scope, output, like, kept[place])
            elif sizes is not None:
                axis = axes[place - count] % (len(sizes) + 1)
                self._give(scope, output, like, [*sizes[:axis], length, *sizes[axis:]])

    def _carried(
        self,
        body: _Body,
        scope: Scope,
        names: Sequence[str],
        inputs: Sequence[Any],
        ends: Sequence[Any],
        slices: Mapping[str, Any],
    ) -> list[Dims | None]:
        """Infer a body, and return the shapes that it carries from each iteration to the next.

        Those of `names`, before the first iteration, are assumed for all; the sizes that an
        iteration changes are dropped, until all are kept.
        """
        kept = [scope.shape(name) for name in names]
        for turn in range(MAX_TURNS):
            if turn == MAX_TURNS - 1:
                kept = [None] * len(names)  # nothing is kept for sure
            given = dict(slices)
            for value, name, sizes in zip(inputs, names, kept, strict=False):
                given[value.name] = None if sizes is None else self._typed(scope.types[name], sizes)
            self._forget(body.path)
            inner = scope.within()
            self._graph(body, inner, given)
            after = [inner.shape(end.name) for _, end in zip(kept, ends, strict=False)]
            if self._stops(body.graph, body.path):
                break  # there is no second iteration
            before, kept = kept, [*map(protos.common, kept, after)]
            if kept == before:
                break
        return kept

    def _forget(self, path: str) -> None:
        """Drop what was found in a body with other shapes."""
        for key in [key for key in self.scopes if key.startswith(path)]:
            del self.scopes[key]
        for where in [where for where in self.complaints if where[0].startswith(path)]:
            del self.complaints[where]

    def _stops(self, graph: Any, path: str) -> bool:
        """Whether a node of a body, or within, cannot have the shapes that it gets."""
        if any(at.startswith(path) for at, _ in self.complaints):
            return True
        return any(clash(each, self.scopes[path], self._opset) for each in graph.node)

    def _typed(self, like: Any, sizes: Dims) -> Any:
        """A type of this shape, with the elements of another type."""
        made = protos.typed(like, sizes)
        self._name(made)
        return made

    def _name(self, type_: Any) -> None:
        """Name the open sizes of a type, as onnx does: values with one name have one size."""
        for dim in protos.dims(type_):
            if not dim.HasField("dim_value") and not dim.dim_param:
                self._names += 1
                dim.dim_param = f"{protos.MADE_UP}own_{self._names}"

    def _give(self, scope: Scope, name: str, like: Any, sizes: Dims | None) -> None:
        """Give a value a shape, if that is known, and the elements of another value."""
        if name and like is not None and sizes is not None:
            scope.types[name] = self._typed(like, sizes)

    # Nodes

    def _node(self, node: Any, scope: Scope, where: tuple[str, int]) -> None:
        outputs = [name for name in node.output if name]
        if node.op_type == "Einsum" or known.asked(node):
            like = scope.types.get(node.input[0]) if node.input else None
            self._give(scope, node.output[0], like, result(node, scope, self._opset))
        elif not all(protos.is_static(scope.types.get(name)) for name in outputs):
            for stand_in in known.stand_ins(node, scope, self._opset):
                self._infer(stand_in, scope, where, is_like=stand_in.op_type != node.op_type)
            if node.op_type in ("Slice", "ArrayFeatureExtractor"):
                like = scope.types.get(node.input[0])
                self._give(scope, node.output[0], like, _by_values(node, scope))
        if node.domain in DOMAINS and _has_values(node, scope):
            self._fold(node, scope)

    def _infer(
        self, node: Any, scope: Scope, where: tuple[str, int], *, is_like: bool = False
    ) -> None:
        """Infer the outputs of one node, or those of one that is like it but for its elements."""
        if any(name and name not in scope.types for name in node.input):
            return
        seen = {name: scope.types[name] for name in node.input if name}
        elements = next(iter(seen.values()), None)
        if is_like:  # it may have integers, where its like takes numbers of any kind
            seen = {name: protos.typed(_FLOATS, protos.shape(seen[name]) or []) for name in seen}
        values = {
            name: onnx.numpy_helper.from_array(scope.constants[name], name)
            for name in seen
            if name in scope.constants
        }
        try:
            opset = self._opset if node.domain in DOMAINS else self._versions[node.domain]
            schema = known.schema(node.op_type, node.domain, opset)
            found = onnx.shape_inference.infer_node_outputs(
                schema, node, seen, values, None, self._imports, self._ir_version
            )
        except Exception as error:  # of many types; an output that cannot be inferred stays open
            if _OF_SHAPES in str(error) and node.domain in DOMAINS:
                self.complaints[where] = str(error).partition(_OF_SHAPES)[2].strip()
            return
        for name, type_ in found.items():
            for dim in protos.dims(type_):
                if dim.dim_value < 0:  # onnx's process would die of one
                    dim.Clear()
            self._name(type_)
            if is_like and elements is not None:
                type_.tensor_type.elem_type = elements.tensor_type.elem_type
            own = scope.types.get(name)
            if own is None or protos.known_sizes(type_) > protos.known_sizes(own):
                scope.types[name] = type_

    def _fold(self, node: Any, scope: Scope) -> None:
        """Work out the outputs of a node, if they are small."""
        sizes = [protos.elements(scope.types.get(name)) for name in node.output if name]
        if None in sizes and node.op_type not in _SIZED_BY_VALUES:
            return
        if any(size is not None and size > MAX_ELEMENTS for size in sizes):
            return
        arrays = self._evaluated(node, scope)
        if any(array.size > MAX_ELEMENTS for array in arrays):
            return
        for name, array in zip(node.output, arrays, strict=False):
            scope.constants[name] = array
            dtype = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
            scope.types[name] = _type(dtype, array.shape)

    def _evaluated(self, node: Any, scope: Scope) -> Sequence[Any]:
        """The outputs of a node; empty if they cannot be computed."""
        if node.op_type in ("Shape", "Size"):
            return [_of_shape(node, scope.shape(node.input[0]))]
        inputs = [scope.constants[name] if name else None for name in node.input]
        if node.op_type == "Range" and not _is_short(*inputs):
            return []
        import onnx.reference.ops  # which takes a while, and not every model needs it

        try:
            run = onnx.reference.ops.load_op("", node.op_type, self._opset)
            context = {"log": _drop, "opsets": {"": self._opset}, "new_ops": None, "verbose": 0}
            with np.errstate(all="ignore"):
                outputs = [np.asarray(each) for each in run(node, context).run(*inputs)]
            for each in outputs:
                onnx.helper.np_dtype_to_tensor_dtype(each.dtype)
        except Exception:  # an operator may raise anything on unsuitable values
            return []
        return outputs


def _inferred(model: Any) -> Any:
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


def _of_lengths(lengths: Mapping[str, int]) -> str:
    """Why a Scan cannot take slices of inputs of these lengths; empty if it can."""
    for (one, length), (other, its) in pairwise(lengths.items()):
        if length != its:
            return f"{one} has {length} slices and {other} has {its}"
    return ""


def _of_states(names: Sequence[str], ends: Sequence[Any], scope: Scope, inner: Scope) -> str:
    """Why a Scan cannot carry its states: the body changes a shape; empty if it can."""
    for name, end in zip(names, ends, strict=False):
        before, after = scope.shape(name), inner.shape(end.name)
        sizes = [*(before or "?"), *(after or "?")]
        if before != after and str not in map(type, sizes):
            its = f"the state {name} is {written(before or ())} before the body"
            return f"{its} and {written(after or ())} after it"
    return ""


def _by_values(node: Any, scope: Scope) -> Dims | None:
    """The shape of a Slice or an ArrayFeatureExtractor that onnx leaves open; None if unknown."""
    given = scope.shape(node.input[0])
    if given is None or len(node.input) < 2:
        return None
    if node.op_type == "ArrayFeatureExtractor":
        count = protos.elements(scope.types.get(node.input[1]))
        return None if count is None else [*(given[:-1] or [1]), count]
    sizes = scope.shape(node.output[0])
    arrays = [scope.constants.get(name) for name in node.input[1:4]]
    if sizes is None or len(arrays) < 3:
        return None
    starts, ends, axes = ([] if each is None else each.flatten().tolist() for each in arrays)
    for start, end, axis in zip(starts, ends, axes, strict=False):
        if start == -1 and end >= np.iinfo(np.int32).max and isinstance(given[axis], str):
            sizes[axis] = 1  # the last one, however many there are
    return sizes


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
    """Whether everything is known that the outputs of a node depend on."""
    if node.op_type in ("Shape", "Size"):
        return len(node.input) == 1 and protos.is_static(scope.types.get(node.input[0]))
    if node.op_type in _RANDOM or not node.input:
        return False
    return all(not name or name in scope.constants for name in node.input)


def _of_shape(node: Any, sizes: Any) -> Any:
    """The value of a node Shape or Size."""
    if node.op_type == "Size":
        return np.array(min(prod(sizes), np.iinfo(np.int64).max), np.int64)
    bounds = {each.name: each.i for each in node.attribute}
    return np.array(sizes[bounds.get("start", 0) : bounds.get("end", len(sizes))], np.int64)


def _is_short(start: Any, limit: Any, delta: Any) -> bool:
    """Whether a Range has few enough elements."""
    distance, step = abs(float(limit) - float(start)), abs(float(delta))
    return step > 0 and distance <= MAX_ELEMENTS * step


def _constant(node: Any) -> Any:
    """The value of a node Constant, in any form; None if it is not numeric."""
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
    """The values of a tensor; None if they are external, or many."""
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
