"""ONNX models for tests, made here by its package."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import onnx
from onnx import TensorProto, helper

from bcastcli.model import onnx_model
from bcastcli.model.inference.__main__ import answer, plain

Shape = Sequence[int | str | None]


@contextmanager
def inferred_here() -> Iterator[None]:
    """Infer shapes in this process, which does not wait for another one to start."""

    def infer(request: bytes, _: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(json.dumps([*answer(request)], default=plain))
        return found

    with patch.object(onnx_model, "_infer", infer):
        yield


def tensor(name: str, shape: Shape | None) -> Any:
    """Return the declaration of a float tensor; None: not even its rank is declared."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def constant(name: str, values: Any, shape: Sequence[int] | None = None) -> Any:
    """Return a tensor of floats, or of integers where the values are."""
    values = list(values)
    is_whole = all(isinstance(each, int) for each in values)
    kind = TensorProto.INT64 if is_whole else TensorProto.FLOAT
    return helper.make_tensor(name, kind, [len(values)] if shape is None else shape, values)


def graph(
    nodes: Sequence[Any],
    inputs: Mapping[str, Shape | None],
    *,
    outputs: Mapping[str, Shape | None] | None = None,
    constants: Sequence[Any] = (),
    declared: Mapping[str, Shape] | None = None,
) -> Any:
    """Return a graph; without outputs that of the last node, of no declared shape, is one."""
    if outputs is None:
        outputs = {nodes[-1].output[0]: None}
    return helper.make_graph(
        nodes,
        "g",
        [tensor(*each) for each in inputs.items()],
        [tensor(*each) for each in outputs.items()],
        list(constants),
        value_info=[tensor(*each) for each in (declared or {}).items()],
    )


def model(graph: Any, *, opset: int = 17, functions: Sequence[Any] = ()) -> bytes:
    """Return a serialized model of a graph."""
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("local", 1)]
    made = helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=8)
    data: bytes = made.SerializeToString()
    return data


def node(operator: str, inputs: str, outputs: str, name: str = "", **attributes: Any) -> Any:
    """Return a node; its inputs and outputs are separated by blanks, and `-` is one left out."""
    names = ["" if each == "-" else each for each in inputs.split()]
    return helper.make_node(operator, names, outputs.split(), name, **attributes)


def parsed(data: bytes) -> Any:
    """Return a serialized model as a message."""
    return onnx.ModelProto.FromString(data)
