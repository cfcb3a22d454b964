"""Operators: why not, under which condition, and which notes (operators/operator.py)."""

import json

from bcastcli.cli.main import main
from bcastcli.core.alignment import Operand
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape
from bcastcli.operators.operators import OPENVINO_ALIGNS_WITH_AXIS_1
from bcastcli.operators.rules import UnidirectionalMany
from tests.cli.operators import Output, ask, plain
from tests.in_memory import run
from tests.rows import each_row

# Reasons, conditions and notes.


@each_row(
    ("name", "question", "kind", "text"),
    [
        (
            "gemm",
            "2,3 4,5 5",
            "sizes",
            "A 2,3 has 3 on axis 1 (-1) and B 4,5 has 4 on axis 0 (-2), and these must be equal",
        ),
        (
            "gemm",
            "2,3 4,5 7 --trans-a --trans-b",
            "sizes",
            "A 2,3 has 2 on axis 0 (-2) and B 4,5 has 5 on axis 1 (-1), and these must be equal",
        ),
        ("gemm", "2,3,4 3,5 5", "rank", "A 2,3,4 has 3 axes, and a matrix has 2"),
        ("gemm", "2,3 3 5 --trans-b", "rank", "B 3 has 1 axis, and a matrix has 2"),
        ("gemm", "() 3,5", "rank", "A () has 0 axes, and a matrix has 2"),
        (
            "gemm",
            "2,3 3,5 1,1,5",
            "rank",
            "C 1,1,5 has 3 axes and A@B 2,5 has 2, and A@B never stretches",
        ),
        (
            "gemm",
            "2,3 3,5 4 --trans-a --opset 6",
            "sizes",
            "A 2,3 has 2 on axis 0 (-2) and B 3,5 has 3 on axis 0 (-2), and these must be equal",
        ),
        (
            "gemm",
            "2,3 3,5 2,1 --opset 6",
            "sizes",
            "A@B has 5 and C has 1 on axis 1 (-1), and C must equal A@B there or have one element",
        ),
        (
            "gemm",
            "2,N 3,N N,N",
            "names",
            "N in (1, 2) on axis 0 (-2) and N == 3 on A's axis 1 (-1) and B's axis 0 (-2) cannot",
        ),
        (
            "gemm",
            "2,N 3,5 N --opset 6",
            "names",
            "N in (1, 5) on the aligned axes and N == 3 on A's axis 1 (-1) and B's axis 0 (-2) ",
        ),
        ("gemm", "2,3 4,5 7,7,7", "sizes", "A 2,3 has 3 on axis 1 (-1) and B 4,5 has 4 on axis 0"),
        (
            "matmul",
            "2,1,3 3,1,3",
            "sizes",
            "A 2,1,3 has 3 on axis 2 (-1) and B 3,1,3 has 1 on axis 1 (-2), and these must be",
        ),
        ("matmul", "2,3 2", "sizes", "A 2,3 has 3 on axis 1 (-1) and B 2 has 2 on axis 0 (-1)"),
        (
            "matmul",
            "2,4,3 5,3,4",
            "sizes",
            "A has 2 and B has 5 on axis 0 (-3), and neither is 1",
        ),
        ("matmul", "() 3", "rank", "A has 0 axes, and a matrix product takes no scalars"),
        ("matmul", "() ()", "rank", "A and B have 0 axes, and a matrix product takes no scalars"),
        (
            "layernormalization",
            "2,3 3 1,1,3",
            "rank",
            "B 1,1,3 has 3 axes and X 2,3 has 2, and X never stretches",
        ),
        (
            "layernormalization",
            "2,3 3 4",
            "sizes",
            "X has 3 and B has 4 on axis 1 (-1), and B must be 3 or 1 there",
        ),
        (
            "layernormalization",
            "() ()",
            "fit",
            "axis -1 is out of range for X (), which has 0 axes",
        ),
        (
            "rmsnormalization",
            "2,3 3 --axis -3",
            "fit",
            "axis -3 is out of range for X 2,3, which has 2 axes",
        ),
        (
            "rmsnormalization",
            "2,3 2",
            "sizes",
            "X has 3 and scale has 2 on axis 1 (-1), and scale must be 3 or 1 there",
        ),
        (
            "prelu",
            "2,3 2 --opset 6",
            "sizes",
            "slope 2 has neither one element nor one for each channel, axis 1 of X 2,3",
        ),
        (
            "add",
            "2,3 3,4 --axis 1 --opset 6",
            "fit",
            "B 3,4 at axis 1 (--axis 1) has 4 on axis 2, past the end of A 2,3, which has 2 axes",
        ),
        (
            "add",
            "2,3 4 --axis 5 --opset 6",
            "fit",
            "B 4 at axis 5 (--axis 5) has 4 on axis 5, past the end of A 2,3, which has 2 axes",
        ),
        (
            "add",
            "3 2,3 --opset 6",
            "rank",
            "B 2,3 has 2 axes and A 3 has 1, and B must not have more",
        ),
    ],
)
def test_reason(name: str, question: str, kind: str, text: str, capsys: Output) -> None:
    """A no names the inputs, what they have and where; a K that does not fit goes first."""
    assert main(["op", name, *question.split(), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["reason_kind"] == kind
    assert found["reason"].startswith(text)


@each_row(
    ("name", "question", "line"),
    [
        ("gemm", "N,3 M,5 N,1", "N,5 when M == 3"),
        ("gemm", "2,K K,5 5", "2,5"),
        (
            "gemm",
            "?,? ?,? ?,?",
            (
                "?,? when (A.shape[0] == C.shape[0] or C.shape[0] == 1) "
                "and (B.shape[1] == C.shape[1] or C.shape[1] == 1) and A.shape[1] == B.shape[0]"
            ),
        ),
        (
            "gemm",
            "?,2 ?,3 2,? --trans-a",
            "2,3 when C.shape[1] in (1, 3) and A.shape[0] == B.shape[0]",
        ),
        ("gemm", "N,3 N,4", "3,4 when N == 3"),
        ("gemm", "2,5 5,4 N --opset 6", "2,4 when N in (1, 4)"),
        ("matmul", "3,N 4,5,N", "4,3,5 when N == 5"),
        ("matmul", "N,2,3 4,?,M", "4,2,M when N in (1, 4) and B.shape[1] == 3"),
        ("matmul", "? ?", "() when A.shape[0] == B.shape[0]"),
        ("matmul", "M,N N,M", "M,M"),
        ("layernormalization", "N,M M N,1", "N,M"),
        ("layernormalization", "2,3 ? N", "2,3 when Scale.shape[0] in (1, 3) and N in (1, 3)"),
        ("prelu", "2,3,4 ? --opset 6", "2,3,4 when slope.shape[0] in (1, 3)"),
        ("prelu", "2,N,4 3 --opset 6", "2,3,4 when N == 3"),
        ("prelu", "2,3 N,M --opset 6", "2,3 when N == 1 and M == 1"),
        ("add", "2,3 N --axis 0 --opset 6", "2,3 when N in (1, 2)"),
        ("add", "2,3 N --axis 5 --opset 6", "2,3 when N == 1"),
        (
            "add",
            "2,3 N,M --opset 6",
            "2,3 when N in (1, 2) and (N == 2 or M == 1) and (N == 1 or M == 3) and M in (1, 3)",
        ),
        ("where", "N,1 ?,3 3", "?,3 when N == X.shape[0] or N == 1 or X.shape[0] == 1"),
        ("max", "N M --opset 7", "N when N == M"),
        ("max", "N --opset 7", "N"),
    ],
)
def test_unknown_sizes(name: str, question: str, line: str, capsys: Output) -> None:
    """A size keeps its name or its place in the input, also where inputs are made into others."""
    status, written_line = plain(capsys, name, *question.split())
    assert written_line == line
    assert status == (3 if " when " in line else 0)


FEWER_AXES = "with fewer axes than the 2 that are normalized"
MUST_BE_6 = "on axis 3 (-1), and attn_mask must be 6 or 1 there"
NOT_INFERRED = (
    "ONNX's shape inference, strict mode included, does not check this rule; "
    "ONNX Runtime does when it runs"
)


RUN_BOTH_WAYS = (
    "ONNX Runtime runs PRelu multidirectionally, as PRelu-16's function body does: "
    "it accepts this and returns 2,3"
)


TAKEN_AS_A_ROW = (
    "ONNX Runtime takes A as 1,3 in a model that does not declare A's shape: "
    "it accepts this and returns 1,4"
)


NOTED = [
    ("gemm", "2,3 3,4 4", []),
    ("gemm", "2,3 3,4 5", [NOT_INFERRED]),
    ("gemm", "2,3 4,4 5", []),
    ("gemm", "2,3,4 4,4 5", []),
    (
        "gemm",
        "3 3,4 4",
        [TAKEN_AS_A_ROW],
    ),
    ("gemm", "3 3,4 4 --trans-a", []),
    ("gemm", "3 3,4 4 --opset 6", []),
    ("gemm", "N 3,4 4", []),
    ("layernormalization", "2,3 2", [NOT_INFERRED]),
    ("rmsnormalization", "2,3 1,1,3", [NOT_INFERRED]),
    ("rmsnormalization", "2,3 3 --axis 7", []),
    ("layernormalization", "2,0,3 3", []),
    (
        "layernormalization",
        "2,0,3 3 --axis 1",
        [
            "ONNX Runtime refuses this: X is empty from axis 1 on",
            f"older releases of ONNX Runtime refuse a Scale {FEWER_AXES}",
        ],
    ),
    (
        "prelu",
        "3 2,3",
        [
            RUN_BOTH_WAYS,
            "ONNX's shape inference, strict mode included, does not check this rule",
        ],
    ),
    ("prelu", "2,3 3", []),
    ("mean", "2,3 3", []),
    ("mean", "3 3", []),
    ("mean", "3 2,3", ["ONNX's reference evaluator fails unless A has the result's shape"]),
    ("sum", "3 2,3", []),
    ("add", "2,3 2,3 --opset 6", ["B starts at axis 0 (default: 2 - 2)"]),
    (
        "add",
        "2,3 3 --opset 6",
        [
            "B starts at axis 1 (default: 2 - 1)",
            "asked with the attribute broadcast=1: without it the shapes must be identical",
        ],
    ),
    (
        "gemm",
        "2,3 3,4 4 --opset 6",
        ["asked with the attribute broadcast=1: without it the shapes must be identical"],
    ),
    (
        "matmul",
        "2,1,3 3",
        ["the sum goes over A's axis 2 (-1) and B's axis 0 (-1): neither is an axis of the result"],
    ),
    (
        "matmul",
        "3,1 1,4",
        ["the sum goes over A's axis 1 (-1) and B's axis 0 (-2): neither is an axis of the result"],
    ),
    ("matmul", "3,1 2,4", []),
    (
        "expand",
        "5 1",
        ["the result 5 is not the target shape 1: shape has a 1 where input has another size"],
    ),
]


@each_row(("name", "question", "notes"), NOTED)
def test_notes(name: str, question: str, notes: list[str], capsys: Output) -> None:
    """A note stands where it applies: of the engines, the attributes and what is summed over."""
    main(["op", name, *question.split(), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [note["text"] for note in found["notes"] if note["kind"] != "sizes"] == notes


@each_row(
    ("name", "question", "opset", "kinds"),
    [
        ("Gemm", "2,3 3,4 5", None, ["engine"]),
        ("MatMul", "2,1,3 3", None, ["sum"]),
        ("Add", "2,3 3", 6, ["axis", "broadcast"]),
    ],
)
def test_kinds_of_notes(name: str, question: str, opset: int | None, kinds: list[str]) -> None:
    """Notes are of an engine, or else of what the operator does with its inputs."""
    assert [note.kind for note in ask(name, question, opset).notes] == kinds


def test_only_axes_within_the_first_input_are_proposed() -> None:
    """Up to opset 6 an axis is proposed if B ends within A there."""
    answer = ask("Add", "2,3,4 5,6", 6)
    proposed = [each.setting for each in answer.rule.alternatives(answer.question)]
    assert proposed == ["--axis 0", "--axis 1"]


@each_row(
    ("question", "aligned"),
    [
        ("2,3 1", [(2, None), (3, 1)]),
        ("3 1", [(3, 1)]),
        ("3 1,1", [(3, 1), (None, 1)]),
        ("2,3,4 3", [(2, None), (3, 3), (4, None)]),
    ],
)
def test_where_a_slope_lies(question: str, aligned: list[tuple[int | None, ...]]) -> None:
    """Up to opset 6 a slope of one element lies on the last axes, any other one on axis 1."""
    answer = ask("PRelu", question, 6)
    assert answer.ok
    assert [axis.sizes for axis in answer.axes or ()] == aligned


@each_row(
    ("question", "is_noted"),
    [
        *[("1,6,6,5 6", True), ("1,2,5 2", True), ("1,6,6,6 6", True)],
        *[("1,6,6,5 5", False), ("2,1,5 1", False), ("6,6 6", False), ("1,6,5 6,1", False)],
    ],
)
def test_where_openvino_aligns_a_slope(question: str, is_noted: bool) -> None:
    """A note says so where OpenVINO aligns a slope with axis 1 and not with the last."""
    notes = [note.text for note in ask("PRelu", question).notes]
    assert any(text.startswith(OPENVINO_ALIGNS_WITH_AXIS_1) for text in notes) is is_noted


@each_row("axis", [0, 2, 7])
def test_one_element_lies_within(axis: int) -> None:
    """Up to opset 6 one element goes anywhere, and is shown within A."""
    answer = ask("Add", "2,3 1,1", 6, axis=axis)
    assert answer.ok
    assert [axis.sizes for axis in answer.axes or ()] == [(2, 1), (3, 1)]


@each_row("question", ["3 3", "2,3 3", "3 2,3,4", "2,3 3,4", "5,2,3 3,4", "2,2,3 3"])
def test_the_rank_of_a_matrix_product(question: str) -> None:
    """A row or a column adds no axis to the result, whose rank the plan tells."""
    answer = ask("MatMul", question)
    assert answer.layout.rank == len(answer.result or ())


@each_row(
    ("shapes", "kind", "culprit"),
    [
        ([("N", "N", 5), (2, 3, 5)], "names", "axis 0"),
        ([("N", "N", 5), (2, 3, 5), (4,)], "sizes", "C has 4"),
        ([("N", "N", 5), (2, 3, 5), (4,), (1, 1, 1, 1)], "rank", "D 1,1,1,1 has 4 axes"),
    ],
)
def test_the_worst_of_the_followers(shapes: list[Shape], kind: str, culprit: str) -> None:
    """Of several inputs that do not follow the first, the one that is named is furthest from it."""
    answer = Question(UnidirectionalMany(), [*map(Operand, "ABCD", shapes)]).answer()
    assert answer.reason is not None
    assert answer.reason.kind == kind
    assert culprit in answer.reason.text


def test_only_followers_are_rewritten() -> None:
    """The first input keeps its shape, so what is suggested changes another one."""
    answer = Question(UnidirectionalMany(), [Operand("A", (4, 3)), Operand("B", (3, 4))]).answer()
    assert [each.changes[0].order for each in answer.suggestions] == [(1, 0)]


def test_a_follower_that_clashes_decides_nothing() -> None:
    """On an axis where an input does not follow there is no size."""
    answer = Question(UnidirectionalMany(), [Operand("A", (4, 3)), Operand("B", (2, 1))]).answer()
    assert [axis.result for axis in answer.axes or ()] == [None, 3]


def test_every_operand_stretches_where_inputs_are_operands(capsys: Output) -> None:
    """Rows of one matrix and columns of another are no sign of a mistake; two vectors may be."""
    stretch = "both operands stretch: 3 and 4 elements become 12 (3x)"
    notes = {name: [note.text for note in ask(name, "3,1 1,4").notes] for name in ("Add", "MatMul")}
    assert stretch in notes["Add"]
    assert stretch not in notes["MatMul"]


@each_row(
    ("question", "answer"),
    [
        ("2,4,6,8 2,4,6,8 2,4,6,9 6,6", "2,4,6,9"),
        ("2,4,6,8 2,4,6,8 2,4,6,8", "2,4,6,8"),
        ("2,4,6,8 2,4,5,8 2,4,5,8 4,1,5", "2,4,6,8"),
        ("2,4,1,8 2,2,1,8 2,2,1,8 1,6 2,2,5,8", "2,4,1,8"),
        ("2,4,1,8 2,2,1,8 2,2,1,8 1,6 2,2,past,8", "2,4,1,8 when past+1 == 6"),
        ("2,4,6,8 2,4,6,8 2,4,6,8 4,6,4", "2,4,6,8"),
        (
            "2,4,6,8 2,4,6,8 2,4,6,8 4,6,4 --opset 23",
            f"mismatch: scores has 6 and attn_mask has 4 {MUST_BE_6}",
        ),
        (
            "6,8 2,4,6,8 2,4,6,8 6,6",
            "mismatch: Q 6,8 has 2 axes: write it as batch,heads,length,size",
        ),
    ],
)
def test_attention(question: str, answer: str) -> None:
    """The mask is broadcast one way to the scores, with past_key; from opset 24 on it is padded."""
    assert run(["op", "Attention", *question.split(), "-p"]).out == f"{answer}\n"


@each_row(
    ("question", "note"),
    [
        ("Attention 2,4,6,8 2,4,6,8 2,4,6,8 4,6,4", "attn_mask is padded from 4 to 6"),
        ("Attention 2,4,6,8 2,4,6,8 2,4,6,8 1,6", "wants the last two axes of the mask"),
        ("LayerNormalization 2,3,4 4 --axis 1", "refuse a Scale with fewer axes than the 2"),
        ("RMSNormalization 2,3,4 3,4", "wrong values if scale has more axes than the 1"),
    ],
)
def test_notes_on_engines(question: str, note: str) -> None:
    """A note says where ONNX Runtime parts from what the operator is."""
    assert note in run(["op", *question.split()]).out


def test_too_few_for_attention() -> None:
    """The error says how many shapes it takes, and which."""
    names = "Q, K, V, attn_mask, past_key, past_value"
    ended = run(["op", "Attention", "2,4,6,8"])
    assert ended.status == 2
    assert f"Attention takes three to six shapes ({names}), not one" in ended.err
