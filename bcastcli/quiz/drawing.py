"""The questions of a quiz, drawn at random so that common mistakes give wrong answers.

Taking the larger size on each axis is right whenever operands broadcast, unless a size is 0. So
only some questions ask for a shape, half of them mismatches, and the others ask for more: the line
that is a mismatch, the axis on which B starts, the value of an element. Of the questions drawn for
a kind, the first is asked that every common mistake gets wrong; without one, that whose mistakes
have been right the least so far.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations, cycle
from math import prod
from random import Random
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule
from bcastcli.core.shapes import UNKNOWN, Shape, Size
from bcastcli.quiz.exercises import OF_LINES, ZEROS, Exercise, Kind, Level, line
from bcastcli.quiz.mistakes import NUMPY, OWN, PRACTICE, traps
from bcastcli.rules import RULES

MAX_RANK = 4
_MAX_DRAWS = 300
"""The most draws in search of a kind of question."""
_MAX_CANDIDATES = 8
"""The most questions to choose from if mistakes give the right reply to each."""
_MAX_COST, _ALIKE_COST = 10**6, 12
_MAX_CONDITION_LENGTH = 30
_MAX_ELEMENTS = 40
_LINES = 3
Card = tuple[Kind, bool | None]
"""The kind of a question, and for a shape the verdict."""
_LINES_EVERY = 3
"""Every third question is a choice of lines."""
_KINDS_ASKED = (Kind.SHAPE, Kind.SHAPE, Kind.COUNT, Kind.START, Kind.ELEMENT, Kind.RESHAPE)


def quiz(rule: Rule, level: str, seed: int, count: int) -> list[Exercise]:
    """Return this many different questions; a seed always gives the same ones."""
    rng = Random(seed)  # noqa: S311  # not for secrets
    levels = levels_of(rule)[:-1] if level is Level.MIXED else [level]
    kinds = cycle(rng.sample(_KINDS_ASKED, len(_KINDS_ASKED)))
    asked: Counter[object] = Counter()
    found: dict[object, Exercise] = {}
    while len(found) < count:
        number = len(found)
        turn = _turn(rng, rule, levels[number * len(levels) // count], found.values())
        rank = 2 + number * (MAX_RANK - 1) // count
        of_lines = number % _LINES_EVERY == _LINES_EVERY - 1
        kind = rng.choice(OF_LINES) if of_lines else next(kinds) if number else Kind.SHAPE
        verdicts = Counter(each.answer.ok for each in found.values() if each.kind is Kind.SHAPE)
        lacking = verdicts[False] - verdicts[True]
        verdict = not number or rng.random() < min(max(0.5 + lacking, 0.1), 0.9)
        exercise = _exercise(rng, turn, (kind, verdict), rank, asked)
        if exercise:
            key = exercise.kind, frozenset(map(line, exercise.answers)), exercise.place
            if found.setdefault(key, exercise) is exercise:
                harmless, apart = _weaknesses(exercise)
                asked.update([*harmless, *(pair for pair, is_apart in apart.items() if is_apart)])
    return list(found.values())


class _Turn(NamedTuple):
    """A rule that is asked about, on one of these levels."""

    rule: Rule
    levels: Sequence[str]
    others: tuple[Rule, ...] = ()
    """The rules that are asked about in turn, including this one."""


def _turn(rng: Random, rule: Rule, level: str, found: Iterable[Exercise]) -> _Turn:
    """Return the rule and the levels of a question; of rules in turn, the least asked one."""
    if level is not Level.OTHER_RULES:
        return _Turn(rule, [level])
    others: tuple[Rule, ...] = (rule, NUMPY)
    if rule.like_numpy:
        others = tuple(other for other in RULES.values() if not other.like_numpy)
    asked = Counter(each.answer.rule.name for each in found if each.asked_too)
    own = min(rng.sample(others, len(others)), key=lambda other: asked[other.name])
    left_out = {ZEROS, Level.SYMBOLS, Level.OTHER_RULES}
    if own is NUMPY and not rule.accepts_count(3):
        left_out.add(Level.SEVERAL)
    return _Turn(own, [each for each in levels_of(own) if each not in left_out], others)


@cache
def levels_of(rule: Rule) -> list[str]:
    """Return the levels on which a rule has both verdicts, and last other-rules."""
    having = [
        level
        for level in _KINDS
        if all(any(_answers(Random(0), rule, level, each, MAX_RANK)) for each in (True, False))  # noqa: S311
    ]
    return [*having, Level.OTHER_RULES]


def _weaknesses(exercise: Exercise) -> tuple[list[str], dict[tuple[str, str], bool]]:
    """Return the mistakes that give the right reply, and which pairs lead to different ones."""
    found = traps(exercise)
    harmless = [name for name, replies in found.items() if replies == [exercise.right]]
    pairs = combinations(found.items(), 2)
    return harmless, {(a, b): not {*first} & {*second} for (a, first), (b, second) in pairs}


def _cost(exercise: Exercise, asked: Counter[object], own: Collection[str]) -> int:
    """Return a cost: higher if common mistakes still give the right answer, or the same one."""
    harmless, apart = _weaknesses(exercise)
    alike = sum(not is_apart and not asked[pair] for pair, is_apart in apart.items())
    right = sum(_MAX_COST if name in own else 1 + asked[name] for name in harmless)
    return right + _ALIKE_COST * alike


def _exercise(
    rng: Random, turn: _Turn, card: Card, rank: int, asked: Counter[object]
) -> Exercise | None:
    """Return a question of a level, for a shape if the card's kind does not suit its rule.

    None if the mistake that the level is about gives the right reply to all that were drawn.
    """
    own: Collection[str] = ()
    if turn.others or turn.rule.like_numpy:
        own = OWN.get(Level.OTHER_RULES if turn.others else turn.levels[0], ())
    best: Exercise | None = None
    least = _MAX_COST
    for exercise in _candidates(rng, turn, card, rank):
        cost = _cost(exercise, asked, own)
        if cost < least:
            best, least = exercise, cost
        if not cost:
            break
    return best


def _candidates(rng: Random, turn: _Turn, card: Card, rank: int) -> Iterator[Exercise]:
    """Yield questions to choose from, as far as they are found in time."""
    for _ in range(_MAX_CANDIDATES):
        level = rng.choice(turn.levels)
        kind, verdict = _fitting_card(turn, level, card)
        if kind in OF_LINES:
            exercise = _of_lines(rng, turn.rule, level, kind, rank)
        else:
            answers = _answers(rng, turn.rule, level, verdict, rank)
            found = (_of_answer(rng, kind, answer) for answer in answers)
            exercise = next(filter(None, found), None)
        if exercise:
            yield exercise._replace(asked_too=turn.others)


def _fitting_card(turn: _Turn, level: str, card: Card) -> Card:
    """Return the card; for a kind that does not suit the rule or the level, one for a shape."""
    kind, verdict = card
    rule = turn.rule
    if kind in (Kind.SHAPE, *OF_LINES):
        return card
    if level is Level.SYMBOLS:
        depends = kind is not Kind.START and "depends" in rule.quizzed
        return Kind.SHAPE, None if depends else verdict
    fits = kind in rule.quizzed and not (
        (kind is Kind.RESHAPE and (turn.others or level is not Level.MISSING_AXES))
        or (kind is Kind.ELEMENT and level in (Level.SEVERAL, ZEROS))
    )
    return (kind, True) if fits else (Kind.SHAPE, verdict)


def _of_answer(rng: Random, kind: Kind, answer: Answer) -> Exercise | None:
    """Return the question of a kind about an answer; None if it has no such question."""
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
    """Return the question which reshape puts B on the axes of A that have its sizes."""
    shorter, longer = sorted(answer.shapes, key=len)
    room = len(longer) - len(shorter)
    if not room or not shorter:
        return None
    start = rng.randrange(room)
    operands = (Operand("A", longer), Operand("B", longer[start : start + len(shorter)]))
    return Exercise(Kind.RESHAPE, (Question(answer.rule, operands).answer(),), (start,))


def _of_lines(rng: Random, rule: Rule, level: str, kind: Kind, rank: int) -> Exercise | None:
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
    rng: Random, rule: Rule, level: str, verdict: bool | None, rank: int
) -> Iterator[Answer]:
    """Yield answers of a level with a verdict, as far as they are found in time."""
    for _ in range(_MAX_DRAWS):
        shapes = _shapes(rng, level, rank)
        if not rule.accepts_count(len(shapes)):
            return
        if len(set(shapes)) == 1 and rng.random() < 0.8:
            continue  # trivial, but the only way to broadcast under some rules
        if _KINDS[level](shapes):
            operands = tuple(map(Operand, rule.default_names or "ABCD", shapes))
            answer = Question(rule, operands, _options(rng, rule, shapes)).answer()
            if answer.ok is verdict and _is_fair(answer, level):
                yield answer


def _shapes(rng: Random, level: str, rank: int) -> tuple[Shape, ...]:
    """Return shapes that look related."""
    sizes: list[Size] = [*rng.sample(range(2, 7), 2), *_SPECIAL.get(level, ())]
    alike = 0.2 if level is Level.BOTH_SIDES else rng.choice((0.5, 0.7, 1.0))
    longest = tuple(rng.choice(sizes) for _ in range(rng.choice((1, 2, 3, rank, rank))))[:rank]
    shapes = [longest]
    for _ in range(rng.choice((2, 2, 3)) if level is Level.SEVERAL else 1):
        own = len(longest)
        if rng.random() < 0.75:
            own = rng.randint(0 if rng.random() < 0.1 else 1, own)
        start = rng.randint(0, len(longest) - own)
        part = longest[start : start + own]
        shapes.append(tuple(size if rng.random() < alike else rng.choice(sizes) for size in part))
    rng.shuffle(shapes)
    return tuple(shapes)


def _options(rng: Random, rule: Rule, shapes: tuple[Shape, ...]) -> Options:
    """Return an axis more often than not, axes if the rule requires them, or no options."""
    if "axes" in rule.options:
        own, rank = map(len, shapes)
        return {"axes": tuple(sorted(rng.sample(range(max(own, rank)), own)))}
    if "axis" in rule.options and all(shapes) and rng.random() < 0.75:
        return {"axis": rng.randrange(len(shapes[0]))}
    return {}


def _is_fair(answer: Answer, level: str) -> bool:
    """Return whether a question is exact, is short enough, and suits the level."""
    is_of_level = level is not Level.BOTH_SIDES or not answer.ok or answer.all_stretch
    is_a_shape = not answer.ok or UNKNOWN not in (answer.result or ())
    has_room = len(answer.when or "") <= _MAX_CONDITION_LENGTH
    return is_of_level and is_a_shape and has_room and answer.is_exact and answer.axes is not None


_KINDS: dict[str, Callable[[Sequence[Shape]], bool]] = {
    Level.MISSING_AXES: lambda shapes: len(set(map(len, shapes))) > 1,
    Level.ONES: lambda shapes: sum(1 in shape for shape in shapes) == 1,
    Level.BOTH_SIDES: lambda shapes: all(shapes) and any(1 in shape for shape in shapes),
    Level.SEVERAL: lambda shapes: len(shapes) > 2,
    ZEROS: lambda shapes: max(shape.count(0) for shape in shapes) == 1,
    Level.SYMBOLS: lambda shapes: any(isinstance(size, str) for shape in shapes for size in shape),
}
"""Whether shapes make a question of a level."""
_SPECIAL: dict[str, Sequence[Size]] = {
    Level.ONES: (1,),
    Level.BOTH_SIDES: (1, 1),
    Level.SEVERAL: (1,),
    ZEROS: (0, 1),
    Level.SYMBOLS: ("N", "M", 1),
}


def practice(rule: Rule, mistake: str) -> str:
    """Return the level of a rule on which to practise after a mistake."""
    levels = levels_of(rule)
    level = PRACTICE.get(mistake, Level.ONES)
    return level if level in levels else Level.OTHER_RULES
