"""What JAX is asked."""

from functools import cache
from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, both, product, refused, target
from tests.engines.messages.numpy import ones

FRAMEWORK = "jax"
PACKAGE = "jax.numpy"


@cache
def _jnp() -> Any:
    return engine("jax.numpy")


def _jax() -> Any:
    return engine("jax")


def _ones(shape: Shape) -> Any:
    return _jnp().asarray(ones(shape))


def _elementwise(name: str, operands: int = 2, **facts: Any) -> Case:
    def call(*shapes: Shape) -> None:
        jax = _jax()
        given = [jax.ShapeDtypeStruct(shape, "float32") for shape in shapes]
        jax.eval_shape(getattr(_jnp(), name), *given)

    return both(name, call, operands=operands, **facts)


def _symbolic(shapes: tuple[Shape, ...]) -> list[Any]:
    """What stands for arrays some of whose sizes are names, in one scope."""
    jax = _jax()
    scope = jax.export.SymbolicScope()
    return [
        jax.ShapeDtypeStruct(
            jax.export.symbolic_shape(",".join(map(str, shape)), scope=scope), "float32"
        )
        for shape in shapes
    ]


def _exported(call: Any) -> Any:
    def run(*shapes: Shape) -> None:
        _jax().eval_shape(call, *_symbolic(shapes))

    return run


def _strict(a: Shape, b: Shape) -> None:
    with _jax().numpy_rank_promotion("raise"):
        _ones(a) + _ones(b)


def _lax(name: str) -> Any:
    return lambda *shapes: getattr(_jax().lax, name)(*map(_ones, shapes))


_TWO = (
    *("add", "subtract", "multiply", "divide", "power", "maximum", "minimum", "equal", "less"),
    *("logical_and", "arctan2", "fmod", "logaddexp"),
)


_OF_ARRAYS: tuple[Case, ...] = (
    both("+", lambda a, b: _ones(a) + _ones(b)),
    both("broadcast_shapes", lambda *shapes: _jnp().broadcast_shapes(*shapes), operands=3),
    both("broadcast_arrays", lambda *s: _jnp().broadcast_arrays(*map(_ones, s)), operands=3),
    both("jit", lambda a, b: _jax().jit(lambda x, y: x * y)(_ones(a), _ones(b))),
    both("grad", lambda a, b: _jax().grad(lambda x: (x - _ones(b)).sum())(_ones(a))),
    both("eval_shape", _exported(lambda x, y: x + y), letters=True, empty=False),
    both(
        "eval_shape where",
        _exported(lambda x, y, z: _jnp().where(x > 0, y, z)),
        letters=True,
        empty=False,
        operands=3,
        partly=True,
    ),
    both("rank promotion", _strict, rules=("numpy", "same-rank")),
    target("broadcast_to", lambda a, b: _jnp().broadcast_to(_ones(b), a)),
    target("at set", lambda a, b: _ones(a).at[...].set(_ones(b))),
    target("at add", lambda a, b: _ones((3, *a)).at[0].add(_ones(b))),
    target("full", lambda a, b: _jnp().full(a, _ones(b))),
    product("matmul", lambda a, b: _jnp().matmul(_ones(a), _ones(b))),
    product(
        "matmul of batches",
        lambda a, b: _jnp().matmul(_ones((*a, 2, 3)), _ones((*b, 3, 2))),
        order=lambda a, b: ((*a, 2, 3), (*b, 3, 2)),
        exact=(1, 1),
    ),
    product("@", lambda a, b: _ones(a) @ _ones(b)),
    product("dot", lambda a, b: _jnp().dot(_ones(a), _ones(b)), exact=(2, 2)),
    product("inner", lambda a, b: _jnp().inner(_ones(a), _ones(b)), exact=(1, 1)),
    product("dot of 1", lambda a, b: _jnp().dot(_ones(a), _ones(b)), exact=(1, 1)),
    both("lax.add of equal rank", _lax("add"), exact=(2, 2), rules=("numpy", "none")),
    both(
        "einsum's sizes",
        lambda a, b: _jnp().einsum("ij,ij->ij", _ones(a), _ones(b)),
        exact=(2, 2),
        frameworks=("numpy", "jax"),
    ),
    product("lax.dot", _lax("dot"), exact=(2, 2)),
    *refused("jax", lambda: {"jax": _jax(), "jnp": _jnp(), "lax": _jax().lax}, _ones),
)
"""What JAX compiles, which takes long, where it accepts the shapes."""

CASES: tuple[Case, ...] = (
    *map(_elementwise, _TWO),
    _elementwise("where", 3, partly=True),
    _elementwise("clip", 3, partly=True),
    _elementwise("copysign", partly=True),
    _elementwise("hypot", partly=True),
    *(case._replace(is_slow=True) for case in _OF_ARRAYS),
)

UNWRITTEN: dict[str, str] = {
    "Incompatible shapes for matmul": "JAX 0.4 and before",
}
"""Words of the messages that its newest release does not write any more, and why."""
