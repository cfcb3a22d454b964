"""ONNX models, read in two steps: without the weights, then shapes in a separate process.

onnx is C++, and a damaged model may crash its process: it has limits, and the command survives.
"""

import json  # noqa: TID253  # this module is loaded only where an ONNX model is read
import os
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import starmap
from math import prod
from pathlib import Path
from typing import Any

from bcastcli.model import wire
from bcastcli.model.inference import MAX_COMBINATIONS, NO_MEMORY, Limits
from bcastcli.model.nodes import Given, Model, ModelError, Node, Stop, UnknownName

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


class Failure(ModelError):  # noqa: N818  # it is the process that failed
    """A process that ended early, with the lines that it wrote before."""

    def __init__(self, message: str, lines: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.lines = lines


def limits(size: int) -> Limits:
    """Return the limits for a model of this many bytes without its weights."""
    return Limits(10, 300) if size < SMALL_FILE else Limits(60, 2048)


def read(
    data: memoryview, given: Given, operators: Sequence[str], ranges: Sequence[str] = ()
) -> list[Model]:
    """An ONNX model with those of its nodes that are among the operators.

    Where sizes are given several values, there is a model for each combination, in order; `ranges`
    are the names given as `1..8`. Raise ModelError if it is not a model, or its shapes cannot be
    inferred.
    """
    options = {"operators": list(operators), "given": given, "ranges": list(ranges)}
    stripped = wire.strip(data)
    most = min(MAX_COMBINATIONS, prod(max(1, len(each)) for each in given.values()))
    models: list[Model] = []
    combinations: Sequence[Any] = []
    while not combinations or len(models) < len(combinations):
        asked = {**options, "start": len(models)}
        failure = None
        try:
            lines = _infer(json.dumps(asked).encode() + b"\n" + stripped, most)
        except Failure as error:
            lines, failure = error.lines, error
        for line in lines:
            combinations = line.get("combinations", combinations)
            _take(line, models)
        if failure and len(models) < max(1, len(combinations)):
            if len(combinations) < 2:
                raise failure
            models.append(Model(chosen=combinations[len(models)], problem=str(failure)))
    return models


def _take(line: Mapping[str, Any], models: list[Model]) -> None:
    """Add the content of a line from the process; raise ModelError if it reports a failure."""
    if "unknown" in line:
        raise UnknownName(*_frozen(line["unknown"]))
    if "error" in line:
        raise ModelError(line["error"])
    if "model" in line:
        models.append(_model(line["model"]))


def _infer(request: bytes, most: int) -> Sequence[Any]:
    """The lines of JSON that the process writes for a request; raise Failure if it fails.

    The time limit is multiplied by the number of models, up to a maximum.
    """
    import subprocess
    from tempfile import TemporaryFile

    limited = limits(len(request))
    seconds, mebibytes = limited
    patience = _PATIENCE * seconds * most
    # -P: no module is taken from the current directory, where the model may be.
    command = [sys.executable, "-P", "-m", "bcastcli.model.inference", *map(str, limited)]
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
        raise Failure(f"{_FAILED}: it took more than {patience} seconds") from error
    whole, _, _ = done.stdout.rpartition(b"\n")
    lines = [json.loads(line) for line in whole.splitlines()]
    if done.returncode == -_OUT_OF_TIME:
        raise Failure(f"{_FAILED}: it took more than {seconds} seconds", lines)
    if done.returncode == NO_MEMORY or (done.returncode and _SAYS_NO_MEMORY.search(done.stderr)):
        raise Failure(f"{_FAILED}: it ran out of memory (at most {mebibytes:,} MiB)", lines)
    if _SAYS_NO_PACKAGE.search(done.stderr):
        raise Failure(_WITHOUT)
    if done.returncode or not lines:
        raise Failure(_FAILED, lines)
    return lines


def _model(fields: Sequence[Any]) -> Model:
    """Return the model that the process wrote; JSON has lists instead of tuples."""
    model = Model(*map(_frozen, fields))
    return model._replace(
        nodes=[*starmap(Node, model.nodes)],
        stops=_stops(model.stops),
        possible_stops=_stops(model.possible_stops),
    )


def _stops(fields: Sequence[Any]) -> list[Stop]:
    return [each._replace(node=Node(*each.node)) for each in starmap(Stop, fields)]


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _frozen(each) for name, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
