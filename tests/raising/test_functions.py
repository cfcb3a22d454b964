"""What a function of a library asks of its operands: said where it is certain, else not."""

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

import bcastcli
from tests.raising.programs import Z
from tests.raising.test_answers import explained
from tests.rows import each_row

A, B, V = Z((2, 3)), Z((3, 4)), Z(4)


def fail(text: str) -> Callable[..., Any]:
    """Return a function that fails with a message."""

    def concatenate(*_: Any, **__: Any) -> Any:
        raise ValueError(text)

    return concatenate


class Own(np.ndarray[Any, Any]):
    """An array with rules of its own."""

    def __array_function__(self, *_: Any, **__: Any) -> Any:
        """Join nothing."""
        raise ValueError("the shapes do not match")


OWN = Z((2, 3)).view(Own)
concatenate = fail("the shapes do not match")


@each_row(
    "program",
    [
        lambda: concatenate([A, B]),
        lambda: np.concatenate([OWN, B]),
        lambda: np.concatenate([A, fail("the shapes do not match")(B)]),
        lambda: np.concatenate([A, B], axis=None, dtype="expect"),
        lambda: np.concatenate([A, *map(np.copy, [B])]),
        lambda: np.concatenate([A, B], axis=int("1")),
        lambda: A.reshape(*map(int, "42")),
    ],
)
def test_what_is_not_certain(program: Callable[[], Any]) -> None:
    """A function of the program, an array with rules of its own, or an unknown value: no claim.

    What the message itself says, with its own names, may be said.
    """
    try:
        program()
    except (ValueError, TypeError) as error:
        found = bcastcli.explain(error)
    own = ("array 0 has", "the array has")
    assert found is None or found.reason is None or any(each in found.reason for each in own)


def test_arguments_are_not_called() -> None:
    """A tuple of the program's own class is read without its methods."""

    class Sizes(tuple[int, ...]):
        __iter__ = __len__ = fail("called")

    target = Sizes((4, 2))
    found = explained(lambda: A.reshape(target))
    assert found.reason == "A has 6 elements, but the target 4,2 has 8"


def test_a_value_that_has_changed() -> None:
    """Where a message has another axis than the call by now, it alone is believed."""

    def fails(sizes: list[int], axes: list[int]) -> None:
        try:
            A.reshape(sizes) if sizes else np.concatenate([A, B], axis=axes[0])
        except ValueError:
            sizes.reverse()
            axes.reverse()
            raise

    filled = explained(lambda: fails([4, 2], [])).reason
    assert str(filled).startswith("the array has 6 elements, which do not fill 4,2")
    joined = explained(lambda: fails([], [1, 0])).reason
    assert str(joined).startswith("array 0 has 2 and array 1 has 3 on axis 0")


@each_row("name", ["Embedding", "Linear", "ReLU", "LayerNorm"])
def test_results(name: str, monkeypatch: Any) -> None:
    """The shape that a layer of PyTorch returns follows from its input and its weight."""
    result = {"Embedding": (2, 3, 3), "Linear": (2, 4)}.get(name, (2, 3))
    layer = type(name, (), {"__call__": lambda *_: Z(result), "weight": Z((4, 3))})()
    torch = SimpleNamespace(nn=SimpleNamespace(**{name: type(layer)}))
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert explained(lambda: layer(A).reshape(7)).operands["layer(A)"] == result
