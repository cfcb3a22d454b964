"""Sizes that are not known: every answer holds for every number that they may turn out to be."""

import random
from collections import Counter

import pytest

from bcastcli.core.alignment import Operand
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, written
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES
from tests.effort import in_turn, many
from tests.laws.substitution import check_law
from tests.rows import each_row
from tests.strategies import random_answer

MANY = many(10_000)
EXAMPLES = [
    ("numpy", "N,3 1,3", "N,3", None),
    ("numpy", "N,4 3,4", "3,4", "N in (1, 3)"),
    ("numpy", "N M", "?", "N == M or N == 1 or M == 1"),
    ("numpy", "N,N 3,4", "3,4", "N == 1"),
    ("numpy", "? ?", "?", "A.shape[0] == B.shape[0] or A.shape[0] == 1 or B.shape[0] == 1"),
    ("numpy", "2,? 2,5", "2,5", "A.shape[1] in (1, 5)"),
    ("numpy", "x=?,3 4,3", "4,3", "x.shape[0] in (1, 4)"),
    ("numpy", "?,A 4,3", "4,3", "X.shape[0] in (1, 4) and A in (1, 3)"),
    (
        "numpy",
        "-1,3 None,3",
        "?,3",
        "A.shape[0] == B.shape[0] or A.shape[0] == 1 or B.shape[0] == 1",
    ),
    ("numpy", "N 10 9,1", "9,10", "N in (1, 10)"),
    ("numpy", "N,3 M,3 1,N", "?,3", "(N == M or N == 1 or M == 1) and N in (1, 3)"),
    ("numpy", "batch,1,3 batch,4,1", "batch,4,3", None),
    ("onnx", "M,0 N,N M", "?,0", "N in (0, 1) and M in (0, 1)"),
    ("bidirectional", "4 ?", "4", "target.shape[0] in (1, 4)"),
    ("onnx-uni", "N M", "N", "N == M or M == 1"),
    ("onnx-uni", "? ?", "?", "A.shape[0] == B.shape[0] or B.shape[0] == 1"),
    ("onnx-uni", "3,N N,3", "3,3", "N == 3"),
    ("none", "N M K", "N", "N == M and N == K"),
    ("none", "N,N 3,M", "3,3", "N == 3 and M == 3"),
    ("pdpd", "2,3 3,N axis=1", "2,3", "N == 1"),
    ("pdpd", "2,3,4 N,M axis=2", "2,3,4", "N in (1, 4) and M == 1"),
    ("pdpd", "2,3,4 ?,?,1 axis=1", "2,3,4", "B.shape[0] in (1, 3) and B.shape[1] in (1, 4)"),
    ("ncnn", "2,N 2", "2,N", None),
    ("ncnn", "2,3,4 N", "2,3,4", "N in (1, 2, 4)"),
    ("ncnn", "2,3,4 N,N", "2,3,4", "N == 1"),
]


@each_row(("rule", "question", "result", "when"), EXAMPLES)
def test_example(rule: str, question: str, result: str, when: str | None) -> None:
    """The condition has one form, and the result says all that is the same in every case."""
    answer = answer_line(RULES[rule], question, {})
    assert answer.ok is (True if when is None else None)
    assert answer.when == when
    assert written(answer.result or ()) == result
    assert answer.is_exact
    check_law(answer, numbers=[0, 1, 2, 3, 4, 5, 9, 10])


@each_row(
    ("rule", "question", "kind"),
    [
        ("numpy", "N,3 M,4", "sizes"),
        ("numpy", "N 3 4", "sizes"),
        ("onnx-uni", "3,N N,2", "names"),
        ("onnx-uni", "N 1,N", "rank"),
        ("onnx-uni", "1,N 2,N", "sizes"),
        ("none", "N,N 3,4", "names"),
        ("none", "N,1 N", "rank"),
        ("pdpd", "N,N 2,3", "names"),
        ("pdpd", "N,M 2,3 axis=1", "fit"),
        ("ncnn", "N 0", "limit"),
        ("ncnn", "2,3,N N,4", "names"),
        ("ncnn", "N,2,3 2,4", "sizes"),
    ],
)
def test_no_for_any_numbers(rule: str, question: str, kind: str) -> None:
    """What broadcasts for no numbers at all is a no, with its reason."""
    answer = answer_line(RULES[rule], question, {})
    assert (answer.ok, answer.result, answer.when) == (False, None, None)
    assert answer.reason is not None
    assert answer.reason.kind == kind
    check_law(answer)


def test_unknown_sizes_may_decide_the_layout() -> None:
    """Under ncnn there are no axes to show where they hang on the numbers, and else there are."""
    assert answer_line(RULES["ncnn"], "2,N 2", {}).axes is None
    assert answer_line(RULES["ncnn"], "2,3,4 N", {}).axes is None
    inner = answer_line(RULES["ncnn"], "2,3,4 N,4", {}).axes
    assert inner is not None
    assert [axis.sizes for axis in inner] == [(2, None), (3, "N"), (4, 4)]
    for rule in RULES:
        if rule != "ncnn":
            axes = " axes=0,1" if rule == "explicit" else ""
            line = "2,N 2,3" if axes else "2,N 2"
            assert answer_line(RULES[rule], line + axes, {}).axes is not None


def test_a_question_mark_is_its_own_size() -> None:
    """Two `?` are not the same size, two equal names are."""
    for rule in RULES:
        options = {"axes": (0, 1)} if rule == "explicit" else {}
        assert answer_line(RULES[rule], "N,N N,N", options).ok is True
        assert answer_line(RULES[rule], "?,? ?,?", options).ok is None


@pytest.mark.parametrize("rule", in_turn(RULES, 2))
def test_random_questions(rule: str) -> None:
    """Each rule's answer to a random question is that of every choice of numbers."""
    chance = random.Random(f"substitution {rule}")
    seen: Counter[bool | None] = Counter()
    while seen.total() < many(2_000):
        answer = random_answer(chance, rule, (0, 1, 1, 2, 3, "N", "M", "?"), max_rank=3)
        if 0 < len(answer.unknown_sizes) <= 3:
            seen[answer.ok] += 1
            check_law(answer)
    assert {*seen} == {True, False, None}


SIX = [
    ("numpy", "N M K L P Q"),
    ("numpy", "N,M,K M,K,L K,L,P L,P,Q"),
    ("onnx-uni", "N,M,K,L,P M,K,L,P,Q"),
    ("none", "N,M,K L,P,Q 2,3,?"),
    ("pdpd", "N,M,K L,P,Q"),
    ("ncnn", "N,M,K L,P,Q"),
]


@pytest.mark.parametrize(("rule", "question"), in_turn(SIX, 2))
def test_six_names(rule: str, question: str) -> None:
    """Six sizes that depend on each other are worked through, exactly."""
    answer = answer_line(RULES[rule], question, {})
    assert answer.is_exact
    assert answer.result is not None
    assert answer.ok is None
    check_law(answer, numbers=[1, 2, 3])


@each_row(
    ("rule", "shapes"),
    [
        ("numpy", [(f"N{number}",) for number in range(MANY)]),
        ("none", [(f"N{number}",) for number in range(MANY)]),
        ("numpy", [("?",)] * MANY),
        ("numpy", [tuple(f"{letter}{i}" for i in range(MANY)) for letter in "NM"]),
        ("numpy", [tuple(f"N{i + more}" for i in range(MANY)) for more in (0, 1)]),
        ("pdpd", [("?",) * MANY] * 2),
        ("onnx-uni", [tuple(range(2, MANY + 2)), ("N",) * MANY]),
        ("none", [tuple(range(2, MANY + 2)), ("N",) * MANY]),
    ],
)
def test_ten_thousand(rule: str, shapes: list[Shape]) -> None:
    """However much is not known, an answer comes, with all that it says."""
    operands = [Operand(f"X{number}", shape) for number, shape in enumerate(shapes)]
    answer = Question(RULES[rule], operands).answer()
    if answer.ok is None:
        assert answer.when
        assert len(answer.axes or ()) == len(answer.result or ()) == len(shapes[0])
    else:
        assert answer.reason is not None
        assert answer.reason.kind == "names"
