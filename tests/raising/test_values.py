"""No code of the program runs, and nothing is named that has changed since the error."""

import ast
import collections
import contextlib
import gc
import sys
import weakref
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import bcastcli
from bcastcli.raising.values import Array, array, arrays
from tests.raising.programs import Z, program
from tests.raising.test_answers import explained

CALLS: list[str] = []
TRAPS: list[tuple[Callable[[], Any], dict[str, Any]]] = []


def called(name: str) -> None:
    """Count a call of the program's code."""
    CALLS.append(name)


def trap(**shapes: Any) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register a program with what it may show at most."""

    def register(program: Callable[[], Any]) -> Callable[[], Any]:
        TRAPS.append((program, shapes))
        return program

    return register


class Other:
    """What NumPy leaves an operation to, and refuses it."""

    __array_ufunc__ = None

    def __rmul__(self, other: Any) -> Any:
        CALLS.clear()
        raise ValueError("the shape does not match")


def refused(other: Any) -> Any:
    """Fail with one array and something else."""
    w = Z(3)
    return w * other


@trap(w=(3,))
def metaclass() -> Any:
    class Meta(type):
        def __eq__(cls, other: object) -> bool:
            called("metaclass eq")
            return True

        def __hash__(cls) -> int:
            called("metaclass hash")
            return hash(int)

        def __getattribute__(cls, name: str) -> Any:
            if name in ("__mro__", "__name__", "__module__", "shape"):
                called(name)
            return super().__getattribute__(name)

    class Counts(Other, metaclass=Meta): ...

    return refused(Counts())


@trap(w=(3,))
def properties() -> Any:
    class Counts(Other):
        @property
        def shape(self) -> Any:
            called("shape")
            return (9,)

        @property  # type: ignore[misc]  # it may be set
        def __class__(self) -> Any:
            called("__class__")
            return int

        def __getattr__(self, name: str) -> Any:
            called(name)
            raise AttributeError(name)

        def __repr__(self) -> str:
            called("repr")
            raise RuntimeError("no text")

        def __eq__(self, other: object) -> bool:
            called("eq")
            return True

        __hash__ = None  # type: ignore[assignment]
        __str__ = __repr__

    return refused(Counts())


@trap(w=(3,))
def proxy() -> Any:
    class Proxy(Other):
        def __getattribute__(self, name: str) -> Any:
            called(name)
            return object.__getattribute__(self, name)

    return refused(Proxy())


@trap(w=(3,), other=(4,))
def subclass() -> Any:
    class Counts(np.ndarray[Any, Any]):
        @property  # type: ignore[misc]  # as that
        def shape(self) -> Any:
            called("shape")
            return (9,)

        def __getitem__(self, key: Any) -> Any:
            called("getitem")
            return super().__getitem__(key)

    w, other = Z(3), Z(4).view(Counts)
    CALLS.clear()
    return w * other


@trap(w=(3,))
def containers() -> Any:
    class Items(list[Any]):
        def __len__(self) -> int:
            called("len")
            return 2

        def __iter__(self) -> Iterator[Any]:
            called("iter")
            return super().__iter__()

    class Keys(dict[Any, Any]):
        def __missing__(self, key: Any) -> Any:
            called("missing")
            return Z(4)

    made: Any = collections.defaultdict(lambda: called("made"))

    def refuse(*_: Any) -> None:
        CALLS.clear()
        raise ValueError("the shape does not match")

    w, items, keys = Z(3), Items([Z(4)]), Keys(a=Z(4))
    refuse(w, items, keys, made)


@trap(a=(3,))
def dead_proxy() -> Any:
    class Gone:
        pass

    gone = Gone()
    a, proxy = Z(3), weakref.proxy(gone)

    def refuse(a: Any, proxy: Any) -> None:
        raise ValueError("the shape does not match")

    del gone
    refuse(a, proxy)


@pytest.mark.parametrize(
    "source",
    [
        "b, a, batch = Z(9), Z(3), [Z(4), Z(4)]\nreturn [b * a for b in batch]",
        "a, b = Z(3), Z(4)\nreturn np.clip(b, a, (b := Z(9))[:3])",
    ],
)
def test_nothing_of_another_time(source: str) -> None:
    """What still is as it was is named, and nothing has the shape that its name has elsewhere."""
    operands = explained(program(source)).operands
    assert operands.get("a") == (3,)
    assert (9,) not in operands.values()


@pytest.mark.parametrize("is_running", [True, False])
def test_nothing_is_kept(is_running: bool) -> None:
    """After an explanation the objects go when their frames let go of them, or the error does."""

    def fails() -> None:
        held: Any = Z(4).view(type("Held", (np.ndarray,), {}))
        watched.append(weakref.ref(held))
        try:
            Z(3) * held
        except ValueError as error:
            assert bcastcli.explain(error)  # noqa: PT017  # raises would keep the error
            if not is_running:
                raise
        del held
        assert watched[0]() is None

    watched: list[Any] = []
    gc.disable()
    try:
        with contextlib.suppress(ValueError):
            fails()
        assert watched[0]() is None
    finally:
        gc.enable()


def test_no_program_is_kept() -> None:
    """After an explanation a program goes, and so does the tree of its source."""

    def trees() -> int:
        return sum(type(each) is ast.Module for each in gc.get_objects())

    run, before = program("Z(3) + Z(4)"), trees()
    code = weakref.ref(run.__code__)
    assert explained(run).operands == {"Z(3)": (3,), "Z(4)": (4,)}
    del run
    gc.collect()
    assert (code(), trees()) == (None, before)


def test_what_a_program_keeps() -> None:
    """The dictionary that a program has by `locals()` stays as it is."""

    def fails() -> None:
        a = Z(3)
        kept.append(locals())
        a + Z(4)

    kept: list[dict[str, Any]] = []
    assert explained(fails).operands["a"] == kept[0]["a"].shape == (3,)


def test_sizes_of_a_library() -> None:
    """A size may be a number of the library's own."""
    size = type("Dimension", (), {"__index__": lambda _: 3, "__module__": "tensorflow"})
    shape = property(lambda _: (size(), 4))
    found = array(type("Tensor", (), {"shape": shape, "__module__": "tensorflow"})())
    assert found is not None
    assert found.shape == (3, 4)


def test_shape_of_a_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch's guard against `__torch_function__` is on: here a printing option stands for it."""
    guard = SimpleNamespace(DisableTorchFunctionSubclass=lambda: np.printoptions(precision=3))
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(_C=guard))
    shape = property(lambda _: (np.get_printoptions()["precision"],))
    found = array(type("Tensor", (), {"shape": shape, "__module__": "torch"})())
    assert found == Array((3,), "torch")


def test_many_operands() -> None:
    """Of many operands the first are shown."""
    names = ", ".join(f"v[{n}]" for n in range(14))
    found = explained(program(f"v = [Z(n) for n in range(14)]\nreturn np.stack([{names}])"))
    assert [*found.operands] == [f"v[{n}]" for n in range(12)]


def test_a_huge_list() -> None:
    """Of a long list the first items alone are looked at."""
    rows: Any = [Z(3), Z(4), *([0.0] * 1_000_000)]
    with pytest.raises(ValueError, match="shape") as raised:
        np.stack(rows)
    found = bcastcli.explain(raised.value)
    assert found is not None
    assert found.operands == {"rows[0]": (3,), "rows[1]": (4,)}


def test_what_a_tuple_holds_is_no_list_of_numbers() -> None:
    """The lists in a list are arrays as they are; those in a tuple are sizes, or the like."""
    assert [name for name, _ in arrays("x", [[1, 2], [3]], 2)] == ["x[0]", "x[1]"]
    assert [name for name, _ in arrays("x", ([1, 2], Z(3)), 2)] == ["x[1]"]
