"""What Core ML's tools are asked."""

from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, alone, both, product

FRAMEWORK = "coreml"
PACKAGE = "coremltools"


def _built(op: str, **options: Any) -> Any:
    """A call that builds a program of one operator."""

    def run(*shapes: Shape) -> None:
        builder = engine("coremltools.converters.mil").Builder
        specs = [builder.TensorSpec(shape) for shape in shapes]

        def program(x: Any, y: Any) -> Any:
            return getattr(builder, op)(x=x, y=y, **options)

        builder.program(input_specs=specs)(program)

    return run


def _one(op: str, **options: Any) -> Any:
    def run(shape: Shape) -> None:
        builder = engine("coremltools.converters.mil").Builder
        specs = [builder.TensorSpec(shape)]
        builder.program(input_specs=specs)(lambda x: getattr(builder, op)(x=x, **options))

    return run


_SIZES: dict[str, Any] = {"empty": False, "ranks": (1, 2, 3)}

CASES: tuple[Case, ...] = (
    *(both(op, _built(op), **_SIZES) for op in ("add", "mul", "sub", "maximum", "less")),
    product("matmul", _built("matmul"), exact=(2, 2), empty=False),
    alone("reshape", _one("reshape", shape=[5, 17]), "reshape", **_SIZES),
    alone("transpose", _one("transpose", perm=[0, 1, 2]), **_SIZES),
)

UNWRITTEN: dict[str, str] = {}
