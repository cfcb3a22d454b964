"""What NumPy is asked."""

import operator
from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, alone, both, other, output, product, target

FRAMEWORK = PACKAGE = "numpy"

np = engine("numpy")


def ones(shape: Shape) -> Any:
    """Return an array of ones."""
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


def _put(a: Shape, b: Shape) -> None:
    np.copyto(ones(a), ones(b))


def _core(name: str, *swapped: int) -> Any:
    return lambda a, b: getattr(np, name)(ones(a), ones(b))


def _ragged(a: Shape) -> None:
    np.array([[1], [1, 2]], float)


def _by_mask(a: Shape, b: Shape) -> None:
    ones(a)[ones(b).astype(bool)]


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
    other("concatenate", lambda a, b: np.concatenate([ones(a), ones(b)]), "concat"),
    other("stack", lambda a, b: np.stack([ones(a), ones(b)]), "concat"),
    other("vstack", lambda a, b: np.vstack([ones(a), ones(b)]), "concat"),
    other("reshape", lambda a, b: ones(a).reshape(b), "reshape"),
    alone("array", _ragged, "ragged"),
    both(
        "optimized einsum",
        lambda a, b: np.einsum("ij,ij->ij", ones(a), ones(b), optimize=True),
        exact=(2, 2),
        frameworks=("numpy", "jax"),
    ),
    other("a[mask]", _by_mask, "index"),
    alone("a[99]", lambda a: ones(a)[99], "index"),
    alone("a[:, :, :, :, 0]", lambda a: ones(a)[:, :, :, :, 0], "index"),
    alone("take", lambda a: np.take(ones(a), 10**6, axis=0), "index"),
    other(
        "solve",
        lambda a, b: np.linalg.solve(ones(a), ones(b)),
        "linear-algebra",
        "equal-shapes",
        ranks=(2,),  # without batch axes, which broadcast
    ),
    alone("inv", lambda a: np.linalg.inv(0 * ones(a)), "linear-algebra"),
    other("average", lambda a, b: np.average(ones(a), weights=ones(b)), "lengths"),
    other("interp", lambda a, b: np.interp(1.0, ones(a), ones(b)), "lengths", ranks=(1,)),
    alone("sum", lambda a: ones(a).sum(axis=7), "index"),
    alone("transpose", lambda a: ones(a).transpose(0, 1, 2)),
    alone("swapaxes", lambda a: ones(a).swapaxes(0, 9), "index"),
    alone("squeeze", lambda a: ones(a).squeeze(0)),
    alone("split", lambda a: np.split(ones(a), 5)),
    alone("empty", lambda a: np.empty((10**6, 10**6, 10**3)), "memory"),
    alone("min", lambda a: np.zeros((0,)).min()),
    alone("bool", lambda a: bool(ones((2, *a)))),
    alone("int", lambda a: int("abc")),
    alone("cast", lambda a: np.add(ones(a), ones(a), out=ones(a).astype(int))),
    alone("unpack", lambda a: operator.add(*a), ranks=(0, 1, 3)),
    other("cross", lambda a, b: np.cross(ones(a), ones(b)), exact=(1, 1)),
    other(
        "assert_array_equal",
        lambda a, b: np.testing.assert_array_equal(ones(a), ones(b)),
        "equal-shapes",
    ),
    other("polyfit", lambda a, b: np.polyfit(ones(a), ones(b), 1), "lengths", ranks=(1,)),
    alone("convolve", lambda a: np.convolve(ones(a), ones(()))),
    alone("frombuffer", lambda a: np.frombuffer(b"12345", np.float32)),
    alone("loadtxt", lambda a: np.load(f"/nowhere/{a}.npy")),
    other("tensordot", lambda a, b: np.tensordot(ones(a), ones(b), 1), "equal-shapes"),
)

UNWRITTEN: dict[str, str] = {
    "elementwise comparison failed": "since NumPy 1.25 the comparison fails as other operators do",
}
"""Words of the messages that its newest release does not write any more, and why."""
