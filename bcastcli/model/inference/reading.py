"""A model prepared for inference: with the user's values, without the shapes it declares."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from keyword import iskeyword
from math import prod
from typing import Any, NamedTuple

import onnx
import onnx.inliner

from bcastcli.core.shapes import Shape, written
from bcastcli.model.inference import MAX_COMBINATIONS, protos
from bcastcli.model.nodes import Model, ModelError, shown


class _Loaded(NamedTuple):
    proto: Any
    opset: int
    """The one that it is read as: the file's own may be missing, or too new."""
    remarks: tuple[str, ...]
    sizes: frozenset[str]
    """The names of its open sizes."""


def read(data: bytes, given: Mapping[str, protos.Dims]) -> Iterator[tuple[Any, Model]]:
    """What to infer for each combination of the given sizes, and what is known before.

    Raise ModelError if the model cannot be read.
    """
    loaded = _load(data)
    shapes, sizes = _split_given(loaded, given)
    count = prod(map(len, sizes.values()))
    if count > MAX_COMBINATIONS:
        most = f"and at most {MAX_COMBINATIONS} are read"
        raise ModelError(f"{count:,} combinations of sizes are given, {most}")
    for each in product(*sizes.values()):
        own = onnx.ModelProto()
        own.CopyFrom(loaded.proto)
        yield own, _apply_given(own.graph, loaded, shapes, dict(zip(sizes, each, strict=True)))


def _load(data: bytes) -> _Loaded:
    """A model that can run, with names of sizes that the notation can write."""
    try:
        proto = onnx.ModelProto.FromString(data)
        if proto.functions:
            proto = onnx.inliner.inline_local_functions(proto)
    except MemoryError:
        raise
    except Exception as error:  # onnx raises many kinds
        raise ModelError("this is not an ONNX model, or it is damaged") from error
    opset, remarks = _set_opset(proto)
    _check(proto.graph, set())
    names = _Names()
    for value in (*proto.graph.input, *protos.declarations(proto.graph)):
        for dim in protos.dims(value.type):
            if dim.dim_param in ("?", "-1", "None") or dim.dim_value < 0:
                dim.Clear()
            elif dim.dim_param:
                dim.dim_param = names[dim.dim_param]
    return _Loaded(proto, opset, remarks, frozenset(names.values()))


def _set_opset(proto: Any) -> tuple[int, tuple[str, ...]]:
    """Set the opset of ONNX's operators, where the file has none, or a new one; give remarks."""
    newest = int(onnx.defs.onnx_opset_version())
    own = [each for each in proto.opset_import if each.domain in protos.DOMAINS]
    if not own:
        # Up to IR version 2 there was but one; a model with none of these operators names none.
        opset = 1 if proto.ir_version < 3 else newest
        own = [proto.opset_import.add(domain="", version=opset)]
    named = int(own[0].version)
    if named <= newest:
        return named, ()
    for each in own:
        each.version = newest
    return newest, (f"opset {named} is not supported yet: read as opset {newest}",)


def _apply_given(
    graph: Any, loaded: _Loaded, shapes: Mapping[str, protos.Dims], chosen: Mapping[str, int]
) -> Model:
    """Set the given shapes and sizes, and remove what is to be inferred; give what is known."""
    declared = {value.name: protos.shape(value.type) for value in graph.input}
    for value in (*graph.input, *protos.declarations(graph)):
        for dim in protos.dims(value.type):
            if dim.dim_param in chosen:
                dim.dim_value = chosen[dim.dim_param]
    refused = []
    for value in graph.input:
        if value.name in shapes:
            given, own = shapes[value.name], declared[value.name]
            if own is not None and _contradict(own, given):
                it = f"{notation(value.name)}={written(given)}"
                refused.append(f"ONNX Runtime refuses {it}: the file has {written(own)}")
            protos.set_shape(value.type, given)
    for tensor in [each for each in graph.initializer if each.name in shapes]:
        graph.initializer.remove(tensor)  # the default of an input
    _forget_declared(graph)
    return Model(
        opset=loaded.opset,
        inputs=_inputs(graph),
        chosen=chosen,
        remarks=loaded.remarks,
        refused=tuple(refused),
    )


def _contradict(declared: protos.Dims, given: protos.Dims) -> bool:
    """Whether a given shape has another rank or number than the file declares.

    >>> _contradict([2, "N"], [2, 3]), _contradict([2, 3], [2, 4])
    (False, True)
    """
    if len(declared) != len(given):
        return True
    pairs = zip(declared, given, strict=True)
    return any(isinstance(own, int) and isinstance(its, int) and own != its for own, its in pairs)


def _forget_declared(graph: Any) -> None:
    """Remove the shapes that are to be inferred, here and in the graphs within."""
    for node, each in ((None, graph), *protos.walk(graph)):
        del each.value_info[:]
        made = [*each.output]
        if node is not None:  # the counter and the condition of a Loop keep what its body declares
            made += each.input[2:] if node.op_type == "Loop" else each.input
        for value in made:
            if value.type.HasField("tensor_type"):
                value.type.tensor_type.ClearField("shape")


# What is given


def _inputs(graph: Any) -> dict[str, Shape | None]:
    """The shapes of the inputs without a default, by the names that the notation can write."""
    defaults = {each.name for each in graph.initializer}
    shapes = {
        notation(value.name): protos.shape(value.type)
        for value in graph.input
        if value.name not in defaults
    }
    return {name: None if sizes is None else tuple(sizes) for name, sizes in shapes.items()}


def _split_given(
    loaded: _Loaded, given: Mapping[str, protos.Dims]
) -> tuple[dict[str, protos.Dims], dict[str, Sequence[int]]]:
    """The values given for inputs, and for sizes; a name of both means the input."""
    graph = loaded.proto.graph
    inputs = {notation(value.name): value.name for value in reversed(graph.input)}
    inputs |= {name: name for name in inputs.values()}
    of_inputs: dict[str, protos.Dims] = {}
    of_sizes: dict[str, Sequence[int]] = {}
    for name, values in given.items():
        if name in inputs:
            of_inputs[inputs[name]] = values
        elif name in loaded.sizes:
            numbers = [size for size in values if isinstance(size, int)]
            if not numbers or len(numbers) < len(values):
                way = f"give it a number, or several, as in {name}=1,2,7"
                raise ModelError(f"{name} is a size: {way}")
            of_sizes[name] = numbers
        else:
            known = [f"{own}={shown(shape)}" for own, shape in _inputs(graph).items()]
            its = f"its inputs are {' '.join(known) or 'none'}"
            raise ModelError(f"the model has no input or size {name}; {its}")
    return of_inputs, of_sizes


def notation(name: str) -> str:
    """A name as the notation can write it.

    >>> notation("p2o.DynamicDimension.0"), notation("floor(N/2)")
    ('p2o_DynamicDimension_0', 'floor_N_2_')
    """
    plain = re.sub(r"[^0-9A-Za-z_]", "_", str(name))  # bytes, in a damaged file
    return f"_{plain}" if not plain or plain[0].isdigit() or iskeyword(plain) else plain


class _Names(dict[str, str]):
    """The names of sizes as they are shown, unique."""

    def __missing__(self, name: str) -> str:
        plain = notation(name)
        if re.match(r"u[0-9]+$|unk__", plain):
            plain = f"_{plain}"  # what inference makes up is named so
        while plain in self.values():
            plain += "_"
        self[name] = plain
        return plain


# The order of the nodes


def _check(graph: Any, around: set[str]) -> None:
    """Raise ModelError unless each value is written once, and before it is read."""
    sparse = (each.values for each in graph.sparse_initializer)
    known = around | {each.name for each in (*graph.input, *graph.initializer, *sparse)}
    for node in graph.node:
        for name in filter(None, node.input):
            if name not in known:
                read = f"{protos.label(node)} reads {name}, which no node before it produces"
                raise ModelError(f"this graph cannot run: {read}")
        for _, inner in protos.subgraphs(node):
            _check(inner, known)
        for name in filter(None, node.output):
            if name in known:
                written = f"{protos.label(node)} writes {name}, which exists already"
                raise ModelError(f"this graph cannot run: {written}")
            known.add(name)
    for value in graph.output:
        if value.name not in known:
            raise ModelError(f"this graph cannot run: nothing produces its output {value.name}")
