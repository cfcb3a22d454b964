"""The questions of a quiz, drawn at random so that common mistakes give wrong replies."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from random import Random
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule
from bcastcli.core.shapes import UNKNOWN, Shape, Size
from bcastcli.quiz.questions import Exercise, harmless, operands
from bcastcli.rules import RULES, named

MAX_RANK, MAX_CONDITION = 4, 30
_DRAWS, _CANDIDATES = 300, 5


class Level(StrEnum):
    """The levels of questions, the easiest first; unknown sizes and sizes of 0 are asked for."""

    MIXED = "mixed"
    """Those of the next four levels, in this order."""
    MISSING_AXES = "missing-axes"
    ONES = "ones"
    BOTH_SIDES = "both-sides"
    SEVERAL = "several-operands"
    SYMBOLS = "symbols"
    ZEROS = "zeros"


NOT_MIXED = (Level.SYMBOLS, Level.ZEROS)
"""The levels that the mixed one leaves out."""


class _Sizes(NamedTuple):
    """What the shapes of a level are like."""

    special: tuple[Size, ...]
    """Sizes beside two larger ones."""
    suit: Callable[[Sequence[Shape]], bool]
    """Whether shapes make a question of the level."""


_LEVELS = {
    Level.MISSING_AXES: _Sizes((), lambda shapes: len({*map(len, shapes)}) > 1),
    Level.ONES: _Sizes((1,), lambda shapes: sum(1 in shape for shape in shapes) == 1),
    Level.BOTH_SIDES: _Sizes((1,), lambda shapes: all(1 in shape for shape in shapes)),
    Level.SEVERAL: _Sizes((1,), bool),
    Level.SYMBOLS: _Sizes(("N", "M", 1), lambda shapes: any({"N", "M"} & {*s} for s in shapes)),
    Level.ZEROS: _Sizes((0, 1), lambda shapes: any(0 in shape for shape in shapes)),
}


class Subject(NamedTuple):
    """What the quiz is about: a rule, and the framework that was named for it, if any."""

    name: str
    rule: Rule
    framework: str


def subject(name: str) -> Subject:
    """The subject of a name; raise LookupError, with a suggestion, if it names no rule."""
    return Subject(name, named(name), "" if name in RULES else name.lower())


def quiz(about: Subject, level: Level, seed: int, count: int) -> list[Exercise]:
    """Different questions, as many as asked for if there are so many; a seed gives the same ones.

    Of some that are drawn, that is asked which the fewest mistakes get right.
    """
    rng = Random(seed)  # noqa: S311  # not for secrets
    plain = [each for each in levels_of(about.rule) if each not in NOT_MIXED]
    levels = plain if level is Level.MIXED else [level]
    exercises: dict[str, Exercise] = {}
    misses = 0
    while len(exercises) < count and misses < _DRAWS:
        number = len(exercises)
        current = levels[number * len(levels) // count]
        draws = _Draws(rng, about, current, 2 + number * (MAX_RANK - 1) // count)
        verdict: bool | None = rng.random() < 0.5 or not number  # the first is easy
        if current is Level.SYMBOLS and rng.random() < 0.5:
            verdict = None
        drawn = [
            Exercise(each) for each in (draws.answer(verdict) for _ in range(_CANDIDATES)) if each
        ]
        if drawn:
            exercise = min(drawn, key=harmless)
            exercises.setdefault(operands(exercise.answer), exercise)
        misses = 0 if len(exercises) > number else misses + 1
    return list(exercises.values())


@cache
def levels_of(rule: Rule) -> list[Level]:
    """The levels on which a rule has both verdicts."""
    draws = [_Draws(Random(0), Subject("", rule, ""), level, MAX_RANK) for level in _LEVELS]  # noqa: S311
    return [each.level for each in draws if each.answer(True) and each.answer(False)]


class _Draws(NamedTuple):
    """Questions of a level about a subject, with operands of at most some rank."""

    rng: Random
    about: Subject
    level: Level
    rank: int

    def answer(self, verdict: bool | None) -> Answer | None:
        """An answer with a verdict; None if none is found in time."""
        return next((each for each in self._answers() if each.ok is verdict), None)

    def _answers(self) -> Iterator[Answer]:
        """Fair answers of the level, as far as they are found in time."""
        rule = self.about.rule
        for _ in range(_DRAWS):
            shapes = self._shapes()
            if not rule.accepts_count(len(shapes)) or not _LEVELS[self.level].suit(shapes):
                continue
            named = list(map(Operand, rule.default_names or "ABC", shapes))
            options = self._options(shapes)
            answer = Question(rule, named, options, framework=self.about.framework).answer()
            is_short = len(answer.when or "") <= MAX_CONDITION
            if answer.axes is not None and is_short and not (answer.ok and self._is_easy(answer)):
                yield answer

    def _is_easy(self, answer: Answer) -> bool:
        """Whether a yes is about less than its level, or has no shape of its own."""
        is_one_sided = self.level is Level.BOTH_SIDES and not answer.all_stretch
        is_trivial = len({*answer.shapes}) == 1 and self.rng.random() < 0.8  # rules may need it
        return is_one_sided or is_trivial or UNKNOWN in (answer.result or ())

    def _shapes(self) -> tuple[Shape, ...]:
        """Parts of one shape, with some of their sizes changed."""
        rng = self.rng
        sizes: list[Size] = [*rng.sample(range(2, 7), 2), *_LEVELS[self.level].special]
        whole = rng.choices(sizes, k=rng.randint(1, self.rank))
        shapes = []
        for _ in range(3 if self.level is Level.SEVERAL else 2):
            start = rng.choice((0, rng.randrange(len(whole))))
            part = whole[start : start + rng.randint(1, len(whole))]
            shapes.append(tuple([n if rng.random() < 0.7 else rng.choice(sizes) for n in part]))
        rng.shuffle(shapes)
        return tuple(shapes)

    def _options(self, shapes: Sequence[Shape]) -> Options:
        """An axis more often than not, axes if the rule requires them, or no options."""
        count, rank = len(shapes[0]), max(map(len, shapes))
        if "axes" in self.about.rule.options:
            return {"axes": tuple(sorted(self.rng.sample(range(rank), count)))}
        has_axis = "axis" in self.about.rule.options and self.rng.random() < 0.75
        return {"axis": self.rng.randrange(count)} if has_axis else {}
