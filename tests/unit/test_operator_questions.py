"""Questions from lines and nodes: operators/questions.py, and notation/operators.py below it."""

import json

import pytest

from bcastcli.core.shapes import Shape
from bcastcli.notation.text import NotationError
from bcastcli.operators import questions
from bcastcli.operators.questions import Undecided, ask
from bcastcli.reports import verdict
from tests.in_memory import run
from tests.rows import each_row


@each_row(
    ("line", "answer"),
    [
        ("Add 1,197,768 197,1", "1,197,768"),
        ("add (2, 3); torch.Size([3])", "2,3"),
        ("Gemm 8,64 10,64 10 trans_b=1", "8,10"),
        ("Gemm trans_b=1 8,64 10,64 10", "8,10"),
        ("Gemm 64,8 10,64 trans_b=1 trans_a=1 opset=13", "8,10"),
        ("Add 2,3,4,5 3,4 axis=1 opset=6", "2,3,4,5"),
        ("LayerNormalization 2,3,4 3,4 axis=-2", "2,3,4"),
        ("MatMul 2,7,32 16,32 trans_b=1", "2,7,16"),
        ("MatMul 32,7 32,16 trans_a=1", "7,16"),
        ("MatMul 2,7,32 32,16 trans_b=0", "2,7,16"),
        ("Max 3", "3"),
        ("pdpd 2,3,4,5 3,4 axis=1", "2,3,4,5"),
        ("none 2,3 2,3", "2,3"),
        ('{"op": "Gemm", "shapes": [[8,64],[10,64],[10]], "trans_b": true}', "8,10"),
        ('{"op": "Add", "shapes": [[2,3,4],[3]], "axis": 1, "opset": 6}', "2,3,4"),
        ("Add N,3 4,3", "4,3 when N in (1, 4)"),
        ("Add ... 2,3", "... when the shape of A is known"),
        ("Where 2 ... ...", "... when the shapes of X and Y are known"),
        ('{"op": "Add", "shapes": [null, [2,3]]}', "... when the shape of A is known"),
        ("none ... 3", "... when the shape of A is known"),
        ("Einsum 2,3 3,4", "not decided: bcastcli does not compute shapes for Einsum"),
    ],
)
def test_answers(line: str, answer: str) -> None:
    """A line with an operator, its shapes and its settings gets the operator's answer."""
    assert verdict(ask(line)) == answer


def test_a_transposed_input_keeps_its_shape() -> None:
    """A transposed input is named as typed, and the reason says how it is used."""
    answer = ask("MatMul 2,7,32 16,31 trans_b=1")
    assert [each.shape for each in answer.question.inputs] == [(2, 7, 32), (16, 31)]
    assert answer.reason
    assert "B.T 31,16 has 31 on axis 0 (-2), and these must be equal" in answer.reason.text


@pytest.mark.parametrize(
    ("line", "message", "at_fault"),
    [
        (
            "Ad 2 3",
            "Ad does not broadcast; did you mean And or Add?",
            "Ad",
        ),
        ("2,3 3", "2,3 is not the name of an operator", "2,3"),
        ("Add 2,3 3 axis=1", "Add takes no axis", "axis=1"),
        ("Add 2,3 3 trans_b=1", "Add takes no trans_b", "trans_b=1"),
        ("Gemm 2,3 3,4 trans_b=yes", "trans_b must be 0 or 1", "trans_b=yes"),
        ("Add 2,3 3 opset=0", "an opset is a whole number, 1 or higher", "opset=0"),
        ("Add 2,3 3 opset=7 opset=8", "opset is given twice", "opset=8"),
        ("Add 2,3,4 3 axis=x opset=6", "expected a whole number", "axis=x"),
        ("Add 2,3,4 3 axis=-2 opset=6", "expected an axis number (0, 1, 2, ...)", "axis=-2"),
        (
            "LayerNormalization 2,3 3 opset=16",
            "LayerNormalization was introduced in opset 17",
            "Layer",
        ),
        ("pdpd 2,3 3 opset=7", "pdpd is a rule and has no opset", "opset=7"),
        ("Add 2,3", "Add takes two shapes (A, B), not one", ""),
        ("Add ... 2,3 3", "Add takes two shapes (A, B), not 3", "3"),
        ("Gemm trans_b=1 2,3 4,5 6 7", "Gemm takes two or three shapes (A, B, C), not 4", "7"),
        ("Add 2,3 4;-", "", "-"),
        ("Add 2,,3 4", "a size is missing", ","),
        ('{"op": 7, "shapes": [[2]]}', "an operator is missing", "{"),
        ('{"shapes": [[2]]}', "an operator is missing", "{"),
        ('{"op": "Add", "shapes": [[2]], "more": 1}', "the keys of a question are", "{"),
        ("[[2],[3]]", "an operator is missing", "["),
        ("[[2],x]", "this is not JSON", "x"),
        ("[[2],", "a JSON question is one line", ""),
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


NODES: list[tuple[str, tuple[Shape | None, ...], dict[str, int], int | None]] = [
    ("Add", ((2, "N"), (3,)), {}, 17),
    ("Add", ((2, 3, 4), (3,)), {"broadcast": 1, "axis": 1}, 6),
    ("Add", ((2, 3), (3,)), {}, 6),
    ("Max", ((2, 3), (3,), ()), {}, 8),
    ("Where", ((2,), None, (3, "?")), {}, None),
    ("Gemm", ((8, 64), (10, 64), (10,)), {"trans_a": 0, "trans_b": 1}, 13),
    ("Gemm", ((8, 64), (64, 10), (10,)), {"broadcast": 1}, 6),
    ("Gemm", ((8, 64), (64, 10), (10,)), {}, 6),
    ("MatMul", ((2, 7, 32), (16, 32)), {"trans_b": 1}, None),
    ("MatMulInteger", ((2, 3), (3, 4), (), (4,)), {}, 10),
    ("QLinearMatMul", ((2, 3), (), (), (3, 4), (), (), (), ()), {}, 21),
    ("LayerNormalization", ((2, 3, 4), (4,)), {"axis": -1}, 17),
    ("LayerNormalization", ((2, 3, 4), (3, 4)), {"axis": 1}, 11),
    ("PRelu", ((1, 3, 3), (3,)), {}, 6),
    ("Expand", ((3, 1), (3, 4)), {}, 8),
    ("Einsum", ((2, 3), (3, 4)), {"axis": 1}, 12),
    ("pdpd", ((2, 3, 4), (3, 1)), {"axis": 0}, None),
    ("bidirectional", ((3,), (2, 3)), {}, None),
]


@each_row(("name", "inputs", "attributes", "opset"), NODES)
def test_the_line_of_a_node_asks_the_same(
    name: str, inputs: tuple[Shape | None, ...], attributes: dict[str, int], opset: int | None
) -> None:
    """The line that is written from a question is read as the same question."""
    asked = questions.of_node(name, inputs, attributes, opset)
    read = questions.of_line(questions.line(asked))
    assert read == asked
    assert verdict(questions.answer(read)) == verdict(questions.answer(asked))


def test_the_lines_of_nodes() -> None:
    """A setting is written where it is not the usual one, an opset where it is not the newest's."""
    lines = [questions.line(questions.of_node(*each)) for each in NODES]
    assert lines == [
        "Add 2,N 3",
        "Add 2,3,4 3 axis=1 opset=6",
        "none 2,3 3",
        "Max 2,3 3 ()",
        "Where 2 ... 3,?",
        "Gemm 8,64 10,64 10 trans_b=1",
        "Gemm 8,64 64,10 10 opset=6",
        "Gemm 8,64 64,10 10 broadcast=0 opset=6",
        "MatMul 2,7,32 16,32 trans_b=1",
        "MatMulInteger 2,3 3,4",
        "QLinearMatMul 2,3 3,4",
        "LayerNormalization 2,3,4 4",
        "LayerNormalization 2,3,4 3,4 axis=1",
        "PRelu 1,3,3 3 opset=6",
        "Expand 3,1 3,4",
        "Einsum 2,3 3,4",
        "pdpd 2,3,4 3,1 axis=0",
        "bidirectional 3 2,3",
    ]


@pytest.mark.parametrize("opset", [1, 6])
def test_gemm_before_it_broadcast(opset: int) -> None:
    """Up to opset 6, C has the shape of the product unless the attribute broadcast is set."""
    shapes = (8, 64), (64, 10)
    assert questions.of_node("Gemm", (*shapes, (8, 10)), {}, opset).answer().ok
    refused = questions.of_node("Gemm", (*shapes, (10,)), {}, opset).answer()
    assert refused.reason
    assert refused.reason.text == ("A@B 8,10 has 2 axes and C 10 has 1 axis, and nothing stretches")


def test_the_opset_of_the_command_line() -> None:
    """It holds for lines without their own."""
    lines = b"Add 2,3,4 3,1\nAdd 2,3,4 3,1 opset=7\n"
    assert run(["op", "-", "--opset", "6"], lines).out == (
        "mismatch: A has 4 and B has 1 on axis 2 (-1), "
        "and B must equal A there or have one element\n2,3,4\n"
    )


def test_labels_and_statuses() -> None:
    """Each answer keeps its line's label, and the worst line decides the status."""
    lines = b"Add 1,197,768 1,257,768 # enc.add_pos\nGemm 8,64 10,64 10 trans_b=1 # head\n"
    ended = run(["op", "-"], lines)
    assert ended.status == 1
    assert ended.out == (
        "mismatch: A has 197 and B has 257 on axis 1 (-2), and neither is 1 # enc.add_pos\n"
        "8,10 # head\n"
    )
    assert run(["op", "-"], b"Add ... 3 # x\n").status == 3
    assert run(["op", "-"], lines + b"Ad 2 3\n").status == 2
    assert run(["op", "-"], b"").status == 0
    labels = [
        json.loads(line)["label"] for line in run(["op", "-", "--json"], lines).out.splitlines()
    ]
    assert labels == ["enc.add_pos", "head"]


def test_what_is_not_decided_in_json() -> None:
    """What is not decided has the keys of an answer, all null."""
    ended = run(["op", "-", "--json"], b"Add ... 3\nEinsum 2 3 opset=12\n")
    first, second = map(json.loads, ended.out.splitlines())
    assert first["inputs"] == [{"name": "A", "shape": None}, {"name": "B", "shape": [3]}]
    assert (first["ok"], first["result"], first["axes"], first["reason"]) == (None,) * 4
    assert (second["op"], second["opset"], second["since_opset"]) == ("Einsum", 12, 12)
    assert isinstance(ask("Add ... 3"), Undecided)


LINES = ["2,3 3 trans_b=1", "2,3 3 opset=7", '{"op": "Add", "shapes": []}']


@each_row(
    ("command", "line"),
    [
        *((command, line) for command in ("numpy", "compare", "pdpd") for line in LINES),
        *((command, "Add 2,3 3 # label") for command in ("numpy", "pdpd")),
    ],
)
def test_operators_lines_elsewhere(command: str, line: str) -> None:
    """A name would read as an unknown size, a setting as an operand."""
    ended = run([command, "-"], line.encode())
    assert ended.status == 2
    assert "bcastcli op" in ended.err


@each_row("option", ["--axis=1", "--trans-a", "--trans-b"])
def test_options_that_stand_on_each_line(option: str) -> None:
    """A setting of one question is refused as an option for all lines."""
    ended = run(["op", "-", option], b"Add 2 2\n")
    assert (ended.status, ended.out) == (2, "")
    assert "belongs on each line, after the shapes" in ended.err
