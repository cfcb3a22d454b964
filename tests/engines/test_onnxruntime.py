"""ONNX Runtime judges onnx and onnx-uni by what it executes."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.engines.judging import answered, answered_unknown, engine, fresh, judge
from tests.engines.single_op import np, refusals, result_shape, run
from tests.model.test_findings import STOPS, stopping_graph
from tests.model_files import model, parsed
from tests.strategies import Kind, Known, Question, questions

ort = engine("onnxruntime")


def executed(op: str, **attributes: int) -> Callable[[Question], Known | None]:
    return lambda question: result_shape(op, question.shapes, **attributes)


def where(question: Question) -> Known | None:
    condition, *others = question.shapes
    arrays = [np.ones(condition, np.bool_), *(np.ones(shape, np.float32) for shape in others)]
    output = run("Where", arrays)
    return None if output is None else output.shape


MULTIDIRECTIONAL = {
    "Add": ((2,), executed("Add")),
    "Sum": ((1, 2, 3, 4, 5), executed("Sum")),
    "Where": ((3,), where),
}


@pytest.mark.parametrize("op", MULTIDIRECTIONAL)
def test_multidirectional(op: str) -> None:
    """The operators of the multidirectional rule run where we say, and give what we say."""
    counts, says = MULTIDIRECTIONAL[op]
    asked = questions(Kind("onnx", most_axes=5, counts=counts), 3_000, fresh(f"ort {op}"))
    judge("onnxruntime", answered(asked), says)


def test_unknown_sizes() -> None:
    """For whatever numbers, the condition and the result are what Add gives."""
    chance = fresh("ort unknown")
    asked = questions(Kind("onnx", most_axes=4), 1_000, chance)
    judge("onnxruntime", answered_unknown(asked, chance), executed("Add"))


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
