"""What MLX is asked."""

from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, alone, both, other, product

FRAMEWORK = "mlx"
PACKAGE = "mlx.core"


def _mx() -> Any:
    return engine("mlx.core")


def _ones(shape: Shape) -> Any:
    return _mx().ones(shape)


def _elementwise(name: str, operands: int = 2, **facts: Any) -> Case:
    def call(*shapes: Shape) -> None:
        getattr(_mx(), name)(*map(_ones, shapes))

    return both(name, call, operands=operands, **facts)


def _matrices(a: Shape, b: Shape) -> tuple[Shape, Shape]:
    """Return operands of a product, vectors with another axis, as MLX shows them."""
    return (a if len(a) > 1 else (1, *a)), (b if len(b) > 1 else (*b, 1))


def _assign(a: Shape, b: Shape) -> None:
    _ones(a)[...] = _ones(b)


def _addmm(goal: Shape, bias: Shape) -> None:
    _mx().addmm(_ones(bias), _ones((goal[0], 3)), _ones((3, goal[1])))


_EITHER: dict[str, Any] = {"rules": ("numpy", "onnx-uni"), "partly": True, "empty": False}
"""MLX writes most of its messages to targets in the words of operands that both stretch."""


def without_leading_ones(shape: Shape) -> Shape:
    """The shape of a value that is assigned, as MLX shows it."""
    first = next((place for place, size in enumerate(shape) if size != 1), len(shape))
    return tuple(shape[first:])


CASES: tuple[Case, ...] = (
    *map(_elementwise, ("add", "subtract", "multiply", "divide", "power", "maximum", "equal")),
    both("+", lambda a, b: _ones(a) + _ones(b)),
    _elementwise("where", 3, partly=True),
    both(
        "broadcast_arrays",
        lambda *shapes: _mx().broadcast_arrays(*map(_ones, shapes)),
        operands=3,
        partly=True,
    ),
    both("broadcast_to", lambda a, b: _mx().broadcast_to(_ones(b), a), **_EITHER),
    both("a[...] = b", _assign, order=lambda a, b: (a, without_leading_ones(b)), **_EITHER),
    both("addmm", _addmm, exact=(2, 2), **_EITHER),
    product("matmul", lambda a, b: _mx().matmul(_ones(a), _ones(b)), order=_matrices),
    product("@", lambda a, b: _ones(a) @ _ones(b), exact=(2, 2)),
    other("concatenate", lambda a, b: _mx().concatenate([_ones(a), _ones(b)]), "concat"),
    other("stack", lambda a, b: _mx().stack([_ones(a), _ones(b)]), "concat", "equal-shapes"),
    other("reshape", lambda a, b: _ones(a).reshape(b), "reshape"),
    alone("transpose", lambda a: _ones(a).transpose(0, 1, 2)),
    alone("sum", lambda a: _ones(a).sum(axis=7), "index"),
    alone("split", lambda a: _mx().split(_ones(a), 5)),
    alone("a[:, :, :, :, 0]", lambda a: _ones(a)[:, :, :, :, 0], "index"),
    both(
        "einsum",
        lambda a, b: _mx().einsum("ij,ij->ij", _ones(a), _ones(b)),
        exact=(2, 2),
        order=lambda a, b: (b, a),
    ),
    other(
        "einsum's ranks", lambda a, b: _mx().einsum("ij,ij->ij", _ones(a), _ones(b)), ranks=(1, 3)
    ),
    other("conv", lambda a, b: _mx().conv2d(_ones(a), _ones(b)), "convolution", exact=(4, 4)),
    alone("item", lambda a: _ones((2, *a)).item()),
    alone("squeeze", lambda a: _ones(a).squeeze(0)),
)

UNWRITTEN: dict[str, str] = {}
