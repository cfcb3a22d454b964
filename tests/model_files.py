"""ONNX models for tests, made here by its package."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np
import onnx
from onnx import TensorProto, helper

from bcastcli.model import onnx_model
from bcastcli.model.inference.__main__ import answer, plain
from tests.rows import node_line

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
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("local", 1)]
    made = helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=8)
    data: bytes = made.SerializeToString()
    return data


def node(operator: str, inputs: str, outputs: str, name: str = "", **attributes: Any) -> Any:
    """Return a node; its inputs and outputs are separated by blanks, and `-` is one left out."""
    names = ["" if each == "-" else each for each in inputs.split()]
    return helper.make_node(operator, names, outputs.split(), name, **attributes)


def model_of_line(line: str) -> tuple[bytes, dict[str, Shape | None]]:
    """Return a model of one node, and the shapes of its inputs: `Pad (2,3) [1,0,0,0] opset=13`.

    Among inputs, `(2,3)` is a shape, `...` one of unknown rank and `-` is left out; others are
    the values of constants. `outputs` is their number.
    """
    operator, inputs, given = node_line(line)
    domain, _, name = operator.rpartition("::")
    opset, count = given.pop("opset", 18), given.pop("outputs", 1)
    names = [text if text == "-" else f"i{place}" for place, text in enumerate(inputs)]
    outputs = [f"o{place}" for place in range(count)]
    made = node(name, " ".join(names), " ".join(outputs), domain=domain, **given)
    shapes: dict[str, Shape | None] = {}
    values = []
    for each, text in zip(names, inputs, strict=True):
        if text.startswith("("):
            sizes = [size for size in text.strip("()").split(",") if size]
            shapes[each] = [int(size) if size.isdecimal() else size for size in sizes]
        elif text == "...":
            shapes[each] = None
        elif text != "-":
            array = np.array(json.loads(text))
            array = array.astype(np.float32) if array.dtype.kind == "f" else array
            values.append(onnx.numpy_helper.from_array(array, each))
    return model(graph([made], shapes, constants=values), opset=opset), shapes


def parsed(data: bytes) -> Any:
    return onnx.ModelProto.FromString(data)
