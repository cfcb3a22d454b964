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
from bcastcli.quiz.mistakes import harmless
from bcastcli.quiz.questions import Exercise, Kind, operands
from bcastcli.rules import RULES, named

MAX_RANK, MAX_CONDITION = 4, 30
_DRAWS, _CANDIDATES, _LINES = 300, 8, 3


class Level(StrEnum):
    """The levels of questions, the easiest first."""

    MIXED = "mixed"
    """Those of the next four levels, in this order."""
    MISSING_AXES = "missing-axes"
    ONES = "ones"
    BOTH_SIDES = "both-sides"
    SEVERAL = "several-operands"
    SYMBOLS = "symbols"
    ZEROS = "zeros"


ASKED_FOR = (Level.SYMBOLS, Level.ZEROS)
"""The levels of unknown sizes and of sizes of 0, which are not in the mixed one."""
_SIZES: dict[Level, Sequence[Size]] = {
    Level.MISSING_AXES: (),
    Level.ONES: (1,),
    Level.BOTH_SIDES: (1, 1),
    Level.SEVERAL: (1,),
    Level.SYMBOLS: ("N", "M", 1),
    Level.ZEROS: (0, 1),
}
"""The special sizes of each level."""
_SUITS: dict[Level, Callable[[Sequence[Shape]], bool]] = {
    Level.MISSING_AXES: lambda shapes: len({*map(len, shapes)}) > 1,
    Level.ONES: lambda shapes: sum(1 in shape for shape in shapes) == 1,
    Level.BOTH_SIDES: lambda shapes: all(shapes) and any(1 in shape for shape in shapes),
    Level.SEVERAL: lambda shapes: len(shapes) > 2,
    Level.SYMBOLS: lambda shapes: any(isinstance(size, str) for own in shapes for size in own),
    Level.ZEROS: lambda shapes: max(shape.count(0) for shape in shapes) == 1,
}
"""Whether shapes make a question of a level."""
_KINDS = (Kind.SHAPE, Kind.SHAPE, Kind.MISMATCH, Kind.MATCH)


class Subject(NamedTuple):
    """What the quiz is about: a rule, and the framework that was named for it, if any."""

    name: str
    rule: Rule
    framework: str


def subject(name: str) -> Subject:
    """The subject of a name; raise LookupError, with a suggestion, if it names no rule."""
    return Subject(name, named(name), "" if name in RULES else name.lower())


def quiz(asked: Subject, level: Level, seed: int, count: int) -> list[Exercise]:
    """Different questions, as many as asked for; a seed always gives the same ones.

    Of some that are drawn, that is asked which the fewest mistakes get right.
    """
    rng = Random(seed)  # noqa: S311  # not for secrets
    levels = [level]
    if level is Level.MIXED:
        levels = [each for each in levels_of(asked.rule) if each not in ASKED_FOR]
    found: dict[object, Exercise] = {}
    while len(found) < count:
        number = len(found)
        rank = 2 + number * (MAX_RANK - 1) // count
        draws = _Draws(rng, asked, levels[number * len(levels) // count], rank)
        kind = rng.choice(_KINDS) if number else Kind.SHAPE
        verdict = rng.random() < 0.5 or not number
        drawn = list(filter(None, (draws.exercise(kind, verdict) for _ in range(_CANDIDATES))))
        if drawn:
            exercise = min(drawn, key=harmless)
            key = exercise.kind, frozenset(map(operands, exercise.answers))
            found.setdefault(key, exercise)
    return list(found.values())


@cache
def levels_of(rule: Rule) -> list[Level]:
    """The levels on which a rule has both verdicts."""
    found = []
    for level in _SUITS:
        draws = _Draws(Random(0), Subject(rule.name, rule, ""), level, MAX_RANK)  # noqa: S311
        if any(draws.answers(True)) and any(draws.answers(False)):
            found.append(level)
    return found


class _Draws(NamedTuple):
    """Questions of a level about a subject, with operands of at most some rank."""

    rng: Random
    asked: Subject
    level: Level
    rank: int

    def exercise(self, kind: Kind, verdict: bool) -> Exercise | None:
        """A question of a kind; None if none is found in time."""
        if kind in (Kind.MATCH, Kind.MISMATCH):
            return self._of_lines(kind)
        depends = self.level is Level.SYMBOLS and self.rng.random() < 0.5
        answer = next(self.answers(None if depends else verdict), None)
        return Exercise(kind, (answer,)) if answer else None

    def _of_lines(self, kind: Kind) -> Exercise | None:
        """Lines of which one differs from the others in whether it broadcasts."""
        wanted = kind is Kind.MATCH
        verdicts = [wanted] + [not wanted] * (_LINES - 1)
        found = [answer for each in verdicts for answer in [*self.answers(each, most=1)]]
        if len({*map(operands, found)}) < _LINES:
            return None
        self.rng.shuffle(found)
        return Exercise(kind, tuple(found))

    def answers(self, verdict: bool | None, most: int = _DRAWS) -> Iterator[Answer]:
        """Answers with a verdict, as far as they are found in time."""
        rule = self.asked.rule
        for _ in range(_DRAWS):
            shapes = self._shapes()
            if not most or not rule.accepts_count(len(shapes)):
                return
            if len({*shapes}) == 1 and self.rng.random() < 0.8:
                continue  # trivial, but the only way to broadcast under some rules
            if not _SUITS[self.level](shapes):
                continue
            named = list(map(Operand, rule.default_names or "ABC", shapes))
            options = self._options(shapes)
            answer = Question(rule, named, options, framework=self.asked.framework).answer()
            if answer.ok is verdict and self._is_fair(answer):
                most -= 1
                yield answer

    def _shapes(self) -> tuple[Shape, ...]:
        """Shapes that look related."""
        rng, rank = self.rng, self.rank
        sizes: list[Size] = [*rng.sample(range(2, 7), 2), *_SIZES[self.level]]
        alike = 0.2 if self.level is Level.BOTH_SIDES else rng.choice((0.5, 0.7, 1.0))
        longest = tuple(rng.choices(sizes, k=min(rank, rng.choice((1, 2, 3, rank, rank)))))
        shapes = [longest]
        for _ in range(2 if self.level is Level.SEVERAL else 1):
            own = len(longest)
            if rng.random() < 0.75:
                own = rng.randint(0 if rng.random() < 0.1 else 1, own)
            start = rng.randint(0, len(longest) - own)
            part = longest[start : start + own]
            shapes.append(tuple([n if rng.random() < alike else rng.choice(sizes) for n in part]))
        rng.shuffle(shapes)
        return tuple(shapes)

    def _options(self, shapes: Sequence[Shape]) -> Options:
        """An axis more often than not, axes if the rule requires them, or no options."""
        if "axes" in self.asked.rule.options:
            own, rank = map(len, shapes)
            return {"axes": tuple(sorted(self.rng.sample(range(max(own, rank)), own)))}
        if "axis" in self.asked.rule.options and all(shapes) and self.rng.random() < 0.75:
            return {"axis": self.rng.randrange(len(shapes[0]))}
        return {}

    def _is_fair(self, answer: Answer) -> bool:
        """Whether a question is exact, is short enough, and suits the level."""
        if not answer.is_exact or answer.axes is None or len(answer.when or "") > MAX_CONDITION:
            return False
        if not answer.ok:
            return True
        is_of_level = self.level is not Level.BOTH_SIDES or answer.all_stretch
        return is_of_level and UNKNOWN not in (answer.result or ())
