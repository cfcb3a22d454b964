"""Needs: what must hold besides the aligned axes, as of the operands of an operator.

The module is core/answer.py.
"""

from collections.abc import Sequence

from bcastcli.core.alignment import Operand
from bcastcli.core.conditions import ALWAYS, NEVER, Condition, any_equal
from bcastcli.core.question import Constraint, Question
from bcastcli.core.rule import Reason
from bcastcli.core.shapes import Shape, Size
from bcastcli.rules import RULES
from tests.answered import facts
from tests.rows import each_row

SUM = Reason("sizes", "A has 3 and B has 4 where they are summed")
CLASH = [
    "no, sizes on 1: A has 4 and B has 3 on axis 1 (-1), and neither is 1",
    "0: 3 - = 3 B; 1: 4 3 !",
]
RANKS = ["no, rank: A 3 has 1 axis and B 2,3 has 2 axes, and nothing stretches", "0: - 2 !; 1: 3 3"]
WHERE = "on the axis that is summed"
N5 = f"N in (1, 3) on axis 1 (-1) and N == 5 {WHERE} cannot both hold"
N6 = f"N == 5 {WHERE} and N == 6 {WHERE} cannot both hold"
NM5 = f"N in (1, 3) on axis 1 (-1), N == M {WHERE} and M == 5 {WHERE} cannot all hold"


def equal(left: Size, right: Size) -> Condition:
    return any_equal((left, right))


@each_row(
    ("rule", "conditions", "shapes", "expected"),
    [
        # What always holds changes nothing.
        ("numpy", [ALWAYS], [(2, 3), (3,)], ["2,3", "0: 2 - = 2 B; 1: 3 3 = 3"]),
        ("numpy", [equal("K", 3)], [("N",), (1,)], ["N when K == 3", "0: N 1 = N B"]),
        # What to write instead must meet what is needed.
        ("numpy", [equal(3, 3)], [(3, 4), (3,)], [*CLASH, "insert B(0,new): B 3,1 gives 3,4"]),
        ("numpy", [NEVER], [(3, 4), (3,)], CLASH),
        ("numpy", [equal("K", 4)], [(3, 4), (3,)], CLASH),
        # What never holds is the reason, unless sizes or ranks clash as well; no axis is at fault.
        *(
            ("numpy", needed, [("N",), (1,)], [f"no, sizes: {SUM.text}", "0: N 1 = N B"])
            for needed in ([NEVER], [ALWAYS, equal(3, 4)], [equal("K", 3) + equal("K", 4)])
        ),
        ("none", [NEVER], [(3,), (2, 3)], RANKS),
        # Where none is to blame alone, those that contradict each other are named.
        *(
            ("numpy", needed, [(2, 3), (size,)], [f"no, names: {text}", ends])
            for needed, size, text, ends in (
                ([equal("N", 5)], "N", N5, "0: 2 - = 2 B; 1: 3 N = 3 ?"),
                ([equal("N", 5), equal("N", 6)], "M", N6, "0: 2 - = 2 B; 1: 3 M = 3 ?"),
                ([equal("N", "M"), equal("M", 5)], "N", NM5, "0: 2 - = 2 B; 1: 3 N = 3 ?"),
            )
        ),
    ],
)
def test_needs(
    rule: str, conditions: Sequence[Condition], shapes: Sequence[Shape], expected: list[str]
) -> None:
    """An answer is yes only where its needs can hold, and says which of them cannot."""
    needs = [Constraint(condition, WHERE.removeprefix("on "), SUM) for condition in conditions]
    answer = Question(RULES[rule], [*map(Operand, "AB", shapes)], {}, needs).answer()
    assert [*facts(answer)] == expected
