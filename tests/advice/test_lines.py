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
ASKED = KINDS.pop("asked")


@pytest.mark.parametrize("framework", [*sorted(KINDS.keys() - {"others"}), *SAME])
def test_in_the_words_of_the_framework(framework: str) -> None:
    """Each kind of change is written as the framework does, or else as shapes, in JSON too."""
    expected = KINDS[SAME.get(framework, framework)]
    for line, write in zip(ASKED, expected, strict=True):
        found = json.loads(run([framework, *line.split(), "--json"]).out)["suggestions"]
        writes = [each["write"] for each in found if each["kind"] != "product"]
        assert writes[0] == write
        assert writes[0] in [cells[0] for cells in tried(framework, *line.split())]


@each_row(
    ("asked", "write"),
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
def test_other_ways_to_write_shapes(asked: str, write: str) -> None:
    """Julia counts axes from 1, others take shapes alone, and a rule has NumPy's words."""
    assert write in [cells[0] for cells in tried(*asked.split())]


def test_plain_has_no_advice() -> None:
    """Under -p and in streams nothing is added to standard output, whatever the verdict."""
    for asked, status in (("32,1 32", 0), ("N,C,H,W C", 3), ("8,12,128,128 8,128", 1)):
        plain = run(["torch", "-p", *asked.split()])
        assert plain.status == status
        assert plain.out.count("\n") == 1
        assert run(["torch"], asked.encode()).out == plain.out
        in_stream = json.loads(run(["torch", "--json"], asked.encode()).out)
        assert "suggestions" not in in_stream
        assert "sizes" not in {note["kind"] for note in in_stream["notes"]}


@each_row(
    ("asked", "kinds"),
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
def test_matrix_product(asked: str, kinds: list[str]) -> None:
    """Where the inner sizes fit, a matrix product goes first."""
    found = json.loads(run([*asked.split(), "--json"]).out)["suggestions"]
    assert [each["kind"] for each in found] == kinds


@each_row(
    ("asked", "colored"),
    [
        ("8,3,4 8,3,5", ["4", "5", "!"]),
        ("3,4 5 1", ["4", "5", "!"]),
        ("onnx-uni 2,1 2,3", ["1", "3", "!"]),
        ("none 2,1 2,3", ["1", "3", "!"]),
        ("op MatMul 2,3 4,5", ["3", "4", "!"]),
        ("2,3 3", []),
    ],
)
def test_the_sizes_that_clash_are_colored(asked: str, colored: list[str]) -> None:
    """What is red is the sizes that clash, not the sign alone."""
    out = run(["--color", "always", *asked.split()]).out
    last = out.rstrip("\n").rpartition("\n")[2]
    assert re.findall(r"\x1b\[1;31m *(\S+?)\x1b", out.removesuffix(last + "\n")) == colored


@each_row(
    ("asked", "noted"),
    [
        ("op PRelu 1,3,2,3 3", True),
        ("op PRelu 1,3,2,4 4", False),
        ("op PRelu 1,3,2,3 1", False),
        ("op PRelu 3,3 3", False),
        ("op PRelu 1,3,2,4 3", True),
        ("op PRelu 1,3,2,4 3 --opset 6", False),
        ("op PRelu 1,3,2,3 3 --opset 6", False),
        ("onnx-uni 1,3,2,3 3", False),
    ],
)
def test_a_slope_that_engines_align_otherwise(asked: str, noted: bool) -> None:
    """A slope that fits axis 1 has a note, from opset 7 on: OpenVINO takes it there."""
    ended = run(asked.split())
    assert ("OpenVINO aligns a slope of one axis with axis 1" in ended.out) is noted
    assert ("axis 1, and accepts this" in ended.out) is (noted and ended.status == 1)
