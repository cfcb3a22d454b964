"""The questions of the quiz: of their level, right by NumPy, and wrong by common mistakes."""

from collections import Counter
from functools import cache
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import Shape
from bcastcli.quiz.drawing import levels_of, practice, quiz
from bcastcli.quiz.exercises import (
    DEPENDS,
    NO,
    OF_LINES,
    Exercise,
    Kind,
    Level,
    Reply,
    line,
)
from bcastcli.rules import RULES
from tests.effort import in_turn, many, part_of
from tests.rows import each_row

NUMPY = RULES["numpy"]
LIKE_NUMPY = {"numpy", "onnx", "bidirectional"}
KINDS = [level for level in Level if level is not Level.MIXED]
EACH_RULE = each_row("rule", in_turn(RULES.values()))
RULES_AND_LEVELS = [
    pytest.param(rule, level, id=f"{rule.name}-{level}")
    for rule in RULES.values()
    for level in levels_of(rule)
]
EACH_LEVEL = each_row(("rule", "level"), RULES_AND_LEVELS)
# Under each rule, the levels on which it says both yes and no.
LEVELS = {
    "numpy": KINDS,
    "onnx": KINDS,
    "onnx-uni": [level for level in KINDS if level not in (Level.BOTH_SIDES, Level.SEVERAL)],
    "none": [*KINDS[3:]],
    "pdpd": [level for level in KINDS if level not in (Level.BOTH_SIDES, Level.SEVERAL)],
    "bidirectional": [level for level in KINDS if level is not Level.SEVERAL],
    "ncnn": [level for level in KINDS if level not in (Level.SEVERAL, Level.ZEROS)],
}


def shapes_of(answer: Answer) -> list[Shape]:
    """Return the shapes that are asked about."""
    return [operand.shape for operand in answer.operands]


def drawn(rule: Rule, level: Level, count: int, seed: int = 1) -> list[Exercise]:
    """Return questions of one quiz after the other, until there are so many."""
    part = min(count, 50)
    seeds = range(seed, seed + -(-count // part))
    return [exercise for own in seeds for exercise in quiz(rule, level, own, part)][:count]


@cache
def some_of(rule: Rule, level: Level) -> list[Exercise]:
    """Return a quiz of one level."""
    return quiz(rule, level, 11, many(96))


# Mistakes, written anew: what somebody answers who makes one


def result_of(rule: Rule, shapes: list[Shape], options: dict[str, Any]) -> Reply:
    """Return what a rule makes of shapes."""
    from bcastcli.core.alignment import Operand
    from bcastcli.core.question import Question

    operands = [Operand(name, shape) for name, shape in zip("ABCD", shapes, strict=False)]
    answer = Question(rule, operands, options).answer()
    if answer.ok is None:
        return DEPENDS
    return NO if answer.result is None else answer.result


def left(answer: Answer) -> Reply:
    """Return what comes out where ones are added behind the shorter shapes."""
    if answer.rule.name == "explicit":
        axes = tuple(range(len(shapes_of(answer)[0])))
        return result_of(answer.rule, shapes_of(answer), {"axes": axes})
    rank = max(map(len, shapes_of(answer)))
    padded = [(*shape, *(1,) * (rank - len(shape))) for shape in shapes_of(answer)]
    return result_of(answer.rule, padded, {})


def as_numpy(answer: Answer) -> Reply:
    """Return what NumPy's rule gives."""
    return result_of(NUMPY, shapes_of(answer), {})


def largest(answer: Answer) -> Reply:
    """Return the larger size of each axis, aligned right; no reply where sizes are names."""
    rank = max(map(len, shapes_of(answer)))
    rows = [(*(0,) * (rank - len(shape)), *shape) for shape in shapes_of(answer)]
    if answer.unknown_sizes:
        return ""
    return tuple(max(map(int, column)) for column in zip(*rows, strict=True))


def longest(answer: Answer) -> Reply:
    """Return the shape that has the most axes, the first of several."""
    return max(shapes_of(answer), key=len)


def is_right(exercise: Exercise, mistake: object) -> bool:
    """Return whether someone who makes a mistake gives the right reply."""
    shape = mistake(exercise.answer)  # type: ignore[operator]  # it is one of those above
    if exercise.kind is Kind.SHAPE:
        return bool(shape == exercise.right)
    if exercise.kind is Kind.COUNT:
        return isinstance(shape, tuple) and prod(map(int, shape)) == exercise.right
    if exercise.is_of_lines:
        fits = [
            letter
            for letter, each in exercise.lettered.items()
            if (mistake(each) == NO) == (exercise.kind is Kind.MISMATCH)  # type: ignore[operator]
            and mistake(each) != DEPENDS  # type: ignore[operator]
        ]
        return fits == [exercise.right]
    if exercise.kind is Kind.START:
        return mistake is left and exercise.right == 0
    return False


@pytest.mark.parametrize(("rule", "level"), part_of(RULES_AND_LEVELS, 24))
def test_mistakes_are_seldom_right(rule: Rule, level: Level) -> None:
    """The commonest mistakes answer few questions rightly; yes and no are balanced.

    The larger size is right wherever shapes broadcast; and where a rule has few kinds of questions,
    and refuses most shapes, so are other mistakes in half of the questions for a shape.
    """
    count = many(960)
    exercises = drawn(rule, level, count)
    mistakes = {
        "aligned left": left,
        "the longer shape": longest,
        "the larger size": largest,
        "numpy's rule": as_numpy,
    }
    shares = {
        name: sum(
            is_right(exercise, mistake)
            for exercise in exercises
            if mistake is not as_numpy or exercise.answer.rule.name not in LIKE_NUMPY
            if mistake is not left or exercise.answer.rule.missing_axes != "trailing"
        )
        / count
        for name, mistake in mistakes.items()
    }
    assert max(shares.values()) < 0.45, shares
    if rule.like_numpy:
        del shares["the larger size"]
        assert max(shares.values()) < 0.3, shares
    verdicts = Counter(each.answer.ok for each in exercises if each.kind is Kind.SHAPE)
    assert abs(verdicts[True] - verdicts[False]) <= 2 + 0.1 * verdicts.total()


@pytest.mark.parametrize(
    ("level", "mistake"),
    [(Level.MISSING_AXES, left), (Level.BOTH_SIDES, longest), (Level.ZEROS, largest)],
)
def test_the_mistake_of_a_level_is_never_right(level: Level, mistake: object) -> None:
    """Under NumPy's rule a level's own mistake answers none of its questions rightly."""
    assert [
        each.question() for each in drawn(NUMPY, level, many(800)) if is_right(each, mistake)
    ] == []


# What is asked


@EACH_LEVEL
def test_level(rule: Rule, level: Level) -> None:
    """Every level asks questions of its own kind, and under the rule that was asked for."""
    for exercise in some_of(rule, level):
        if level is Level.OTHER_RULES:
            continue
        assert any(answer.unknown_sizes for answer in exercise.answers) == (level is Level.SYMBOLS)
        for answer in exercise.answers:
            assert answer.rule is rule
            shapes = shapes_of(answer)
            sizes = [size for shape in shapes for size in shape]
            assert (len(shapes) > 2) == (level is Level.SEVERAL)
            assert (0 in sizes) == (level is Level.ZEROS)
            if level is Level.MISSING_AXES:
                assert len(set(map(len, shapes))) == 2
                assert 1 not in sizes
            if level is Level.ONES:
                assert sum(1 in shape for shape in shapes) == 1
            if level is Level.BOTH_SIDES:
                assert answer.ok is False or answer.all_stretch


@EACH_RULE
def test_other_rules(rule: Rule) -> None:
    """A rule unlike NumPy's is asked in turn with NumPy's, and NumPy's with all that are unlike."""
    asked = Counter(each.answer.rule.name for each in quiz(rule, Level.OTHER_RULES, 5, 30))
    unlike = set(RULES) - LIKE_NUMPY
    assert set(asked) == (unlike if rule.name in LIKE_NUMPY else {rule.name, "numpy"})
    assert rule.name in LIKE_NUMPY or min(asked.values()) >= 8


@EACH_LEVEL
def test_fair(rule: Rule, level: Level) -> None:
    """Nothing is asked twice, all can be done by hand, and every question has one answer."""
    exercises = some_of(rule, level)
    assert len({"\n".join(each.question()) for each in exercises}) == len(exercises)
    for exercise in exercises:
        shapes = [shape for answer in exercise.answers for shape in shapes_of(answer)]
        assert {size for shape in shapes for size in shape} <= {*range(7), "N", "M"}
        assert max(map(len, shapes)) <= 4
        assert "?" not in str(exercise.right)
        assert exercise.explanation()


@each_row("name", LEVELS)
def test_levels(name: str) -> None:
    """A rule has the levels on which it can say both yes and no."""
    assert levels_of(RULES[name]) == LEVELS[name]


def test_all_kinds_are_asked() -> None:
    """A quiz under NumPy's rule has every kind of question."""
    assert {each.kind for each in quiz(NUMPY, Level.MISSING_AXES, 3, 30)} == set(Kind)


@EACH_RULE
def test_mixed_rises(rule: Rule) -> None:
    """Mixed has every level of the rule, the easy ones first, as often as each other."""
    levels = levels_of(rule)
    exercises = quiz(rule, Level.MIXED, 3, 4 * len(levels))
    in_turn = [bool(each.asked_too) for each in exercises]
    assert in_turn == [False] * (len(exercises) - 4) + [True] * 4
    assert {each.answer.rule for each in exercises[:-4]} == {rule}
    symbols = [any(answer.unknown_sizes for answer in each.answers) for each in exercises[:-4]]
    assert symbols == [False] * (len(symbols) - 4) + [True] * 4


def test_ranks_rise() -> None:
    """The first question of a level has few axes, and the last ones have more on average."""
    quizzes = [quiz(NUMPY, Level.MISSING_AXES, seed, 9) for seed in range(many(200))]
    ranks = [
        [max(max(answer.ranks) for answer in each.answers) for each in exercises]
        for exercises in quizzes
    ]
    easy = sum(first == 2 for first, *_ in ranks)
    assert easy >= 0.8 * len(ranks)
    first, middle, last = (sum(sum(row[part : part + 3]) for row in ranks) for part in (0, 3, 6))
    assert first < middle < last


@EACH_LEVEL
def test_first_question_is_easy(rule: Rule, level: Level) -> None:
    """The first question asks for the shape of operands of at most two axes that broadcast."""
    first = some_of(rule, level)[0]
    assert (first.kind, first.answer.ok) == (Kind.SHAPE, True)
    assert max(first.answer.ranks) <= 2


@EACH_RULE
def test_choices_of_lines(rule: Rule) -> None:
    """At most a third of the questions are choices of lines, and no two of them in a row."""
    for count in (1, 2, 3, 8, 10):
        in_lines = [each.is_of_lines for each in quiz(rule, Level.MIXED, count, count)]
        assert sum(in_lines) <= count / 3
        assert not any(one and other for one, other in pairwise(in_lines))


def test_ranks_rise_in_mixed() -> None:
    """The questions of a mixed quiz have more axes from part to part."""
    quizzes = [quiz(NUMPY, Level.MIXED, seed, 9) for seed in range(many(100))]
    ranks = [[max(each.answer.ranks) for each in exercises] for exercises in quizzes]
    first, middle, last = (sum(sum(row[part : part + 3]) for row in ranks) for part in (0, 3, 6))
    assert first < middle < last


def test_seed() -> None:
    """A seed asks the same again, and another one something else."""
    first, again, other = (
        ["\n".join(each.question()) for each in quiz(NUMPY, Level.MIXED, seed, 30)]
        for seed in (3, 3, 4)
    )
    assert first == again
    assert len(set(first) & set(other)) < 6


def test_line_can_be_asked() -> None:
    """A line has the rule, the operands and the options, as the command line reads them."""
    [exercise] = quiz(RULES["pdpd"], Level.MISSING_AXES, 2, 1)
    rule, *words = line(exercise.answer).split()
    assert rule == "pdpd"
    assert [word.partition("=")[0] for word in words][:2] == ["A", "B"]


def test_practice_is_a_level_of_the_rule() -> None:
    """Whatever mistake was made, the rule has the level on which to practise."""
    for rule in RULES.values():
        for mistake in ("lined up from the left", "the larger size", "recycling"):
            assert practice(rule, mistake) in levels_of(rule)


# What is right


@pytest.mark.parametrize("level", [level for level in KINDS if level is not Level.OTHER_RULES])
def test_numpy_as_judge(level: Level) -> None:
    """What is right under the rule numpy is what NumPy computes."""
    for exercise in quiz(NUMPY, level, 17, many(400)):
        judged = computed(exercise)
        assert exercise.right == judged, exercise.question()


def computed(exercise: Exercise) -> Reply:
    """Return the right reply as NumPy has it."""
    kind, answer = exercise.kind, exercise.answer
    if kind is Kind.SHAPE:
        return broadcast(answer)
    if kind in OF_LINES:
        wanted = kind is Kind.MISMATCH
        [letter] = [
            letter
            for letter, each in exercise.lettered.items()
            if (broadcast(each) == NO) == wanted and broadcast(each) != DEPENDS
        ]
        return letter
    arrays = [np.empty(tuple(map(int, shape))) for shape in shapes_of(answer)]
    if kind is Kind.COUNT:
        return np.broadcast(*arrays).size
    if kind is Kind.START:
        return max(array.ndim for array in arrays) - arrays[1].ndim
    first, second = (array.shape for array in arrays[:2])
    if kind is Kind.ELEMENT:
        tens, ones = np.arange(prod(first)) * 10, np.arange(prod(second)) + 1
        return int((tens.reshape(first) + ones.reshape(second))[exercise.place])
    # The reshaped B meets its own sizes where it was asked to.
    [start] = exercise.place
    reshaped = np.empty(second).reshape(tuple(map(int, exercise.right)))  # type: ignore[arg-type]
    assert np.broadcast_shapes(first, reshaped.shape) == first
    assert len(first) - reshaped.ndim == start
    assert reshaped.shape[: len(second)] == second
    return exercise.right


def broadcast(answer: Answer) -> Reply:
    """Return what NumPy makes of shapes, of unknown sizes with all small numbers for them."""
    results: set[tuple[int, ...] | None] = set()
    for n in range(1, 8):
        for m in range(1, 8):
            numbers = {"N": n, "M": m}
            shapes = [
                tuple(numbers[size] if isinstance(size, str) else size for size in shape)
                for shape in shapes_of(answer)
            ]
            try:
                results.add(np.broadcast_shapes(*shapes))
            except ValueError:
                results.add(None)
    if results == {None}:
        return NO
    if None in results:
        return DEPENDS
    # NumPy knows no names: which of them stands where is the rule's own doing.
    return answer.result or () if answer.unknown_sizes else tuple(results.pop() or ())
