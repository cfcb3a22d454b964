"""A model prepared for inference: with the user's values, without the shapes it declares."""

import re
from collections.abc import Mapping, Sequence
from keyword import iskeyword
from typing import Any, NamedTuple

import onnx
import onnx.inliner

from bcastcli.models.inference.protos import (
    DOMAINS,
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
    declared: Mapping[str, Dims]
    """The shapes that the file declares for values other than inputs."""
    outputs: frozenset[str]
    """The names of the model's outputs."""
    given: Mapping[str, Dims]
    """The shapes of inputs that the user gives."""
    replaced: Mapping[str, Dims]
    """The shapes that the file declares for these."""


def prepare(data: bytes, given: Mapping[str, Sequence[Any]]) -> Prepared:
    """Return the model with the given shapes and sizes set; raise Refusal if it cannot be read."""
    try:
        model = onnx.ModelProto.FromString(data)
    except MemoryError:
        raise
    except Exception as error:
        raise Refusal({"error": "this is not an ONNX model, or it is damaged"}) from error
    names_no_opset = not any(each.domain in DOMAINS for each in model.opset_import)
    opset = _opset(model)
    newest = onnx.defs.onnx_opset_version()
    if opset > newest:
        for each in model.opset_import:
            each.version = newest if each.domain in DOMAINS else each.version
    if model.functions:
        try:
            model = onnx.inliner.inline_local_functions(model)
        except MemoryError:
            raise
        except Exception as error:
            raise Refusal({"error": "its local functions cannot be inlined"}) from error
    _refuse_ellipses(model.graph)
    names = _Names()
    for value in (*model.graph.input, *declarations(model.graph)):
        for dim in dims(value.type):
            _name(dim, names)
    shapes, sizes = _split_given(model.graph, given, frozenset(names.values()))
    replaced = _apply_given(model.graph, shapes, sizes)
    return Prepared(
        proto=model,
        opset=opset,
        names_no_opset=names_no_opset,
        newest_opset=newest if opset > newest else None,
        sizes=[name for name in _open_sizes(model.graph) if name not in sizes],
        declared=_remove_declared(model.graph, is_within=False),
        outputs=frozenset(value.name for value in model.graph.output),
        given=shapes,
        replaced=replaced,
    )


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
    graph: Any, given: Mapping[str, Sequence[Any]], sizes: frozenset[str]
) -> tuple[dict[str, Dims], dict[str, int]]:
    """Return the values given for inputs, and for sizes; a name of both means the input."""
    inputs = {notation(value.name): value.name for value in reversed(graph.input)}
    inputs |= {name: name for name in inputs.values()}
    of_inputs = {}
    of_sizes = {}
    for name, (sizes_given, size) in given.items():
        if name in inputs:
            of_inputs[inputs[name]] = sizes_given
        elif name in sizes and size is not None:
            of_sizes[name] = size
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


def _remove_declared(graph: Any, *, is_within: bool) -> dict[str, Dims]:
    """Remove the shapes that are to be inferred, here and in subgraphs, and return them."""
    declared = {}
    for value in (*graph.value_info, *graph.output):
        if (sizes := shape(value.type)) is not None:
            declared[value.name] = sizes
    del graph.value_info[:]
    for value in (*graph.output, *(graph.input if is_within else ())):
        forget_shape(value.type)
    for node in graph.node:
        for _, inner in subgraphs(node):
            declared |= _remove_declared(inner, is_within=True)
    return declared
