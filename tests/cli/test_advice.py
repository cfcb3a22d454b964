"""What to write instead: in the words of who asks, matrices as matrices, and nothing huge."""

import json
import re

import pytest

from bcastcli.core.shapes import element_count
from bcastcli.core.unknowns import MAX_GROWTH
from bcastcli.operators.table import MAX_OPSET
from tests.effort import many
from tests.in_memory import run
from tests.laws.test_suggestions import mismatches


def tried(*arguments: str) -> list[list[str]]:
    """Return the cells of the lines that say what to try."""
    lines = run([*arguments]).out.splitlines()
    return [re.split(" {2,}", line)[1:] for line in lines if line.startswith("try ")]


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("numpy 3,4 3", "B[:, None]"),
        ("jax 3,4 3", "B[:, None]"),
        ("NumPy 3,4 3", "B[:, None]"),
        ("torch 3,4 3", "B.unsqueeze(1)"),
        ("PyTorch 3,4 3", "B.unsqueeze(1)"),
        ("torch 8,3,9,9 8,9,9,3", "B.permute(0, 3, 1, 2)"),
        ("torch 2,3 3,2", "B.T"),
        ("torch 2,3,4 4,3,2", "B.permute(2, 1, 0)"),
        ("tensorflow 3,4 3", "tf.expand_dims(B, 1)"),
        ("tf 6 2,3", "tf.reshape(A, [2, 3])"),
        ("keras 2,3 3,2", "tf.transpose(B)"),
        ("paddle 3,4 3", "B.unsqueeze(1)"),
        ("paddlepaddle 8,3,9,9 8,9,9,3", "B.transpose(0, 3, 1, 2)"),
        ("openvino 3,4 3", "Reshape B to 3,1"),
        ("ort 3,4 3", "Reshape B to 3,1"),
        ("ONNX 3,4 3", "B[:, None]"),
    ],
)
def test_in_the_words_of_the_framework(asked: str, first: str) -> None:
    """The name under which a rule is asked decides how what to try is written, in JSON too."""
    assert tried(*asked.split())[0][0] == first
    found = json.loads(run([*asked.split(), "--json"]).out)
    assert found["suggestions"][0]["write"] == first


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("2,3 3,4", [["bcastcli op MatMul 2,3 3,4", "gives 2,4"]]),
        ("onnx 512,64 64,512", ["B.T", "A.T", "bcastcli op MatMul 512,64 64,512"]),
        ("512,64 64,10", ["bcastcli op MatMul 512,64 64,10"]),
        ("8,1,3,4 8,4,6", ["bcastcli op MatMul 8,1,3,4 8,4,6"]),
        # No matrix product: a vector, a size of 1, stacks that clash, an unknown inner size.
        ("64,3 64", ["B[:, None]"]),
        ("5,2,3 7,3,4", ["A[..., None, None, None]"]),
        ("onnx-uni 2,3 3,4", []),
    ],
)
def test_matrix_product(asked: str, expected: list[object]) -> None:
    """Where the inner sizes fit, a matrix product is likelier than what stretches everything."""
    found = tried(*asked.split())
    for cells, told in zip(found, expected, strict=False):
        if isinstance(told, list):
            assert cells[: len(told)] == told
        else:
            assert cells[0] == told
    assert len(found) >= len(expected)
    assert all("op MatMul" not in cells[0] for cells in found[len(expected) :])


def test_large_results() -> None:
    """A result of more than eight times the largest operand is suggested only as a last resort."""
    seen = set()
    for rule in ("numpy", "onnx-uni", "pdpd", "ncnn"):
        for answer in mismatches(rule, many(300), seed=5):
            inputs = [element_count(operand.shape) for operand in answer.question.inputs]
            for each in answer.suggestions:
                number, names = element_count(each.answer.result or ())
                if not names and not any(own for _, own in inputs):
                    largest = max(count for count, _ in inputs)
                    assert each.outgrows is (number > MAX_GROWTH * largest), answer.operands
            outgrown = {each.outgrows for each in answer.suggestions}
            assert len(outgrown) < 2, answer.operands
            seen |= outgrown
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("asked", "gives"),
    [
        ("512,512 256,256", "gives 512,512,256,256 (17,179,869,184 elements)"),
        ("64 32", "gives 64,32 (2,048 elements)"),
        ("N,3 M,4", "gives N,3,M,4 (12*N*M elements)"),
        ("8 9", "gives 8,9"),
    ],
)
def test_the_size_of_a_large_result(asked: str, gives: str) -> None:
    """What nothing else can replace is shown with the number of its elements."""
    assert tried(*asked.split())[0][-1] == gives


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("asked", "bare"),
    [
        ("1,3,2,2 3,1,1 --order numpy", "3,2,2 3,1,1"),
        ("2,2,3,1 2", "2,2,3 2"),
        ("2,2,3,1 2,2,3,1", "2,2,3 2,2,3"),
        ("2,2,3,5 2,2,3,1", None),
        ("2,2,3,5 1,1,1,1", None),
        ("1,1,1,1 1", None),
        ("2,3,1 2", None),
    ],
)
def test_ncnn_has_no_batch_axis(asked: str, bare: str | None) -> None:
    """A 1 on axis c of four axes is noted, with the question without it."""
    out = run(["ncnn", *asked.split()]).out
    assert ("no batch axis" in out) is (bare is not None)
    assert bare is None or f"ask {bare} instead\n" in " ".join(out.split(" "))


@pytest.mark.parametrize("name", ["fp16", "half", "FLOAT16", "f16"])
def test_other_names_of_types(name: str) -> None:
    """A type goes by the names that frameworks and compilers have for it."""
    assert "8 B as float16" in run(["numpy", "4", "--steps", "--dtype", name]).out


@pytest.mark.parametrize("arguments", [["Add"], [], ["Add", "3", "3"]])
def test_an_opset_to_come(arguments: list[str]) -> None:
    """An opset that is newer than all that are known is a usage error, which names the newest."""
    ended = run(["op", *arguments, "--opset", str(MAX_OPSET + 1)])
    assert ended.status == 2
    assert ended.err == (
        f"bcastcli: opset {MAX_OPSET + 1} is not supported: the newest is {MAX_OPSET}\n"
    )


def test_operators_that_do_not_broadcast() -> None:
    """SwiGLU takes identical shapes and is not listed; QLinearMatMul aligns as MatMul does."""
    assert "SwiGLU" not in run(["op"]).out
    assert run(["op", "QLinearMatMul", "5,2,3", "3,4", "-p"]).out == "5,2,4\n"
