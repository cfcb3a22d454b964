"""What a rule does to operands, written out for NumPy."""

from bcastcli.core.shapes import written
from bcastcli.notation.questions import answer_line
from bcastcli.reports.numpy_code import explicit_shapes, numpy_expression, occupied_axes
from bcastcli.rules import RULES
from tests.rows import each_row


@each_row(
    ("rule", "line", "options", "shapes", "expression"),
    [
        ("numpy", "8,1,6,1 7,1,5", {}, "8,1,6,1 1,7,1,5", "A + B.reshape(1,7,1,5)"),
        ("numpy", "2,3", {}, "2,3", "A"),
        ("numpy", "2 scalar x=2", {}, "2 1 2", "A + B.reshape(1) + x"),
        ("onnx-uni", "2,3 3", {}, "2,3 1,3", "A + B.reshape(1,3)"),
        ("none", "scalar scalar", {}, "() ()", "A + B"),
        ("pdpd", "2,3,4,5 3,1", {"axis": 1}, "2,3,4,5 1,3,1,1", "A + B.reshape(1,3,1,1)"),
        ("pdpd", "2,3 3,N", {"axis": 1}, "2,3 1,3", "A + B.reshape(1,3)"),
        ("pdpd", "2,3 1,?", {}, "2,3 1,?", "A + B"),
        ("ncnn", "2,3,4 3,4", {}, "4,3,2 4,3,1", "A + B.reshape(4,3,1)"),
        ("ncnn", "2,3,4 2", {}, "4,3,2 1,1,2", "A + B.reshape(1,1,2)"),
        ("ncnn", "4,3,2 4,3", {"order": "numpy"}, "4,3,2 4,3,1", "A + B.reshape(4,3,1)"),
        ("bidirectional", "3,1 2,1,6", {}, "1,3,1 2,1,6", "A.reshape(1,3,1) * numpy.ones((2,1,6))"),
        ("bidirectional", "3 ()", {}, "3 1", "A * numpy.ones((1,))"),
        ("bidirectional", "() ()", {}, "() ()", "A * numpy.ones(())"),
        # a size that nobody named, and one with a name
        ("numpy", "2,N,4 ?,4", {}, "2,N,4 1,?,4", "A + B.reshape(1,B.shape[0],4)"),
        ("numpy", "2,3 N", {}, "2,3 1,N", "A + B.reshape(1,N)"),
        ("ncnn", "4,?,7 ?,7", {}, "7,?,4 7,?,1", "A + B.reshape(7,B.shape[1],1)"),
        ("bidirectional", "3,1 ?", {}, "3,1 1,?", "A * numpy.ones((1,target[0]))"),
    ],
)
def test_examples(
    rule: str, line: str, options: dict[str, int | str], shapes: str, expression: str
) -> None:
    """Operands get the rank of the result; one that has it stands as it is."""
    answer = answer_line(RULES[rule], line, options)
    assert " ".join(map(written, explicit_shapes(answer) or ())) == shapes
    assert numpy_expression(answer) == expression


@each_row(
    ("rule", "line", "ok"),
    [("numpy", "2,3 4", False), ("numpy", "2,N N,5,5", False), ("ncnn", "2,N 2", True)],
)
def test_nothing_to_write_out(rule: str, line: str, ok: bool) -> None:
    """There are no explicit shapes of a no, nor where unknown sizes decide how operands lie."""
    answer = answer_line(RULES[rule], line, {})
    assert answer.ok is ok
    assert (explicit_shapes(answer), occupied_axes(answer), numpy_expression(answer)) == (
        None,
        None,
        None,
    )
