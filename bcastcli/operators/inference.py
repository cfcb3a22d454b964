"""Result shapes by onnx's shape inference, for the operators that this package does not compute.

onnx is imported at the first such question only. What the inference would divide by, or what it
would allocate, is checked before: it may end the process.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from bcastcli.core.rule import Options, Value, whole
from bcastcli.core.shapes import UNKNOWN, Shape, Size
from bcastcli.operators.table import OperatorError

_LARGEST = 2**31
"""From here on, products of sizes overflow in the inference."""
_MOST_OUTPUTS = 10_000
_AT_LEAST_ONE = frozenset(
    (
        *("blocksize", "block_shape", "dilations", "group", "kernel_shape", "num_groups"),
        *("num_outputs", "offset_group", "output_height", "output_width", "pooled_shape"),
        *("strides", "frame_step", "frame_length", "max_gram_length", "dft_length"),
        *("num_mel_bins", "hidden_size", "num_heads", "q_num_heads", "kv_num_heads"),
    )
)
"""Attributes and values of which no number may be below 1."""
_AT_LEAST_ZERO = frozenset(
    (
        *(
            "batch_dims",
            "block_size",
            "image_shape",
            "output_padding",
            "output_shape",
            "repeats",
            "size",
        ),
        *("sizes", "split", "sample_size", "k"),
    )
)
"""Those of which no number may be negative."""
_SHAPES = {"ConstantOfShape": "input", "CenterCropPad": "shape", "RandomNormal": "shape"} | {
    "RandomUniform": "shape"
}
"""The names of further sizes, by operator."""
_MAY_BE_NEGATIVE = {"EyeLike": "k", "Trilu": "k"}
_TYPES = ("float", "int64", "bool", "uint8", "int8", "int32", "string")
"""The types of inputs, the preferred ones first."""
_VECTORS = ("K",)
"""Inputs of one number that have an axis."""
_DTYPE_ATTRIBUTES = ("to", "dtype")


class Inferred(NamedTuple):
    """What onnx's inference says of inputs."""

    outputs: Sequence[Shape | None] = ()
    """The shapes of the outputs; None where the number of axes is unknown."""
    refusal: str = ""
    """Why it refuses the inputs."""
    unknown: Sequence[str] = ()
    """The inputs that it takes as values, and that were not given."""


def infer(
    operator: str, opset: int | None, inputs: Mapping[str, Shape], options: Options
) -> Inferred:
    """The output shapes of an operator, of inputs by their names.

    `options` are its attributes, and the inputs that are given as values. Raise OperatorError where
    onnx is not installed, and for attributes that are missing or impossible.
    """
    _refuse_sizes(operator, inputs, options)
    try:
        import onnx
        from onnx import shape_inference
    except ImportError as error:
        text = f"to compute {operator}: pip install 'bcastcli[onnx]'"
        raise OperatorError(text) from error
    schema = _schema(operator, opset)
    node, types, data = _parts(schema, inputs, options)
    newest = onnx.defs.onnx_opset_version()
    imports = [onnx.helper.make_opsetid("", min(opset or newest, newest))]
    try:
        found = shape_inference.infer_node_outputs(schema, node, types, data, opset_imports=imports)
        if not any(map(_shape, found.values())):  # a function, whose body alone has a result
            found = _by_body(node, types, data, imports)
    except (
        shape_inference.InferenceError,
        onnx.checker.ValidationError,
        ValueError,  # of an element type that does not exist
    ) as error:
        text = str(error).removeprefix("[ShapeInferenceError] ")
        return Inferred(refusal=" ".join(text.split()))
    unknown = [name for name in node.input if name and name not in inputs and name not in data]
    return Inferred([_shape(found.get(name)) for name in node.output], unknown=unknown)


def _by_body(
    node: Any, types: Mapping[str, Any], data: Mapping[str, Any], imports: Sequence[Any]
) -> dict[str, Any]:
    """The types of a node's outputs, by the inference of a model that has no other node."""
    from onnx import helper, shape_inference

    inputs = [
        helper.make_value_info(name, each) for name, each in types.items() if name not in data
    ]
    outputs = [helper.make_empty_tensor_value_info(name) for name in node.output]
    graph = helper.make_graph([node], "", inputs, outputs, [*data.values()])
    model = helper.make_model(graph, opset_imports=imports)
    made = shape_inference.infer_shapes(model, strict_mode=True)
    return {each.name: each.type for each in made.graph.output}


def _refuse_sizes(operator: str, inputs: Mapping[str, Shape], options: Options) -> None:
    """Raise OperatorError for numbers with which the inference may end the process."""
    sizes = [size for shape in inputs.values() for size in shape if isinstance(size, int)]
    if max(sizes, default=0) >= _LARGEST:
        raise OperatorError(f"{operator} takes sizes below {_LARGEST}")
    for name, value in options.items():
        numbers = value if isinstance(value, tuple) else (value,)
        whole = [each for each in numbers if isinstance(each, int | float)]
        least = -_LARGEST
        if name in _AT_LEAST_ONE:
            least = 1
        elif name in _AT_LEAST_ZERO or _SHAPES.get(operator) == name:
            least = 0
        if _MAY_BE_NEGATIVE.get(operator) == name:
            least = -_LARGEST
        most = _MOST_OUTPUTS if name == "num_outputs" else _LARGEST
        if whole and min(whole) < least:
            raise OperatorError(f"{name} must be at least {least}", name)
        if whole and max(whole) >= most:
            raise OperatorError(f"{name} must be below {most}", name)
    scales = options.get("scales")
    if isinstance(scales, str) and min(_floats(scales)) <= 0:
        raise OperatorError("scales must be above 0", "scales")
    if operator == "Range" and options.get("delta") == 0:
        raise OperatorError("delta must not be 0", "delta")


@cache
def _schema(operator: str, opset: int | None) -> Any:
    """The schema that counts in an opset; the newest one that is not deprecated if it is None."""
    from onnx import defs

    newest = defs.onnx_opset_version()
    if opset is None:
        schema = defs.get_schema(operator, newest, "")
        while schema.deprecated:
            schema = defs.get_schema(operator, schema.since_version - 1, "")
        return schema
    schema = defs.get_schema(operator, min(opset, newest), "")
    if schema.deprecated:
        text = f"{operator} was removed in opset {schema.since_version}"
        raise OperatorError(text, "opset")
    return schema


def _parts(
    schema: Any, inputs: Mapping[str, Shape], options: Options
) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """The node, the types of its inputs, and the values of those that are known."""
    import onnx

    left = dict(options)
    attributes = dict(_attributes(schema, left))
    types: dict[str, Any] = {}
    data: dict[str, Any] = {}
    names: list[str] = []
    chosen: dict[str, int] = {}
    for formal in schema.inputs:
        key = next((name for name in left if name.lower() == formal.name.lower()), None)
        shape = inputs.get(formal.name)
        is_optional = formal.option == onnx.defs.OpSchema.FormalParameterOption.Optional
        if key is None and shape is None and is_optional:
            names.append("")
            continue
        names.append(formal.name)
        elem = _element_type(formal, chosen, is_value=shape is None)
        types[formal.name] = _type(elem, shape)
        if key is not None:
            value = left.pop(key)
            listed = _numbers(value)
            is_scalar = isinstance(value, int) and formal.name not in _VECTORS
            dims = [] if is_scalar else [len(listed)]
            types[formal.name] = _type(elem, tuple(dims))
            data[formal.name] = onnx.helper.make_tensor(formal.name, elem, dims, listed)
    while names and not names[-1]:
        names.pop()
    for name in left:
        raise OperatorError(f"{schema.name} takes no {name} in opset {schema.since_version}", name)
    outputs = [f"output_{number}" for number in range(_output_count(schema, options))]
    node = onnx.helper.make_node(schema.name, names, outputs, **attributes)
    return node, types, data


def _attributes(schema: Any, left: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Take the attributes from what is left of the options; raise OperatorError if one lacks."""
    import onnx

    takes_floats = onnx.defs.OpSchema.AttrType.FLOATS
    for name, each in schema.attributes.items():
        if name in left:
            value = left.pop(name)
            yield name, _floats(value) if each.type == takes_floats else value
        elif each.required and name in _DTYPE_ATTRIBUTES:
            yield name, onnx.TensorProto.FLOAT
        elif each.required:
            raise OperatorError(f"{schema.name} needs {name}=")


def _numbers(value: Value) -> Sequence[float]:
    """The numbers of a value; several of them that are no whole ones were kept as typed."""
    if isinstance(value, str):
        return _floats(value)
    return value if isinstance(value, tuple) else [whole(value)]


def _floats(typed: str) -> list[float]:
    return [float(number) for number in typed.rstrip(",").split(",")]


def _element_type(formal: Any, chosen: dict[str, int], *, is_value: bool) -> int:
    """The element type of an input, the same for all inputs that must agree."""
    import onnx

    first = ("int64", *_TYPES) if is_value else _TYPES
    allowed = {each[len("tensor(") : -1] for each in formal.types}
    if formal.type_str not in chosen:
        name = next((each for each in first if each in allowed), min(allowed))
        chosen[formal.type_str] = onnx.TensorProto.DataType.Value(name.upper())
    return chosen[formal.type_str]


def _type(elem: int, shape: Shape | None) -> Any:
    """The type of a tensor; a size without a name is open, and so is a shape that is None."""
    import onnx

    dims = None if shape is None else [None if size == UNKNOWN else size for size in shape]
    return onnx.helper.make_tensor_type_proto(elem, dims)


def _output_count(schema: Any, options: Options) -> int:
    """How many outputs the node has: as few as possible, or all where each may be left out."""
    if schema.name != "Split":
        return int(schema.min_output or schema.max_output)
    parts = options.get("split")
    count = options.get("num_outputs", len(parts) if isinstance(parts, tuple) else 1)
    return count if isinstance(count, int) and count > 0 else 1


def _shape(found: Any) -> Shape | None:
    """The shape of a type; None where the number of axes is unknown."""
    if found is None or not found.tensor_type.HasField("shape"):
        return None
    return tuple(_size(each) for each in found.tensor_type.shape.dim)


def _size(dim: Any) -> Size:
    if dim.HasField("dim_value"):
        return int(dim.dim_value)
    return str(dim.dim_param) or UNKNOWN
