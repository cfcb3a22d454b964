"""The questions of a quiz, drawn at random so that common mistakes give wrong answers.

Taking the larger size on each axis is right whenever operands broadcast, unless a size is 0. So
only some questions ask for a shape, of which half have none, and the others ask for more: which
line is a mismatch, where B starts, what an element is. Of the questions that are drawn for a kind,
the first one that no common mistake answers rightly is asked; if there is none, one whose mistakes
have been right the least so far.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations
from math import prod
from random import Random
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule
from bcastcli.core.shapes import UNKNOWN, Shape, Size
from bcastcli.quiz.exercises import OF_LINES, Exercise, Kind, Level, line
from bcastcli.quiz.mistakes import (
    LARGER,
    LEFT,
    LONGER,
    NUMPY,
    OTHER_RULE,
    PRACTICE,
    RULE_OF_NUMPY,
    traps,
)
from bcastcli.rules import RULES

MAX_RANK = 4
_MAX_DRAWS = 300
"""The most draws in search of a kind of question."""
_MAX_CANDIDATES = 8
"""The most questions to choose from if mistakes answer all of them correctly."""
_MAX_MISSES = 3
"""After this many that were not found, more axes are tried."""
_MAX_COST, _ALIKE_COST = 10**6, 12
_MAX_TRIES = 8
"""A card is skipped after this many questions that were asked already."""
_MAX_CONDITION_LENGTH = 30
_MAX_ELEMENTS = 40
_LINES = 3
Card = tuple[Kind, bool | None]
"""The kind of a question, and for a shape the verdict."""
_LINES_EVERY = 3
"""Every third question is a choice of lines."""
_KINDS_ASKED = (Kind.SHAPE, Kind.SHAPE, Kind.START, Kind.ELEMENT, Kind.RESHAPE)
_LAST_KINDS = (Kind.COUNT, Kind.ELEMENT, Kind.START)
"""One of these is asked after the others."""


def quiz(rule: Rule, level: Level, seed: int, count: int) -> list[Exercise]:
    """Return this many questions, no two the same; the same for the same seed."""
    rng = Random(seed)  # noqa: S311  # it keeps no secret
    levels = levels_of(rule) if level is Level.MIXED else [level]
    kinds = _kinds(rng)
    asked = _Asked()
    found: dict[object, Exercise] = {}
    while len(found) < count:
        number = len(found)
        own = levels[number * len(levels) // count]
        rank = 2 + number * (MAX_RANK - 1) // count
        kind = next(kinds) if number else Kind.SHAPE
        if number % _LINES_EVERY == _LINES_EVERY - 1:
            kind = rng.choice(OF_LINES)
        verdicts = Counter(each.answer.ok for each in found.values() if each.kind is Kind.SHAPE)
        more = verdicts[True] - verdicts[False]
        verdict = not number or more < 0 or (not more and rng.random() < 0.5)
        for again in range(_MAX_TRIES):
            wanted = verdict if again < _MAX_TRIES // 2 or not number else not verdict
            turn = _turn(rng, rule, own, found.values())
            exercise = _exercise(rng, turn, (kind, wanted), rank, asked)
            if exercise and found.setdefault(_identity(exercise), exercise) is exercise:
                asked.add(exercise)
                break
    return list(found.values())


def _identity(exercise: Exercise) -> object:
    lines = [line(answer) for answer in exercise.answers]
    return exercise.kind, tuple(sorted(lines)), exercise.place


def _kinds(rng: Random) -> Iterator[Kind]:
    """Yield kinds of questions without end, apart from choices of lines."""
    while True:
        for last in rng.sample(_LAST_KINDS, len(_LAST_KINDS)):
            yield from rng.sample((*_KINDS_ASKED, last), len(_KINDS_ASKED) + 1)


class _Turn(NamedTuple):
    """A rule that is asked about, on one of these levels."""

    rule: Rule
    levels: Sequence[Level]
    others: tuple[Rule, ...] = ()
    """The rules that are asked about in turn, itself too."""


def _turn(rng: Random, rule: Rule, level: Level, found: Iterable[Exercise]) -> _Turn:
    """Return what is asked at a level: where rules take turns, the one that was asked the least."""
    if level is not Level.OTHER_RULES:
        return _Turn(rule, [level])
    others: tuple[Rule, ...] = (rule, NUMPY)
    if rule.like_numpy:
        others = tuple(other for other in RULES.values() if not other.like_numpy)
    asked = Counter(each.answer.rule.name for each in found if each.asked_too)
    own = min(rng.sample(others, len(others)), key=lambda other: asked[other.name])
    left_out = {Level.SYMBOLS, Level.OTHER_RULES}
    if not rule.accepts_count(3):
        left_out.add(Level.SEVERAL)
    return _Turn(own, [each for each in levels_of(own) if each not in left_out], others)


@cache
def levels_of(rule: Rule) -> list[Level]:
    """Return the levels on which both yes and no are answers of a rule."""
    having = [
        level
        for level in _KINDS
        if all(_any_answer(Random(0), rule, level, verdict) for verdict in (True, False))  # noqa: S311
    ]
    return [*having, Level.OTHER_RULES]


def _any_answer(rng: Random, rule: Rule, level: Level, verdict: bool) -> Answer | None:
    return next(_answers(rng, rule, level, verdict, MAX_RANK), None)


class _Asked:
    """The mistakes that have answered questions rightly, and the pairs that these tell apart."""

    def __init__(self) -> None:
        self._harmless: Counter[str] = Counter()
        self._apart: set[tuple[str, str]] = set()

    def add(self, exercise: Exercise) -> None:
        harmless, alike = _weaknesses(exercise)
        self._harmless.update(harmless)
        self._apart.update(pair for pair in combinations(traps(exercise), 2) if pair not in alike)

    def cost(self, exercise: Exercise, own: Sequence[str]) -> int:
        """Return how unfit a question is, by the mistakes that answer it rightly or alike."""
        harmless, alike = _weaknesses(exercise)
        dear = _MAX_COST * any(name in own for name in harmless)
        return (
            dear
            + sum(1 + self._harmless[name] for name in harmless)
            + _ALIKE_COST * len(alike - self._apart)
        )


def _weaknesses(exercise: Exercise) -> tuple[list[str], set[tuple[str, str]]]:
    """Return the mistakes that answer a question rightly, and the pairs that answer it alike."""
    found = traps(exercise)
    harmless = [name for name, replies in found.items() if replies == [exercise.right]]
    return harmless, {(a, b) for a, b in combinations(found, 2) if {*found[a]} & {*found[b]}}


def _exercise(rng: Random, turn: _Turn, card: Card, rank: int, asked: _Asked) -> Exercise | None:
    """Return a question of a level; of another kind where its rule has none of the card's.

    None, if all that are drawn are answered rightly by the very mistake that the level is about.
    """
    own: Sequence[str] = ()
    if turn.others or turn.rule.like_numpy:
        own = _OWN_MISTAKES.get(Level.OTHER_RULES if turn.others else turn.levels[0], ())
    best: Exercise | None = None
    least = _MAX_COST
    for exercise in _candidates(rng, turn, card, rank):
        cost = asked.cost(exercise, own)
        if cost < least:
            best, least = exercise, cost
        if not cost:
            break
    return best


def _candidates(rng: Random, turn: _Turn, card: Card, rank: int) -> Iterator[Exercise]:
    """Yield questions to choose from; of more axes, where none are found."""
    misses = 0
    for _ in range(_MAX_CANDIDATES):
        level = rng.choice(turn.levels)
        kind, verdict = _fitting_card(turn.rule, level, card)
        if kind in OF_LINES:
            exercise = _of_lines(rng, turn.rule, level, kind, rank)
        else:
            answers = _answers(rng, turn.rule, level, verdict, rank)
            found = (_of_answer(rng, kind, answer) for answer in answers)
            exercise = next(filter(None, found), None)
        if exercise:
            yield exercise._replace(asked_too=turn.others)
        misses += exercise is None
        if misses == _MAX_MISSES:
            rank, misses = min(rank + 1, MAX_RANK), 0


def _fitting_card(rule: Rule, level: Level, card: Card) -> Card:
    """Return the card; for a kind that does not suit the rule or the level, one for a shape."""
    kind, verdict = card
    if kind in (Kind.SHAPE, *OF_LINES):
        return card
    if level is Level.SYMBOLS:
        depends = kind is not Kind.START and "depends" in rule.quizzed
        return Kind.SHAPE, None if depends else verdict
    fits = kind in rule.quizzed and not (
        (kind is Kind.RESHAPE and level is not Level.MISSING_AXES)
        or (kind is Kind.ELEMENT and level in (Level.SEVERAL, Level.ZEROS))
    )
    return (kind, True) if fits else (Kind.SHAPE, verdict)


def _of_answer(rng: Random, kind: Kind, answer: Answer) -> Exercise | None:
    """Return the question of a kind about an answer; None where there is nothing to ask."""
    if kind is Kind.RESHAPE:
        return _of_reshape(rng, answer)
    place: tuple[int, ...] = ()
    if kind is Kind.START and not answer.ranks[1]:
        return None
    if kind is Kind.ELEMENT:
        sizes = [size for size in answer.result or () if isinstance(size, int)]
        if not 1 < prod(sizes) <= _MAX_ELEMENTS:
            return None
        place = tuple(map(rng.randrange, sizes))
    return Exercise(kind, (answer,), place)


def _of_reshape(rng: Random, answer: Answer) -> Exercise | None:
    """Return the question how to put a B with the sizes of some axes of A on these."""
    longer, shorter = sorted((shape for _, shape in answer.operands), key=len, reverse=True)
    room = len(longer) - len(shorter)
    if not room or not shorter:
        return None
    start = rng.randrange(room)
    operands = (Operand("A", longer), Operand("B", longer[start : start + len(shorter)]))
    return Exercise(Kind.RESHAPE, (Question(answer.rule, operands).answer(),), (start,))


def _of_lines(rng: Random, rule: Rule, level: Level, kind: Kind, rank: int) -> Exercise | None:
    """Return lines of which one differs from the others in whether it broadcasts."""
    wanted = kind is Kind.MATCH
    others = (not wanted, None) if level is Level.SYMBOLS else (not wanted,)
    verdicts = chain([wanted], (rng.choice(others) for _ in range(1, _LINES)))
    answers = (next(_answers(rng, rule, level, verdict, rank), None) for verdict in verdicts)
    found = list(filter(None, answers))
    if len({line(answer) for answer in found}) < _LINES:
        return None
    rng.shuffle(found)
    exercise = Exercise(kind, tuple(found))
    return exercise if level is not Level.SYMBOLS or exercise.unknown_sizes else None


def _answers(
    rng: Random, rule: Rule, level: Level, verdict: bool | None, rank: int
) -> Iterator[Answer]:
    """Yield answers of a level with a verdict, as long as some are drawn in time."""
    for _ in range(_MAX_DRAWS):
        shapes = _shapes(rng, level, rank)
        if not rule.accepts_count(len(shapes)):
            return
        if len(set(shapes)) == 1 and rng.random() < 0.8:
            continue  # a trivial question, but under some rules the only one whose answer is yes
        if _KINDS[level](shapes):
            operands = tuple(map(Operand, rule.default_names or "ABCD", shapes))
            answer = Question(rule, operands, _options(rng, rule, shapes)).answer()
            if answer.ok is verdict and _is_fair(answer, level):
                yield answer


def _shapes(rng: Random, level: Level, rank: int) -> tuple[Shape, ...]:
    """Return shapes that look as if they belonged together."""
    sizes: list[Size] = [*rng.sample(range(2, 7), 2), *_SPECIAL.get(level, ())]
    alike = 0.2 if level is Level.BOTH_SIDES else rng.choice((0.5, 0.7, 1.0))
    longest = tuple(rng.choice(sizes) for _ in range(rng.choice((1, 2, 3, rank, rank))))[:rank]
    shapes = [longest]
    for _ in range(rng.choice((2, 2, 3)) if level is Level.SEVERAL else 1):
        own = len(longest)
        if rng.random() < 0.75:
            own = rng.randint(0 if rng.random() < 0.1 else 1, own)
        start = rng.randint(0, len(longest) - own)
        if len(longest) > 1 and 1 in sizes and rng.random() < 0.1:
            # Aligned from the left, the two look like the same shape.
            longest = shapes[0] = (*longest[:-1], 1)
            start, own = 0, len(longest) - 1
        part = longest[start : start + own]
        shapes.append(tuple(size if rng.random() < alike else rng.choice(sizes) for size in part))
    rng.shuffle(shapes)
    return tuple(shapes)


def _options(rng: Random, rule: Rule, shapes: tuple[Shape, ...]) -> Options:
    """Return no options, or, more often, an axis; axes where they have to be given."""
    if "axes" in rule.options:
        own, rank = map(len, shapes)
        return {"axes": tuple(sorted(rng.sample(range(max(own, rank)), own)))}
    if "axis" in rule.options and all(shapes) and rng.random() < 0.75:
        return {"axis": rng.randrange(len(shapes[0]))}
    return {}


def _is_fair(answer: Answer, level: Level) -> bool:
    """Return whether the question fits a line, as does its explanation, and suits the level."""
    if level is Level.BOTH_SIDES and answer.ok and not answer.all_stretch:
        return False
    is_a_shape = not answer.ok or UNKNOWN not in (answer.result or ())
    has_room = len(answer.when or "") <= _MAX_CONDITION_LENGTH
    return is_a_shape and has_room and answer.is_exact and answer.axes is not None


_KINDS: dict[Level, Callable[[Sequence[Shape]], bool]] = {
    Level.MISSING_AXES: lambda shapes: len(set(map(len, shapes))) > 1,
    Level.ONES: lambda shapes: sum(1 in shape for shape in shapes) == 1,
    Level.BOTH_SIDES: lambda shapes: all(shapes) and any(1 in shape for shape in shapes),
    Level.SEVERAL: lambda shapes: len(shapes) > 2,
    Level.ZEROS: lambda shapes: max(shape.count(0) for shape in shapes) == 1,
    Level.SYMBOLS: lambda shapes: any(isinstance(size, str) for shape in shapes for size in shape),
}
"""Whether shapes make a question of a level."""
_SPECIAL: dict[Level, Sequence[Size]] = {
    Level.ONES: (1,),
    Level.BOTH_SIDES: (1, 1),
    Level.SEVERAL: (1,),
    Level.ZEROS: (0, 1),
    Level.SYMBOLS: ("N", "M", 1),
}
_OWN_MISTAKES = {
    Level.MISSING_AXES: (LEFT,),
    Level.BOTH_SIDES: (LONGER,),
    Level.ZEROS: (LARGER,),
    Level.OTHER_RULES: (RULE_OF_NUMPY, OTHER_RULE),
}
"""The mistakes that a level is about."""


def practice(rule: Rule, mistake: str) -> Level:
    """Return the level of a rule on which to practise after a mistake."""
    levels = levels_of(rule)
    level = PRACTICE.get(mistake, Level.ONES)
    return level if level in levels else Level.OTHER_RULES
