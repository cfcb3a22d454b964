"""Rules side by side, by the law: what is said of unknown sizes is said of all numbers for them."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from random import Random

import pytest

from bcastcli.compare.comparison import Comparison
from bcastcli.core.alignment import Operand
from bcastcli.core.shapes import Shape
from bcastcli.rules import RULES
from tests.effort import SEED, many
from tests.laws.substitution import evaluated, placed
from tests.strategies import random_shapes

QUESTIONS = 6_000
HIGHEST, MOST_CHOICES = 5, 40
"""The highest number that is tried, and how many choices if there are more than two names."""
NAMES = [name for name in RULES if name != "explicit"]
CHOSEN = [each for count in (2, 3) for each in combinations(NAMES, count)]
FOUND = [
    ("numpy", "ncnn", ("?", 3, 16, 112, 112), ("?", 3, 1, 1, 1)),
    ("numpy", "ncnn", ("?", 3, 16, 112), ("?", 3, 1, 1)),
    ("numpy", "none", ("K", 3), ("N", "K")),
    ("numpy", "pdpd", ("K", 3), ("N", "K")),
    ("numpy", "left", ("K", "K"), ("K",)),
    ("numpy", "left", ("N", "M"), ("K",)),
]


Choice = tuple[dict[str, int], list[Operand]]
"""A number for each unknown size, and the operands that have these numbers."""


def choices(asked: Comparison, random: Random) -> Iterator[Choice]:
    """Choices of the unknown sizes, at random where there are many.

    A size is 0 where ncnn is asked, which has no empty axes, only if another is.
    """
    shapes = [placed(operand) for operand in asked.operands]
    names = list(dict.fromkeys(str(size) for size in chain(*shapes) if not isinstance(size, int)))
    lowest = 1 if asked.has_ncnn and 0 not in chain(*shapes) else 0
    numbers = range(lowest, HIGHEST + 1)
    if len(names) <= 2:
        chosen = list(product(numbers, repeat=len(names)))
    else:
        chosen = [tuple(random.choices(numbers, k=len(names))) for _ in range(MOST_CHOICES)]
    for each in chosen:
        env = dict(zip(names, each, strict=True))
        known = [tuple([env.get(str(size), size) for size in shape]) for shape in shapes]
        yield env, operands_of(known)


def operands_of(shapes: Sequence[Shape]) -> list[Operand]:
    return [Operand(name, shape) for name, shape in zip("AB", shapes, strict=True)]


def check_law(names: Sequence[str], shapes: Sequence[Shape], random: Random) -> bool | None:
    """The verdict and the condition are those of each choice of numbers, asked on its own."""
    rules = {RULES[name]: [name] for name in names}
    asked = Comparison(operands_of(shapes), rules, None)
    said = f"{names} {shapes}: {asked.ok} when {asked.when}"
    agreeing = {standing.agrees for standing in asked.standings}
    if asked.is_decided:
        assert (agreeing == {True}) is (asked.ok is True), said
    always_other = [each.always for each in asked.other_values]
    verdicts = set()
    for env, operands in choices(asked, random):
        known = Comparison(operands, rules, None)
        verdicts.add(known.ok)
        assert asked.ok in (None, known.ok), (said, env)
        if asked.when is not None:
            assert evaluated(asked.when, env, operands) is known.ok, (said, env)
        for before, after in zip(asked.standings, known.standings, strict=True):
            assert before.agrees in (None, after.agrees), (said, env)
        if asked.is_decided and len(names) == 2:
            found = [each.always for each in known.other_values]
            assert always_other in ([False], found), (said, env)
    if len(asked.unknown_sizes) <= 2:  # then every kind of choice was tried
        assert verdicts == ({True, False} if asked.ok is None else {asked.ok}), said
        assert (asked.when is None) is (asked.ok is not None), said
    return asked.ok


@pytest.mark.parametrize(("one", "other", "first", "second"), FOUND)
def test_found(one: str, other: str, first: Shape, second: Shape) -> None:
    """Questions whose answers were false once, or look as if they might be."""
    check_law([one, other], [first, second], Random(1))


def test_compared() -> None:
    """What two rules or three say of random shapes holds for the numbers that may be put in."""
    random = Random(f"compared {SEED}")
    seen = set()
    for _ in range(many(QUESTIONS)):
        chosen = random.choice(CHOSEN)
        names = random.choice((("K",), ("K", "N"), ("?",), ("K", "?"), ("K", "N", "?")))
        shapes = random_shapes(random, 2, (0, 1, 1, 2, 2, 3, 3, *names * 2), 5)
        seen.add(check_law(chosen, shapes, random))
    assert seen == {True, False, None}
