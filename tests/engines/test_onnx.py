"""ONNX judges onnx, by its strict shape inference and by its reference evaluator."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.engines.judging import answered, engine, fresh, judge, several
from tests.engines.single_op import model, np, onnx
from tests.strategies import SIZES, Kind, Known, Question, inferred, questions

reference = engine("onnx.reference")

FLOAT = np.float32


def strictly_inferred(built: Any) -> Known | None:
    """The output's shape by strict inference; None if that refuses the model."""
    try:
        found = onnx.shape_inference.infer_shapes(built, check_type=True, strict_mode=True)
    except onnx.shape_inference.InferenceError:
        return None
    output = found.graph.output[0].type.tensor_type
    assert output.HasField("shape")
    assert all(axis.HasField("dim_value") for axis in output.shape.dim)
    return tuple(axis.dim_value for axis in output.shape.dim)


def of_floats(op: str) -> Callable[[Question], Known | None]:
    return lambda question: strictly_inferred(
        model(op, [FLOAT] * len(question.shapes), question.shapes)
    )


def where(question: Question) -> Known | None:
    return strictly_inferred(model("Where", [np.bool_, FLOAT, FLOAT], question.shapes))


def expand(question: Question) -> Known | None:
    given, target = question.shapes
    built = model("Expand", [FLOAT, np.int64], [given, (len(target),)])
    constant = onnx.numpy_helper.from_array(np.array(target, np.int64), built.graph.input[1].name)
    built.graph.initializer.append(constant)
    return strictly_inferred(built)


def gemm(rows_and_columns: Known, bias: Known) -> Known | None:
    rows, columns = rows_and_columns
    return strictly_inferred(model("Gemm", [FLOAT] * 3, [(rows, 2), (2, columns), bias]))


INFERRED = {
    "Add": ((2,), of_floats("Add")),
    "Pow": ((2,), of_floats("Pow")),
    "Sum": ((1, 2, 3, 4, 5), of_floats("Sum")),
    "Max": ((1, 2, 3, 4, 5), of_floats("Max")),
    "Where": ((3,), where),
    "Expand": ((2,), expand),
}


@pytest.mark.parametrize("op", INFERRED)
def test_inferred(op: str) -> None:
    """Strict shape inference takes what we say that broadcasts, and infers what we say."""
    counts, says = INFERRED[op]
    asked = questions(inferred("onnx", counts), several(2_500), fresh(f"onnx {op}"))
    judge("onnx", answered(asked), says)


EVALUATED = {"Add": [FLOAT] * 2, "Sum": [FLOAT] * 3, "Where": [np.bool_, FLOAT, FLOAT]}


@pytest.mark.parametrize("op", EVALUATED)
def test_evaluated(op: str) -> None:
    """The reference evaluator computes what we say that broadcasts, and nothing else."""
    dtypes = EVALUATED[op]
    evaluator = reference.ReferenceEvaluator(model(op, dtypes, [None] * len(dtypes)))

    def evaluated(question: Question) -> Known | None:
        arrays = map(np.ones, question.shapes, dtypes)
        try:
            [output] = evaluator.run(None, dict(zip(evaluator.input_names, arrays, strict=True)))
        except (ValueError, TypeError):  # which of them depends on the operator
            return None
        shape: Known = output.shape
        return shape

    asked = questions(
        Kind("onnx", most_axes=5, counts=[len(dtypes)]), several(1_000), fresh(f"evaluated {op}")
    )
    judge("onnx", answered(asked), evaluated)


def test_unidirectional_is_not_inferred() -> None:
    """Strict shape inference lets a slope of PRelu and a C of Gemm pass, as our note says."""
    note = "ONNX's shape inference, strict mode included, does not check this rule"
    asked = questions(Kind("onnx-uni", sizes=SIZES[1:]), 1_000, fresh("onnx unchecked"))
    refused = [(question, said) for question, said in answered(asked) if not said.ok]
    assert len(refused) > 100
    for question, said in refused:
        kept, follower = question.shapes
        assert note in said.notes
        assert of_floats("PRelu")(question) == kept, question.line
        if len(kept) == 2:
            assert gemm(kept, follower) == kept, question.line
