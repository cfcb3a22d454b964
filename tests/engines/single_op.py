"""ONNX models of a single operator, and what ONNX Runtime makes of them."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.engines.judging import engine
from tests.engines.questions import Known

np = engine("numpy")
onnx = engine("onnx")

OPSET = 23
"""The first with RMSNormalization."""
IR_VERSION = 10
"""One that every ONNX Runtime of these opsets reads."""


def model(
    op: str,
    dtypes: Sequence[Any],
    shapes: Sequence[Sequence[int | str] | None],
    opset: int = OPSET,
    **attributes: Any,
) -> Any:
    """A model of one operator; an input whose shape is None takes any."""
    types = [onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)) for dtype in dtypes]
    names = [f"input_{number}" for number in range(len(types))]
    inputs = map(onnx.helper.make_tensor_value_info, names, types, shapes)
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node(op, names, ["output"], **attributes)],
        op,
        list(inputs),
        [onnx.ValueInfoProto(name="output")],
    )
    opsets = [onnx.helper.make_opsetid("", opset)]
    return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)


def run(op: str, arrays: Sequence[Any], opset: int = OPSET, **attributes: Any) -> Any:
    """The output of an operator that ONNX Runtime executes; None if it refuses the arrays."""
    dtypes = tuple(array.dtype.name for array in arrays)
    session = _session(op, dtypes, opset, tuple(sorted(attributes.items())))
    names = [given.name for given in session.get_inputs()]
    try:
        [output] = session.run(None, dict(zip(names, arrays, strict=True)))
    except refusals():
        return None
    return output


def result_shape(
    op: str, shapes: Sequence[Known], opset: int = OPSET, **attributes: Any
) -> Known | None:
    """The output's shape, given floats of these shapes; None if ONNX Runtime refuses them."""
    arrays = [np.ones(shape, np.float32) for shape in shapes]
    output = run(op, arrays, opset, **attributes)
    return None if output is None else output.shape


@cache
def _session(
    op: str, dtypes: tuple[str, ...], opset: int, attributes: tuple[tuple[str, Any], ...]
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
