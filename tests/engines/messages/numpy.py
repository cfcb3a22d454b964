"""What NumPy is asked."""

import operator
from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, both, output, product, refused, target

FRAMEWORK = PACKAGE = "numpy"

np = engine("numpy")


def ones(shape: Shape) -> Any:
    """An array of ones."""
    return np.ones(shape, np.float32)


def _elementwise(name: str, operands: int = 2) -> Case:
    return both(name, lambda *shapes: getattr(np, name)(*map(ones, shapes)), operands=operands)


def _add_in_place(a: Shape, b: Shape) -> None:
    array = ones(a)
    array += ones(b)


def _out(goal: Shape, a: Shape, b: Shape) -> None:
    np.add(ones(a), ones(b), out=ones(goal))


def _assign(a: Shape, b: Shape) -> None:
    ones(a)[...] = ones(b)


def _by_index(a: Shape, b: Shape) -> None:
    np.zeros((8, 8))[np.zeros(a, int), np.zeros(b, int)]


def _to_index(a: Shape, b: Shape) -> None:
    np.zeros(a)[np.arange(a[0])] = ones(b)


def _add_at(a: Shape, b: Shape) -> None:
    np.add.at(ones(a), np.arange(a[0]), ones(b))


def _put(a: Shape, b: Shape) -> None:
    np.copyto(ones(a), ones(b))


def _core(name: str, *swapped: int) -> Any:
    return lambda a, b: getattr(np, name)(ones(a), ones(b))


_TWO = (
    *("add", "subtract", "multiply", "divide", "power", "maximum", "minimum", "equal", "less"),
    *("logical_and", "arctan2", "hypot", "copysign", "fmod", "isclose", "allclose", "ldexp"),
)


CASES: tuple[Case, ...] = (
    *(_elementwise(name) for name in _TWO if name != "ldexp"),
    both("+", lambda a, b: ones(a) + ones(b)),
    both("vectorize", lambda a, b: np.vectorize(lambda x, y: x + y)(ones(a), ones(b)), empty=False),
    _elementwise("where", 3),
    _elementwise("clip", 3),
    both("broadcast", lambda *shapes: np.broadcast(*map(ones, shapes)), operands=3),
    both("broadcast_arrays", lambda *shapes: np.broadcast_arrays(*map(ones, shapes)), operands=3),
    both("broadcast_shapes", np.broadcast_shapes, operands=3),
    both("ma.where", lambda a, b: np.ma.array(ones(a)) + np.ma.array(ones(b))),
    both("normal", lambda a, b: np.random.default_rng(1).normal(ones(a), ones(b))),
    both("select", lambda a, b: np.select([ones(a) > 0], [ones(b)])),
    both("a[i, j]", _by_index),
    both(
        "a[np.ix_]", lambda a, b: np.ravel_multi_index((np.zeros(a, int), np.zeros(b, int)), (3, 3))
    ),
    output("+=", _add_in_place),
    output("out=", _out, operands=3, partly=True),
    target("broadcast_to", lambda a, b: np.broadcast_to(ones(b), a)),
    target("a[...] = b", _assign),
    target("a[index] = b", _to_index, ranks=(1, 2, 3), empty=False),
    target("copyto", _put),
    target("add.at", _add_at, ranks=(1, 2, 3), empty=False),
    target("repeat", lambda a, b: np.repeat(ones(a), np.ones(b, int)), exact=(1, 1), empty=False),
    target("full", lambda a, b: np.full(a, ones(b))),
    product("matmul", _core("matmul")),
    product("@", lambda a, b: ones(a) @ ones(b)),
    product("matmul of a scalar", _core("matmul"), exact=(0, 2)),
    product("dot", _core("dot"), exact=(2, 2)),
    product("dot of 3", _core("dot"), exact=(3, 2)),
    product("vecdot", _core("vecdot"), exact=(1, 1)),
    product("matvec", _core("matvec"), exact=(2, 1)),
    product("inner", _core("inner"), exact=(1, 1)),
    product("inner of 2", _core("inner"), exact=(2, 2), order=lambda a, b: (a, b[::-1])),
    both(
        "einsum",
        lambda a, b: np.einsum("ij,jk->ik", ones(a), ones(b)),
        exact=(2, 2),
        order=lambda a, b: ((a[0], 1, a[1]), b[::-1]),
    ),
    both(
        "optimized einsum",
        lambda a, b: np.einsum("ij,ij->ij", ones(a), ones(b), optimize=True),
        exact=(2, 2),
        frameworks=("numpy", "jax"),
    ),
    *refused("numpy", lambda: {"np": np, "operator": operator}, ones),
)

UNWRITTEN: dict[str, str] = {}
