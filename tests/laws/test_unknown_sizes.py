"""Sizes that are not known: every answer holds for every number that they may turn out to be."""

import random
from collections import Counter

import pytest

from bcastcli.core.shapes import written
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES
from tests.effort import in_turn, many
from tests.laws.substitution import check_law
from tests.rows import each_row
from tests.strategies import random_answer

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
