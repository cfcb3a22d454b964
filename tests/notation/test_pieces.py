"""Sizes as frameworks write them: sums, products and quotients of names."""

from itertools import product

import pytest

from bcastcli.core.alignment import Operand
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, Size
from bcastcli.notation.pieces import expression
from bcastcli.notation.text import NotationError, operands, read
from bcastcli.rules import RULES
from tests.effort import part_of
from tests.in_memory import run
from tests.rows import each_row


@each_row(
    "text",
    [
        *("2*3", "N**2", "N%2", "N/2", "-N", "+N", "N+", "N*-1", "N//0", "01*N", "3N+1", "N+é"),
        *("f(N)", "(N", "N+1)", "()", "N M+1", "class+1", "scalar+1", "N", "2", ""),
        "N+" * 200 + "N",
    ],
)
def test_no_expression(text: str) -> None:
    """Other arithmetic, and what is no arithmetic, is no expression."""
    assert expression(text) is None


def test_a_name_within_an_expression_is_taken() -> None:
    """No operand is called like a name in an expression, lest a condition be ambiguous."""
    assert [each.name for each in operands(read("A+1,2 3"))] == ["X", "Y"]
    with pytest.raises(NotationError, match="both an operand and a size"):
        read("N=2 2*N,3")


def test_note() -> None:
    """Where an answer depends on an expression, a note says what that means; nowhere else."""
    told = run(["numpy", "past+1,3", "4,3"]).out
    assert "past+1 is treated as an independent unknown size" in told
    assert told.endswith("4,3 when past+1 in (1, 4)\n")
    assert "unknown size" not in run(["numpy", "past+1,3", "1,3"]).out
    assert "is treated as" in run(["compare", "--rules", "numpy,none", "past+1", "3"]).out


SIZES: tuple[Size, ...] = (1, 2, 3, "N", "N+1", "2*N", "N//2")
NUMBERS = range(1, 6)


@pytest.mark.parametrize("rule", ["numpy", "onnx-uni", "none", "pdpd", "bidirectional", "ncnn"])
def test_sound(rule: str) -> None:
    """By substitution: yes and no are right, and the condition is true where it broadcasts."""
    shapes: list[Shape] = [(a, b) for a in SIZES for b in SIZES]
    others = [*((size,) for size in SIZES), *shapes[::3]]
    for first, second in product(part_of(shapes, 5), others):
        answer = Question(RULES[rule], (Operand("A", first), Operand("B", second))).answer()
        for number in NUMBERS:
            known = [_calculated(shape, number) for shape in (first, second)]
            if rule == "ncnn" and 0 in (*known[0], *known[1]):
                continue
            concrete = Question(RULES[rule], tuple(map(Operand, "AB", known))).answer()
            line = f"{rule} {first} {second} N={number}"
            if answer.ok is None:
                assert eval(answer.when or "", {}, {"N": number}) is concrete.ok, line
            else:
                assert concrete.ok is answer.ok, line
            if concrete.ok and answer.result and "?" not in answer.result:
                assert concrete.result == _calculated(answer.result, number), line


def _calculated(shape: Shape, number: int) -> Shape:
    return tuple(eval(str(size), {}, {"N": number}) for size in shape)
