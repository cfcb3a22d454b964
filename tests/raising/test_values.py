"""No code of the program runs, and nothing is named that has changed since the error."""

import ast
import collections
import contextlib
import gc
import sys
import weakref
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import bcastcli
from bcastcli.raising.values import Array, array
from tests.raising.programs import Z, program
from tests.raising.test_answers import explained
from tests.rows import each_row

CALLS: list[str] = []


def called(name: str) -> Any:
    """A method that counts its calls, and has no result of its own."""

    def method(*_: Any) -> Any:
        CALLS.append(name)
        return NotImplemented

    return method


class Meta(type):
    """A class whose comparison, hash and attributes are code of the program."""

    __eq__ = called("metaclass eq")
    __hash__ = called("metaclass hash")

    def __getattribute__(cls, name: str) -> Any:
        CALLS.append(name)
        return super().__getattribute__(name)


class Counts(metaclass=Meta):
    """What NumPy leaves an operation to."""

    __array_ufunc__ = None
    __class__ = property(called("__class__"))
    shape = property(called("shape"))
    __eq__ = __hash__ = __len__ = __iter__ = __repr__ = __getattr__ = called("a method")

    def __getattribute__(self, name: str) -> Any:
        CALLS.append(name)
        return object.__getattribute__(self, name)

    def __rmul__(self, other: Any) -> Any:
        return refuse()


class OwnArray(np.ndarray[Any, Any]):
    """An array whose shape and items are code of the program."""

    shape = property(called("shape"))
    __getitem__ = called("getitem")

    def __array_ufunc__(self, *_: Any, **__: Any) -> Any:
        return refuse()


class Items(list[Any]):
    """A list whose length and items are code of the program."""

    __len__ = __iter__ = __getitem__ = called("a method of a list")


class Keys(dict[Any, Any]):
    """A dictionary whose keys and items are code of the program."""

    __len__ = __iter__ = __getitem__ = __missing__ = called("a method of a dictionary")


def refuse(*_: Any) -> Any:
    """Fail, and count the calls from here on."""
    CALLS.clear()
    raise ValueError("the shape does not match")


@each_row(
    ("other", "shape"),
    [
        (Counts(), None),
        (Z(4).view(OwnArray), (4,)),
        (Items([Z(4)]), None),
        (Keys(a=Z(4)), None),
        (collections.defaultdict(called("made")), None),
        (weakref.proxy(Counts), None),
        (weakref.proxy(type("Gone", (), {})()), None),
    ],
)
def test_no_code_of_the_program_runs(other: Any, shape: Any) -> None:
    """Whatever an operand is, none of its methods is called; the other one is named."""
    w = Z(3)
    is_refused = type(other) in (Counts, OwnArray)
    operands = explained(lambda: w * other if is_refused else refuse(w, other)).operands
    assert CALLS == []
    assert operands.get("w") == (3,)
    assert operands.get("other") == shape


@pytest.mark.parametrize(
    "source",
    [
        "b, a, batch = Z(9), Z(3), [Z(4), Z(4)]\nreturn [b * a for b in batch]",
        "a, b = Z(3), Z(4)\nreturn np.clip(b, a, (b := Z(9))[:3])",
        "many = [Z(9)]\nreturn [(lambda a: a + Z(4))(a[:3]) for a in many]",
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


def test_shape_of_a_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch's guard against `__torch_function__` is on: here a printing option stands for it."""
    guard = SimpleNamespace(DisableTorchFunctionSubclass=lambda: np.printoptions(precision=3))
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(_C=guard))
    read: Any = lambda _, value, owner: (np.get_printoptions()["precision"],)  # noqa: E731
    shape = type("Cached", (), {"__get__": read})()  # it needs the class as well
    found = array(type("Tensor", (), {"shape": shape, "__module__": "torch"})())
    assert found == Array((3,), "torch")
