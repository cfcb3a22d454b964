"""`bcastcli.explain` of an exception: the operands by the user's names, and the answer."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import bcastcli
from bcastcli.raising.report import text
from tests.raising import programs
from tests.raising.programs import Z


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


def test_line_of_a_message_alone() -> None:
    """Where only the message has the operands, no variables stand for the line."""
    x = Z((3, 4))
    record = json.loads(text(failed(lambda: x[[0, 1], [0, 1, 2]]), "json", None))
    assert record["operands"] == [{"name": "A", "shape": [2]}, {"name": "B", "shape": [3]}]
    sources = record["origin"]["source"], record["where"]["source"]
    assert sources == (None, "x[[0, 1], [0, 1, 2]]")


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
