"""What to write instead: in the framework's syntax, matrices as matrices, and nothing huge."""

import json
import re
from pathlib import Path

import pytest

from tests.in_memory import run
from tests.rows import each_row


def tried(*arguments: str) -> list[list[str]]:
    """Return the cells of the lines that say what to try."""
    lines = run([*arguments]).out.splitlines()
    return [re.split(" {2,}", line)[1:] for line in lines if line.startswith("try ")]


# Insert an axis, or more, drop, transpose a matrix, swap the last two, permute, split; two steps.
KINDS = {
    framework: writes.split("; ")
    for line in Path(__file__).with_name("kinds.txt").read_text("utf-8").splitlines()
    for framework, writes in [line.split(": ", 1)]
}
SAME = {"jax": "numpy", "NumPy": "numpy", "PyTorch": "torch", "tf": "tensorflow"}
SAME |= {
    "keras": "tensorflow",
    "tflite": "tensorflow",
    "onnxruntime": "onnx",
    "cupy": "numpy",
    "mlx": "numpy",
}
SAME |= dict.fromkeys(("openvino", "paddle", "tvm", "tinygrad", "pymc", "ndarray"), "others")
QUESTIONS = KINDS.pop("questions")


@pytest.mark.parametrize("framework", [*sorted(KINDS.keys() - {"others"}), *SAME])
def test_in_the_words_of_the_framework(framework: str) -> None:
    """Each kind of change is written as the framework does, or else as shapes, in JSON too."""
    expected = KINDS[SAME.get(framework, framework)]
    for line, write in zip(QUESTIONS, expected, strict=True):
        found = json.loads(run([framework, *line.split(), "--json"]).out)["suggestions"]
        writes = [each["write"] for each in found if each["kind"] != "product"]
        assert writes[0] == write
        assert writes[0] in [cells[0] for cells in tried(framework, *line.split())]


@each_row(
    ("question", "write"),
    [
        ("julia 7,7,3 3,1,1", "reshape(B, 1, 1, 3)"),
        ("julia 2,3 3,2", "permutedims(B, (2, 1))"),
        ("julia 6 2,3", "reshape(A, 2, 3)"),
        ("julia 4,2,2 2,1,1,4", "reshape(permutedims(B, (4, 3, 1, 2)), 4, 1, 2)"),
        ("octave 7,7,3 3,1,1", "reshape B to 1,1,3"),
        ("tosa 2,3 3", "reshape B to 1,3"),
        ("trt 1 scalar", "reshape B to 1"),
        ("none 1 scalar", "numpy.broadcast_to(B, (1,))"),
        ("left 2,3 3", "B[None, :]"),
    ],
)
def test_other_ways_to_write_shapes(question: str, write: str) -> None:
    """Julia counts axes from 1, others take shapes alone, and a rule has NumPy's words."""
    assert write in [cells[0] for cells in tried(*question.split())]


@each_row(
    ("question", "kinds"),
    [
        ("2,3 3,4", ["product"]),
        ("onnx 512,64 64,512", ["product", "permute", "permute"]),
        ("512,64 64,10", ["product"]),
        ("8,1,3,4 8,4,6", ["product"]),
        # No matrix product: a vector, a size of 1, stacks that clash, images of other widths.
        ("64,3 64", ["insert"]),
        ("2,1 1,3 --strict", []),
        ("5,2,3 7,3,4", []),
        ("1,3,32,32 1,3,32,33", []),
        ("onnx-uni 2,3 3,4", []),
    ],
)
def test_matrix_product(question: str, kinds: list[str]) -> None:
    """Where the inner sizes fit, a matrix product goes first."""
    found = json.loads(run([*question.split(), "--json"]).out)["suggestions"]
    assert [each["kind"] for each in found] == kinds
