"""A model prepared for inference: with the user's values, without the shapes it declares."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from keyword import iskeyword
from math import prod
from typing import Any

import onnx
import onnx.inliner

from bcastcli.core.shapes import written
from bcastcli.model.inference import MAX_COMBINATIONS, protos
from bcastcli.model.nodes import Model, ModelError, shown


def read(data: bytes, given: Mapping[str, protos.Dims]) -> Iterator[tuple[Any, Model]]:
    """What to infer for each combination of the given sizes, and what is known before.

    Raise ModelError if the model cannot be read.
    """
    proto, opset, names = _load(data)
    shapes, sizes = _split_given(proto.graph, names, given)
    count = prod(map(len, sizes.values()))
    if count > MAX_COMBINATIONS:
        raise ModelError(
            f"{count:,} combinations of sizes, but at most {MAX_COMBINATIONS} are tried"
        )
    for each in product(*sizes.values()):
        copy = onnx.ModelProto()
        copy.CopyFrom(proto)
        chosen = dict(zip(sizes, each, strict=True))
        refused = _apply_given(copy.graph, shapes, chosen)
        yield copy, Model(opset, _inputs(copy.graph), chosen, refused)


def _load(data: bytes) -> tuple[Any, int, Collection[str]]:
    """A model that can run, its opset, and its open sizes, renamed so that they can be typed."""
    try:
        proto = onnx.ModelProto.FromString(data)
        if proto.functions:
            proto = onnx.inliner.inline_local_functions(proto)
    except MemoryError:
        raise
    except Exception as error:  # onnx raises many kinds
        raise ModelError("this is not an ONNX model, or it is damaged") from error
    opset = _opset(proto)
    _check(proto.graph, set())
    names = _Names()
    for value in (*proto.graph.input, *protos.declarations(proto.graph)):
        for dim in protos.dims(value.type):
            if dim.dim_param in ("?", "-1", "None") or dim.dim_value < 0:
                dim.Clear()
            elif dim.dim_param:
                dim.dim_param = names[dim.dim_param]
    return proto, opset, names.values()


def _opset(proto: Any) -> int:
    """The opset of ONNX's operators, which is added where the file has none."""
    newest = int(onnx.defs.onnx_opset_version())
    versions = [each.version for each in proto.opset_import if each.domain in protos.DOMAINS]
    if not versions:
        # Up to IR version 2 there was but one; a model with none of these operators names none.
        versions = [1 if proto.ir_version < 3 else newest]
        proto.opset_import.add(version=versions[0])
    opset = int(versions[0])
    if opset > newest:
        supported = f"onnx {onnx.__version__} supports opsets up to {newest}"
        raise ModelError(f"the model has opset {opset}, but {supported}")
    return opset


def _apply_given(
    graph: Any, shapes: Mapping[str, protos.Dims], chosen: Mapping[str, int]
) -> list[str]:
    """Set the given shapes and sizes, and remove what is to be inferred.

    The result says why ONNX Runtime refuses inputs.
    """
    declared = {value.name: protos.shape(value.type) for value in graph.input}
    for value in (*graph.input, *protos.declarations(graph)):
        for dim in protos.dims(value.type):
            if dim.dim_param in chosen:
                dim.dim_value = chosen[dim.dim_param]
    refused = []
    for value in graph.input:
        if value.name in shapes:
            given, shape = shapes[value.name], declared[value.name]
            if shape is not None and _contradict(shape, given):
                argument = f"{notation(value.name)}={written(given)}"
                refused.append(
                    f"ONNX Runtime refuses {argument} because the file declares {written(shape)}"
                )
            protos.set_shape(value.type, given)
    for tensor in [each for each in graph.initializer if each.name in shapes]:
        graph.initializer.remove(tensor)  # the default of an input
    _forget_declared(graph)
    return refused


def _contradict(declared: protos.Dims, given: protos.Dims) -> bool:
    """Whether a given shape has another rank or number than the file declares.

    >>> _contradict([2, "N"], [2, 3]), _contradict([2, 3], [2, 4])
    (False, True)
    """
    if len(declared) != len(given):
        return True
    pairs = zip(declared, given, strict=True)
    return any({type(one), type(two)} == {int} and one != two for one, two in pairs)


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


def _inputs(graph: Any) -> dict[str, protos.Dims | None]:
    """The shapes of the inputs without a default, by the names that the notation can write."""
    defaults = {each.name for each in graph.initializer}
    values = [value for value in graph.input if value.name not in defaults]
    return {notation(value.name): protos.shape(value.type) for value in values}


def _split_given(
    graph: Any, names: Collection[str], given: Mapping[str, protos.Dims]
) -> tuple[dict[str, protos.Dims], dict[str, Sequence[int]]]:
    """The values given for inputs, and for sizes; a name of both means the input."""
    inputs = {notation(value.name): value.name for value in reversed(graph.input)}
    inputs |= {name: name for name in inputs.values()}
    of_inputs: dict[str, protos.Dims] = {}
    of_sizes: dict[str, Sequence[int]] = {}
    for name, values in given.items():
        if name in inputs:
            of_inputs[inputs[name]] = values
        elif name in names:
            numbers = [size for size in values if isinstance(size, int)]
            if not numbers or len(numbers) < len(values):
                way = f"give it a number, or several, as in {name}=1,2,7"
                raise ModelError(f"{name} is a size: {way}")
            of_sizes[name] = numbers
        else:
            known = [f"{each}={shown(shape)}" for each, shape in _inputs(graph).items()]
            has = f"its inputs are {' '.join(known)}" if known else "it has no inputs"
            raise ModelError(f"the model has no input or size named {name}; {has}")
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
                written = f"{protos.label(node)} writes {name}, which already exists"
                raise ModelError(f"this graph cannot run: {written}")
            known.add(name)
    for value in graph.output:
        if value.name not in known:
            raise ModelError(f"this graph cannot run: nothing produces its output {value.name}")
