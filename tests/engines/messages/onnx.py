"""What ONNX's shape inference, checker and reference evaluator are asked."""

from typing import Any

from tests.engines import single_op
from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, both, product, refused
from tests.engines.messages.numpy import ones

FRAMEWORK = PACKAGE = "onnx"

onnx = engine("onnx")

_ONNX: dict[str, Any] = {"rules": ("onnx",)}
_FLOATS = ("Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Sum", "Mean", "Mod")
_NAMES = ("", "my_add", "/layers.0/self_attn/Add_1", "onnx::Add_12", "model/dense/BiasAdd:0")


def _infer(op: str, name: str = "", bools: int = 0, **attributes: Any) -> Any:
    def run(*shapes: Shape) -> None:
        dtypes = ["bool"] * bools + ["float32"] * (len(shapes) - bools)
        model = single_op.model(op, dtypes, shapes, **attributes)
        model.graph.node[0].name = name
        onnx.shape_inference.infer_shapes(model, strict_mode=True)

    return run


def _check(op: str) -> Any:
    def run(*shapes: Shape) -> None:
        model = single_op.model(op, ["float32"] * len(shapes), shapes)
        rank = max(map(len, shapes))
        [output] = model.graph.output
        names = [f"d{axis}" for axis in range(rank)]
        output.CopyFrom(onnx.helper.make_tensor_value_info(output.name, 1, names))
        onnx.checker.check_model(model, full_check=True)

    return run


def _evaluate(op: str, **attributes: Any) -> Any:
    def run(*shapes: Shape) -> None:
        model = single_op.model(op, ["float32"] * len(shapes), shapes, **attributes)
        evaluator = engine("onnx.reference").ReferenceEvaluator(model)
        evaluator.run(None, {f"input_{i}": ones(shape) for i, shape in enumerate(shapes)})

    return run


def _expand(a: Shape, b: Shape) -> None:
    """Expand a source to a target that is a constant."""
    helper = onnx.helper
    graph = helper.make_graph(
        [helper.make_node("Expand", ["x", "shape"], ["y"], name="Expand_3")],
        "expand",
        [helper.make_tensor_value_info("x", 1, b)],
        [helper.make_tensor_value_info("y", 1, None)],
        [helper.make_tensor("shape", 7, [len(a)], a)],
    )
    model = helper.make_model(graph)
    onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)


_NAMED: dict[str, Any] = {
    "onnx": onnx,
    "single_op": single_op,
    "infer": _infer,
    "check": _check,
    "evaluate": _evaluate,
}

CASES: tuple[Case, ...] = (
    *(
        both(f"{op} {name}", _infer(op, name), **_ONNX)
        for op, name in zip(_FLOATS, _NAMES * 2, strict=True)
    ),
    both("Max of 3", _infer("Max", "x"), operands=3, **_ONNX),
    both("Where", _infer("Where", "/Where", bools=1), operands=3, **_ONNX),
    both("Add with letters", _infer("Add", "a"), letters=True, **_ONNX),
    both("check Add", _check("Add"), **_ONNX),
    both(
        "evaluate Add", _evaluate("Add"), whole=True, rules=("numpy", "onnx"), frameworks=("numpy",)
    ),
    both(
        "evaluate Mul", _evaluate("Mul"), whole=True, rules=("numpy", "onnx"), frameworks=("numpy",)
    ),
    both("Expand", _expand, rules=("op Expand",), empty=False),
    product("MatMul", _infer("MatMul", "/MatMul_3")),
    product("MatMul with letters", _infer("MatMul"), letters=True),
    product("evaluate MatMul", _evaluate("MatMul"), whole=True, frameworks=("numpy",)),
    both("Gemm", _infer("Gemm", "fc"), exact=(2, 2), rules=("op Gemm",)),
    both("Gemm's C", _infer("Gemm", "fc"), exact=(2, 2, 1), rules=("op Gemm",)),
    *refused("onnx", lambda: _NAMED, tuple),
)

UNWRITTEN: dict[str, str] = {}
