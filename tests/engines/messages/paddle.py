"""What PaddlePaddle is asked."""

from functools import cache
from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, alone, both, other, output, product, target

FRAMEWORK = PACKAGE = "paddle"


@cache
def _paddle() -> Any:
    return engine("paddle")


def _ones(shape: Shape) -> Any:
    return _paddle().ones(list(shape))


def _call(name: str, *shapes: Shape) -> Any:
    return getattr(_paddle(), name)(*map(_ones, shapes))


def _elementwise(name: str, operands: int = 2, **facts: Any) -> Case:
    return both(name, lambda *shapes: _call(name, *shapes), operands=operands, **facts)


def _in_place(name: str) -> Case:
    return output(name, lambda a, b: getattr(_ones(a), name)(_ones(b)))


def _static(call: Any) -> Any:
    """A call that builds a static program; a name is an unknown size."""

    def run(*shapes: Shape) -> None:
        paddle = _paddle()
        paddle.enable_static()
        try:
            with paddle.static.program_guard(paddle.static.Program()):
                known = [[-1 if isinstance(s, str) else s for s in shape] for shape in shapes]
                named = zip("xyz", known, strict=False)
                call(*(paddle.static.data(name, shape, "float32") for name, shape in named))
        finally:
            paddle.disable_static()

    return run


def _assign(a: Shape, b: Shape) -> None:
    _ones(a)[...] = _ones(b)


def _layer(make: Any) -> Any:
    return lambda shape: make(_paddle().nn)(_ones(shape))


_TWO = (
    *("add", "subtract", "multiply", "divide", "pow", "maximum", "minimum", "less_than"),
    *("equal", "fmax", "remainder", "logical_and", "atan2"),
)

CASES: tuple[Case, ...] = (
    *(_elementwise(name) for name in _TWO),
    both("+", lambda a, b: _ones(a) + _ones(b)),
    both(
        "where",
        lambda c, a, b: _paddle().where(_ones(c) > 0, _ones(a), _ones(b)),
        operands=3,
        partly=True,
    ),
    _elementwise("lerp", 3, partly=True),
    both("broadcast_shape", lambda a, b: _paddle().broadcast_shape(list(a), list(b))),
    both(
        "broadcast_tensors",
        lambda a, b: _paddle().broadcast_tensors([_ones(a), _ones(b)]),
        order=lambda a, b: (b, a),
        ranks=(1, 2, 3),
    ),
    both("static", _static(lambda a, b: a + b), letters=True, ranks=(1, 2, 3, 4)),
    both(
        "static maximum",
        _static(lambda a, b: _paddle().maximum(a, b)),
        letters=True,
        ranks=(1, 2, 3, 4),
    ),
    _in_place("add_"),
    _in_place("multiply_"),
    target("expand", lambda a, b: _ones(b).expand(list(a)), ranks=(1, 2, 3, 4)),
    target(
        "broadcast_to", lambda a, b: _paddle().broadcast_to(_ones(b), list(a)), ranks=(1, 2, 3, 4)
    ),
    target("expand_as", lambda a, b: _ones(b).expand_as(_ones(a)), ranks=(1, 2, 3)),
    product("matmul", lambda a, b: _call("matmul", a, b)),
    product("matmul of batches", lambda a, b: _call("matmul", a, b), exact=(3, 3)),
    product("@", lambda a, b: _ones(a) @ _ones(b), exact=(2, 2)),
    product("mm", lambda a, b: _call("mm", a, b), exact=(2, 2)),
    product("static matmul", _static(lambda a, b: a @ b), exact=(2, 2)),
    target("a[...] = b", _assign, ranks=(1, 2, 3), faults=("equal-shapes",)),
    product("bmm", lambda a, b: _call("bmm", a, b), exact=(3, 3)),
    product("mv", lambda a, b: _call("mv", a, b), exact=(2, 1)),
    Case("dot", lambda a, b: _call("dot", a, b), ("none",), exact=(1, 1)),
    both(
        "einsum",
        lambda a, b: _paddle().einsum("ij,ij->ij", _ones(a), _ones(b)),
        exact=(2, 2),
        rules=("numpy",),
    ),
    other("concat", lambda a, b: _paddle().concat([_ones(a), _ones(b)]), "concat"),
    other("stack", lambda a, b: _paddle().stack([_ones(a), _ones(b)]), "concat"),
    other("reshape", lambda a, b: _ones(a).reshape(list(b)), "reshape"),
    alone("transpose", lambda a: _ones(a).transpose([0, 1, 2])),
    alone("gather", lambda a: _ones(a).sum(axis=7)),
    alone("squeeze", lambda a: _ones(a).split(5)),
    alone("BatchNorm1D", _layer(lambda nn: nn.BatchNorm1D(99)), "layer-input", ranks=(2, 3)),
    alone("Conv2D", _layer(lambda nn: nn.Conv2D(99, 3, 1)), "convolution", ranks=(4,)),
    alone("LayerNorm", _layer(lambda nn: nn.LayerNorm(99)), "layer-input"),
    other(
        "cross_entropy",
        lambda a, b: _paddle().nn.functional.cross_entropy(_ones(a), _ones(b).astype("int64")),
        "loss",
        "lengths",
    ),
    other(
        "bce", lambda a, b: _paddle().nn.functional.binary_cross_entropy(_ones(a), _ones(b)), "loss"
    ),
    alone("cond", lambda a: _paddle().linalg.cholesky(-_ones(a)), "linear-algebra", ranks=(2,)),
    alone("load", lambda a: _paddle().load(f"/nowhere/{a}.pdparams")),
    alone("item", lambda a: _ones((2, *a)).item(9999999), "index"),
)

UNWRITTEN: dict[str, str] = {
    "x_dims": "Paddle 1",
    "The size of tensor x": "the operators check the shapes before",
    "Y'dims": "matmul checks the shapes before",
}
"""Words of the messages that its newest release does not write any more, and why."""
