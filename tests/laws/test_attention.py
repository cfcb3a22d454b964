"""Sizes of Attention that are not known: the answer holds for whatever numbers they are."""

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Size
from bcastcli.operators import operators, table
from bcastcli.operators.questions import ask_inputs
from tests.cases import attention
from tests.effort import SEED, many
from tests.operators.asking import line_of


def asked(shapes: Any, options: dict[str, int], opset: int) -> Answer:
    """The answer to shapes, in an opset."""
    version = table.version_at_or_error(table.versions_of("Attention"), opset)
    attending = operators.operator(version, opset)
    return ask_inputs(attending, line_of(shapes, options))


@pytest.mark.parametrize("opset", [23, 24])
def test_names_stand_for_numbers(opset: int) -> None:
    """A condition is true for the numbers for which Attention fits, and the result is theirs."""
    chance = Random(f"{SEED} unknown {opset}")
    verdicts: Counter[bool | None] = Counter()
    for _ in range(many(3_000)):
        question = attention.random_question(chance)
        # None is 0: there are no groups of no heads.
        numbers = [*{size for shape in question.shapes for size in shape if size}]
        names = dict(zip(chance.sample(numbers, min(3, len(numbers))), "NMP", strict=False))
        hidden = [
            tuple(_hidden(size, names, chance) for size in shape) for shape in question.shapes
        ]
        answer = asked(hidden, question.options, opset)
        verdicts[answer.ok] += 1
        chosen = {name: size for size, name in names.items()}
        for _ in range(4):
            env = {"?": chance.choice(numbers), **chosen}
            _check(answer, hidden, question, env, opset)
            chosen = {name: chance.choice([1, 2, 3, *numbers]) for name in chosen}
    assert {None, False} <= verdicts.keys(), verdicts


def _hidden(size: int, names: dict[int, str], chance: Random) -> Size:
    if size in names and chance.random() < 0.4:
        return names[size]
    return "?" if chance.random() < 0.05 else size


def _check(
    answer: Answer, hidden: Any, question: attention.Asked, env: dict[str, int], opset: int
) -> None:
    """The answer holds where names and `?` are these numbers."""
    shapes = [tuple(env.get(str(size), size) for size in shape) for shape in hidden]
    real = asked(shapes, question.options, opset)
    places = {
        operand.name: SimpleNamespace(shape=shape)
        for operand, shape in zip(answer.question.inputs, shapes, strict=True)
    }
    known: dict[str, Any] = {**env, **places}
    fits = answer.ok if answer.when is None else bool(eval(answer.when, {}, known))
    shown = f"{hidden} {question.heads} {env} opset {opset}: {answer.when}"
    assert fits == real.ok, shown
    if real.ok:
        assert answer.result is not None
        assert real.result is not None
        for size, own in zip(answer.result, real.result, strict=True):
            assert size == "?" or eval(str(size), {}, known) == own, (shown, size, own)
