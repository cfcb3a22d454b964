"""The questions of the quiz: of their level, right by NumPy, and wrong by common mistakes."""

from collections import Counter
from functools import cache
from itertools import combinations, pairwise
from math import prod

import numpy as np
import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.quiz.drawing import levels_of, quiz
from bcastcli.quiz.exercises import DEPENDS, NO, OF_LINES, ZEROS, Exercise, Kind, Level, Reply
from bcastcli.quiz.mistakes import traps
from bcastcli.rules import RULES
from tests.effort import in_turn, many, part_of
from tests.quiz.test_mistakes import MISTAKES, outcome
from tests.rows import each_row

NUMPY = RULES["numpy"]
LEFT, LONGEST, LARGEST = "lined up from the left", "the longer shape", "the larger size"
LIKE_NUMPY = {"numpy", "onnx", "bidirectional"}
KINDS = [*[*Level][1:5], ZEROS, *[*Level][5:]]
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
    "ncnn": [level for level in KINDS if level not in (Level.SEVERAL, ZEROS)],
}


def drawn(rule: Rule, level: str, count: int, seed: int = 1) -> list[Exercise]:
    """Return questions of one quiz after the other, until there are so many."""
    part = min(count, 50)
    seeds = range(seed, seed + -(-count // part))
    return [exercise for own in seeds for exercise in quiz(rule, level, own, part)][:count]


@cache
def some_of(rule: Rule, level: str) -> list[Exercise]:
    """Return a quiz of one level."""
    return quiz(rule, level, 11, many(96))


# Mistakes, as `test_mistakes` makes them


def believed(name: str, answer: Answer) -> Reply:
    """Return what somebody answers who makes a mistake, and is right where it cannot be made."""
    if name == "the larger size" and answer.unknown_sizes:
        return ""  # no reply
    reply = MISTAKES[name](answer)
    return outcome(answer) if reply is None else reply


def is_right(exercise: Exercise, name: str) -> bool:
    """Return whether someone who makes a mistake gives the right reply."""
    if exercise.kind is Kind.SHAPE:
        return believed(name, exercise.answer) == exercise.right
    if exercise.is_of_lines:
        replies = {key: believed(name, each) for key, each in exercise.lettered.items()}
        wanted = exercise.kind is Kind.MISMATCH
        return [exercise.right] == [
            key for key, each in replies.items() if (each == NO) == wanted and each != DEPENDS
        ]
    return exercise.kind is Kind.START and name == LEFT and exercise.right == 0


@pytest.mark.parametrize(("rule", "level"), part_of(RULES_AND_LEVELS, 24))
def test_mistakes_are_seldom_right(rule: Rule, level: str) -> None:
    """The commonest mistakes answer few questions rightly; yes and no are balanced.

    The larger size is right wherever shapes broadcast; and where a rule has few kinds of questions,
    and refuses most shapes, so are other mistakes in most of the questions for a shape.
    """
    count = many(960)
    exercises = drawn(rule, level, count)
    shares = {
        name: sum(
            is_right(exercise, name)
            for exercise in exercises
            if name != "numpy's rule" or exercise.answer.rule.name not in LIKE_NUMPY
            if name != LEFT or exercise.answer.rule.name not in ("left", "none")
        )
        / count
        for name in (LEFT, LONGEST, LARGEST, "numpy's rule")
    }
    assert max(shares.values()) < 0.7, shares
    if rule.like_numpy and level is not Level.OTHER_RULES:
        del shares[LARGEST]
        assert max(shares.values()) < 0.37, shares
    verdicts = Counter(each.answer.ok for each in exercises if each.kind is Kind.SHAPE)
    assert abs(verdicts[True] - verdicts[False]) <= 2 + 0.2 * verdicts.total()


@pytest.mark.parametrize(
    ("level", "mistake"),
    [(Level.MISSING_AXES, LEFT), (Level.BOTH_SIDES, LONGEST), (ZEROS, LARGEST)],
)
def test_the_mistake_of_a_level_is_never_right(level: str, mistake: str) -> None:
    """Under NumPy's rule a level's own mistake answers none of its questions rightly."""
    assert [
        each.question() for each in drawn(NUMPY, level, many(800)) if is_right(each, mistake)
    ] == []


# What is asked


@EACH_LEVEL
def test_level(rule: Rule, level: str) -> None:
    """Every level asks questions of its own kind, and under the rule that was asked for."""
    for exercise in some_of(rule, level):
        if level is Level.OTHER_RULES:
            continue
        assert any(answer.unknown_sizes for answer in exercise.answers) == (level is Level.SYMBOLS)
        for answer in exercise.answers:
            assert answer.rule is rule
            shapes = answer.shapes
            sizes = [size for shape in shapes for size in shape]
            assert (len(shapes) > 2) == (level is Level.SEVERAL)
            assert (0 in sizes) == (level is ZEROS)
            if level is Level.MISSING_AXES:
                assert len(set(map(len, shapes))) == 2
                assert 1 not in sizes
            if level is Level.ONES:
                assert sum(1 in shape for shape in shapes) == 1
            if level is Level.BOTH_SIDES:
                assert answer.ok is False or answer.all_stretch


def test_operands_vary() -> None:
    """Several operands are three or four, and an operand that lacks axes may lack them all."""
    several, fewer = (
        [answer.ranks for each in quiz(NUMPY, level, 5, 60) for answer in each.answers]
        for level in (Level.SEVERAL, Level.MISSING_AXES)
    )
    assert set(map(len, several)) == {3, 4}
    assert {min(ranks) for ranks in fewer} == {0, 1, 2, 3}


def test_mistakes_are_told_apart() -> None:
    """In a quiz, each two of the commonest mistakes lead to different replies somewhere."""
    for seed in range(many(200)):
        found = [traps(exercise) for exercise in quiz(NUMPY, Level.MIXED, seed, 10)]
        apart = {
            pair
            for each in found
            for pair in combinations(each, 2)
            if {*each[pair[0]]}.isdisjoint(each[pair[1]])
        }
        assert apart == {pair for each in found for pair in combinations(each, 2)}


@EACH_RULE
def test_other_rules(rule: Rule) -> None:
    """A rule unlike NumPy's is asked in turn with NumPy's, and NumPy's with all that are unlike."""
    asked = Counter(each.answer.rule.name for each in quiz(rule, Level.OTHER_RULES, 5, 30))
    unlike = set(RULES) - LIKE_NUMPY
    assert set(asked) == (unlike if rule.name in LIKE_NUMPY else {rule.name, "numpy"})
    assert rule.name in LIKE_NUMPY or min(asked.values()) >= 8


@EACH_LEVEL
def test_fair(rule: Rule, level: str) -> None:
    """Nothing is asked twice, all can be done by hand, and every question has one answer."""
    exercises = some_of(rule, level)
    assert len({"\n".join(each.question()) for each in exercises}) == len(exercises)
    for exercise in exercises:
        shapes = [shape for answer in exercise.answers for shape in answer.shapes]
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
def test_mixed(rule: Rule) -> None:
    """Mixed has every level of one rule, unknown sizes last, and zeros are asked nowhere else."""
    levels = levels_of(rule)[:-1]
    for seed in range(many(48)):
        exercises = quiz(rule, Level.MIXED, seed, 4 * len(levels))
        assert {answer.rule for each in exercises for answer in each.answers} == {rule}
        symbols = [bool(each.unknown_sizes) for each in exercises]
        assert symbols == [False] * (len(symbols) - 4) + [True] * 4
    sizes = {
        (level, size)
        for level in (Level.MIXED, *levels, Level.OTHER_RULES)
        for each in quiz(rule, level, 3, 40)
        for answer in each.answers
        for shape in answer.shapes
        for size in shape
    }
    with_zeros = {Level.MIXED, ZEROS} if ZEROS in levels else set()
    assert {level for level, size in sizes if size == 0} == with_zeros


@each_row("level", [Level.MISSING_AXES, Level.MIXED])
def test_ranks_rise(level: str) -> None:
    """The first question has few axes, and the questions have more from part to part."""
    quizzes = [quiz(NUMPY, level, seed, 9) for seed in range(many(200))]
    ranks = [
        [max(max(answer.ranks) for answer in each.answers) for each in exercises]
        for exercises in quizzes
    ]
    assert sum(first == 2 for first, *_ in ranks) >= 0.8 * len(ranks)
    first, middle, last = (sum(sum(row[part : part + 3]) for row in ranks) for part in (0, 3, 6))
    assert first < middle < last


@EACH_LEVEL
def test_first_question_is_easy(rule: Rule, level: str) -> None:
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


# What is right


@pytest.mark.parametrize("level", [level for level in KINDS if level is not Level.OTHER_RULES])
def test_numpy_as_judge(level: str) -> None:
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
    arrays = [np.empty(tuple(map(int, shape))) for shape in answer.shapes]
    if kind is Kind.START:
        return max(array.ndim for array in arrays) - arrays[1].ndim
    if kind is Kind.COUNT:
        return np.broadcast(*arrays).size
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
                for shape in answer.shapes
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
