"""The outputs of one node: their shapes, or their values if those of its inputs are known.

The modules are model/inference/walk.py and single.py.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest

from bcastcli.model.inference import known, reading
from bcastcli.model.inference.protos import shape
from bcastcli.model.inference.walk import Walk
from tests.model_files import graph, model, node
from tests.rows import keep, node_line


def outputs_of(line: str) -> Iterator[str]:
    """Yield each output: among inputs, `(2,3)` is a shape, and others are values."""
    operator, inputs, given = node_line(line)
    domain, _, name = operator.rpartition("::")
    names = [f"i{place}" for place in range(len(inputs))]
    outputs = [f"o{place}" for place in range(given.pop("outputs", 1))]
    made = node(name, " ".join(names), " ".join(outputs), domain=domain, **given)
    open_, values = {}, []
    for each, text in zip(names, inputs, strict=True):
        if text.startswith("("):
            sizes = [size for size in text.strip("()").split(",") if size]
            open_[each] = [int(size) if size.isdecimal() else size for size in sizes]
        else:
            values.append(onnx.numpy_helper.from_array(np.array(json.loads(text)), each))
    data = model(graph([made], open_, constants=values), opset=18)
    [(proto, known_before)] = reading.read(data, {})
    types, constants, *_ = Walk(proto, known_before).scope
    if question := known.asked(made):
        yield f"asks {question.name} {question.places}"
    for each in outputs:
        if each in constants:
            yield str(constants[each].tolist())
        else:
            found = shape(types.get(each))
            yield "?" if found is None else f"({', '.join(map(str, found))})"


def test_what_is_known_of_each_operators_outputs(pytestconfig: pytest.Config) -> None:
    """A list of numbers is the values, where the inputs have them; else it is a shape."""
    assert keep(Path(__file__).with_name("shapes.txt"), pytestconfig, outputs_of)
