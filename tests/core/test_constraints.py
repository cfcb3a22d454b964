"""Needs: what must hold besides the aligned axes, as of the operands of an operator.

The module is core/answer.py.
"""

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.conditions import ALWAYS, NEVER, Condition, any_equal
from bcastcli.core.question import Constraint, Question
from bcastcli.core.rule import Reason
from bcastcli.core.shapes import Shape, Size
from bcastcli.rules import RULES
from tests.rows import each_row

REASON = Reason("sizes", "A has 3 and B has 4 where they are summed")
WHERE = "the axis that is summed"


def needing(condition: Condition, *shapes: Shape, rule: str = "onnx-uni") -> Answer:
    """The answer to shapes, given that the condition must hold as well."""
    constraints = [Constraint(condition, WHERE, REASON)]
    return Question(RULES[rule], [*map(Operand, "AB", shapes)], {}, constraints).answer()


def equal(left: Size, right: Size) -> Condition:
    return any_equal((left, right))


@each_row(
    "shapes",
    [((2, 3), (3,)), ((2, 3), (2,)), (("N", 3), (3,)), ((2, "N"), ("M",)), (("N", 2), ("N", 3))],
)
def test_what_always_holds_changes_nothing(shapes: tuple[Shape, ...]) -> None:
    """A constraint that holds in any case leaves the answer as it is without it."""
    plain = Question(RULES["onnx-uni"], [*map(Operand, "AB", shapes)]).answer()
    needed = needing(ALWAYS, *shapes)
    for told in ("ok", "result", "when", "reason", "axes", "notes", "unknown_sizes"):
        assert getattr(needed, told) == getattr(plain, told)


@each_row("shapes", [((2, 3), (3,)), (("N", 3), (1, 3)), ((2, "N"), ("M",))])
@each_row("condition", [NEVER, equal(3, 4), equal("K", 3) + equal("K", 4)])
def test_what_never_holds_is_the_reason(condition: Condition, shapes: tuple[Shape, ...]) -> None:
    """A constraint that cannot hold makes the answer no with its own reason, no axis at fault."""
    answer = needing(condition, *shapes)
    assert (answer.ok, answer.result, answer.when) == (False, None, None)
    assert answer.reason == REASON
    assert not any(axis.conflict for axis in answer.axes or ())


def test_axes_go_before_needs() -> None:
    """Where sizes or ranks clash as well, the reason is that of the rule."""
    for shapes, kind in (((2, 3), (4,)), "sizes"), (((3,), (2, 3)), "rank"):
        answer = needing(NEVER, *shapes)
        assert answer.reason is not None
        assert answer.reason.kind == kind
        assert answer.reason == Question(RULES["onnx-uni"], answer.operands).answer().reason


@each_row(
    ("constraints", "shapes", "text"),
    [
        (
            [equal("N", 5)],
            ((2, 3), ("N",)),
            f"N in (1, 3) on axis 1 (-1) and N == 5 on {WHERE} cannot both hold",
        ),
        (
            [equal("N", 5), equal("N", 6)],
            ((2, 3), ("M",)),
            f"N == 5 on {WHERE} and N == 6 on {WHERE} cannot both hold",
        ),
        (
            [equal("N", "M"), equal("M", 5)],
            ((2, 3), ("N",)),
            f"N in (1, 3) on axis 1 (-1), N == M on {WHERE} and M == 5 on {WHERE} cannot all hold",
        ),
    ],
)
def test_axes_and_needs_contradict_each_other(
    constraints: list[Condition], shapes: tuple[Shape, ...], text: str
) -> None:
    """Where no axis and no constraint is to blame alone, the reason names those that contradict."""
    wanted = [Constraint(condition, WHERE, REASON) for condition in constraints]
    answer = Question(RULES["onnx-uni"], [*map(Operand, "AB", shapes)], {}, wanted).answer()
    assert answer.ok is False
    assert answer.reason == Reason("names", text)


def test_suggestions_meet_needs() -> None:
    """What to write instead of an operand is no use where a constraint does not hold."""
    assert needing(ALWAYS, (3, 4), (3,)).suggestions
    assert needing(NEVER, (3, 4), (3,)).suggestions == ()
    assert needing(NEVER, (3, 4), (4,)).suggestions == ()
    assert needing(equal("K", 4), (3, 4), (3,)).suggestions == ()
