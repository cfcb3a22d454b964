"""ONNX models, read in two steps: without the weights, then shapes in a separate process."""

import json  # noqa: TID253  # this module is loaded only where an ONNX model is read
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from bcastcli.core.shapes import Shape, written
from bcastcli.models import processes, wire
from bcastcli.models.inference import MAX_COMBINATIONS
from bcastcli.models.nodes import (
    Contradiction,
    Given,
    Model,
    ModelError,
    Node,
    Stop,
    UnknownName,
    contradict,
)

_NORMALIZATION, _FIRST_NORMALIZATION = "LayerNormalization", 17
# Operators of ONNX Runtime's own, by what asks the same.
_OF_ONNX_RUNTIME = {"FusedMatMul": "MatMul", "BiasGelu": "onnx-uni", "FastGelu": "onnx-uni"}
_OPTIONS = {"axis": "axis", "broadcast": "broadcast", "transA": "trans_a", "transB": "trans_b"}
_Line = Mapping[str, Any]


def read(data: memoryview, given: Given, operators: Sequence[str]) -> list[Model]:
    """Return an ONNX model with those of its nodes that are among the operators.

    Where sizes are given several values, there is a model for each combination, in order.
    Raise ModelError where there is no model, or its shapes cannot be inferred.
    """
    request = {"operators": list(operators), "given": given}
    most = min(MAX_COMBINATIONS, prod(max(1, len(each)) for each in given.values()))
    lines = _infer(json.dumps(request).encode() + b"\n" + wire.strip(data), most)
    [head, *_] = lines
    if "unknown" in head:
        raise UnknownName(head["unknown"], head["inputs"], head["sizes"])
    if "error" in head:
        raise ModelError(head["error"])
    starts = [place for place, line in enumerate(lines) if "opset" in line]
    ends = [*starts[1:], len(lines)]
    return [_model(*lines[start:end]) for start, end in zip(starts, ends, strict=True)]


def _model(head: _Line, *lines: _Line) -> Model:
    """Return the model that lines of the process describe."""
    *described, last = lines
    stops = [line for line in described if "stop" in line]
    asked = [line for line in described if "stop" not in line]
    remarks = []
    opset = head["opset"]
    if head["newest_opset"]:
        remarks.append(f"opset {opset} is not supported yet: read as opset {head['newest_opset']}")
        opset = head["newest_opset"]
    if head["names_no_opset"] and asked:
        remarks.append(f"the file names no opset: read as opset {opset}")
    if opset < _FIRST_NORMALIZATION and any(each["op"] == _NORMALIZATION for each in asked):
        remarks.append(
            f"ONNX has {_NORMALIZATION} from opset {_FIRST_NORMALIZATION} on: "
            "ONNX Runtime runs it in older opsets too"
        )
    other = [each for each in head["replaced"] if contradict(*each[1:])]
    remarks += [
        f"the file declares {name} as {written(declared)}: using the given {written(shape)}"
        for name, declared, shape in other
    ]
    return Model(
        "onnx",
        # The file's shapes follow from the inputs that it declares.
        [_node(line, opset, trusts_declared=not other) for line in asked],
        opset,
        tuple(head["sizes"]),
        tuple(remarks),
        last["needs"],
        [Stop(_described(line, opset), line["stop"], line["axis"]) for line in stops],
        last["foreign"],
        frozenset(last["may_not_run"]),
        {name: tuple(shape) for name, shape in head["open_inputs"].items()},
        head["chosen"],
    )


def _infer(request: bytes, most: int) -> list[_Line]:
    """Return the output of the process that infers shapes; raise ModelError if it fails.

    It has its time for each of at most so many models.
    """
    limited = processes.limits(len(request))
    without = "reading ONNX needs: pip install 'bcastcli[onnx]'"
    return processes.run("bcastcli.models.inference", [], request, limited, without, most)


def _described(line: _Line, opset: int) -> Node:
    """Return a node as a line of the process describes it."""
    operator, inputs = line["op"], list(map(_shape, line["inputs"]))
    if line["target"] is not None:  # a shape: its values
        inputs[1] = tuple(map(_size, line["target"]))
    return Node(
        operator=operator,
        question_name=operator,
        inputs=tuple(inputs),
        output=line["output"],
        label=line["name"] or line["output"] or f"{operator}_{line['index']}",
        name=line["name"],
        position=line["index"],
        number=line["number"],
        graph=line["graph"],
        opset=opset,
        names=tuple(line["names"]),
        constant=tuple(line["constant"]),
    )


def _node(line: _Line, opset: int, *, trusts_declared: bool) -> Node:
    """Return the node that broadcasts which a line of the process describes."""
    node = _described(line, opset)
    remarks = []
    if node.operator == "Expand" and len(node.inputs) == 2:
        target = line["target"]
        if target is None:  # the node's output has its sizes, at least
            node = node._replace(inputs=(node.inputs[0], _shape(line["result"])))
        elif -1 in target:
            remarks.append("its target holds -1, which ONNX does not define")
    if node.operator == "Attention":
        node = node._replace(result=_shape(line["result"]))
    options = {
        name: line["attributes"][attribute]
        for attribute, name in _OPTIONS.items()
        if attribute in line["attributes"]
    }
    return node._replace(
        question_name=_OF_ONNX_RUNTIME.get(node.operator, node.operator),
        options={**options, **line["heads"]},
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
