"""The file that holds a model: opened once, and recognized by its content."""

import mmap
import re
import stat
from pathlib import Path

from bcastcli.model.nodes import ModelError

_OTHERS = (
    (rb"version https://git-lfs", "this is a Git LFS pointer, not the model; run git lfs pull"),
    (rb"PK|\x80[\2-\5]", "this is a zip archive or a pickle (PyTorch?): export it to ONNX"),
    (rb"(\xef\xbb\xbf)?\s*<", "this is HTML or XML (an OpenVINO IR?), not an ONNX model"),
)


def map_file(path: Path) -> memoryview:
    """The bytes of a file, mapped into memory; raise ModelError if it cannot be read."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ModelError("not a file")
        if not status.st_size:
            raise ModelError("the file is empty")
        with path.open("rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise ModelError(error.strerror) from error


def refuse_others(data: memoryview) -> None:
    """Raise ModelError for a file of another known format.

    An ONNX file has no mark of its own, so that all others are taken for one.
    """
    for pattern, complaint in _OTHERS:
        if re.match(pattern, data):
            raise ModelError(complaint)
