"""What OpenVINO is asked, by models of several exporters."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, both, product, refused, target
from tests.engines.messages.numpy import np, ones

FRAMEWORK = PACKAGE = "openvino"

_OF_PYTORCH = ("x", "onnx::Mul_1660")
_OF_TENSORFLOW = ("x:0", "model/dense/BiasAdd/ReadVariableOp:0")
_OF_FRONTENDS = ("aten::add/Add", "self.encoder.layers.0[1]")


@cache
def _ops() -> Any:
    return engine("openvino").opset13


def _parameter(shape: Sequence[int | str], name: str | None = None) -> Any:
    dimensions = [-1 if isinstance(size, str) else size for size in shape]
    given = _ops().parameter(dimensions, np.float32)
    if name is not None:
        given.set_friendly_name(name)
        given.output(0).set_names({name})
    return given


def _binary(op: str, mode: str = "NUMPY", names: tuple[str | None, ...] = (None, None)) -> Any:
    def run(a: Shape, b: Shape) -> None:
        given = [_parameter(shape, name) for shape, name in zip((a, b), names, strict=True)]
        getattr(_ops(), op)(*given, auto_broadcast=mode)

    return run


def _select(c: Shape, a: Shape, b: Shape) -> None:
    condition = _ops().parameter(list(c), np.bool_)
    _ops().select(condition, _parameter(a), _parameter(b))


def _broadcast(mode: str) -> Any:
    def run(a: Shape, b: Shape) -> None:
        goal = _ops().constant(np.array(a, np.int64))
        _ops().broadcast(_parameter(b, "x:0"), goal, broadcast_spec=mode)

    return run


def _multiply(names: tuple[str, str]) -> Any:
    def run(a: Shape, b: Shape) -> None:
        _ops().matmul(_parameter(a, names[0]), _parameter(b, names[1]), False, False)

    return run


def _imported(op: str, names: tuple[str, ...]) -> Any:
    """A call that reads an ONNX model whose inputs have these names."""

    def run(*shapes: Shape) -> None:
        helper = engine("onnx").helper
        inputs = [
            helper.make_tensor_value_info(name, 1, shape)
            for name, shape in zip(names, shapes, strict=True)
        ]
        node = helper.make_node(op, list(names), ["y"], name=f"/{op}_1")
        results = [helper.make_tensor_value_info("y", 1, None)]
        graph = helper.make_graph([node], "g", inputs, results)
        opsets = [helper.make_opsetid("", 17)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
        _core().read_model(model.SerializeToString())

    return run


def _reshaped(a: Shape, b: Shape) -> None:
    openvino = engine("openvino")
    x, y = _parameter([-1] * len(a), "x"), _parameter([-1] * len(b), "y")
    model = openvino.Model([_ops().add(x, y)], [x, y])
    model.reshape({"x": list(a), "y": list(b)})


@cache
def _core() -> Any:
    return engine("openvino").Core()


def _compile(op: str, ranks: Sequence[int]) -> Any:
    """A model of one operator whose inputs take any sizes."""
    openvino = engine("openvino")
    given = [_parameter([-1] * rank, f"x{place}:0") for place, rank in enumerate(ranks)]
    made = getattr(_ops(), op)(*given, *((False, False) if op == "matmul" else ()))
    return _core().compile_model(openvino.Model([made], given), "CPU")


def _run(op: str) -> Any:
    """A call that runs an operator; one that ran before tells of earlier shapes."""

    def run(*shapes: Shape) -> None:
        _compile(op, [len(shape) for shape in shapes])([ones(shape) for shape in shapes])

    return run


def _wrong_input(a: Shape, b: Shape) -> None:
    openvino = engine("openvino")
    x = _parameter(a, "x")
    compiled = _core().compile_model(openvino.Model([_ops().relu(x)], [x]), "CPU")
    compiled([ones(b)])


def _labels(names: tuple[str, ...]) -> Any:
    return lambda *shapes: names


_NO_EMPTY: dict[str, Any] = {"empty": False}


def _names() -> dict[str, Any]:
    found = {"ops": _ops(), "par": _parameter, "core": _core(), "imported": _imported}
    return {**found, "wrong_input": _wrong_input}


CASES: tuple[Case, ...] = (
    *(
        both(op, _binary(op), **_NO_EMPTY)
        for op in ("add", "subtract", "multiply", "divide", "maximum", "power", "less")
    ),
    both(
        "of PyTorch",
        _binary("multiply", names=_OF_PYTORCH),
        labels=_labels(_OF_PYTORCH),
        **_NO_EMPTY,
    ),
    both(
        "of TensorFlow",
        _binary("add", names=_OF_TENSORFLOW),
        labels=_labels(_OF_TENSORFLOW),
        **_NO_EMPTY,
    ),
    both(
        "of a frontend",
        _binary("add", names=_OF_FRONTENDS),
        labels=_labels(_OF_FRONTENDS),
        **_NO_EMPTY,
    ),
    both("with letters", _binary("add"), letters=True, **_NO_EMPTY),
    both("PDPD", _binary("add", "PDPD"), rules=("numpy", "pdpd"), **_NO_EMPTY),
    both("NONE", _binary("add", "NONE"), rules=("none",), **_NO_EMPTY),
    both("select", _select, operands=3, **_NO_EMPTY),
    both("imported Add", _imported("Add", ("x", "onnx::Add_12")), **_NO_EMPTY),
    both("imported Mul", _imported("Mul", ("x:0", "y:0")), **_NO_EMPTY),
    product("imported MatMul", _imported("MatMul", ("x", "onnx::MatMul_9")), **_NO_EMPTY),
    both("reshaped", _reshaped, **_NO_EMPTY),
    both("run add", _run("add"), ranks=(1, 2, 3), is_slow=True),
    both("run multiply", _run("multiply"), ranks=(1, 2, 3), is_slow=True),
    product("run matmul", _run("matmul"), exact=(2, 2), is_slow=True, **_NO_EMPTY),
    target("broadcast", _broadcast("NUMPY"), ranks=(1, 2, 3), **_NO_EMPTY),
    both(
        "bidirectional",
        _broadcast("BIDIRECTIONAL"),
        ranks=(1, 2, 3),
        rules=("bidirectional",),
        order=lambda a, b: (b, a),
        **_NO_EMPTY,
    ),
    product("matmul", _multiply(("x", "y")), **_NO_EMPTY),
    product(
        "matmul of batches",
        lambda a, b: _multiply(("x", "y"))((*a, 2, 3), (*b, 3, 2)),
        order=lambda a, b: ((*a, 2, 3), (*b, 3, 2)),
        exact=(1, 1),
        **_NO_EMPTY,
    ),
    product("matmul of PyTorch", _multiply(_OF_PYTORCH), **_NO_EMPTY),
    product("matmul of TensorFlow", _multiply(_OF_TENSORFLOW), **_NO_EMPTY),
    *refused("openvino", _names, tuple),
)

UNWRITTEN: dict[str, str] = {
    "node->get_input_partial_shape": "earlier releases wrote it of ONNX models",
}
