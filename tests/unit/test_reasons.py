"""Why a rule says no: the kind of a reason, and its sentence (core/answer.py)."""

import random

import pytest

from bcastcli.core.wording import clash_words
from bcastcli.rules import RULES
from tests.rows import each_row
from tests.unit.asking import asked, of_shapes, random_shapes

# Reasons.

RIGID = "and nothing stretches"
PAST_A = "past the end of A 2,3,4,5, which has 4 axes"


@each_row(
    ("rule", "question", "kind", "sentence"),
    [
        ("numpy", "4 3", "sizes", "A has 4 and B has 3 on axis 0 (-1), and neither is 1"),
        ("numpy", "2,4 3", "sizes", "A has 4 and B has 3 on axis 1 (-1), and neither is 1"),
        ("numpy", "2,3 4,3", "sizes", "A has 2 and B has 4 on axis 0 (-2), and neither is 1"),
        (
            "numpy",
            "2,4 3,5",
            "sizes",
            "A has 4 and B has 5 on axis 1 (-1), and neither is 1; axis 0 (-2) clashes as well",
        ),
        (
            "numpy",
            "2,7,4 3,8,5",
            "sizes",
            (
                "A has 4 and B has 5 on axis 2 (-1), and neither is 1; "
                "axes 0 (-3) and 1 (-2) clash as well"
            ),
        ),
        (
            "numpy",
            "2,2,2,2,2,2,2,2,2,2,2 3,3,3,3,3,3,3,3,3,3,3",
            "sizes",
            "A has 2 and B has 3 on axis 10 (-1), and neither is 1; 10 more axes clash as well",
        ),
        ("numpy", "0 2", "sizes", "A has 0 and B has 2 on axis 0 (-1), and neither is 1"),
        (
            "numpy",
            "8,1,6,1 7,2,5",
            "sizes",
            "A has 6 and B has 2 on axis 2 (-2), and neither is 1",
        ),
        (
            "numpy",
            "x=2,3 bias=4",
            "sizes",
            "x has 3 and bias has 4 on axis 1 (-1), and neither is 1",
        ),
        (
            "numpy",
            "2 3 1",
            "sizes",
            (
                "A has 2 and B has 3 on axis 0 (-1), and neither is 1 "
                "(C has 1 there and would match either)"
            ),
        ),
        (
            "numpy",
            "2,3 4,3 1,3 3",
            "sizes",
            (
                "A has 2 and B has 4 on axis 0 (-2), and neither is 1 "
                "(C has 1 and D has no axis there and would match either)"
            ),
        ),
        (
            "numpy",
            "2,3 4,3 3 7,3",
            "sizes",
            (
                "A has 2, B has 4 and D has 7 on axis 0 (-2), and none is 1 "
                "(C has no axis there and would match any)"
            ),
        ),
        (
            "numpy",
            "2 2 3",
            "sizes",
            "A and B have 2 and C has 3 on axis 0 (-1), and none is 1",
        ),
        (
            "numpy",
            "1 2 1 3 ()",
            "sizes",
            (
                "B has 2 and D has 3 on axis 0 (-1), and neither is 1 "
                "(A and C have 1 and E has no axis there and would match either)"
            ),
        ),
        ("onnx", "2,3 4,1", "sizes", "A has 2 and B has 4 on axis 0 (-2), and neither is 1"),
        ("onnx-uni", "1 3", "sizes", "A has 1 and B has 3 on axis 0 (-1), and A never stretches"),
        (
            "onnx-uni",
            "2,1,4 3,1",
            "sizes",
            "A has 1 and B has 3 on axis 1 (-2), and A never stretches",
        ),
        (
            "onnx-uni",
            "2,3,4 2",
            "sizes",
            "A has 4 and B has 2 on axis 2 (-1), and B must be 4 or 1 there",
        ),
        (
            "onnx-uni",
            "x=4 slope=2",
            "sizes",
            "x has 4 and slope has 2 on axis 0 (-1), and slope must be 4 or 1 there",
        ),
        ("onnx-uni", "3 1,3", "rank", "B 1,3 has 2 axes and A 3 has 1, and A never stretches"),
        ("onnx-uni", "() 1", "rank", "B 1 has 1 axis and A () has 0, and A never stretches"),
        (
            "onnx-uni",
            "3,N N,2",
            "names",
            "N in (1, 3) on axis 0 (-2) and N == 2 on axis 1 (-1) cannot both hold",
        ),
        ("none", "2,3 2,4", "sizes", "A has 3 and B has 4 on axis 1 (-1), and nothing stretches"),
        ("none", "2,3 1,3", "sizes", "A has 2 and B has 1 on axis 0 (-2), and nothing stretches"),
        (
            "none",
            "2,3 2,4 2,3",
            "sizes",
            "A and C have 3 and B has 4 on axis 1 (-1), and nothing stretches",
        ),
        (
            "none",
            "() 1",
            "rank",
            "A () has 0 axes and B 1 has 1 axis, and nothing stretches",
        ),
        (
            "none",
            "2,3 2,3 3",
            "rank",
            "A 2,3 and B 2,3 have 2 axes and C 3 has 1 axis, and nothing stretches",
        ),
        (
            "none",
            "1,2,3 2,3 3 2,3",
            "rank",
            f"A 1,2,3 has 3 axes, B 2,3 and D 2,3 have 2 axes and C 3 has 1 axis, {RIGID}",
        ),
        (
            "none",
            "N,N 3,4",
            "names",
            "N == 3 on axis 0 (-2) and N == 4 on axis 1 (-1) cannot both hold",
        ),
        (
            "pdpd",
            "2,3,4,5 3,4",
            "sizes",
            (
                "A has 5 and B has 4 on axis 3 (-1), and B must be 5 or 1 there; "
                "axis 2 (-2) clashes as well"
            ),
        ),
        (
            "pdpd",
            "2,3,4,5 4,4 --axis 1",
            "sizes",
            "A has 3 and B has 4 on axis 1 (-3), and B must be 3 or 1 there",
        ),
        (
            "pdpd",
            "1,3 2 --axis 0",
            "sizes",
            "A has 1 and B has 2 on axis 0 (-2), and A never stretches",
        ),
        (
            "pdpd",
            "2,3 1,1,1",
            "rank",
            "B 1,1,1 has 3 axes and A 2,3 has 2, and B must not have more",
        ),
        (
            "pdpd",
            "2,3,4,5 3,4 --axis 5",
            "fit",
            "B 3,4 at axis 5 (--axis 5) is past the end of A 2,3,4,5, which has 4 axes",
        ),
        (
            "pdpd",
            "2,3,4,5 4,5 --axis 3",
            "fit",
            f"B 4,5 at axis 3 (--axis 3) has 5 on axis 4, {PAST_A}",
        ),
        (
            "pdpd",
            "x=2 y=2 --axis 1",
            "fit",
            "y 2 at axis 1 (--axis 1) has 2 on axis 1, past the end of x 2, which has 1 axis",
        ),
        (
            "pdpd",
            "N,N 2,3",
            "names",
            "N == 2 on axis 0 (-2) and N == 3 on axis 1 (-1) cannot both hold",
        ),
        (
            "bidirectional",
            "3,4 3",
            "sizes",
            "A has 4 and target has 3 on axis 1 (-1), and neither is 1",
        ),
        ("ncnn", "2,3 2,4", "sizes", "A has 3 and B has 4 on axis h (1, -1), and neither is 1"),
        (
            "ncnn",
            "2,3 2,4 --order numpy",
            "sizes",
            "A has 3 and B has 4 on axis w (1, -1), and neither is 1",
        ),
        (
            "ncnn",
            "2,3,4 2,3",
            "sizes",
            (
                "A has 4 and B has 3 on axis c (2, -1), and B must equal A's c there; "
                "axis h (1, -2) clashes as well"
            ),
        ),
        (
            "ncnn",
            "2,3,4,5 3,4,9",
            "sizes",
            "A has 5 and B has 9 on axis c (3, -1), and B must equal A's c there",
        ),
        (
            "ncnn",
            "2,3,4 3",
            "sizes",
            (
                "A has 4 and B has 3 on axis c (2, -1), and B must equal A's c there, or, having "
                "one axis, A's w (2)"
            ),
        ),
        (
            "ncnn",
            "4,3,2 3 --order numpy",
            "sizes",
            (
                "A has 4 and B has 3 on axis c (0, -3), and B must equal A's c there, or, having "
                "one axis, A's w (2)"
            ),
        ),
        (
            "ncnn",
            "2,3 2,3,1",
            "sizes",
            (
                "A has 3 and B has 1 on axis c (2, -1), and A must equal B's c there; "
                "axis h (1, -2) clashes as well"
            ),
        ),
        ("ncnn", "1,2,3,4,5 5", "limit", "A has 5 axes, and ncnn has at most 4"),
        ("ncnn", "1 1,1,1,1,1", "limit", "B has 5 axes, and ncnn has at most 4"),
        ("ncnn", "1,2,3,4,5 2,3,4,5", "limit", "A has 5 axes, and ncnn has at most 4"),
        (
            "ncnn",
            "1,1,1,1,1 1,1,1,1,1,1",
            "limit",
            "A has 5 axes and B has 6 axes, and ncnn has at most 4",
        ),
        ("ncnn", "0,2 2", "limit", "A has 0 on axis w (0, -2), and ncnn has no empty axes"),
        ("ncnn", "2,3 N,0", "limit", "B has 0 on axis h (1, -1), and ncnn has no empty axes"),
        (
            "ncnn",
            "2,3,N N,4",
            "names",
            "N == 3 on axis h (1, -2) and N == 4 on axis c (2, -1) cannot both hold",
        ),
    ],
)
def test_reason(rule: str, question: str, kind: str, sentence: str) -> None:
    """A no names every operand that clashes, its size as typed, and the axis from both ends."""
    reason = asked(rule, question).reason
    assert reason is not None
    assert (reason.kind, reason.text) == (kind, sentence)


def test_reason_only_where_the_answer_is_no() -> None:
    """What broadcasts, or depends, has no reason."""
    for rule in RULES:
        axes = " axes=0,1" if rule == "explicit" else ""
        assert asked(rule, f"2,3 2,3{axes}").reason is None
        assert asked(rule, f"2,3 2,N{axes}").reason is None


def test_reason_names_the_rightmost_of_all_conflicts() -> None:
    """Every axis that clashes is marked, and the sentence names the last one, with its sizes."""
    chance = random.Random(14)
    several = 0
    for _ in range(300):
        first, second = random_shapes(chance, 2, sizes=(0, 1, 2, 3, 4))
        rank = max(len(first), len(second))
        rows = [(1,) * (rank - len(shape)) + shape for shape in (first, second)]
        clashing = [i for i in range(rank) if len({row[i] for row in rows} - {1}) > 1]
        for rule in ("numpy", "onnx"):
            answer = of_shapes(rule, first, second)
            assert [axis.number for axis in answer.axes or () if axis.conflict] == clashing
            if clashing:
                last = clashing[-1]
                assert answer.reason is not None
                assert answer.reason.text.startswith(
                    f"A has {rows[0][last]} and B has {rows[1][last]} "
                    f"on axis {last} ({last - rank}), "
                )
        several += len(clashing) > 1
    assert several > 20


@each_row(
    ("rule", "question", "why"),
    [
        ("numpy", "2 3 N", "neither is 1"),
        ("numpy", "2 3 ?", "neither is 1"),
        ("numpy", "2 3 1 N", "neither is 1"),
        ("none", "2 3 N", "nothing stretches"),
        ("none", "2 3 ?", "nothing stretches"),
    ],
)
def test_reason_says_nothing_of_unknown_sizes(rule: str, question: str, why: str) -> None:
    """An operand whose size is not known is not said to agree with those that clash."""
    reason = asked(rule, question).reason
    assert reason is not None
    assert reason.text == f"A has 2 and B has 3 on axis 0 (-1), and {why}"


def test_everyone_on_an_axis_has_a_name() -> None:
    """No size is left out of a sentence because nobody is called its owner."""
    with pytest.raises(ValueError, match="longer"):
        clash_words((2, 3, 4), ("A", "B"))
