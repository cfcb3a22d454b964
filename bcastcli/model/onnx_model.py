"""ONNX models: the file, opened once; without the weights; its shapes, in a separate process.

onnx is C++, and a damaged model may crash its process: it has limits, and the command survives.
"""

import json  # noqa: TID253  # this module is loaded only where an ONNX model is read
import mmap
import os
import re
import stat
import sys
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any

from bcastcli.model import wire
from bcastcli.model.inference import MAX_COMBINATIONS
from bcastcli.model.nodes import Given, Model, ModelError, Node, Stop

SMALL_FILE = 1 << 20
"""The largest small file, in bytes without the weights."""
_FAILED = "shape inference failed on this file"
_WITHOUT = "reading ONNX needs: pip install 'bcastcli[onnx]'"
_OUT_OF_TIME = 24
"""The signal of a process that has used up its processor time, SIGXCPU."""
_PATIENCE = 6
"""Wall time as a multiple of processor time: the machine may be busy."""
_SAYS_NO_MEMORY = re.compile(rb"bad_alloc|allocat|map segment|MemoryError")
_SAYS_NO_PACKAGE = re.compile(rb"^(?:ModuleNotFound|Import)Error", re.MULTILINE)
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


def limits(size: int) -> tuple[int, int]:
    """The seconds and MiB for a model of this many bytes without its weights."""
    return (10, 300) if size < SMALL_FILE else (60, 2048)


def read(data: memoryview, given: Given) -> list[Model]:
    """An ONNX model with its nodes that broadcast, and those that stop it.

    Where sizes are given several values, there is a model for each combination, in order. Raise
    ModelError if it is not a model, or its shapes cannot be inferred.
    """
    request = json.dumps(dict(given)).encode() + b"\n" + wire.strip(data)
    most = min(MAX_COMBINATIONS, prod(max(1, len(each)) for each in given.values()))
    models = []
    for line in _infer(request, most):
        if "error" in line:
            raise ModelError(line["error"])
        models.append(_model(line["model"]))
    return models


def _infer(request: bytes, most: int) -> Sequence[Any]:
    """The lines of JSON that the process writes for a request; raise ModelError if it fails.

    The time limit is multiplied by the number of models, up to a maximum.
    """
    import subprocess
    from tempfile import TemporaryFile

    seconds, mebibytes = limits(len(request))
    patience = _PATIENCE * seconds * most
    # -P: no module is taken from the current directory, where the model may be.
    command = [sys.executable, "-P", "-m", "bcastcli.model.inference", str(seconds), str(mebibytes)]
    home = str(Path(__file__).parents[2])
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH")))),
        "OPENBLAS_NUM_THREADS": "1",  # each thread would claim memory
    }
    try:
        with TemporaryFile() as given:  # a pipe breaks if the process ends before it has read all
            given.write(request)
            given.seek(0)
            done = subprocess.run(  # noqa: S603  # our own module
                command,
                stdin=given,
                capture_output=True,
                timeout=patience,
                env=environment,
                check=False,
            )
    except subprocess.TimeoutExpired as error:
        raise ModelError(f"{_FAILED}: it took more than {patience} seconds") from error
    if done.returncode == -_OUT_OF_TIME:
        raise ModelError(f"{_FAILED}: it took more than {seconds} seconds")
    if done.returncode and _SAYS_NO_MEMORY.search(done.stderr):
        raise ModelError(f"{_FAILED}: it ran out of memory (at most {mebibytes:,} MiB)")
    if _SAYS_NO_PACKAGE.search(done.stderr):
        raise ModelError(_WITHOUT)
    if done.returncode or not done.stdout:
        raise ModelError(_FAILED)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _model(fields: Sequence[Any]) -> Model:
    """The model that the process wrote; JSON has lists instead of tuples."""
    model = Model(*map(_frozen, fields))
    return model._replace(
        nodes=[Node(*each) for each in model.nodes],
        stops=[_stop(*each) for each in model.stops],
        possible_stops=[_stop(*each) for each in model.possible_stops],
    )


def _stop(node: Sequence[Any], *fields: Any) -> Stop:
    return Stop(Node(*node), *fields)


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _frozen(each) for name, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
