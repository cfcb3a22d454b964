"""ONNX Runtime judges onnx and onnx-uni by what it executes."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bcastcli.notation import text as notation
from tests.cli.test_model_stops import STOPS, stopping_graph
from tests.engines.judging import (
    Said,
    answered,
    answered_unknown,
    engine,
    fresh,
    judge,
)
from tests.engines.questions import SIZES, Kind, Known, Question, questions
from tests.engines.single_op import np, refusals, result_shape, run
from tests.model_files import model, parsed

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


def test_prelu() -> None:
    """PRelu runs where our onnx-uni says yes; where it says no and PRelu runs, our note says so."""

    def noted(_: Question, said: Said) -> Known | None:
        found = re.findall(r"accepts this and returns (\S+)", " ".join(said.notes))
        if not found:
            return said.result
        assert not said.ok
        [shape] = notation.read(*found).shapes
        return tuple(map(int, shape))

    answers = answered(questions(Kind("onnx-uni", most_axes=5), 4_000, fresh("ort PRelu")))
    judge("onnxruntime", answers, executed("PRelu"), noted)
    parting = [said for _, said in answers if any("runs PRelu" in note for note in said.notes)]
    assert len(parting) > 100


def test_gemm() -> None:
    """Gemm takes a C where our onnx-uni says that it goes to (M,N)."""

    def gemm(question: Question) -> Known | None:
        (rows, columns), bias = question.shapes
        return result_shape("Gemm", [(rows, 2), (2, columns), bias])

    kind = Kind("onnx-uni", sizes=(*SIZES, *range(6, 30)), most_axes=2)
    asked = questions(kind, 7_000, fresh("ort Gemm"))
    asked = [question for question in asked if len(question.shapes[0]) == 2]
    judge("onnxruntime", answered(asked), gemm)


@pytest.mark.parametrize("op", ["LayerNormalization", "RMSNormalization"])
def test_normalization(op: str) -> None:
    """A normalization takes a scale where our onnx-uni says that it goes to X."""
    kind = Kind("onnx-uni", most_axes=5)
    asked = questions(kind, 3_000, fresh(f"ort {op}"))
    # There is nothing to normalize on an empty axis, nor on none.
    asked = [question for question in asked if question.shapes[0] and question.shapes[0][-1]]
    judge("onnxruntime", answered(asked), executed(op, axis=-1))


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
