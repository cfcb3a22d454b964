"""ONNX models, read in two steps: without the weights, then shapes in a separate process."""

import json  # noqa: TID253  # this module is loaded only where an ONNX model is read
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bcastcli
from bcastcli.core.shapes import Shape, written
from bcastcli.models import wire
from bcastcli.models.inference import NO_MEMORY, NO_ONNX, limits
from bcastcli.models.nodes import (
    Contradiction,
    Model,
    ModelError,
    Node,
    UnknownName,
    UserValue,
    contradict,
)

_FAILED = "shape inference failed on this file"
_OUT_OF_TIME = 24
"""The signal of a process that has used up its processor time, SIGXCPU."""
_PATIENCE = 6
"""How many times its processor time a process may take: others run as well."""
_NO_MEMORY = re.compile(rb"bad_alloc|allocat|MemoryError")
_NORMALIZATION, _FIRST_NORMALIZATION = "LayerNormalization", 17
_OPTIONS = {"axis": "axis", "broadcast": "broadcast", "transA": "trans_a", "transB": "trans_b"}


def read(data: memoryview, given: Mapping[str, UserValue], operators: Sequence[str]) -> Model:
    """Return the nodes of an ONNX model that are among the operators.

    Raise ModelError where there is no model, or its shapes cannot be inferred.
    """
    request = {"operators": list(operators), "given": given}
    head, *lines = _infer(json.dumps(request).encode() + b"\n" + wire.strip(data))
    if "unknown" in head:
        raise UnknownName(head["unknown"], head["inputs"], head["sizes"])
    if "error" in head:
        raise ModelError(head["error"])
    *lines, last = lines
    remarks = []
    opset = head["opset"]
    if head["newest_opset"]:
        remarks.append(f"opset {opset} is not supported yet: read as opset {head['newest_opset']}")
        opset = head["newest_opset"]
    if head["names_no_opset"] and lines:
        remarks.append(f"the file names no opset: read as opset {opset}")
    if opset < _FIRST_NORMALIZATION and any(each["op"] == _NORMALIZATION for each in lines):
        remarks.append(
            f"ONNX has {_NORMALIZATION} from opset {_FIRST_NORMALIZATION} on: "
            "ONNX Runtime runs it in older opsets too"
        )
    other = [each for each in head["replaced"] if contradict(*each[1:])]
    remarks += [
        f"the file declares {name} as {written(declared)}: using the given {written(shape)}"
        for name, declared, shape in other
    ]
    # The file's shapes follow from the inputs that it declares.
    nodes = [_node(line, opset, trusts_declared=not other) for line in lines]
    return Model("onnx", nodes, opset, tuple(head["sizes"]), tuple(remarks), last["needs"])


def _infer(request: bytes) -> list[dict[str, Any]]:
    """Return the output of the process that infers shapes; raise ModelError if it fails."""
    seconds, mebibytes = limited = limits(len(request))
    # -P: no module is taken from the current directory, where the model may be.
    command = [sys.executable, "-P", "-m", "bcastcli.models.inference", *map(str, limited)]
    home = str(Path(bcastcli.__file__).parent.parent)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH")))),
        "OPENBLAS_NUM_THREADS": "1",  # each thread would claim memory
    }
    try:
        done = subprocess.run(  # noqa: S603  # our own module
            command,
            input=request,
            capture_output=True,
            timeout=_PATIENCE * seconds,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ModelError(f"{_FAILED}: it took more than {_PATIENCE * seconds} seconds") from error
    if done.returncode == NO_ONNX:
        raise ModelError("reading ONNX needs: pip install 'bcastcli[onnx]'")
    if done.returncode == -_OUT_OF_TIME:
        raise ModelError(f"{_FAILED}: it took more than {seconds} seconds")
    if done.returncode == NO_MEMORY or (done.returncode and _NO_MEMORY.search(done.stderr)):
        raise ModelError(f"{_FAILED}: it took more than {mebibytes:,} MiB of memory")
    if done.returncode or not done.stdout:
        raise ModelError(_FAILED)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _node(line: Mapping[str, Any], opset: int, *, trusts_declared: bool) -> Node:
    """Return the node that a line of the process describes."""
    operator = line["op"]
    inputs = tuple(map(_shape, line["inputs"]))
    remarks = []
    if operator == "Expand" and len(inputs) == 2:
        # The target is a shape: its values, or if these are unknown, the node's output.
        target = line["target"]
        values = line["result"] if target is None else [*map(_size, target)]
        inputs = inputs[0], _shape(values)
        if target is not None and -1 in target:
            remarks.append("its target holds -1, which ONNX does not define")
    return Node(
        operator=operator,
        question_name=operator,
        inputs=inputs,
        output=line["output"],
        label=line["name"] or line["output"] or f"{operator}_{line['index']}",
        name=line["name"],
        position=line["index"],
        number=line["number"],
        graph=line["graph"],
        opset=opset,
        options={
            name: line["attributes"][attribute]
            for attribute, name in _OPTIONS.items()
            if attribute in line["attributes"]
        },
        constant=tuple(line["constant"]),
        problem=f"its input {line['left_out'][0]} is left out" if line["left_out"] else "",
        remarks=tuple(remarks),
        contradictions=tuple(
            Contradiction(value, tuple(declared), tuple(found), is_output)
            for value, declared, found, is_output in line["declared"]
            if trusts_declared and contradict(declared, found)
        ),
    )


def _shape(sizes: Sequence[int | str] | None) -> Shape | None:
    return None if sizes is None else tuple(sizes)


def _size(number: int) -> int | str:
    return "?" if number < 0 else number
