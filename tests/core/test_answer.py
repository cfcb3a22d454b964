"""Why a rule says no: the kind of a reason, and its sentence (core/answer.py)."""

import random

from bcastcli.rules import RULES
from tests.strategies import asked, of_shapes, random_shapes

# Reasons.


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
    for _ in range(1_500):
        first, second = random_shapes(chance, 2, (0, 1, 2, 3, 4))
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
