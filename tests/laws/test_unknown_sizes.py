"""Sizes that are not known: every answer holds for every number that they may turn out to be.

So does what is said of rules side by side: numbers are put for the names, and asked again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from random import Random
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from bcastcli.compare.comparison import Comparison
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, Size, written
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES
from tests.effort import SEED, in_turn, many
from tests.rows import each_row
from tests.strategies import random_answer, random_shapes

Env = dict[str, int]


class Concrete(NamedTuple):
    """A question with a number for every unknown size."""

    env: Env
    """By name; a size without one is called by its place."""
    operands: list[Operand]
    result: Shape | None


def placed(operand: Operand) -> Shape:
    """The shape with each `?` called by its place."""
    return tuple(
        f"{operand.name}.shape[{axis}]" if size == "?" else size
        for axis, size in enumerate(operand.shape)
    )


def unknown(operands: Iterable[Operand]) -> list[str]:
    sizes = chain(*map(placed, operands))
    return list(dict.fromkeys(size for size in sizes if isinstance(size, str)))


def put(env: Env, operands: Iterable[Operand]) -> list[Operand]:
    """The operands with numbers for their unknown sizes."""
    return [
        own._replace(shape=tuple(env.get(str(size), size) for size in placed(own)))
        for own in operands
    ]


def concretes(answer: Answer, numbers: Sequence[int] = range(5)) -> Iterator[Concrete]:
    """The question with each choice of numbers, answered."""
    names = unknown(answer.operands)
    lowest = 1 if answer.rule.name == "ncnn" else 0
    for chosen in product([n for n in numbers if n >= lowest], repeat=len(names)):
        env = dict(zip(names, chosen, strict=True))
        operands = put(env, answer.operands)
        known = Question(answer.rule, operands, answer.question.options).answer()
        yield Concrete(env, operands, known.result)


def evaluated(condition: str, env: Env, operands: Iterable[Operand]) -> bool:
    """A condition, read as Python: names are numbers, operands are arrays of their shapes."""
    variables = {name: number for name, number in env.items() if "[" not in name}
    arrays = {name: SimpleNamespace(shape=shape) for name, shape in operands}
    return bool(eval(condition, {"__builtins__": {}}, {**variables, **arrays}))


def always(sizes: list[Size], fitting: list[Concrete]) -> Size:
    """The size that a result has in every case: a number, else the first name, else unknown."""
    if len(set(sizes)) == 1:
        return sizes[0]
    for name in fitting[0].env:
        if "[" not in name and sizes == [concrete.env[name] for concrete in fitting]:
            return name
    return "?"


def check_law(answer: Answer, numbers: Sequence[int] = range(5)) -> None:
    """The verdict, the condition and the result are those of every choice of numbers."""
    line = f"{answer.question} -> {answer.ok} {answer.result} when {answer.when}"
    cases = list(concretes(answer, numbers))
    fitting = [concrete for concrete in cases if concrete.result is not None]
    possible = {concrete.result is not None for concrete in cases}
    assert possible == ({True, False} if answer.ok is None else {answer.ok}), line
    assert (answer.when is None) is (answer.ok is not None), line
    if answer.when is not None:
        for each in cases:
            holds = evaluated(answer.when, each.env, each.operands)
            assert holds is (each.result is not None), (line, each)
    assert (answer.result is None) is (answer.ok is False) is (answer.reason is not None), line
    results = [concrete.result or () for concrete in fitting]
    assert all(len(result) == len(answer.result or ()) for result in results), line
    for axis, size in enumerate(answer.result or ()):
        assert size == always([result[axis] for result in results], fitting), (line, axis)


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
    chance = Random(f"substitution {rule}")
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


# Rules side by side

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


def choices(asked: Comparison, random: Random) -> Iterator[Env]:
    """Numbers for the unknown sizes, at random where many may be chosen.

    A size is 0 where ncnn is asked, which has no empty axes, only if another is.
    """
    names = unknown(asked.operands)
    is_empty = any(0 in operand.shape for operand in asked.operands)
    numbers = range(1 if asked.has_ncnn and not is_empty else 0, HIGHEST + 1)
    if len(names) <= 2:
        chosen = list(product(numbers, repeat=len(names)))
    else:
        chosen = [tuple(random.choices(numbers, k=len(names))) for _ in range(MOST_CHOICES)]
    return (dict(zip(names, each, strict=True)) for each in chosen)


def check_compared(names: Sequence[str], shapes: Sequence[Shape], random: Random) -> bool | None:
    """The verdict and the condition are those of each choice of numbers, asked on its own."""
    rules = {RULES[name]: [name] for name in names}
    asked = Comparison(list(map(Operand, "AB", shapes)), rules, None)
    said = f"{names} {shapes}: {asked.ok} when {asked.when}"
    agreeing = {standing.agrees for standing in asked.standings}
    if asked.is_decided:
        assert (agreeing == {True}) is (asked.ok is True), said
    always_other = [each.always for each in asked.other_values]
    verdicts = set()
    for env in choices(asked, random):
        operands = put(env, asked.operands)
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
    check_compared([one, other], [first, second], Random(1))


def test_compared() -> None:
    """What two rules or three say of random shapes holds for the numbers that may be put in."""
    random = Random(f"compared {SEED}")
    seen = set()
    for _ in range(many(QUESTIONS)):
        chosen = random.choice(CHOSEN)
        names = random.choice((("K",), ("K", "N"), ("?",), ("K", "?"), ("K", "N", "?")))
        shapes = random_shapes(random, 2, (0, 1, 1, 2, 2, 3, 3, *names * 2), 5)
        seen.add(check_compared(chosen, shapes, random))
    assert seen == {True, False, None}
