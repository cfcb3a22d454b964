"""ONNX Runtime judges onnx and onnx-uni by what it executes."""

import re
from pathlib import Path

import pytest

from tests.engines.judging import engine
from tests.engines.single_op import np, refusals
from tests.model_files import model_of_line, parsed

ort = engine("onnxruntime")
ANSWERS = (Path(__file__).parents[1] / "model" / "shapes.txt").read_text("utf-8")
STOPS = re.findall(r"(?m)^(\S.*)\n(?:  asks .*\n)?  fails: ", ANSWERS)
OTHER_TYPES = re.compile(r"Integer|Quantize|QLinear|ArgM|Loss|Where|Embed|Sequence|N,")
"""Operators that do not take floats, and open sizes."""


@pytest.mark.parametrize("line", [each for each in STOPS if not OTHER_TYPES.search(each)])
def test_stops(line: str) -> None:
    """ONNX Runtime refuses each node that stops: when it loads it, or when it runs it."""
    data, shapes = model_of_line(line)
    made = parsed(data)
    made.opset_import.add(domain="com.microsoft", version=1)
    feed = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    options = ort.SessionOptions()
    options.log_severity_level = 4
    with pytest.raises(refusals()):
        ort.InferenceSession(made.SerializeToString(), options).run(None, feed)
