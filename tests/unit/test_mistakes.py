"""The mistakes of the quiz: each is named in its replies, and a bare no has no sure cause."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
import pytest

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import Shape
from bcastcli.quiz.comments import comment
from bcastcli.quiz.drawing import levels_of, quiz
from bcastcli.quiz.exercises import (
    DEPENDS,
    NO,
    Exercise,
    Kind,
    Level,
    Reply,
    line,
)
from bcastcli.quiz.mistakes import Mistake, matching_mistakes, mistakes
from bcastcli.rules import RULES
from tests.effort import in_turn, many, part_of
from tests.rows import each_row


def asked(rule: str, *shapes: Sequence[int | str], **options: int) -> Exercise:
    """Return the question for the result's shape."""
    names = RULES[rule].default_names or "ABCD"
    operands = [Operand(name, tuple(shape)) for name, shape in zip(names, shapes, strict=False)]
    return Exercise(Kind.SHAPE, (Question(RULES[rule], operands, options).answer(),))


@pytest.fixture(scope="module")
def exercises() -> list[Exercise]:
    """Questions of every level under every rule; in a quick run of every second one."""
    asked_about = [(rule, level) for rule in RULES.values() for level in levels_of(rule)]
    return [
        exercise
        for rule, level in part_of(asked_about, 2)
        for exercise in quiz(rule, level, 23, many(128))
    ]


@pytest.fixture(scope="module")
def shapes_with_mistakes(exercises: list[Exercise]) -> list[tuple[Exercise, list[Mistake]]]:
    """All questions for a shape with their mistakes, of small shapes too that no quiz asks."""
    small = [shape for rank in (1, 2) for shape in product((1, 2, 4), repeat=rank)]
    asked_for = [asked("numpy", *pair) for pair in product(small, repeat=2)]
    asked_for += (
        each for each in exercises if each.kind is Kind.SHAPE and not each.answer.unknown_sizes
    )
    return [(exercise, list(mistakes(exercise))) for exercise in asked_for]


# Mistakes, made anew, each as a function from the question to a wrong reply


def shapes_of(answer: Answer) -> list[tuple[int, ...]]:
    return [tuple(map(int, operand.shape)) for operand in answer.operands]


def under(rule: Rule, answer: Answer, *, options: bool = False, swap: bool = False) -> Reply:
    operands = answer.operands[::-1] if swap else answer.operands
    given = answer.question.options if options else {}
    other = Question(rule, operands, given).answer()
    return DEPENDS if other.ok is None else NO if other.result is None else other.result


def rows(answer: Answer, missing: int) -> list[tuple[int, ...]]:
    shapes = shapes_of(answer)
    rank = max(map(len, shapes))
    return [(missing,) * (rank - len(shape)) + shape for shape in shapes]


def left(answer: Answer) -> Reply | None:
    shapes = [operand.shape for operand in answer.operands]
    rank = max(map(len, shapes))
    if len(set(map(len, shapes))) == 1:
        return None
    if answer.rule.name == "explicit":
        axes = {"axes": tuple(range(len(shapes[0])))}
        other = Question(answer.rule, answer.operands, axes).answer()
        return DEPENDS if other.ok is None else NO if other.result is None else other.result
    operands = [
        Operand(name, (*shape, *[1] * (rank - len(shape)))) for name, shape in answer.operands
    ]
    other = Question(answer.rule, operands, {}).answer()
    return DEPENDS if other.ok is None else NO if other.result is None else other.result


def matrix_product(answer: Answer) -> Reply | None:
    shapes = shapes_of(answer)
    if len(shapes) != 2 or [len(shape) for shape in shapes] != [2, 2]:
        return None
    first, second = (np.zeros(shape) for shape in shapes)
    return (first @ second).shape if first.shape[1] == second.shape[0] else None


def recycling(answer: Answer) -> Reply | None:
    shapes = rows(answer, 1)
    if len(shapes) != 2 or any(0 in shape for shape in shapes):
        return None
    pairs = [(max(pair), min(pair)) for pair in zip(*shapes, strict=True)]
    if any(large % small for large, small in pairs):
        return None
    # Where each smaller size is 1, nothing is recycled.
    return tuple(large for large, _ in pairs) if any(1 < b < a for a, b in pairs) else None


def concatenation(answer: Answer) -> Reply | None:
    shapes = shapes_of(answer)
    if len(shapes) != 2 or not shapes[0]:
        return None
    try:
        return np.concatenate([np.empty(shape) for shape in shapes]).shape
    except ValueError:
        return None


def result(change: Callable[[Shape], Reply]) -> Callable[[Answer], Reply | None]:
    return lambda answer: change(answer.result) if answer.result is not None else None


def columns(combine: Callable[..., object], missing: int) -> Callable[[Answer], Reply | None]:
    def reply(answer: Answer) -> Reply:
        columns = zip(*rows(answer, missing), strict=True)
        return tuple(int(combine(column)) for column in columns)  # type: ignore[call-overload]

    return reply


def of_verdict(condition: Callable[[Answer], bool]) -> Callable[[Answer], Reply | None]:
    return lambda answer: NO if answer.ok and condition(answer) else None


def only_for(
    condition: Callable[[Answer], bool], reply: Callable[[Answer], Reply | None]
) -> Callable[[Answer], Reply | None]:
    return lambda answer: reply(answer) if condition(answer) else None


def two(answer: Answer) -> bool:
    return len(answer.operands) == 2


def sizes_of_one(answer: Answer) -> bool:
    return any(
        axis.stretched and 1 in axis.sizes and axis.result != 1 for axis in answer.axes or ()
    )


MISTAKES: dict[str, Callable[[Answer], Reply | None]] = {
    "lined up from the left": left,
    "the larger size": columns(max, 0),
    "the smaller size": columns(min, 10**6),
    "the longer shape": lambda answer: max(shapes_of(answer), key=len),
    "matrix product": matrix_product,
    "recycling": recycling,
    "concatenation": concatenation,
    "the order reversed": result(lambda shape: shape[::-1]),
    "ones dropped": result(lambda shape: tuple(size for size in shape if size != 1)),
    "an axis left out": result(lambda shape: shape[1:]),
    "the target's own shape": only_for(
        lambda answer: answer.rule.name == "bidirectional", lambda answer: shapes_of(answer)[1]
    ),
    "sizes multiplied": columns(np.prod, 1),
    "numpy's rule": only_for(
        lambda answer: answer.rule.name not in ("numpy", "onnx", "bidirectional"),
        lambda answer: under(RULES["numpy"], answer),
    ),
    "operands swapped": only_for(
        two, lambda answer: under(answer.rule, answer, options=True, swap=True)
    ),
    "the default axis": only_for(
        lambda answer: "axis" in answer.question.options, lambda answer: under(answer.rule, answer)
    ),
    "ranks differ": of_verdict(lambda answer: len(set(answer.ranks)) > 1),
    "both would stretch": of_verdict(lambda answer: answer.all_stretch),
    "sizes differ": of_verdict(sizes_of_one),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_is_named(
    name: str, shapes_with_mistakes: list[tuple[Exercise, list[Mistake]]]
) -> None:
    """A mistake, made on every question on which it can be, is named in its wrong replies."""
    named = [
        Mistake(name, "", reply) in [mistake._replace(refutation="") for mistake in found]
        for exercise, found in shapes_with_mistakes
        for reply in [MISTAKES[name](exercise.answer)]
        if reply is not None and reply != exercise.right
    ]
    assert len(named) >= 2
    assert sum(named) >= 0.95 * len(named)


def test_fitting() -> None:
    """The mistakes that fit a reply are those that lead to it, each once, the likeliest first."""
    exercise = asked("numpy", (3, 2), (3,))
    assert [mistake.name for mistake in matching_mistakes(exercise, (3, 2))][:2] == [
        "lined up from the left",
        "the longer shape",
    ]
    assert matching_mistakes(exercise, (9, 9)) == []


def test_a_matrix_times_a_vector() -> None:
    """What the product of a matrix and a vector has is named, and no more axes than that."""
    exercise = asked("numpy", (4, 3), (3,))
    named = [[each.name for each in matching_mistakes(exercise, reply)] for reply in ((4,), (4, 3))]
    assert "matrix product" in named[0]
    assert "matrix product" not in named[1]


@pytest.mark.parametrize("name", ["lined up from the left", "ranks differ"])
def test_mistake_is_named_in_a_choice_of_lines(name: str, exercises: list[Exercise]) -> None:
    """Whoever judges each line by a mistake, and so picks a wrong one, is told of the mistake."""
    count = 0
    for exercise in exercises:
        if exercise.kind not in (Kind.MATCH, Kind.MISMATCH):
            continue
        for letter, answer in exercise.lettered.items():
            verdict = MISTAKES[name](answer)
            if verdict is None or verdict == DEPENDS or letter == exercise.right:
                continue
            count += 1
            if (verdict == NO) == (exercise.kind is Kind.MISMATCH):
                assert name in [mistake.name for mistake in matching_mistakes(exercise, letter)]


@each_row("rule", in_turn(RULES.values()))
def test_another_rule_is_a_mistake_where_the_quiz_asks_it(rule: Rule) -> None:
    """Only where rules are asked in turn is a reply said to be right under another one of them."""
    for level in levels_of(rule):
        named = set()
        count = 16 if level is Level.OTHER_RULES else many(64)
        for exercise in quiz(rule, level, 23, count):
            for mistake in mistakes(exercise):
                if mistake.name == "another rule":
                    under_others, _, _ = mistake.refutation.partition(";")
                    others = set(re.findall(r"[a-z-]+", under_others)) & set(RULES)
                    assert others <= {each.name for each in exercise.asked_too}
                    named |= others
        # Without axes the rule explicit answers no question of NumPy's.
        assert bool(named) == (level is Level.OTHER_RULES and rule.name != "explicit")


def test_depends_where_it_does_not() -> None:
    """Where every size works, or none, depends is told that."""
    for exercise, text in [
        (asked("numpy", ("N", 4), ("N", 4)), '"depends" is wrong: it works for every N'),
        (asked("numpy", ("N", 4), (3, 5)), '"depends" is wrong: no value of N makes it work'),
    ]:
        found = comment(exercise, DEPENDS)
        assert text in (found.fact, *found.causes)


@each_row(
    ("exercise", "reply", "fact"),
    [
        (asked("numpy", (3, 2), (3,)), (3, 2), ""),
        (asked("numpy", (2, 3), (3,)), (2, 3, 1), "the result has rank 2, not 3"),
        (asked("numpy", (2, 3), (1, 3)), (2, 5), "the size 5 on axis 1 (-1) is not right"),
        (asked("numpy", (2, 3), (4, 5)), (7, 7), "it does not broadcast: the sizes clash"),
        (asked("numpy", ("N", 4), (3, 4)), (3, 4), "with N = 2 it does not broadcast"),
        (asked("numpy", ("N", 4), (3, 4)), NO, "with N = 1 it broadcasts"),
        (asked("numpy", ("N",), ("M",)), ("N",), "with N = 2 and M = 3 it does not broadcast"),
    ],
)
def test_fact(exercise: Exercise, reply: Reply, fact: str) -> None:
    """What no mistake explains, and replies on unknown sizes, are refuted by a fact."""
    found = comment(exercise, reply)
    assert found.fact == fact or (not fact and "from the left" in str(found))


def test_a_bare_no_is_given_no_single_cause(exercises: list[Exercise]) -> None:
    """Of a wrong no it is said that it broadcasts, and what may have led to it in a list."""
    for exercise in exercises:
        if exercise.kind is Kind.SHAPE and exercise.right != NO:
            found = comment(exercise, NO)
            assert (
                found.fact
                in ("it does broadcast", "it does broadcast: missing axes and sizes of 1 stretch")
                or "it broadcasts" in found.fact
            )
            assert not set(found.causes) & {found.fact}


def test_the_right_reply_is_no_mistake(exercises: list[Exercise]) -> None:
    """No mistake is said to lead to the right reply."""
    for exercise in exercises:
        assert matching_mistakes(exercise, exercise.right) == []


def test_every_wrong_reply_is_explained(exercises: list[Exercise]) -> None:
    """Whatever is replied, something is said of it."""
    for exercise in exercises[:: len(Level)]:
        for reply in replies(exercise):
            if reply != exercise.right:
                explanation = comment(exercise, reply)
                assert explanation.fact or len(explanation.causes) > 1, line(exercise.answer)
                assert all(explanation.causes)


def replies(exercise: Exercise) -> Iterator[Reply]:
    """Yield wrong and right replies of all sorts."""
    of_kind: dict[Kind, list[Reply]] = {
        Kind.SHAPE: [NO, (), (1,), (2, 3), (3, 3, 3), (2, 2, 2, 2)],
        Kind.RESHAPE: [NO, (), (7,), (1, 1), (2, 3)],
        Kind.MATCH: ["a", "b", "c"],
        Kind.MISMATCH: ["a", "b", "c"],
    }
    yield from of_kind.get(exercise.kind, [0, 1, 7, 99])
    yield from (mistake.reply for mistake in mistakes(exercise))
