"""The questions of a quiz, drawn at random so that common mistakes give wrong answers.

Taking the larger size on each axis is right whenever operands broadcast, unless a size is 0. So one
question in ten asks for a shape, one in ten asks for it where there is none, and the others ask for
more: which line is a mismatch, where B starts, what an element is. Of the questions that are drawn
for a card, the first one that no common mistake answers rightly is asked; if there is none, one
whose mistakes have been right the least so far.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from math import prod
from random import Random
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule
from bcastcli.core.shapes import UNKNOWN, Shape, Size
from bcastcli.quiz.exercises import OF_LINES, Exercise, Kind, Level, line, reply_from
from bcastcli.quiz.mistakes import (
    LARGER,
    LEFT,
    LONGER,
    NUMPY,
    OTHER_RULE,
    PRACTICE,
    RULE_OF_NUMPY,
    harmless_mistakes,
)
from bcastcli.rules import RULES

MAX_RANK = 4
_MAX_DRAWS = 300
"""The most draws in search of a kind of question."""
_MAX_CANDIDATES = 40
"""The most questions to choose from if mistakes answer all of them correctly."""
_MAX_OF_A_RANK, _MAX_MISSES = 12, 3
"""After this many candidates, or this many that were not found, more axes are tried."""
_MAX_COST = 10**6
_MAX_TRIES = 8
"""A card is skipped after this many questions that were asked already."""
_MAX_CONDITION_LENGTH = 30
_MAX_ELEMENTS = 40
_LINES = 3


class CardKind(NamedTuple):
    """The kind of a question, and for a shape the verdict."""

    kind: Kind
    verdict: bool | None = True


YES, NO, EITHER = CardKind(Kind.SHAPE), CardKind(Kind.SHAPE, False), CardKind(Kind.SHAPE, None)
_LINE_CARDS = (CardKind(Kind.MISMATCH), CardKind(Kind.MATCH))
_CARDS = (
    *(YES, NO, *_LINE_CARDS, *_LINE_CARDS),
    *(CardKind(Kind.START), CardKind(Kind.ELEMENT), CardKind(Kind.RESHAPE)),
)
_LAST_CARDS = (CardKind(Kind.COUNT), CardKind(Kind.ELEMENT), CardKind(Kind.START))
"""One of these is the tenth of every ten."""


def quiz(rule: Rule, level: Level, seed: int, count: int) -> list[Exercise]:
    """Return this many questions, no two the same; the same for the same seed."""
    rng = Random(seed)  # noqa: S311  # it keeps no secret
    levels = levels_of(rule) if level is Level.MIXED else [level]
    cards = _cards(rng)
    harmless: Counter[str] = Counter()
    found: dict[object, Exercise] = {}
    while len(found) < count:
        own, part = divmod(len(found) * len(levels), count)
        rank = 2 + part * (MAX_RANK - 1) // count
        card = next(cards)
        for _ in range(_MAX_TRIES):
            exercise = _exercise(rng, rule, levels[own], card, rank, harmless)
            if exercise and found.setdefault(_identity(exercise), exercise) is exercise:
                harmless.update(harmless_mistakes(exercise))
                break
    return list(found.values())


def _identity(exercise: Exercise) -> object:
    lines = [line(answer) for answer in exercise.answers]
    return exercise.kind, tuple(sorted(lines)), exercise.place


def _cards(rng: Random) -> Iterator[CardKind]:
    """Yield cards without end, of every ten one yes and one no."""
    while True:
        for last in rng.sample(_LAST_CARDS, len(_LAST_CARDS)):
            yield from rng.sample((*_CARDS, last), 10)


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


def _exercise(
    rng: Random, rule: Rule, level: Level, card: CardKind, rank: int, harmless: Counter[str]
) -> Exercise | None:
    """Return a question of a level; of another kind where its rule has none of the card's.

    None, if all that are drawn are answered rightly by the very mistake that the level is about.
    """
    avoidable = level is Level.OTHER_RULES or rule.like_numpy
    own = _OWN_MISTAKES.get(level, ()) if avoidable else ()
    best: Exercise | None = None
    least = 0
    for exercise in _candidates(rng, rule, level, card, rank):
        cost = sum(
            _MAX_COST if mistake in own else 1 + harmless[mistake]
            for mistake in harmless_mistakes(exercise)
        )
        if best is None or cost < least:
            best, least = exercise, cost
        if not cost:
            break
    return best if least < _MAX_COST else None


def _candidates(
    rng: Random, rule: Rule, level: Level, card: CardKind, rank: int
) -> Iterator[Exercise]:
    """Yield questions to choose from, later ones with more axes."""
    misses = 0
    in_turn = level is Level.OTHER_RULES
    # Chosen before the candidates are compared, or rules with fewer good ones would hardly come up.
    own_rule = rng.choice(_rules_in_turn(rule)) if in_turn else rule
    for number in range(_MAX_CANDIDATES):
        own_level = _other_level(rng, own_rule, rule) if in_turn else level
        own_card = _fitting_card(rng, own_rule, own_level, card)
        exercise = _random_exercise(rng, own_rule, own_level, own_card, rank)
        if exercise:
            yield exercise._replace(asked_too=_rules_in_turn(rule)) if in_turn else exercise
        misses += exercise is None
        if misses == _MAX_MISSES or (number + 1) % _MAX_OF_A_RANK == 0:
            rank, misses = min(rank + 1, MAX_RANK), 0


def _rules_in_turn(rule: Rule) -> tuple[Rule, ...]:
    """Return the rules of the level of other rules: those unlike NumPy's, or a rule and NumPy's."""
    if rule.like_numpy:
        return tuple(other for other in RULES.values() if not other.like_numpy)
    return rule, NUMPY


def _other_level(rng: Random, other: Rule, rule: Rule) -> Level:
    """Return a level of a rule that is asked about in turn with another one."""
    left_out = {Level.SYMBOLS, Level.OTHER_RULES}
    if not rule.accepts_count(3):
        left_out.add(Level.SEVERAL)
    return rng.choice([own for own in levels_of(other) if own not in left_out])


def _fitting_card(rng: Random, rule: Rule, level: Level, card: CardKind) -> CardKind:
    """Return the card, or another one if its question is too easy to get wrong."""
    if card.kind in (Kind.SHAPE, *OF_LINES):
        return card
    if level is Level.SYMBOLS:
        depends = card.kind is Kind.RESHAPE and "depends" in rule.quizzed
        return EITHER if depends else rng.choice(_LINE_CARDS)
    fits = card.kind in rule.quizzed and not (
        (card.kind is Kind.RESHAPE and level is not Level.MISSING_AXES)
        or (card.kind is Kind.ELEMENT and level in (Level.SEVERAL, Level.ZEROS))
    )
    return card if fits else rng.choice(_LINE_CARDS)


def _random_exercise(
    rng: Random, rule: Rule, level: Level, card: CardKind, rank: int
) -> Exercise | None:
    if card.kind in OF_LINES:
        return _of_lines(rng, rule, level, card.kind, rank)
    answers = _answers(rng, rule, level, card.verdict, rank)
    exercises = (_of_answer(rng, card.kind, answer) for answer in answers)
    return next(filter(None, exercises), None)


def _of_answer(rng: Random, kind: Kind, answer: Answer) -> Exercise | None:
    """Return the question of a kind about an answer; None where there is nothing to ask."""
    if kind is Kind.RESHAPE:
        return _of_reshape(rng, answer)
    place: tuple[int, ...] = ()
    if kind is Kind.START and reply_from(kind, (answer,), place) is None:
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
    return level if level in levels else levels[0]
