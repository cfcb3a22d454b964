"""Result shapes by onnx's shape inference, for the operators that this package does not compute.

onnx is imported at the first such question only. What the inference would divide by, or what it
would allocate, is checked before: it may end the process.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bcastcli.core.rule import Options, Value, whole
from bcastcli.core.shapes import UNKNOWN, Shape
from bcastcli.core.wording import joined_with_and
from bcastcli.operators.facts import Clash, Dims, Refused
from bcastcli.operators.table import AT_THE_END, OperatorError, signatures

_LARGEST = 2**31
"""From here on, products of sizes overflow in the inference."""
_MOST_OUTPUTS = 10_000
_TYPES = ("float", "int64", "bool", "uint8", "int8", "int32", "string")
"""The types of inputs, the preferred ones first."""
_VECTORS = ("K",)
"""Inputs of one number that have an axis."""
_DTYPE_ATTRIBUTES = ("to", "dtype")


def infer(
    operator: str, opset: int | None, inputs: Mapping[str, Dims], options: Options
) -> Sequence[Shape | None]:
    """The output shapes of an operator, of inputs by their names; None for an unknown rank.

    `options` are its attributes, and the inputs that are given as values. Raise Refused where onnx
    refuses the inputs, and OperatorError where it is not installed, and for attributes and values
    that are missing or impossible.
    """
    _refuse_sizes(operator, inputs, options)
    try:
        import onnx
        from onnx import shape_inference
    except ImportError as error:
        text = f"to compute {operator}: pip install 'bcastcli[onnx]'"
        raise OperatorError(text, AT_THE_END) from error
    newest = onnx.defs.onnx_opset_version()
    schema = onnx.defs.get_schema(operator, min(opset or newest, newest), "")
    model, unknown = _model(schema, inputs, options)
    try:
        found = shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    # ValueError: a number that is no element type, such as to=0.
    except (shape_inference.InferenceError, onnx.checker.ValidationError, ValueError) as error:
        text = " ".join(str(error).rpartition("InferenceError] ")[2].split())
        raise Refused(Clash(f"onnx refuses this: {text}")) from error
    outputs = [_shape(each.type) for each in found.graph.output]
    if operator == "GroupNormalization":  # onnx checks it, and infers nothing
        outputs = [tuple(inputs["X"])]
    if outputs[0] is None and unknown:
        give = joined_with_and([f"{name.lower()}=" for name in unknown])
        text = f"how many axes the result of {operator} has depends on values: give {give}"
        raise OperatorError(text, AT_THE_END)
    has_names = any(isinstance(size, str) for shape in inputs.values() for size in shape)
    if outputs[0] is None and not has_names:
        raise Refused(Clash("onnx has no result for inputs of these ranks"))
    if any(isinstance(size, int) and size < 0 for size in outputs[0] or ()):
        raise Refused(Clash("the result would have a negative size"))
    return outputs


def _refuse_sizes(operator: str, inputs: Mapping[str, Dims], options: Options) -> None:
    """Raise OperatorError for numbers with which the inference may end the process."""
    sizes = [size for shape in inputs.values() for size in shape if isinstance(size, int)]
    if max(sizes, default=0) >= _LARGEST:
        raise OperatorError(f"{operator} takes sizes below {_LARGEST}", AT_THE_END)
    for name, value in options.items():
        numbers = value if isinstance(value, tuple) else (value,)
        whole = [each for each in numbers if isinstance(each, int)]
        least = signatures()[operator].least.get(name, -_LARGEST)
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


def _model(schema: Any, inputs: Mapping[str, Dims], options: Options) -> tuple[Any, Sequence[str]]:
    """A model of one node, and the inputs that it takes as values and that are not given."""
    from onnx import defs, helper

    left = dict(options)
    attributes = dict(_attributes(schema, left))
    names, given, values, unknown = [], [], [], []
    chosen: dict[str, int] = {}
    for formal in schema.inputs:
        name, shape = formal.name, inputs.get(formal.name)
        key = next((each for each in left if each.lower() == name.lower()), None)
        is_optional = formal.option == defs.OpSchema.FormalParameterOption.Optional
        if key is None and shape is None and is_optional:
            names.append("")
            continue
        names.append(name)
        element = _element_type(formal, chosen, is_value=shape is None)
        if key is not None:
            values.append(_tensor(name, element, left.pop(key)))
            continue
        if shape is None:
            unknown.append(name)
        # Unknown sizes are open, and so is a shape that is None.
        dims = [size if isinstance(size, int) else None for size in shape or ()]
        typed = helper.make_tensor_value_info(name, element, None if shape is None else dims)
        given.append(typed)
    for name in left:
        raise OperatorError(f"{schema.name} takes no {name} in opset {schema.since_version}", name)
    while names and not names[-1]:
        names.pop()
    made = [f"output_{number}" for number in range(_output_count(schema, options))]
    node = helper.make_node(schema.name, names, made, **attributes)
    outputs = [helper.make_empty_tensor_value_info(name) for name in made]
    graph = helper.make_graph([node], "", given, outputs, values)
    opset = helper.make_opsetid("", schema.since_version)
    return helper.make_model(graph, opset_imports=[opset]), unknown


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
            raise OperatorError(f"{schema.name} needs {name}=", AT_THE_END)
        elif each.default_value.type:  # the inference of some operators has another default
            yield name, onnx.helper.get_attribute_value(each.default_value)


def _tensor(name: str, element: int, value: Value) -> Any:
    """The value of an input; several numbers that are no whole ones were kept as typed."""
    from onnx import helper

    numbers = _floats(value) if isinstance(value, str) else value
    if isinstance(numbers, tuple | list):
        return helper.make_tensor(name, element, [len(numbers)], numbers)
    dims = [1] if name in _VECTORS else []
    return helper.make_tensor(name, element, dims, [whole(numbers)])


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


def _output_count(schema: Any, options: Options) -> int:
    """How many outputs the node has: as few as possible, or all where each may be left out."""
    if schema.name != "Split":
        return int(schema.min_output or schema.max_output)
    parts = options.get("split")
    count = options.get("num_outputs", len(parts) if isinstance(parts, tuple) else 1)
    return max(whole(count), 1)


def _shape(found: Any) -> Shape | None:
    """The shape of a type; None where the number of axes is unknown."""
    if not found.tensor_type.HasField("shape"):
        return None
    dims = found.tensor_type.shape.dim
    return tuple([int(each.dim_value) if each.HasField("dim_value") else UNKNOWN for each in dims])
