"""The mistakes of the quiz: each is named in its replies, and a bare no has no sure cause."""

import re
from collections.abc import Callable, Sequence
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
from bcastcli.quiz.exercises import DEPENDS, NO, Exercise, Kind, Level, Reply
from bcastcli.quiz.mistakes import Mistake, matching_mistakes, mistakes
from bcastcli.rules import RULES
from tests.effort import in_turn, many, part_of
from tests.rows import each_row
from tests.strategies import of_shapes


def asked(*shapes: Shape, kind: Kind = Kind.SHAPE, place: Sequence[int] = ()) -> Exercise:
    """Return a question about shapes under NumPy's rule."""
    return Exercise(kind, (of_shapes("numpy", *shapes),), tuple(place))


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
    asked_for = [asked(*pair) for pair in product(small, repeat=2)]
    asked_for += (
        each for each in exercises if each.kind is Kind.SHAPE and not each.answer.unknown_sizes
    )
    return [(exercise, list(mistakes(exercise))) for exercise in asked_for]


# Mistakes, made anew, each as a function from the question to a wrong reply


def shapes_of(answer: Answer) -> list[tuple[int, ...]]:
    return [tuple(map(int, operand.shape)) for operand in answer.operands]


def outcome(answer: Answer) -> Reply:
    return DEPENDS if answer.ok is None else NO if answer.result is None else answer.result


def under(rule: Rule, answer: Answer, *, options: bool = False, swap: bool = False) -> Reply:
    operands = answer.operands[::-1] if swap else answer.operands
    return outcome(Question(rule, operands, answer.question.options if options else {}).answer())


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
        return outcome(Question(answer.rule, answer.operands, axes).answer())
    operands = [
        Operand(name, (*shape, *[1] * (rank - len(shape)))) for name, shape in answer.operands
    ]
    return outcome(Question(answer.rule, operands, {}).answer())


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


def sizes_of_one(answer: Answer) -> bool:
    return any(
        axis.stretched and 1 in axis.sizes and axis.result != 1 for axis in answer.axes or ()
    )


MISTAKES: dict[str, Callable[[Answer], Reply | None]] = {
    "lined up from the left": left,
    "the larger size": columns(max, 0),
    "the smaller size": columns(min, 10**6),
    "the longer shape": lambda answer: max(answer.shapes, key=len),
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
        lambda answer: len(answer.operands) == 2,
        lambda answer: under(answer.rule, answer, options=True, swap=True),
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


EXPLICIT = Exercise(Kind.SHAPE, (of_shapes("explicit", (3,), (4, 5), axes=(0,)),))
START = asked((4, 3, 2), (3, 2), kind=Kind.START)
ELEMENT = asked((2, 1), (3,), kind=Kind.ELEMENT, place=(1, 2))
RESHAPE = asked((2, 3, 4), (3,), kind=Kind.RESHAPE, place=(1,))


@each_row(
    ("exercise", "reply", "names"),
    [
        (
            asked((3, 2), (3,)),
            (3, 2),
            ["lined up from the left", "the longer shape", "the smaller size"],
        ),
        (asked((3, 2), (3,)), (9, 9), []),
        (asked((4, 3), (3,)), (4,), ["matrix product", "an axis left out"]),
        (asked((4, 3), (3,)), (4, 3), []),
        (EXPLICIT, (4, 5), ["the larger size", "the longer shape"]),
        (START, 0, ["lined up from the left"]),
        (START, 2, ["counted from 1", "the last axis"]),
        (ELEMENT, 13, []),
        (ELEMENT, 10, ["A alone"]),
        (ELEMENT, 3, ["B alone"]),
        (ELEMENT, 12, ["B from 0"]),
        (ELEMENT, 2, ["counted from 1"]),
        (asked((2, 2), (2,), kind=Kind.ELEMENT, place=(1, 0)), 12, ["index reversed"]),
        (RESHAPE, (3,), ["B left where it is"]),
        (RESHAPE, (1, 3), ["lined up from the left", "B left where it is"]),
        (RESHAPE, (1, 1, 3), ["B left where it is"]),
        (RESHAPE, (3, 1, 1), ["a 1 too many"]),
        (RESHAPE, (2, 3, 4), ["stretched by hand"]),
        *((RESHAPE, reply, []) for reply in ((3, 1), (1, 3, 1))),
    ],
)
def test_matching(exercise: Exercise, reply: Reply, names: list[str]) -> None:
    """The mistakes that match a reply are those that lead to it, each once, the likeliest first."""
    assert [mistake.name for mistake in matching_mistakes(exercise, reply, {})] == names


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


@each_row(
    ("exercise", "reply", "fact"),
    [
        (asked((2, 3), (3,)), (2, 3, 1), "the result has rank 2, not 3"),
        (asked((2, 3), (1, 3)), (2, 5), "the size on axis 1 (-1) is not 5"),
        (asked((2, 3), (4, 5)), (7, 7), "it does not broadcast: the sizes clash"),
        (asked(("N", 4), ("N", 4)), DEPENDS, "it works for every value of N"),
        (asked(("N", 4), ("N", 5)), DEPENDS, "it works for no value of N"),
        (asked(("N", 4), (3, 4)), (3, 4), "with N = 2 it does not broadcast"),
        (asked(("N", 4), (3, 4)), NO, "with N = 1 it broadcasts"),
        (asked(("N",), ("M",)), ("N",), "with N = 2 and M = 3 it does not broadcast"),
        (
            RESHAPE,
            (3, 2),
            "a reshape for broadcasting keeps the sizes of B and adds axes of size 1",
        ),
        (START, NO, "it does broadcast"),
        (ELEMENT, 40, "it is less than 40"),
    ],
)
def test_fact(exercise: Exercise, reply: Reply, fact: str) -> None:
    """What no mistake explains, and replies on unknown sizes, are refuted by a fact."""
    assert comment(exercise, reply).fact == fact


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
