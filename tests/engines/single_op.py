"""ONNX models of a single operator, and what ONNX Runtime makes of them."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.engines.judging import engine

np = engine("numpy")
onnx = engine("onnx")

OPSET = 23
"""The first with RMSNormalization."""
IR_VERSION = 10
"""One that every ONNX Runtime of these opsets reads."""


def model(
    op: str,
    dtypes: Sequence[Any],
    shapes: Sequence[Sequence[int | str | None] | None],
    opset: int = OPSET,
    outputs: int = 1,
    **attributes: Any,
) -> Any:
    """A model of one operator; an input of no type is left out, and one of no shape takes any."""
    names = ["" if dtype is None else f"input_{number}" for number, dtype in enumerate(dtypes)]
    inputs = [
        onnx.helper.make_tensor_value_info(
            name, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape
        )
        for name, dtype, shape in zip(names, dtypes, shapes, strict=True)
        if name
    ]
    made = [f"output_{number}" for number in range(outputs)]
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node(op, names, made, **attributes)],
        op,
        inputs,
        [onnx.ValueInfoProto(name=each) for each in made],
    )
    opsets = [onnx.helper.make_opsetid("", opset)]
    return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)


def expand(given: Sequence[int | str], target: Sequence[int | str]) -> Any:
    """A model of Expand to a target that is a constant."""
    built = model("Expand", ["float32", "int64"], [given, [len(target)]])
    constant = onnx.numpy_helper.from_array(np.array(target, np.int64), "input_1")
    built.graph.initializer.append(constant)
    return built


def run(op: str, arrays: Sequence[Any], opset: int = OPSET, **attributes: Any) -> Any:
    """The first output of an operator that ONNX Runtime executes; None if it refuses the arrays.

    An array that is None is left out. `outputs` is among the attributes.
    """
    dtypes = tuple(None if array is None else array.dtype.name for array in arrays)
    try:
        session = _session(op, dtypes, opset, tuple(sorted(attributes.items())))
        names = [given.name for given in session.get_inputs()]
        given = [array for array in arrays if array is not None]
        output, *_ = session.run(None, dict(zip(names, given, strict=True)))
    except refusals():
        return None
    return output


@cache
def _session(
    op: str, dtypes: tuple[str | None, ...], opset: int, attributes: tuple[tuple[str, Any], ...]
) -> Any:
    return load(model(op, dtypes, [None] * len(dtypes), opset, **dict(attributes)))


def load(built: Any) -> Any:
    """A session of ONNX Runtime that runs a model; it may refuse it."""
    onnxruntime = engine("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # it would log each refusal
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        built.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


@cache
def refusals() -> tuple[type[Exception], ...]:
    """What ONNX Runtime raises where it refuses."""
    state = engine("onnxruntime.capi.onnxruntime_pybind11_state")
    return state.Fail, state.InvalidArgument, state.RuntimeException
