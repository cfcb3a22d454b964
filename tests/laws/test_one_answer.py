"""The last line, the signs of the table, the JSON and the status say the same."""

import json
from random import Random

import pytest

from bcastcli.core.rule import typed
from bcastcli.core.shapes import written
from bcastcli.rules import RULES
from tests.effort import in_turn, many
from tests.in_memory import run
from tests.strategies import random_answer

QUESTIONS = many(1120)
"""Of each rule."""
STATUS = {True: 0, False: 1, None: 3}


@pytest.mark.parametrize("rule", in_turn(RULES, 2))
def test_one_answer(rule: str) -> None:
    """Of random questions, a third of them with unknown sizes, to each rule."""
    chance = Random(f"one answer {rule}")
    seen = set()
    for number in range(QUESTIONS):
        sizes = (1, 1, 2, 3, "N", "M", "?") if number % 3 == 0 else (0, 1, 1, 2, 3)
        question = random_answer(chance, rule, sizes, 3).question
        options = [f"--{name}={typed(value)}" for name, value in question.options.items()]
        shapes = [f"{name}={written(shape)}" for name, shape in question.operands]
        command = [rule, *options, "--", *shapes]
        table = run(command)
        answer = json.loads(run([rule, *options, "--json", "--", *shapes]).out)
        assert table.status == STATUS[answer["ok"]]
        *above, last = table.out.splitlines()
        plain = run([rule, *options, "-p", "--", *shapes]).out
        assert f"{last}\n" == plain
        assert last.startswith("mismatch: ") is (answer["ok"] is False)
        assert (" when " in last) is (answer["ok"] is None)
        assert (
            any(line.startswith("result") for line in above)
            is (answer["ok"] is not False and not is_scalar(answer))
            or not answer["axes"]
        )
        if answer["axes"]:
            [signs] = [line for line in above if line.split()[:1] == ["stretch"]]
            conflicts = [axis["conflict"] for axis in answer["axes"]]
            assert ("!" in signs) is (True in conflicts)
            assert ("?" in signs) is (None in conflicts)
            certain = [axis for axis in answer["axes"] if axis["conflict"] is False]
            stretched = {name for axis in certain for name in axis["stretched"]}
            assert all(name in signs for name in stretched)
            if answer["reason_kind"] == "sizes":
                assert True in conflicts
        seen.add(answer["ok"])
    assert seen == {True, False, None}


def is_scalar(answer: dict[str, object]) -> bool:
    """Return whether the result has no axes."""
    return answer["result"] == []
