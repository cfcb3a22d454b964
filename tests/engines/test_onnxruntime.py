"""ONNX Runtime judges onnx and onnx-uni by what it executes."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.engines.judging import engine
from tests.engines.single_op import np, refusals
from tests.model.test_findings import STOPS, stopping_graph
from tests.model_files import model, parsed

ort = engine("onnxruntime")


@pytest.mark.parametrize(
    ("stopping", "shapes"), [each[:2] for each in STOPS], ids=[each[0].op_type for each in STOPS]
)
def test_stops(stopping: Any, shapes: Sequence[Sequence[int]]) -> None:
    """ONNX Runtime refuses each model that stops: when it loads it, or when it runs it."""
    made = parsed(model(stopping_graph(stopping, shapes)))
    made.opset_import.add(domain="com.microsoft", version=1)
    del made.graph.output[:]
    made.graph.output.extend(type(made.graph.input[0])(name=each) for each in stopping.output)
    feed = dict(zip("xwrh", (np.zeros(shape, np.float32) for shape in shapes), strict=False))
    options = ort.SessionOptions()
    options.log_severity_level = 4
    with pytest.raises(refusals()):
        ort.InferenceSession(made.SerializeToString(), options).run(None, feed)
