"""The file that holds a model: opened once, and recognized by its content."""

import mmap
import os
import re
import stat
from pathlib import Path

from bcastcli.model.nodes import ModelError

MAX_PIPED = 1 << 30
"""Bytes of a model that does not come from a file."""
_SAMPLE = 4096
_OTHERS = (
    (rb"version https://git-lfs", "this is a Git LFS pointer, not the model: run git lfs pull"),
    (
        # A zip archive whose first file is one of PyTorch's.
        rb"PK\x03\x04.{26}[^/]{1,99}/(data\.pkl|data/|models/|archive_format)",
        "this is a PyTorch file (.pt, .pt2): export it with torch.onnx.export",
    ),
    (rb"PK\x03\x04", "this is a zip archive: unpack it, and name the model in it"),
    (rb"PK\x05\x06", "this is an empty zip archive"),
    (rb"\x1f\x8b", "this is a gzip file: unpack it first"),
    (rb"\x89HDF", "this is an HDF5 file (Keras?): export it to ONNX first"),
    (rb".{4}TFL3", "this is a TensorFlow Lite model: make it ONNX with tf2onnx (--tflite)"),
)
_TEXTS = (
    (
        rb"<html|<!doctype.*html",
        "this looks like HTML: a web page was downloaded instead of the model",
    ),
    (rb"<", "this is XML (an OpenVINO IR?): name the ONNX model that it was made from"),
    (rb"776751[67]", "this is a .param file of ncnn or pnnx: name the ONNX model"),
)


def map_file(path: Path) -> memoryview:
    """Return the bytes of a file, mapped into memory; raise ModelError if it cannot be read."""
    try:
        if path.is_dir():
            raise ModelError(
                "this is a Core ML package, which is not read: give the model that it was made of"
                if path.suffix in (".mlpackage", ".mlmodelc")
                else "this is a directory, not a file"
            )
        if not stat.S_ISREG(path.stat().st_mode):
            raise ModelError("not a file")
        with path.open("rb") as file:
            if not os.fstat(file.fileno()).st_size:
                raise ModelError("the file is empty")
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except FileNotFoundError as error:
        raise ModelError("no such file") from error
    except OSError as error:
        raise ModelError(f"cannot read: {error.strerror or 'the system denied access'}") from error


def refuse_others(data: memoryview) -> None:
    """Raise ModelError for a file of another known format.

    An ONNX file has no mark of its own, so that all others are taken for one.
    """
    head = bytes(data[:_SAMPLE])
    for pattern, complaint in _OTHERS:
        if re.match(pattern, head, re.DOTALL):
            raise ModelError(complaint)
    if head[:1] == b"\x80" and head[1:2] in b"\x02\x03\x04\x05" and data[-1] == ord("."):
        raise ModelError("this is a pickle (PyTorch?), which is never loaded: export it to ONNX")
    text = re.sub(rb"\A(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*", b"", head).replace(b"\0", b"")
    for pattern, complaint in _TEXTS:
        if re.match(pattern, text[:40].lower(), re.DOTALL):
            raise ModelError(complaint)
