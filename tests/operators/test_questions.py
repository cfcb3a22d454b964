"""Questions from lines and nodes: operators/questions.py, and notation/operators.py below it."""

from typing import Any

import pytest

from bcastcli.core.shapes import Shape
from bcastcli.notation.text import NotationError
from bcastcli.operators import questions
from bcastcli.operators.questions import Undecided, ask
from bcastcli.reports import verdict
from tests.in_memory import run
from tests.rows import each_row


@each_row("output", ["plain", "table", "json"])
def test_a_line_that_is_not_decided(output: str) -> None:
    """Every format says what is missing; what no size can decide is invalid."""
    ended = run(["op", "-", "-f", output], b"Add ... 3\n")
    answer = ask("Add ... 3")
    assert isinstance(answer, Undecided)
    assert (ended.status, answer.missing in ended.out) == (3, True)
    for line in (b"Einsum 2,3 3,4\n", b"Add 2,3 3 opset=6\n"):
        assert run(["op", "-", "-f", output], line).status == 2


@pytest.mark.parametrize(
    ("line", "message", "at_fault"),
    [
        ("Ad 2 3", "Ad is not known; did you mean ", "Ad"),
        ("2,3 3", "2,3 is not known", "2,3"),
        ("Add 2,3 3 axis=1", "Add takes no axis", "axis=1"),
        ("Add 2,3 3 trans_b=1", "Add takes no trans_b", "trans_b=1"),
        ("Gemm 2,3 3,4 trans_b=yes", "trans_b must be 0 or 1", "trans_b=yes"),
        ("Add 2,3 3 opset=0", "opset must be a whole number, 1 or higher", "opset=0"),
        ("Add 2,3 3 opset=7 opset=8", "opset is given twice", "opset=8"),
        ("LayerNormalization 2,3 3 opset=16", "LayerNormalization was introduced in", "opset"),
        ("Add 2,3", "Add takes two shapes (A, B), not one", ""),
        ("Add ... 2,3 3", "Add takes two shapes (A, B), not 3", "3"),
        ("Gemm trans_b=1 2,3 4,5 6 7", "Gemm takes two or three shapes (A, B, C), not 4", "7"),
        ("Add 2,3 4;-", "", "-"),
        ("Add 2,,3 4", "a size is missing", ","),
        ('{"op": 7, "shapes": [[2]]}', "an operator is missing", "{"),
        ('{"shapes": [[2]]}', "an operator is missing", "{"),
        ('{"op": "Add", "shapes": [[2]], "more": 1}', "the keys of Add are", "{"),
        ("[[2],[3]]", "an operator is missing", "["),
        ("[[2],x]", "this is not JSON", "x"),
        ("[[2],", "this is not JSON", ""),
        ('{"op": "Gemm", "shapes": [[2],[3]], "trans_b": 2}', "trans_b must be 0 or 1", "{"),
        ("   ", "an operator is missing", " "),
    ],
)
def test_lines_that_ask_nothing(line: str, message: str, at_fault: str) -> None:
    """A line that asks nothing gets one sentence, with the place at fault."""
    with pytest.raises(NotationError) as caught:
        ask(line)
    assert message in caught.value.message
    assert caught.value.text == line
    start, _ = caught.value.span
    assert line[start:].startswith(at_fault)


NODES: list[tuple[str, tuple[Shape | None, ...], dict[str, int], int | None, str]] = [
    ("Add", ((2, "N"), (3,)), {}, 17, "Add 2,N 3"),
    ("Max", ((2, 3), (3,), ()), {}, 8, "Max 2,3 3 ()"),
    ("Where", ((2,), None, (3, "?")), {}, None, "Where 2 ... 3,?"),
    ("Gemm", ((8, 64), (10, 64), (10,)), {"trans_a": 0, "trans_b": 1}, 9,
     "Gemm 8,64 10,64 10 trans_b=1 opset=9"),
    ("MatMulInteger", ((2, 3), (3, 4), (), (4,)), {}, 10, "MatMulInteger 2,3 3,4"),
    ("QLinearMatMul", ((2, 3), (), (), (3, 4), (), (), (), ()), {}, 21, "QLinearMatMul 2,3 3,4"),
    ("LayerNormalization", ((2, 3, 4), (4,)), {"axis": -1}, None, "LayerNormalization 2,3,4 4"),
    ("LayerNormalization", ((2, 3, 4), (3, 4)), {"axis": 1}, 11,
     "LayerNormalization 2,3,4 3,4 axis=1"),
    ("Expand", ((3, 1), (3, 4)), {}, 8, "Expand 3,1 3,4"),
    ("pdpd", ((2, 3, 4), (3, 1)), {"axis": 0}, None, "pdpd 2,3,4 3,1 axis=0"),
    ("bidirectional", ((3,), (2, 3)), {}, None, "bidirectional 3 2,3"),
]  # fmt: skip


@each_row(("name", "inputs", "attributes", "opset", "line"), NODES)
def test_the_line_of_a_node_asks_the_same(
    name: str, inputs: tuple[Shape | None, ...], attributes: Any, opset: int | None, line: str
) -> None:
    """The line that is written from a question is read as the same question.

    A setting is written where it is not the usual one, an opset where it is not the newest's.
    """
    question = questions.of_node(name, inputs, attributes, opset)
    assert questions.line(question) == line
    read = questions.ask(line)
    assert read.question == question
    assert verdict(read) == verdict(questions.answer(question))
