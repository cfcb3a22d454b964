"""A model prepared for inference: with the user's values, without the shapes it declares."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from keyword import iskeyword
from math import prod
from typing import Any, NamedTuple

import onnx
import onnx.inliner

from bcastcli.models.inference import MAX_COMBINATIONS
from bcastcli.models.inference.protos import (
    DOMAINS,
    UNKNOWN,
    Dims,
    declarations,
    dims,
    forget_shape,
    set_shape,
    shape,
    subgraphs,
)

MAX_NAME = 200


class Refusal(Exception):  # noqa: N818  # an answer: the line to write
    """A model that is not read, or a name that it does not have."""

    def __init__(self, line: dict[str, Any]) -> None:
        super().__init__(line)
        self.line = line


class Prepared(NamedTuple):
    """A model that is ready for inference."""

    proto: Any
    opset: int
    names_no_opset: bool
    newest_opset: int | None
    """The one that it is read as, where its own is not known yet."""
    sizes: list[str]
    """The sizes of inputs that are left open."""
    open_inputs: Mapping[str, Dims]
    """The inputs with sizes that have no name."""
    declared: Mapping[str, Dims]
    """The shapes that the file declares for values other than inputs."""
    outputs: frozenset[str]
    """The names of the model's outputs."""
    given: Mapping[str, Dims]
    """The shapes of inputs that the user gives."""
    chosen: Mapping[str, int]
    """The sizes that the user gives."""
    replaced: Mapping[str, Dims]
    """The shapes that the file declares for these."""


class Read(NamedTuple):
    """A model, and what the user gives its inputs and its sizes."""

    proto: Any
    opset: int
    names_no_opset: bool
    shapes: Mapping[str, Dims]
    sizes: Mapping[str, Sequence[int]]
    """For each size that is given, one value or several."""

    def combinations(self) -> Iterator["Prepared"]:
        """Yield the model with each combination of the given sizes, in order."""
        for values in product(*self.sizes.values()):
            model = onnx.ModelProto()
            model.CopyFrom(self.proto)
            yield self._prepared(model, dict(zip(self.sizes, values, strict=True)))

    def _prepared(self, model: Any, sizes: Mapping[str, int]) -> "Prepared":
        newest = onnx.defs.onnx_opset_version()
        replaced = _apply_given(model.graph, self.shapes, sizes)
        return Prepared(
            proto=model,
            opset=self.opset,
            names_no_opset=self.names_no_opset,
            newest_opset=newest if self.opset > newest else None,
            sizes=[name for name in _open_sizes(model.graph) if name not in sizes],
            open_inputs={
                notation(value.name): own
                for value in _required(model.graph)
                if (own := shape(value.type)) and UNKNOWN in own
            },
            declared=_remove_declared(model.graph),
            outputs=frozenset(value.name for value in model.graph.output),
            given=self.shapes,
            chosen=sizes,
            replaced=replaced,
        )


def read(data: bytes, given: Mapping[str, Dims]) -> Read:
    """Return a model, and what is given of it; raise Refusal if it cannot be read."""
    try:
        model = onnx.ModelProto.FromString(data)
    except MemoryError:
        raise
    except Exception as error:
        raise Refusal({"error": "this is not an ONNX model, or it is damaged"}) from error
    names_no_opset = not any(each.domain in DOMAINS for each in model.opset_import)
    opset = _opset(model)
    model = _inlined(_in_known_opset(model, opset))
    _refuse_ellipses(model.graph)
    names = _Names()
    for value in (*model.graph.input, *declarations(model.graph)):
        for dim in dims(value.type):
            _name(dim, names)
    shapes, sizes = _split_given(model.graph, given, frozenset(names.values()))
    count = prod(map(len, sizes.values()))
    if count > MAX_COMBINATIONS:
        message = (
            f"{count:,} combinations of sizes are given, and at most {MAX_COMBINATIONS} are read"
        )
        raise Refusal({"error": message})
    return Read(model, opset, names_no_opset, shapes, sizes)


def _in_known_opset(model: Any, opset: int) -> Any:
    """Return a model in the newest opset that is known, if its own is not yet."""
    newest = onnx.defs.onnx_opset_version()
    for each in model.opset_import if opset > newest else ():
        each.version = newest if each.domain in DOMAINS else each.version
    return model


def _inlined(model: Any) -> Any:
    """Return a model without local functions; raise Refusal if that is impossible."""
    if not model.functions:
        return model
    try:
        return onnx.inliner.inline_local_functions(model)
    except MemoryError:
        raise
    except Exception as error:
        raise Refusal({"error": "its local functions cannot be inlined"}) from error


def notation(name: str) -> str:
    """Return a name as the notation can write it.

    >>> notation("p2o.DynamicDimension.0"), notation("floor(N/2)")
    ('p2o_DynamicDimension_0', 'floor_N_2_')
    """
    plain = re.sub(r"[^0-9A-Za-z_]", "_", name)[:MAX_NAME]
    return f"_{plain}" if not plain or plain[0].isdigit() or iskeyword(plain) else plain


class _Names(dict[str, str]):
    """The names of sizes as they are shown: for different ones different."""

    def __missing__(self, name: str) -> str:
        plain = notation(name)
        if re.fullmatch(r"u[0-9]+|unk__.*", plain):
            plain += "_"  # u1, u2 and so on are those that inference makes up
        found, number = plain, 1
        while found in self.values():
            number += 1
            found = f"{plain}_{number}"
        self[name] = found
        return found


def _name(dim: Any, names: _Names) -> None:
    """Give a size the name by which it is shown; one without a number has none."""
    if dim.dim_param in ("?", "-1", "None") or (dim.HasField("dim_value") and dim.dim_value < 0):
        dim.Clear()
    elif dim.dim_param:
        dim.dim_param = names[dim.dim_param]


def _opset(model: Any) -> int:
    """Return the opset of ONNX's own operators."""
    for each in model.opset_import:
        if each.domain in DOMAINS:
            if each.version < 1:
                raise Refusal({"error": f"opset {each.version} does not exist"})
            return int(each.version)
    # Up to IR version 2 there was but one; a model that uses none of these operators names none.
    opset = 1 if model.ir_version < 3 else int(onnx.defs.onnx_opset_version())
    model.opset_import.add(domain="", version=opset)
    return opset


def _refuse_ellipses(graph: Any) -> None:
    """Raise Refusal for an Einsum on which onnx's inference never ends."""
    for node in graph.node:
        for each in node.attribute if node.op_type == "Einsum" else ():
            terms = re.split(rb",|->", each.s) if each.name == "equation" else ()
            if any(term.count(b".") > len("...") for term in terms):
                error = "an Einsum has more than one ellipsis for one operand"
                raise Refusal({"error": error})
        for _, inner in subgraphs(node):
            _refuse_ellipses(inner)


def _required(graph: Any) -> list[Any]:
    """Return the inputs without a default."""
    defaults = {each.name for each in graph.initializer}
    return [value for value in graph.input if value.name not in defaults]


def _open_sizes(graph: Any) -> list[str]:
    names = (dim.dim_param for value in _required(graph) for dim in dims(value.type))
    return [name for name in dict.fromkeys(names) if name]


def _split_given(
    graph: Any, given: Mapping[str, Dims], sizes: frozenset[str]
) -> tuple[dict[str, Dims], dict[str, Sequence[int]]]:
    """Return the values given for inputs, and for sizes; a name of both means the input."""
    inputs = {notation(value.name): value.name for value in reversed(graph.input)}
    inputs |= {name: name for name in inputs.values()}
    of_inputs: dict[str, Dims] = {}
    of_sizes: dict[str, Sequence[int]] = {}
    for name, values in given.items():
        if name in inputs:
            of_inputs[inputs[name]] = values
        elif name in sizes:
            numbers = [size for size in values if isinstance(size, int)]
            if not numbers or len(numbers) < len(values):
                error = f"{name} is a size: give it a number, or several, as in {name}=1,2,7"
                raise Refusal({"error": error})
            of_sizes[name] = numbers
        else:
            known = [notation(value.name) for value in _required(graph)]
            raise Refusal({"unknown": name, "inputs": known, "sizes": _open_sizes(graph)})
    return of_inputs, of_sizes


def _apply_given(
    graph: Any, shapes: Mapping[str, Dims], sizes: Mapping[str, int]
) -> dict[str, Dims]:
    """Set the given shapes, and return those that the file declares for these inputs."""
    for value in (*graph.input, *declarations(graph)):
        for dim in dims(value.type):
            if dim.dim_param in sizes:
                dim.dim_value = sizes[dim.dim_param]
    declared = {}
    for value in graph.input:
        if value.name in shapes:
            if (own := shape(value.type)) is not None:
                declared[value.name] = own
            set_shape(value.type, shapes[value.name])
    for tensor in [each for each in graph.initializer if each.name in shapes]:
        graph.initializer.remove(tensor)  # the default of an input
    return declared


def _remove_declared(graph: Any, *, within: str = "") -> dict[str, Dims]:
    """Remove the shapes that are to be inferred, here and in subgraphs, and return them.

    `within` is the operator of the node that holds the graph.
    """
    declared = {}
    for value in (*graph.value_info, *graph.output):
        if (sizes := shape(value.type)) is not None:
            declared[value.name] = sizes
    del graph.value_info[:]
    # The counter and the condition of a Loop have the rank that its body declares.
    inferred = graph.input[2:] if within == "Loop" else graph.input if within else ()
    for value in (*graph.output, *inferred):
        forget_shape(value.type)
    for node in graph.node:
        for _, inner in subgraphs(node):
            declared |= _remove_declared(inner, within=node.op_type)
    return declared
