"""A model prepared for inference: with the user's values, without the shapes it declares."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from keyword import iskeyword
from math import prod
from typing import Any, NamedTuple

import onnx
import onnx.inliner

from bcastcli.core.shapes import Shape
from bcastcli.model.inference import MAX_COMBINATIONS, graphs, protos
from bcastcli.model.nodes import Model, ModelError, UnknownName, contradict

MAX_NAME = 200
MAX_SIZE = (1 << 63) - 1


class Prepared(NamedTuple):
    """A model that is ready for inference."""

    proto: Any
    named_opset: int | None
    """The opset that the file names."""
    model: Model
    """What is known before inference: its format, its sizes."""
    declared: Mapping[str, protos.Dims]
    """The shapes that the file declares for values other than inputs."""
    replaced: Mapping[str, tuple[protos.Dims, protos.Dims]]
    """The shapes that the file declares for inputs, each with another one that the user gives."""

    @property
    def opset(self) -> int:
        """The opset that it is read as: its own may be missing, or too new."""
        return self.model.opset or 1


def read(
    data: bytes, given: Mapping[str, protos.Dims]
) -> tuple[Sequence[Mapping[str, int]], Iterator[Prepared]]:
    """Return the combinations of the given sizes, and the model with each, in order.

    Raise ModelError if it cannot be read.
    """
    model, opsets, names = _loaded(data)
    shapes, sizes = _split_given(model.graph, given, names)
    count = prod(map(len, sizes.values()))
    if count > MAX_COMBINATIONS:
        most = f"and at most {MAX_COMBINATIONS} are read"
        raise ModelError(f"{count:,} combinations of sizes are given, {most}")
    combinations = [dict(zip(sizes, each, strict=True)) for each in product(*sizes.values())]
    return combinations, (_prepared(model, opsets, shapes, each) for each in combinations)


def _loaded(data: bytes) -> tuple[Any, tuple[int | None, int], frozenset[str]]:
    """Return a model that can run, the opset that it names and its own, and its sizes' names."""
    with _complaining("this is not an ONNX model, or it is damaged"):
        model = onnx.ModelProto.FromString(data)
    opsets = _set_opset(model)
    if model.functions:
        with _complaining("its local functions cannot be inlined"):
            model = onnx.inliner.inline_local_functions(model)
    graphs.check(model.graph)
    names = _Names()
    for value in (*model.graph.input, *protos.declarations(model.graph)):
        for dim in protos.dims(value.type):
            _name(dim, names)
    return model, opsets, frozenset(names.values())


def _prepared(
    model: Any,
    opsets: tuple[int | None, int],
    shapes: Mapping[str, protos.Dims],
    chosen: Mapping[str, int],
) -> Prepared:
    """Return a model with the values of its sizes; the same one may get others."""
    own = onnx.ModelProto()
    own.CopyFrom(model)
    replaced = _apply_given(own.graph, shapes, chosen)
    shown = _shown(own.graph)
    named_opset, opset = opsets
    known = Model(
        "onnx",
        [],
        opset,
        sizes=tuple(name for name in _open_sizes(own.graph) if name not in chosen),
        open_inputs={name: found for name, found in shown.items() if protos.UNKNOWN in found},
        chosen=chosen,
    )
    return Prepared(own, named_opset, known, _remove_declared(own.graph), replaced)


@contextmanager
def _complaining(complaint: str) -> Iterator[None]:
    """Raise ModelError for whatever onnx raises, unless memory ran out."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise ModelError(complaint) from error


def notation(name: str) -> str:
    """Return a name as the notation can write it.

    >>> notation("p2o.DynamicDimension.0"), notation("floor(N/2)")
    ('p2o_DynamicDimension_0', 'floor_N_2_')
    """
    plain = re.sub(r"[^0-9A-Za-z_]", "_", str(name))[
        :MAX_NAME
    ]  # which may be bytes, in a damaged file
    return f"_{plain}" if not plain or plain[0].isdigit() or iskeyword(plain) else plain


class _Names(dict[str, str]):
    """The names of sizes as they are shown, unique."""

    def __missing__(self, name: str) -> str:
        plain = notation(name)
        if re.match(r"u[0-9]+$|unk__", plain):
            plain = f"_{plain}"  # what inference makes up is named so
        found, number = plain, 1
        while found in self.values():
            number += 1
            found = f"{plain}_{number}"
        self[name] = found
        return found


def _name(dim: Any, names: _Names) -> None:
    """Give an open size the name by which it is shown."""
    if dim.dim_param in ("?", "-1", "None") or (dim.HasField("dim_value") and dim.dim_value < 0):
        dim.Clear()
    elif dim.dim_param:
        dim.dim_param = names[dim.dim_param]


def _set_opset(model: Any) -> tuple[int | None, int]:
    """Return the opset that a model names and the one that it is read as, and set the latter."""
    newest = int(onnx.defs.onnx_opset_version())
    own = [each for each in model.opset_import if each.domain in protos.DOMAINS]
    if not own:
        # Up to IR version 2 there was but one; a model with none of these operators names none.
        opset = 1 if model.ir_version < 3 else newest
        model.opset_import.add(domain="", version=opset)
        return None, opset
    named = int(own[0].version)
    if named < 1:
        raise ModelError(f"opset {named} does not exist")
    for each in own if named > newest else ():
        each.version = newest
    return named, min(named, newest)


def _required(graph: Any) -> list[Any]:
    """Return the inputs without a default."""
    defaults = {each.name for each in graph.initializer}
    return [value for value in graph.input if value.name not in defaults]


def _shown(graph: Any) -> dict[str, Shape]:
    """Return the shapes of these, by the names that the notation can write."""
    return {
        notation(value.name): tuple(protos.shape(value.type) or ()) for value in _required(graph)
    }


def _open_sizes(graph: Any) -> list[str]:
    names = (dim.dim_param for value in _required(graph) for dim in protos.dims(value.type))
    return [name for name in dict.fromkeys(names) if name]


def _split_given(
    graph: Any, given: Mapping[str, protos.Dims], sizes: frozenset[str]
) -> tuple[dict[str, protos.Dims], dict[str, Sequence[int]]]:
    """Return the values given for inputs, and for sizes; a name of both means the input."""
    inputs = {notation(value.name): value.name for value in reversed(graph.input)}
    inputs |= {name: name for name in inputs.values()}
    of_inputs: dict[str, protos.Dims] = {}
    of_sizes: dict[str, Sequence[int]] = {}
    for name, values in given.items():
        if any(isinstance(size, int) and size > MAX_SIZE for size in values):
            raise ModelError(f"{name}: a size of an ONNX model is at most {MAX_SIZE:,}")
        if name in inputs:
            of_inputs[inputs[name]] = values
        elif name in sizes:
            numbers = [size for size in values if isinstance(size, int)]
            if not numbers or len(numbers) < len(values):
                way = f"give it a number, or several, as in {name}=1,2,7"
                raise ModelError(f"{name} is a size: {way}")
            of_sizes[name] = numbers
        else:
            raise UnknownName(name, _shown(graph), _open_sizes(graph))
    return of_inputs, of_sizes


def _apply_given(
    graph: Any, shapes: Mapping[str, protos.Dims], sizes: Mapping[str, int]
) -> dict[str, tuple[protos.Dims, protos.Dims]]:
    """Set the given shapes, and return those that contradict the file, behind the file's own."""
    named = {value.name: protos.shape(value.type) for value in graph.input}
    for value in (*graph.input, *protos.declarations(graph)):
        for dim in protos.dims(value.type):
            if dim.dim_param in sizes:
                dim.dim_value = sizes[dim.dim_param]
    replaced = {}
    for value in graph.input:
        if value.name in shapes:
            given, own, declared = shapes[value.name], protos.shape(value.type), named[value.name]
            if own is not None and declared is not None and contradict(own, given):
                replaced[value.name] = declared, given
            protos.set_shape(value.type, given)
    for tensor in [each for each in graph.initializer if each.name in shapes]:
        graph.initializer.remove(tensor)  # the default of an input
    return replaced


def _remove_declared(graph: Any) -> dict[str, protos.Dims]:
    """Remove the shapes that are to be inferred, here and in subgraphs, and return them."""
    declared = {}
    graphs = [
        (graph, ()),
        *((inner, _inferred(node, inner)) for _, node, _, inner in protos.walk(graph)),
    ]
    for each, inputs in graphs:
        for value in (*each.value_info, *each.output):
            if (sizes := protos.shape(value.type)) is not None:
                declared[value.name] = sizes
        del each.value_info[:]
        for value in (*each.output, *inputs):
            protos.forget_shape(value.type)
    return declared


def _inferred(node: Any, graph: Any) -> Sequence[Any]:
    """Return the inputs of a graph within a node that are inferred.

    The counter and the condition of a Loop have the rank that its body declares.
    """
    inputs: Sequence[Any] = graph.input
    return inputs[2:] if node.op_type == "Loop" else inputs
