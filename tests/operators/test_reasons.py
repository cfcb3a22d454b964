"""Operators: why not, under which condition, and which notes (operators/operator.py)."""

from bcastcli.core.alignment import Operand
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape
from bcastcli.operators.operators import OPENVINO_ALIGNS_WITH_AXIS_1
from bcastcli.operators.rules import UnidirectionalMany
from tests.operators.asking import Output, ask
from tests.rows import each_row

# Reasons, conditions and notes.


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
    stretch = "both operands stretch: 3 and 4 elements become 12 (3 times 4)"
    notes = {name: [note.text for note in ask(name, "3,1 1,4").notes] for name in ("Add", "MatMul")}
    assert stretch in notes["Add"]
    assert stretch not in notes["MatMul"]
