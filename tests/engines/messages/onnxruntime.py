"""What ONNX Runtime is asked."""

from functools import cache
from typing import Any

from tests.engines import single_op
from tests.engines.messages.given import Case, Shape, both, product, refused
from tests.engines.messages.numpy import np, ones

FRAMEWORK = PACKAGE = "onnxruntime"

_NAMES = ("Add_3", "/layers.0/Add", "onnx::Add_12", "model/dense/BiasAdd:0", "")


@cache
def _session(op: str, name: str, dtypes: tuple[str, ...], attributes: tuple[Any, ...]) -> Any:
    model = single_op.model(op, dtypes, [None] * len(dtypes), **dict(attributes))
    model.graph.node[0].name = name
    return single_op.load(model)


def _run(op: str, name: str = "node", dtypes: tuple[str, ...] = (), **attributes: Any) -> Any:
    def run(*shapes: Shape) -> None:
        kinds = dtypes or ("float32",) * len(shapes)
        session = _session(op, name, kinds, tuple(attributes.items()))
        arrays = [ones(shape).astype(kind) for shape, kind in zip(shapes, kinds, strict=True)]
        session.run(None, {f"input_{i}": array for i, array in enumerate(arrays)})

    return run


def _load(op: str, name: str = "node", **attributes: Any) -> Any:
    """A call that loads a model whose shapes are known."""

    def run(*shapes: Shape) -> None:
        model = single_op.model(op, ["float32"] * len(shapes), shapes, **attributes)
        model.graph.node[0].name = name
        single_op.load(model)

    return run


def _expand(a: Shape, b: Shape) -> None:
    session = _session("Expand", "/Expand_2", ("float32", "int64"), ())
    session.run(None, {"input_0": ones(a), "input_1": np.array(b, np.int64)})


def _reshape(a: Shape, b: Shape) -> None:
    session = _session("Reshape", "/Reshape", ("float32", "int64"), ())
    session.run(None, {"input_0": ones(a), "input_1": np.array(b, np.int64)})


def _gather(a: Shape) -> None:
    session = _session("Gather", "/Gather", ("float32", "int64"), ())
    session.run(None, {"input_0": ones(a), "input_1": np.array([999], np.int64)})


def _wrong_input(a: Shape, b: Shape) -> None:
    session = single_op.load(single_op.model("Relu", ["float32"], [a]))
    session.run(None, {"input_0": ones(b)})


_ONNX = {"rules": ("onnx",)}
_BINARY = ("Add", "Sub", "Mul", "Div", "Pow", "Equal", "Less", "GreaterOrEqual", "Max", "Min")


_NAMED: dict[str, Any] = {
    "run": _run,
    "load": _load,
    "reshape": _reshape,
    "gather": _gather,
    "ones": ones,
    "wrong_input": _wrong_input,
    "session": _session("Relu", "", ("float32",), ()),
}

CASES: tuple[Case, ...] = (
    *(
        both(f"{op} {name}", _run(op, name), **_ONNX)
        for op, name in zip(_BINARY, _NAMES * 2, strict=True)
    ),
    both("And", _run("And", "/And", ("bool", "bool")), **_ONNX),
    both("PRelu", _run("PRelu"), order=lambda a, b: (a, b), rules=("onnx", "onnx-uni", "op PRelu")),
    both("Where", _run("Where", "/Where_4", ("bool", "float32", "float32")), operands=3, **_ONNX),
    both("Sum of 3", _run("Sum", "/Sum"), operands=3, **_ONNX),
    both("Expand", _expand, rules=("op Expand",), empty=False),
    product("MatMul", _run("MatMul", "/MatMul"), exact=(2, 2)),
    product("MatMul of any rank", _run("MatMul", "/MatMul"), empty=False),
    product("MatMul of batches", _run("MatMul", "/MatMul"), exact=(4, 4), empty=False),
    both("Gemm", _run("Gemm", "/fc/Gemm"), exact=(2, 2), rules=("op Gemm",)),
    both(
        "LayerNormalization",
        _run("LayerNormalization", "/ln", axis=-1),
        exact=(3, 1),
        rules=("op LayerNormalization",),
        tells=("shapes",),
        empty=False,
    ),
    both(
        "LayerNormalization with bias",
        _run("LayerNormalization", "/ln", axis=1),
        exact=(2, 1, 1),
        rules=("op LayerNormalization",),
        tells=("shapes",),
        empty=False,
        partly=True,
    ),
    both("load Add", _load("Add", "/load/Add"), frameworks=("onnx",), **_ONNX),
    product("load MatMul", _load("MatMul", "/MatMul_7"), frameworks=("onnx",)),
    *refused("onnxruntime", lambda: _NAMED, tuple),
)

UNWRITTEN: dict[str, str] = {}
