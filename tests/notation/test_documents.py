"""The documents' examples in the documents' own notation (notation/documents.py)."""

import json
from pathlib import Path
from typing import Any

import pytest

from bcastcli.notation.documents import as_typed
from tests.in_memory import run
from tests.rows import each_row

CASES = Path(__file__).parents[1] / "cases" / "documents.jsonl"
EXAMPLES = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


def onnx(case: dict[str, Any]) -> tuple[str, str]:
    """An item of ONNX's lists, and the same with another result."""
    a, b, result = (tuple_of(shape) for shape in (*case["shapes"], case["result"]))
    scalar = " i.e. B is a scalar" if not case["shapes"][1] else ""
    start = f"- shape(A) = {a}, shape(B) = {b},{scalar} ==> shape(result) = "
    return f"{start}{result}", f"{start}(7,)"


def openvino(case: dict[str, Any]) -> tuple[str, str]:
    """Three lines of OpenVINO's lists, and the same with another result."""
    a, b, result = map(shape_of, (*case["shapes"], case["result"] or []))
    axis = f" with axis = {case['axis']}" if "axis" in case else ""
    if axis.endswith("-1"):
        axis = " with axis=-1(default) or axis=2"
    stated = result if case["ok"] else "broadcast won't happen due to dimensions mismatch"
    start = f"* ``A: {a}``\n  \n  ``B: {b.replace('(', '(   ', 1)}{axis}``\n  \n  ``Result: "
    return f"{start}{stated}``", f"{start}Shape(7)``"


def ncnn(case: dict[str, Any]) -> tuple[str, str]:
    """A row of ncnn's table, and the same with another result."""
    a, b, result = ([*map(str, shape)] for shape in (*case["shapes"], case["result"]))
    second = f"[{','.join(b)}]" if b else "scalar / [1]"
    start = f"| |[{','.join(a)}]|{second}|"
    return f"{start}[{','.join(result)}]| | |", f"{start}[7]| | |"


def tuple_of(shape: list[int]) -> str:
    return str(tuple(shape)) if shape else "(,)"


def shape_of(shape: list[int]) -> str:
    return f"Shape({', '.join(map(str, shape))})" if shape else "Shape(,) -> scalar"


WRITTEN = {"onnx": onnx, "onnx-uni": onnx, "ncnn": ncnn}


@pytest.mark.parametrize("rule", ["onnx", "onnx-uni", "numpy", "pdpd", "bidirectional", "ncnn"])
def test_as_it_stands(rule: str) -> None:
    """An example is answered as it states, from arguments and on a line; check expects that."""
    cases = [case for case in EXAMPLES if case["rule"] == rule]
    assert cases
    for case in cases:
        right, wrong = WRITTEN.get(rule, openvino)(case)
        answered = run([rule, "--json", right])
        assert json.loads(answered.out)["result"] == case["result"], right
        on_a_line = " ".join(right.replace("`", "").split())
        assert json.loads(run([rule, "--json"], on_a_line.encode()).out)["result"] == case["result"]
        assert run(["check"], f"{rule} {on_a_line}".encode()).status == 0, on_a_line
        on_a_line = " ".join(wrong.replace("`", "").split())
        checked = run(["check"], f"{rule} {on_a_line}".encode())
        assert (checked.status, ", got " in checked.out) == (1, True), on_a_line


@each_row(
    "line",
    [
        "2,3 3",
        "A=2,3 B=3",
        "torch.Size([2, 3]) (3,)",
        "TensorShape([2, 3]) x=(3,)",
        "(2, 3) -> (3,)",
    ],
)
def test_other_lines_stay(line: str) -> None:
    """What is no example of a document is left as it is."""
    assert as_typed(line) == line


def test_the_mark_of_an_error() -> None:
    """What is wrong is marked where it stands in the example."""
    ended = run(["A: Shape(2, 3) B: Shape(3 3) Result: Shape(2, 3)"])
    assert ended.status == 2
    assert ended.err.splitlines()[2].index("^") == 2 + len("A: Shape(2, 3) B: Shape(")
