"""Readers of model files: what becomes of a file, and what is said of one that is none (model/)."""

import os
import re
from pathlib import Path

import pytest

from bcastcli.model import files
from bcastcli.model.nodes import ModelError
from tests.rows import each_row

# Files


ZIP = "this is a zip archive or a pickle (PyTorch?): export it to ONNX"


@each_row(
    ("content", "complaint"),
    [
        (b"", "the file is empty"),
        (b"PK\x03\x04\x14\x00", ZIP),
        (
            b'\xef\xbb\xbf<?xml version="1.0"?><net/>',
            "this is HTML or XML (an OpenVINO IR?), not an ONNX model",
        ),
        *((bytes([0x80, version, 0x95, 0x2E]), ZIP) for version in range(2, 6)),
    ],
)
def test_files_that_hold_no_model(tmp_path: Path, content: bytes, complaint: str) -> None:
    """The content decides, whatever the name promises."""
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=f"^{re.escape(complaint)}$"):
        files.refuse_others(files.map_file(path))


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        *(
            ("missing.onnx", "No such file"),
            ("", "not a file"),
            ("pipe", "not a file"),
        ),
    ],
)
def test_what_is_no_file(tmp_path: Path, name: str, complaint: str) -> None:
    """What is missing, or no file, gets one sentence."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelError, match=complaint):
        files.map_file(tmp_path / name)
