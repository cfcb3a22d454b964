"""Rules compared, by the law: put numbers for the unknown sizes, and see whether they agree."""

from itertools import product
from random import Random
from types import SimpleNamespace

import pytest

from bcastcli.compare.comparison import Comparison
from bcastcli.core.alignment import Operand
from bcastcli.rules import RULES
from tests.effort import many

SIZES = (0, 1, 2, 3, "N", "M", "?")


@pytest.mark.parametrize("second", ["onnx-uni", "none", "ncnn"])
def test_unknown_sizes(second: str) -> None:
    """Rules agree for all numbers, for none, or where the condition holds: at 0 if one is typed."""
    chosen = [RULES["numpy"], RULES[second]]
    random = Random(second)
    for _ in range(many(400)):
        shapes = [tuple(random.choices(SIZES, k=random.choice((0, 1, 2)))) for _ in "AB"]
        asked = Comparison(list(map(Operand, "AB", shapes)), chosen, None)
        answer = asked.rows[0].answer
        lowest = 0 if any(0 in shape for shape in shapes) else 1
        verdicts = set()
        for numbers in product(range(lowest, 6), repeat=len(answer.unknown_sizes)):
            sizes = dict(zip(answer.unknown_sizes, numbers, strict=True))
            known = answer.with_sizes(sizes).operands
            agree = Comparison(known, chosen, None).ok
            verdicts.add(agree)
            if asked.when is not None:
                arrays = {name: SimpleNamespace(shape=shape) for name, shape in known}
                assert eval(asked.when, {}, {**sizes, **arrays}) is agree, (shapes, sizes)
        assert verdicts == ({True, False} if asked.ok is None else {asked.ok}), shapes
