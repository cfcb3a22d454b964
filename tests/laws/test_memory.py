"""Strides and sums of unknown sizes, by substitution: those of every choice of numbers."""

from collections.abc import Iterator
from math import prod
from random import Random

import pytest

from bcastcli.core.answer import Answer
from bcastcli.notation.questions import answer_line
from bcastcli.reports.memory import OperandUse, Product, elements, operand_uses
from bcastcli.rules import RULES
from tests.effort import many
from tests.laws.substitution import Concrete, concretes
from tests.rows import each_row
from tests.strategies import random_answer

SIZES = (1, 1, 2, 3, "N", "N", "M", "?")
NUMBERS = range(4)

Case = tuple[Concrete, Answer, list[OperandUse]]


def fitting(answer: Answer) -> list[Case]:
    """The choices of numbers for which the operands broadcast."""
    cases = []
    for concrete in concretes(answer, NUMBERS):
        if concrete.result is not None:
            known = answer.question.with_shapes(concrete.shapes).answer()
            cases.append((concrete, known, operand_uses(known)))
    return cases


def answers(rule: str) -> Iterator[Answer]:
    """Answers to questions of unknown sizes that broadcast, for some of them at least."""
    chance = Random(f"memory {rule}")
    found = 0
    while found < many(150):
        answer = random_answer(chance, rule, SIZES, max_rank=3)
        if answer.ok is not False and answer.axes and 0 < len(answer.unknown_sizes) <= 4:
            found += 1
            yield answer


def value(product: Product, concrete: Concrete) -> int:
    return product.number * prod(concrete.env[name] for name in product.names)


@each_row("rule", RULES)
def test_strides(rule: str) -> None:
    """A stride is that of each choice, and `?` only where some stretch the operand and some not."""
    for answer in answers(rule):
        cases = fitting(answer)
        for place, use in enumerate(operand_uses(answer)):
            for axis, stride in enumerate(use.strides):
                stretched = set()
                for concrete, known, found in cases:
                    if (concrete.result or ())[axis] == 1:
                        continue
                    own = (known.axes or ())[axis].sizes[place]
                    stretched.add(own in (1, None))
                    step = found[place].strides[axis]
                    assert step is not None
                    if stride is not None:
                        assert value(stride, concrete) == step.number, (rule, use, concrete)
                if stride is None:
                    assert stretched == {True, False}, (rule, use, answer.operands)


@each_row("rule", RULES)
def test_sums(rule: str) -> None:
    """A gradient is summed over the axes of each choice, and every sum is one of some choice's."""
    for answer in answers(rule):
        cases = fitting(answer)
        for place, use in enumerate(operand_uses(answer)):
            happened = set()
            for concrete, _, found in cases:
                holding = {
                    part.axis.number
                    for part in use.sums
                    if part.when is None or concrete.env[part.when.removesuffix(" == 1")] == 1
                }
                summed = {part.axis.number for part in found[place].sums}
                happened |= summed
                # A sum over an axis of size 1 is none.
                ones = {axis for axis, size in enumerate(concrete.result or ()) if size == 1}
                assert holding - ones == summed - ones, (rule, use, concrete)
            assert {part.axis.number for part in use.sums if part.when} <= happened, (rule, use)


@each_row("rule", RULES)
def test_elements(rule: str) -> None:
    """A number of elements is that of each choice."""
    for answer in answers(rule):
        count = elements(answer)
        for concrete, _, _ in fitting(answer) if count else ():
            assert count is not None
            assert value(count, concrete) == prod(concrete.result or ()), (rule, concrete)


def test_a_size_without_a_name_that_nothing_stretches() -> None:
    """It has a stride and no sum, and the elements are counted, as of a size with a name."""
    answer = answer_line(RULES["numpy"], "?,224 224", {})
    assert str(elements(answer)) == "224*A.shape[0]"
    own, _ = operand_uses(answer)
    assert (own.strides, own.sums) == ((Product(224), Product(1)), ())


@pytest.mark.parametrize("rule", ["none", "onnx-uni"])
def test_a_size_that_cannot_be_1_is_never_summed_over(rule: str) -> None:
    """Where the rule allows nothing but equal sizes, there is no sum."""
    assert [use.sums for use in operand_uses(answer_line(RULES[rule], "N,3 2,3", {}))] == [(), ()]
