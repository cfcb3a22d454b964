"""Operators: why not, under which condition, and which notes (operators/operator.py)."""

from bcastcli.core.alignment import Operand
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape
from bcastcli.operators.rules import UnidirectionalMany
from tests.operators.asking import ask
from tests.rows import each_row

# Reasons, conditions and notes.


@each_row(
    ("line", "noted"),
    [
        ("1,6,6,5 6", ", and accepts this"),
        ("1,2,6 2", ", and accepts this"),
        ("1,6,6,6 6", ", ONNX Runtime with axis 3: same shape, different values"),
        *[("1,6,6,5 5", ""), ("2,1,5 1", ""), ("6,6 6", ""), ("1,6,5 6,1", ""), ("1,?,5 ?", "")],
    ],
)
def test_where_openvino_aligns_a_slope(line: str, noted: str) -> None:
    """A note says where OpenVINO aligns a slope with axis 1, and what else ONNX Runtime does."""
    found = [note.text for note in ask("PRelu", line).notes if "OpenVINO" in note.text]
    assert found == ([f"OpenVINO aligns a 1-D slope with axis 1{noted}"] if noted else [])


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


def test_every_operand_stretches_where_inputs_are_operands() -> None:
    """Rows of one matrix and columns of another are no sign of a mistake; two vectors may be."""
    stretch = "both operands stretch: 3 and 4 elements become 12 (3 times 4)"
    notes = {name: [note.text for note in ask(name, "3,1 1,4").notes] for name in ("Add", "MatMul")}
    assert stretch in notes["Add"]
    assert stretch not in notes["MatMul"]
