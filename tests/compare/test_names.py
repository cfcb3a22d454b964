"""compare/command.py: rules chosen by the names of frameworks."""

import pytest

from tests.in_memory import run


def test_names_as_typed() -> None:
    """Rules chosen by a framework's name keep it, in the table and in each sentence on them."""
    out = run(["compare", "--rules", "openvino,trt,torch", "N,3", "3"]).out
    assert [row.split()[0] for row in out.splitlines()[2:5]] == ["openvino", "torch", "trt"]
    assert "mismatch  trt: A N,3 has 2 axes" in out
    assert "gives N,3 like openvino, torch" in out
    assert out.endswith("differ: openvino, torch N,3; trt mismatch\n")


@pytest.mark.parametrize("line", ["Add 1,4,8 8", "1,4,8 8"])
def test_a_note_on_a_framework(line: str) -> None:
    """TensorRT reads an ONNX model with operands of any ranks: a note by its name says so."""
    note = "TensorRT: its ONNX parser adds leading axes; only its layer API needs equal ranks"
    for form in ("table", "json"):
        assert note in run(["compare", "--rules", "onnx,tensorrt", "-f", form], line.encode()).out
