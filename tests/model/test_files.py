"""Readers of model files: what becomes of a file, and what is said of one that is none (model/)."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest

from bcastcli.model import files, pnnx
from bcastcli.model.nodes import ModelError, Node
from tests.model_files import pnnx as param
from tests.rows import each_row


def read_param(*lines: str) -> Sequence[Node]:
    return pnnx.read(memoryview(param(*lines)), {}).nodes


# Files


PICKLE = "this is a pickle (PyTorch?), which is never loaded: export it to ONNX"
TORCH = "this is a PyTorch file (.pt, .pt2): export it with torch.onnx.export"
ZIP = "this is a zip archive: unpack it, and name the model in it"


@each_row(
    ("content", "complaint"),
    [
        (b"", "the file is empty"),
        (b"PK\x03\x04\x14\x00", ZIP),
        (b"PK\x03\x04" + bytes(25) + b"a/data.pkl", ZIP),
        (b"PK\x03\x04" + bytes(26) + b"a/data/weights", TORCH),
        (b"PK\x03\x04" + bytes(26) + b"archive/data.pkl", TORCH),
        (b"PK\x03\x04" + bytes(26) + b"a" * 99 + b"/models/", TORCH),
        (b"PK\x03\x04" + bytes(26) + b"a/archive_format", TORCH),
        (b"PK\x05\x06", "this is an empty zip archive"),
        (b"\x1f\x8b\x08", "this is a gzip file: unpack it first"),
        (
            b'\xef\xbb\xbf<?xml version="1.0"?><net/>',
            "this is XML, not ONNX: an OpenVINO IR is not read, the ONNX file is",
        ),
        (b"\x89HDF\r\n", "this is an HDF5 file (Keras?): export it to ONNX first"),
        *((bytes([0x80, version, 0x95, 0x2E]), PICKLE) for version in range(2, 6)),
    ],
)
def test_files_that_hold_no_model(tmp_path: Path, content: bytes, complaint: str) -> None:
    """The content decides, whatever the name promises."""
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=f"^{re.escape(complaint)}$"):
        files.detect_format(files.map_file(path))


@each_row(
    ("content", "format_"),
    [
        (param("pnnx.Input a 0 1 0"), "pnnx"),
        (b"\x08\x08\x3a\x00", "onnx"),
    ],
)
def test_formats_are_told_by_content(tmp_path: Path, content: bytes, format_: str) -> None:
    """Each format is recognized by how the file begins."""
    path = tmp_path / "model.txt"
    path.write_bytes(content)
    assert files.detect_format(files.map_file(path)) == format_


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        *(("missing.onnx", "no such file"), ("", "this is a directory"), ("pipe", "not a file")),
        ("m.mlpackage", "Core ML package, which is not read: give the model that it was made of"),
    ],
)
def test_what_is_no_file(tmp_path: Path, name: str, complaint: str) -> None:
    """What is missing, or no file, gets one sentence."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "m.mlpackage").mkdir()
    with pytest.raises(ModelError, match=complaint):
        files.map_file(tmp_path / name)


def test_a_system_that_gives_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """It denied access."""
    monkeypatch.setattr("mmap.mmap", Mock(side_effect=OSError))
    with pytest.raises(ModelError, match=r"^cannot read: the system denied access"):
        files.map_file(Path(__file__))


# pnnx


def test_an_expression_of_one_step() -> None:
    """An expression of one step is a node with the shapes of its annotations."""
    [node] = read_param(
        "pnnx.Attribute a 0 1 0 @data=(3)f32 #0=(3)f32",
        "pnnx.Input in 0 1 1 #1=(2,?)f32",
        "pnnx.Expression e 2 1 0 1 2 expr=add(@0,@1) #2=(2,3)f32",
    )
    assert (node.operator, node.question_name, node.label) == ("add", "Add", "e")
    assert (node.inputs, node.constant) == (((3,), (2, "?")), ("constant", ""))


def test_a_function_of_one_operand() -> None:
    """It broadcasts nothing, whether it stands alone or among others."""
    shapes = "#0=(2,3)f32 #1=(2,3)f32"
    assert read_param(f"pnnx.Expression e 1 1 0 1 expr=sin(@0) {shapes}") == []
    [node] = read_param(f"pnnx.Expression e 1 1 0 1 expr=sin(add(@0,2)) {shapes}")
    assert node.operator == "add"


@each_row(
    ("shapes", "remark"),
    [
        ("#0=(2,1,1,4,5)f32 #1=(5)f32", "more than four axes; ncnn has at most four"),
        ("#0=(1,3)f32 #1=(4,3)f32", "axis 0 stretches, but pnnx treats it as the batch"),
        ("#0=(4,3)f32 #1=(3)f32", ""),
    ],
)
def test_what_ncnn_cannot_do(shapes: str, remark: str) -> None:
    """A node that pnnx or ncnn refuses has a remark, though NumPy's rule allows it."""
    [node] = read_param(f"pnnx.Expression e 2 1 0 1 2 expr=add(@0,@1) {shapes}")
    assert [each[: len(remark)] for each in node.remarks] == ([remark] if remark else [])


def test_an_expression_of_several_steps() -> None:
    """Each step of an expression is a node, on the shapes that the steps before it gave."""
    nodes = read_param(
        "pnnx.Expression e 3 1 a b c d expr=div(add(@0,mul(@1,neg(@2))),2.0e-1)"
        " #a=(4,1,1)f32 #b=(3,1)f32 #c=(2)f32 #d=(4,3,2)f32"
    )
    assert [(node.label, node.question_name, node.inputs) for node in nodes] == [
        ("e/1", "Mul", ((3, 1), (2,))),
        ("e/2", "Add", ((4, 1, 1), (3, 2))),
        ("e/3", "Div", ((4, 3, 2), ())),
    ]
    assert not any(node.contradictions for node in nodes)


@each_row("operand", ["@9", "@99", "@99999999999"])
def test_an_operand_that_does_not_exist(operand: str) -> None:
    """An expression that takes an input that its line lacks makes the node malformed."""
    [node] = read_param(f"pnnx.Expression e 2 1 a b c expr=add(@0,{operand}) #a=(2,3)f32 #b=(3)f32")
    assert node.problem == f"its expression uses {operand}, but its last input is @1"


def test_a_deep_expression() -> None:
    """An expression nested 20,000 levels deep is read."""
    deep = "add(@0," * 20_000 + "@0" + ")" * 20_000
    nodes = read_param(f"pnnx.Expression e 1 1 a b expr={deep} #a=(2,3)f32")
    assert len(nodes) == 20_000
    assert nodes[-1].inputs == ((2, 3), (2, 3))


@each_row(
    "expression",
    ["add(@0,@x)", "add(@0,pr)", "add(@0", "add(@0,@1))", "mystery(@0,@1)", "", "add()", "@0(@1)"],
)
def test_an_expression_that_cannot_be_read(expression: str) -> None:
    """An expression that cannot be read is a node that is not decided."""
    [node] = read_param(
        f"pnnx.Expression e 2 1 a b c expr={expression} #a=(2,3)f32 #b=(3)f32 #c=(2,3)f32"
    )
    assert node.undecidable == "bcastcli cannot read its expression"
    assert node.inputs == ((2, 3), (3,))


def test_digits_of_other_scripts_are_no_numbers() -> None:
    """A superscript is a character like any other; without an annotation no shape is known."""
    data = (
        b"7767517\n\xc2\xb2 3\n" + b"pnnx.Expression e 1 1 a c expr=add(@0,1) #a=(2,\xc2\xb2)f32\n"
    )
    [node] = pnnx.read(memoryview(data), {}).nodes
    assert node.inputs == (None, ())
