"""What to write instead under an operator, asked again and executed (operators/)."""

import json
import random
from typing import Any

import numpy
import pytest

from bcastcli.advice.lines import lines_of
from bcastcli.core.shapes import Shape, written
from bcastcli.operators import operators
from tests.cases.operator_documents import DOCUMENTS, Document, random_question
from tests.effort import in_turn, many
from tests.in_memory import run
from tests.laws.advised import obeys
from tests.operators.asking import TABLE, of_shapes, plain
from tests.rows import each_row


def arguments_of(question: dict[str, Any]) -> list[str]:
    """What JSON says of a question to an operator, as the arguments that ask it."""
    arguments = [question["op"], *map(written, question["shapes"])]
    if question["opset"] is not None:
        arguments += ["--opset", str(question["opset"])]
    for name, value in question["options"].items():
        if name == "axis" or value:
            arguments.append(f"{name}={int(value)}")
    return arguments


TRIED = [
    ("add", "2,3 2", ["Unsqueeze(B, axes=[1]) gives 2,3"]),
    ("gemm", "8,64 10,64 10", ["trans_b=1 gives 8,10"]),
    ("gemm", "64,8 64,10 10", ["trans_a=1 gives 8,10"]),
    ("gemm", "8,64 64,10 10 trans_b=1", ["without trans_b gives 8,10"]),
    ("gemm", "8,64 10,64 8", ["trans_b=1, Unsqueeze(C, axes=[1]) gives 8,10"]),
    ("gemm", "2,3 3,4 2", ["Unsqueeze(C, axes=[1]) gives 2,4"]),
    ("gemm", "2,3 3,4 1,1,4", ["Squeeze(C, axes=[0]) gives 2,4"]),
    ("gemm", "2,3 4,4 2", []),
    ("gemm", "2,3,64 64,10 10", []),
    ("gemm", "N,3,64 64,10 10", []),
    ("gemm", "() 64,10 10", []),
    ("prelu", "2,3,4 3", ["Unsqueeze(slope, axes=[1]) gives 2,3,4"]),
    ("prelu", "3 2,3", []),
    ("layernormalization", "2,3,4 3 4", ["Unsqueeze(Scale, axes=[1]) gives 2,3,4"]),
    ("layernormalization", "2,3,4 4 3", ["Unsqueeze(B, axes=[1]) gives 2,3,4"]),
    ("rmsnormalization", "() ()", []),
    ("matmul", "8,64 10,64", ["Transpose(B, perm=[1, 0]) gives 8,10"]),
    ("matmul", "64,8 64,10", ["Transpose(A, perm=[1, 0]) gives 8,10"]),
    (
        "matmul",
        "2,3 2,3",
        ["Transpose(B, perm=[1, 0]) gives 2,2", "Transpose(A, perm=[1, 0]) gives 3,3"],
    ),
    # Both transposed would be another product: of a linear layer, over its batch.
    ("matmul", "64,8 10,64", []),
    ("gemm", "64,8 10,64 10", []),
    ("matmul", "2,3 2", ["Transpose(A, perm=[1, 0]) gives 3"]),
    ("matmul", "3 2", []),
    ("matmul", "() 2,3", []),
    ("matmul", "2,8,64 2,10,64", ["Transpose(B, perm=[0, 2, 1]) gives 2,8,10"]),
    ("matmul", "8,3,4 5,4,6", []),
    ("matmul", "2,3,4 2,5,4,6", ["Unsqueeze(A, axes=[1]) gives 2,5,3,6"]),
    ("matmul", "3,2,4 4,3,6,4,5", ["Unsqueeze(A, axes=[1]) gives 4,3,6,2,5"]),
    ("matmul", "6,3,4 2,3,4,5", []),
    ("matmulinteger", "8,64 10,64", ["Transpose(b, perm=[1, 0]) gives 8,10"]),
    ("max", "2,3 3 --opset 7", ["Expand(B, shape=[2, 3]) gives 2,3"]),
    ("expand", "2 2,3", ["Unsqueeze(input, axes=[1]) gives 2,3"]),
]


@each_row(("name", "question", "expected"), TRIED)
def test_suggestions(name: str, question: str, expected: list[str]) -> None:
    """What to write instead keeps to the operator and the order of its inputs; likeliest first."""
    found = json.loads(run(["op", name, *question.split(), "--json"]).out)
    assert found["ok"] is False
    tried = [f"{each['write']} gives {written(each['result'])}" for each in found["suggestions"]]
    assert tried[: len(expected)] == expected
    assert bool(tried) == bool(expected)
    for each in found["suggestions"]:
        assert list(each) == ["write", "op", "opset", "shapes", "options", "result", "kind"]
        assert plain(*arguments_of(each)) == (0, written(each["result"]))


@pytest.mark.parametrize(
    "document", in_turn(DOCUMENTS, 2), ids=lambda each: f"{each.name}-{each.opset or ''}"
)
def test_suggestions_are_asked_again(document: Document) -> None:
    """The operator answers each suggestion with the result that it shows; no two are the same."""
    chance = random.Random(f"suggestions {document.name} {document.opset}")
    for _ in range(many(2_000)):
        shapes, options = random_question(document, chance, (0, 1, 2, 3, 4, 6, "N", "?"))
        answer = of_shapes(document.name, shapes, document.opset, **options)
        obeys(answer)
        questions = [str(each.answer.question.record()) for each in answer.suggestions]
        assert len({*questions, str(answer.question.record())}) == len(questions) + 1
        for each in answer.suggestions:
            record: Any = each.answer.question.record()
            again = of_shapes(record["op"], record["shapes"], record["opset"], **record["options"])
            assert (again.ok, again.result) == (True, each.answer.result), (shapes, each)
            assert set(each.changed) == set(each.answer.question.inputs) - set(
                answer.question.inputs
            )


def known(shape: Shape) -> tuple[int, ...]:
    return tuple(map(int, shape))


def test_numpy_executes_suggestions_of_products() -> None:
    """What is suggested for MatMul, in NumPy's words, gives the shapes and the result."""
    chance = random.Random("products")
    [document] = [each for each in DOCUMENTS if each.name == "MatMul"]
    executed = 0
    for _ in range(many(2_000)):
        shapes, _ = random_question(document, chance, (1, 2, 3, 4))
        answer = of_shapes("MatMul", shapes, None)
        arrays = {name: numpy.zeros(known(shape)) for name, shape in answer.question.inputs}
        for each in lines_of(answer, answer.suggestions, "numpy"):
            changed = [operand.name for operand in each.changed]
            made = eval(f"[{each.write}]", {}, arrays)
            inputs = arrays | dict(zip(changed, made, strict=True))
            assert [(name, array.shape) for name, array in inputs.items()] == [
                *each.answer.question.inputs
            ], (shapes, each.write)
            assert numpy.matmul(*inputs.values()).shape == each.answer.result
            executed += 1
    assert executed > many(200)


@pytest.mark.parametrize("name", ["Add", "Gemm", "MatMul", "PRelu", "LayerNormalization"])
def test_nothing_is_suggested_that_nobody_can_read(name: str) -> None:
    """Shapes that are too long to be read are not made others."""
    long = (2,) * 10_000
    operator = operators.operator(TABLE[name][-1], None)
    answer = of_shapes(name, [long, (3,), (3,)][: operator.min_operands], None)
    assert (answer.ok, answer.suggestions) == (False, ())
