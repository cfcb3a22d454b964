"""Students of one belief each play the quiz (quiz/game.py): it names and drills their mistake."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import prod
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule
from bcastcli.core.shapes import Shape, Size
from bcastcli.quiz.drawing import levels_of, quiz
from bcastcli.quiz.exercises import DEPENDS, NO, Exercise, Kind, Level, Reply, text_of
from bcastcli.quiz.game import Console, Game
from bcastcli.quiz.mistakes import mistakes
from bcastcli.rules import RULES
from tests.effort import many, part_of
from tests.quiz.test_mistakes import outcome

NUMPY = RULES["numpy"]
LIKE_NUMPY = ("numpy", "onnx", "bidirectional")


class Seen(NamedTuple):
    """What a student believes of operands: the shape that they give, and how they line up."""

    reply: Reply
    """The result's shape, NO or DEPENDS."""
    starts: tuple[int, ...] = ()
    """The axis of the result on which each operand starts; empty if they do not line up."""


Belief = Callable[[Answer, Exercise], Seen]


def by_rule(rule: Rule, shapes: Sequence[Shape], options: Options) -> Seen:
    """Return what a rule makes of shapes."""
    answer = Question(rule, list(map(Operand, "ABCD", shapes)), options).answer()
    if answer.axes is None:
        return Seen(outcome(answer))
    starts = (
        next((axis.number for axis in answer.axes if axis.sizes[place] is not None), rank)
        for rank in [len(answer.axes)]
        for place in range(len(shapes))
    )
    return Seen(outcome(answer), tuple(starts))


def rightly(answer: Answer, _: Exercise) -> Seen:
    """Return what the rule that is asked gives."""
    return by_rule(answer.rule, answer.shapes, dict(answer.question.options))


def from_the_left(answer: Answer, _: Exercise) -> Seen:
    """Return what comes of ones behind the shorter shapes, whatever axis the question gives."""
    shapes = answer.shapes
    rank = max(map(len, shapes))
    if answer.rule.name == "explicit":
        return by_rule(answer.rule, shapes, {"axes": tuple(range(len(shapes[0])))})
    padded = [(*shape, *(1,) * (rank - len(shape))) for shape in shapes]
    return by_rule(answer.rule, padded, {})._replace(starts=(0,) * len(shapes))


def no_where_ranks_differ(answer: Answer, exercise: Exercise) -> Seen:
    """Return no where the ranks differ, and what is right elsewhere."""
    return Seen(NO) if len(set(answer.ranks)) > 1 else rightly(answer, exercise)


def larger_sizes(answer: Answer, exercise: Exercise) -> Seen:
    """Return the larger size on each axis: all shapes broadcast; sizes by name have no larger."""
    right = rightly(answer, exercise)
    rank = max(answer.ranks)
    columns: list[list[Size]] = [[] for _ in range(rank)]
    for shape in answer.shapes:
        for axis, size in enumerate(shape, rank - len(shape)):
            columns[axis].append(size)
    if answer.axes:  # how a rule lines the operands up is not what this student gets wrong
        columns = [[size for size in axis.sizes if size is not None] for axis in answer.axes]
    sizes = [larger(column) for column in columns]
    known = tuple(size for size in sizes if size is not None)
    return right._replace(reply=known if len(known) == len(sizes) else DEPENDS)


def larger(column: list[Size]) -> Size | None:
    """Return the largest size; None where a name meets other sizes than 1."""
    names = {size for size in column if isinstance(size, str)}
    if not names:
        return max(map(int, column))
    others = {*column} - {1}
    return names.pop() if len(others) == 1 else None


def as_numpy(answer: Answer, _: Exercise) -> Seen:
    """Return what NumPy gives."""
    return by_rule(NUMPY, answer.shapes, {})


def as_the_other(answer: Answer, exercise: Exercise) -> Seen:
    """Return what the rule gives that is asked in turn with NumPy's."""
    own = exercise.asked_too[0]
    shapes = answer.shapes
    fits = own.name not in ("explicit", answer.rule.name) and own.accepts_count(len(shapes))
    return by_rule(own, shapes, {}) if fits else rightly(answer, exercise)


class Student(NamedTuple):
    """A belief, what the quiz calls it, and the levels that drill it, the best first."""

    belief: Belief
    mistake: str
    drilled: tuple[Level, ...]


AXES = (Level.MISSING_AXES, Level.OTHER_RULES)
STUDENTS = {
    "right": Student(rightly, "", ()),
    "left": Student(from_the_left, "lined up from the left", AXES),
    "ranks": Student(no_where_ranks_differ, "ranks differ", AXES),
    "larger": Student(larger_sizes, "the larger size", (Level.ONES, Level.OTHER_RULES)),
    "numpy": Student(as_numpy, "numpy's rule", (Level.OTHER_RULES,)),
    "other": Student(as_the_other, "another rule", (Level.OTHER_RULES,)),
}


def reply_of(student: Student, exercise: Exercise, rng: Random) -> Reply:  # noqa: PLR0911
    """Return what a student replies to a question of any kind."""
    kind, answer = exercise.kind, exercise.answer
    if exercise.is_of_lines:
        wanted = kind is Kind.MISMATCH
        fitting: list[Reply] = [
            letter
            for letter, each in exercise.lettered.items()
            for seen in [student.belief(each, exercise).reply]
            if (seen == NO) == wanted and (seen != DEPENDS or student.belief is larger_sizes)
        ]
        return rng.choice(fitting or [NO])
    if kind is Kind.RESHAPE:
        (_, target), (_, own) = answer.operands
        [start] = exercise.place
        if student.belief is from_the_left:
            return (*(1,) * start, *own)
        return (*own, *(1,) * (len(target) - start - len(own)))
    seen = student.belief(answer, exercise)
    if kind is Kind.START:
        lines_up = seen.starts and seen.starts[1] < max(answer.ranks)
        return seen.starts[1] if lines_up else NO
    if kind is Kind.SHAPE or not isinstance(seen.reply, tuple):
        return seen.reply
    if kind is Kind.ELEMENT:
        return element(answer, exercise, seen)
    return prod(map(int, seen.reply))


def element(answer: Answer, exercise: Exercise, seen: Seen) -> Reply:
    """Return the element of A + B where the operands start on these axes; NO if there is none."""
    assert isinstance(seen.reply, tuple)
    rank = len(seen.reply)
    arrays = []
    for (start, shape), step, first in zip(
        zip(seen.starts, answer.shapes, strict=True), (10, 1), (0, 1), strict=True
    ):
        sizes = tuple(map(int, shape))
        array = np.arange(prod(sizes)).reshape(sizes) * step + first
        sizes = ((1,) * start + sizes)[:rank]  # pdpd drops ones at the end
        arrays.append(array.reshape(sizes + (1,) * (rank - len(sizes))))
    total = arrays[0] + arrays[1]
    if len(exercise.place) != rank or any(
        at >= size for at, size in zip(exercise.place, total.shape, strict=True)
    ):
        return NO
    return int(total[exercise.place].item())


def random_reply(exercise: Exercise, rng: Random) -> Reply:
    """Return the reply of a student who has no idea."""
    replies: list[Reply] = [NO, *range(12)]
    if exercise.is_of_lines:
        replies = [*exercise.lettered, NO]
    elif exercise.kind in (Kind.SHAPE, Kind.RESHAPE):
        sizes = tuple(rng.randint(1, 6) for _ in range(rng.randint(1, 4)))
        replies = [NO, *(operand.shape for operand in exercise.answer.operands), sizes, sizes]
    return rng.choice(replies)


class Played(NamedTuple):
    """A quiz that a student has played."""

    replies: list[tuple[Exercise, Reply]]
    shown: list[str]
    """What is shown after each wrong reply, on one line."""
    counted: dict[str, int]
    """The likely mistakes at the end."""
    advice: str
    """The level to practise next; empty if there is none."""


def play(rule: Rule, exercises: Sequence[Exercise], replies: Sequence[Reply]) -> Played:
    """Return what a quiz shows to someone who gives these replies."""
    typed = [NO if reply == NO else text_of(reply) for reply in replies]
    lines = iter(f"{text}\n".encode() for text in typed)
    written: list[str] = []
    console = Console(
        lambda _: next(lines, b""), written.append, lambda word, _: word, lambda: 80, False
    )
    Game(exercises, 1, rule, console).play()
    text = " ".join("".join(written).split())
    parts = re.split(r" \d+\. [a-z-]+[: ]", text)[1:]
    end = re.search(r"Likely mistakes: (.*) Practise next with: .* --level ([a-z-]+)$", text)
    counts = re.findall(r"([^,]+?) \((\d+)\)", end[1]) if end else []
    counted = {name.strip(): int(number) for name, number in counts}
    pairs = list(zip(exercises, replies, strict=True))
    return Played(pairs, parts, counted, end[2] if end else "")


COMBINATIONS = [
    (rule, level) for rule in RULES.values() for level in [Level.MIXED, *levels_of(rule)]
]


def quizzes(name: str) -> Iterator[tuple[Rule, list[Exercise]]]:
    """Yield quizzes for a student at each level of each rule; in a quick run at eight of them."""
    played = [each for each in COMBINATIONS if plays(name, *each)]
    for number, (rule, level) in enumerate(part_of(played, max(1, len(played) // 8))):
        for seed in range(many(6)):
            yield rule, drawn(rule, level, 100 * seed + number)


@cache
def drawn(rule: Rule, level: str, seed: int) -> list[Exercise]:
    """Return a quiz, which most students play too."""
    return quiz(rule, level, seed, 10)


def plays(name: str, rule: Rule, level: str) -> bool:
    """Return whether a student's belief differs from the rule on a level."""
    both, differs = level is Level.OTHER_RULES, rule.name not in LIKE_NUMPY
    return {"numpy": differs or both, "other": differs and both}.get(name, True)


def same_belief(name: str, rule: Rule) -> bool:
    """Return whether a student believes of NumPy's rule just what another rule says."""
    return rule.name in {"left": ("left",), "ranks": ("none", "same-rank")}.get(name, ())


@pytest.mark.parametrize("name", [name for name in STUDENTS if name != "right"])
def test_a_student_is_told_of_the_mistake(name: str) -> None:
    """A belief is named after 95 % of its wrong replies, and at the end, with what drills it."""
    student = STUDENTS[name]
    tally: Counter[str] = Counter()
    for rule, exercises in quizzes(name):
        rng = Random(1)
        played = play(rule, exercises, [reply_of(student, each, rng) for each in exercises])
        for (exercise, reply), shown in zip(played.replies, played.shown, strict=True):
            if not exercise.accepts(reply):
                named = [each for each in mistakes(exercise) if each.reply == reply]
                said = [each.refutation for each in named if each.name == student.mistake]
                tally["wrong"] += 1
                tally["named"] += any(text in shown for text in said)
        if not played.advice:
            continue
        tally["quizzes"] += 1
        tally["counted"] += same_belief(name, rule) or played.counted.get(student.mistake, 0)
        drilled = next(each for each in student.drilled if each in levels_of(rule))
        in_turn = same_belief(name, rule) and played.advice == Level.OTHER_RULES
        tally["advised"] += played.advice == drilled or in_turn
    assert tally["wrong"] >= 10
    assert tally["named"] >= 0.95 * tally["wrong"], tally
    assert tally["advised"] >= 0.95 * tally["quizzes"], tally


def test_students_without_a_mistake() -> None:
    """Who is always right is told of no mistake; who guesses is told of one for each wrong reply.

    Or of none, if no mistake leads to the reply; a sentence refutes it all the same.
    """
    for rule, exercises in quizzes("right"):
        rng = Random(2)
        played = play(
            rule, exercises, [reply_of(STUDENTS["right"], each, rng) for each in exercises]
        )
        assert (played.counted, played.advice) == ({}, "")
        assert not any("not quite" in shown for shown in played.shown)
        played = play(rule, exercises, [random_reply(each, rng) for each in exercises])
        wrong = [not exercise.accepts(reply) for exercise, reply in played.replies]
        assert [bool(re.search("not quite: .", shown)) for shown in played.shown] == wrong
        assert sum(played.counted.values()) <= sum(wrong)
        assert played.advice in ("", *levels_of(rule))


@pytest.mark.parametrize("name", [name for name in STUDENTS if name != "right"])
def test_advice_drills(name: str) -> None:
    """On the level that is advised, a belief answers at least a third of the questions wrongly."""
    student = STUDENTS[name]
    for rule in part_of(list(RULES.values()), 4):
        if plays(name, rule, Level.OTHER_RULES):
            level = next(each for each in student.drilled if each in levels_of(rule))
            rng = Random(3)
            exercises = quiz(rule, level, 3, 12)
            wrong = [each for each in exercises if not each.accepts(reply_of(student, each, rng))]
            assert len(wrong) >= 4 or not wrong, (rule.name, level, len(wrong))
