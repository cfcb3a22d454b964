"""`bcastcli.explain` of an exception: the operands by the user's names, and the answer."""

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import bcastcli
from tests.raising import programs
from tests.raising.programs import Z
from tests.rows import each_row


def failed(program: Callable[[], Any]) -> BaseException:
    """The error that ends a program; what stands for a framework has no frames, as one in C."""
    with pytest.raises(BaseException) as raised:  # noqa: PT011  # any that it raises
        program()
    trace = raised.value.__traceback__
    while trace is not None and trace.tb_next is not None:
        if trace.tb_next.tb_frame.f_code.co_filename == programs.__file__:
            trace.tb_next = None
        trace = trace.tb_next
    return raised.value


def explained(program: Callable[[], Any]) -> bcastcli.Explanation:
    """Return the explanation of the error that ends a program."""
    found = bcastcli.explain(failed(program))
    assert found is not None
    return found


def test_an_array_with_itself() -> None:
    """Operands of one name are the first and the second, as they stand."""
    a = Z((4, 6))
    assert str(explained(lambda: a @ a)).startswith("mismatch: A 4,6 has 6 on axis 1")


def test_answer() -> None:
    """The answer is that of the rule for the operands, with the user's names and the place."""

    def scale(rows: Any, weights: Any) -> Any:
        return rows * weights

    found = explained(lambda: scale(Z((3, 4)), Z(3)))
    assert found.reason == "rows has 4 and weights has 3 on axis 1 (-1), and neither is 1"
    assert [each.write for each in found.suggestions] == ["weights[:, None]"]
    rows, kernel = Z((6, 5)), Z((5, 4))
    turned = explained(lambda: rows @ kernel.T).suggestions
    assert [each.write for each in turned] == ["kernel"]
    assert found.answer is not None
    assert found.answer.operands == {"rows": (3, 4), "weights": (3,)}
    assert found.where is not None
    assert (Path(found.where.file).name, found.where.function) == ("test_answers.py", "scale")
    assert found.where.source == "rows * weights"
    assert found.to_dict()["where"]["line"] == found.where.line
    assert repr(found).endswith(f"{found}>")
    assert str(found) == f"mismatch: {found.reason}"


OWN = ModuleType("own")
OWN.square = lambda mask: np.where(mask)[0]  # type: ignore[attr-defined]  # as a program has it
MASK = np.array([[True, False, True], [False, False, True]])


@each_row(
    "made",
    [
        lambda: np.where(MASK)[0] + Z(7),
        lambda: np.arange(0, 10, 2) + Z(7),
        lambda: np.where(MASK, Z(3), 1.0) + Z(7),
        lambda: np.zeros(shape=(2, 3)) + Z(7),
        lambda: np.sum(MASK, axis=0, keepdims=True) + Z(7),
        lambda: MASK.reshape(-1, 2).T + Z(7),
        lambda: np.stack([Z(2), Z(2)], axis=-1) + Z(7),
        lambda: np.expand_dims(Z(3), 0) + Z(7),
        lambda: np.vstack([Z(3), Z(3)]) + Z(7),
        lambda: OWN.square(MASK) + Z(7),
        lambda: np.squeeze(Z((1, 3)), 0) + Z(7),
    ],
)
def test_what_a_call_gives_is_worked_out_rightly_or_not_at_all(made: Callable[[], Any]) -> None:
    """The shape that is shown for a call is the one that the message has, or none is shown."""
    with pytest.raises(ValueError, match="broadcast") as caught:
        made()
    found = bcastcli.explain(caught.value)
    assert found is not None
    [*_, left, _] = re.findall(r"\([0-9,]*\)", str(caught.value))
    true = tuple(int(size) for size in left.strip("()").split(",") if size)
    [shape] = [each for name, each in found.operands.items() if name not in ("Z(7)", "MASK")][:1]
    assert shape in (None, true)


def test_operator_without_a_message() -> None:
    """Where the message is not known, an operator that refuses the shapes is the answer."""

    class Refusing(np.ndarray[Any, Any]):
        def __array_ufunc__(self, *_: Any, **__: Any) -> Any:
            raise ValueError("the shapes differ in a way that nobody knows")

    left, right = Z((2, 3)), Z(4).view(Refusing)
    found = explained(lambda: left * right)
    assert (found.operands, found.answer) == ({"left": (2, 3), "right": (4,)}, None)
    assert str(found) == "left: 2,3, right: 4"


def test_message_that_does_not_agree() -> None:
    """A message whose shapes are not those of the operands is answered without them."""

    def reject(x: Any, y: Any) -> Any:
        raise ValueError("operands could not be broadcast together with shapes (7,8) (9,)")

    x, y = Z((2, 3)), Z(4)
    found = explained(lambda: reject(x, y))
    assert found.operands == {}
    assert found.reason == "A has 8 and B has 9 on axis 1 (-1), and neither is 1"


@pytest.mark.parametrize(
    "program",
    [
        lambda: {"x": Z(3)}["y"],
        lambda: 1 / 0,
        lambda: getattr(Z(3), "nothing"),  # noqa: B009  # types refuse it
        lambda: Path("/nowhere/at/all").read_text("utf-8"),
        lambda: int("no number"),
    ],
)
def test_other_errors(program: Callable[[], Any]) -> None:
    """Nothing is said of an error that is not about shapes."""
    assert bcastcli.explain(failed(program)) is None


def test_without_source() -> None:
    """Where there is no source, the operands are those that the bytecode loads."""
    names: dict[str, Any] = {"a": Z(3), "b": SimpleNamespace(w=Z(4))}
    code = compile("c = (a *\n  b.w)", "<nowhere>", "exec")
    found = explained(lambda: exec(code, names))
    assert found.operands == {"a": (3,), "b.w": (4,)}
    assert found.where is not None
    assert (found.where.function, found.where.source) == ("", "")


def test_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """With BCASTCLI_RAISE=0 only the text of the message is read."""
    monkeypatch.setenv("BCASTCLI_RAISE", "0")
    found = explained(lambda: Z((2, 3)) + Z(4))
    assert found.where is None
