"""Questions to answer by hand, and what is said of a reply.

A question is the rule's answer to it, so that nothing about it is stored. Questions are drawn at
random until one is of the kind, and has the verdict, that is wanted.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import product
from math import prod
from random import Random

from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.conditions import Assignment
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule
from bcastcli.core.shapes import UNKNOWN, Shape, Size, columns, right_aligned, written
from bcastcli.core.wording import listed
from bcastcli.notation import text as notation
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES

NO, DEPENDS = "no", "depends"
Reply = Shape | str
"""A shape, NO or DEPENDS."""

NUMPY = RULES["numpy"]
# A question that is not found in so many draws is hardly ever one.
_DRAWS = 1000
_MAX_CONDITION_LENGTH = 30
_SMALL = range(1, 8)


class Level(StrEnum):
    """The kinds of questions, from the easiest on."""

    MIXED = "mixed"
    """All those that follow, in this order."""
    MISSING_AXES = "missing-axes"
    ONES = "ones"
    BOTH_SIDES = "both-sides"
    SEVERAL = "several-operands"
    ZEROS = "zeros"
    SYMBOLS = "symbols"
    OTHER_RULES = "other-rules"


def quiz(rule: Rule, level: Level, seed: int, count: int) -> list[Answer]:
    """So many questions, no two the same; the same for the same seed."""
    rng = Random(seed)  # noqa: S311  # it keeps no secret
    levels = levels_of(rule) if level is Level.MIXED else [level]
    found: dict[object, Answer] = {}
    while len(found) < count:
        question = _question(rng, rule, levels[len(found) * len(levels) // count])
        if question:
            asked = (question.rule.name, question.operands, *question.question.options.items())
            found.setdefault(asked, question)
    return list(found.values())


@cache
def levels_of(rule: Rule) -> list[Level]:
    """The levels on which both yes and no are answers of a rule."""
    kinds = [level for level in Level if level in _KINDS]
    having = [
        level
        for level in kinds
        if all(_drawn(Random(0), rule, level, verdict) for verdict in (True, False))  # noqa: S311
    ]
    return [*having, Level.OTHER_RULES]


def _question(rng: Random, rule: Rule, level: Level) -> Answer | None:
    """A question of a level with a verdict as likely as any other; None if none was found."""
    if level is Level.OTHER_RULES:
        rule = rng.choice([other for other in RULES.values() if other is not rule])
        known = (Level.SYMBOLS, Level.OTHER_RULES)
        level = rng.choice([own for own in levels_of(rule) if own not in known])
    verdicts = (True, False, None) if level is Level.SYMBOLS else (True, False)
    return _drawn(rng, rule, level, rng.choice(verdicts))


def _drawn(rng: Random, rule: Rule, level: Level, verdict: bool | None) -> Answer | None:
    """A question of a kind with a verdict, if one is drawn in time."""
    for _ in range(_DRAWS):
        shapes = _shapes(rng, level)
        if not rule.takes(len(shapes)):
            return None
        if len(set(shapes)) == 1 and rng.random() < 0.8:
            continue  # hardly a question, but under some rules the only one with a yes
        if _KINDS[level](shapes):
            operands = tuple(map(Operand, rule.default_names or "ABCD", shapes))
            question = Question(rule, operands, _options(rng, rule, shapes)).answer()
            if question.ok is verdict and _is_fair(question, level):
                return question
    return None


def _shapes(rng: Random, level: Level) -> tuple[Shape, ...]:
    """Shapes that look as if they belonged together."""
    sizes: list[Size] = [*rng.sample(range(2, 7), 2), *_SPECIAL.get(level, ())]
    alike = 0.2 if level is Level.BOTH_SIDES else rng.choice((0.5, 0.7, 1.0))
    longest = tuple(rng.choice(sizes) for _ in range(rng.choice((1, 2, 2, 3, 3, 4))))
    shapes = [longest]
    for _ in range(rng.choice((2, 2, 3)) if level is Level.SEVERAL else 1):
        rank = len(longest)
        if level not in (Level.ONES, Level.BOTH_SIDES):
            rank = rng.randint(0 if rng.random() < 0.1 else 1, rank)
        start = rng.randint(0, len(longest) - rank)
        part = longest[start : start + rank]
        shapes.append(tuple(own if rng.random() < alike else rng.choice(sizes) for own in part))
    rng.shuffle(shapes)
    return tuple(shapes)


def _options(rng: Random, rule: Rule, shapes: tuple[Shape, ...]) -> Options:
    """The default, or, as often, an axis."""
    if "axis" in rule.options and all(shapes) and rng.random() < 0.5:
        return {"axis": rng.randrange(len(shapes[0]))}
    return {}


def _is_fair(question: Answer, level: Level) -> bool:
    """Whether what is right can be replied and told in a line, and is of the level's kind."""
    if level is Level.BOTH_SIDES and question.ok and not question.all_stretch:
        return False
    is_a_shape = not question.ok or UNKNOWN not in (question.result or ())
    has_room = len(question.when or "") <= _MAX_CONDITION_LENGTH
    return is_a_shape and has_room and question.is_exact and question.axes is not None


def _is_plain(shapes: Sequence[Shape], *others: Size) -> bool:
    """Whether all sizes are numbers from 2 on, or one of the others."""
    return all(
        size in others or (isinstance(size, int) and size > 1) for shape in shapes for size in shape
    )


def _misses_axes(shapes: Sequence[Shape]) -> bool:
    return len({len(shape) for shape in shapes}) > 1 and _is_plain(shapes)


def _has_ones(shapes: Sequence[Shape]) -> bool:
    return sum(1 in shape for shape in shapes) == 1 and _is_plain(shapes, 1)


def _has_ones_on_both_sides(shapes: Sequence[Shape]) -> bool:
    aligned = list(zip(*shapes, strict=True))
    return all(any(own == 1 != other for own, other in way) for way in (aligned, _turned(aligned)))


def _turned(pairs: Sequence[tuple[Size, ...]]) -> list[tuple[Size, ...]]:
    return [pair[::-1] for pair in pairs]


def _has_zeros(shapes: Sequence[Shape]) -> bool:
    return max(shape.count(0) for shape in shapes) == 1


def _has_symbols(shapes: Sequence[Shape]) -> bool:
    return any(isinstance(size, str) for shape in shapes for size in shape)


_KINDS: dict[Level, Callable[[Sequence[Shape]], bool]] = {
    Level.MISSING_AXES: _misses_axes,
    Level.ONES: _has_ones,
    Level.BOTH_SIDES: _has_ones_on_both_sides,
    Level.SEVERAL: lambda shapes: len(shapes) > 2,
    Level.ZEROS: _has_zeros,
    Level.SYMBOLS: _has_symbols,
}
_SPECIAL: dict[Level, Sequence[Size]] = {
    Level.ONES: (1,),
    Level.BOTH_SIDES: (1, 1),
    Level.SEVERAL: (1,),
    Level.ZEROS: (0, 1),
    Level.SYMBOLS: ("N", "M", 1),
}


def posed(question: Answer) -> str:
    """A question as it can be asked of the command line too, on one of its lines."""
    operands = (f"{name}={written(shape)}" for name, shape in question.operands)
    options = (f"{name}={value}" for name, value in question.question.options.items())
    return " ".join([question.rule.name, *operands, *options])


# Replies


def right(question: Answer) -> Reply:
    """What is right to reply."""
    if question.ok is None:
        return DEPENDS
    return NO if question.result is None else question.result


def read(text: str, question: Answer) -> Reply:
    """The reply that a line is; NotationError if it is none."""
    word = text.strip().lower()
    whole = (0, max(len(text), 1))
    if word in ("no", "n", "-") and not (text.strip() == "N" and question.unknown_sizes):
        return NO
    if word in (DEPENDS, "d"):
        if question.unknown_sizes:
            return DEPENDS
        raise NotationError("all sizes are known here: it depends on nothing", text, whole)
    if word in ("yes", "y"):
        raise NotationError("then to which shape?", text, whole)
    typed = notation.read(text)
    if len(typed.shapes) != 1:
        raise NotationError("one shape, or no", text, whole)
    [shape] = typed.shapes
    unknown = [
        size for size in shape if isinstance(size, str) and size not in question.unknown_sizes
    ]
    if unknown:
        raise NotationError(f"no size here is called {unknown[0]}", text, whole)
    return shape


def why(question: Answer) -> str:
    """Why what is right is right, in one line."""
    if question.reason:
        return question.reason.text
    if question.when:
        return f"{written(question.result or ())} when {question.when}"
    stretched: dict[str, list[Axis]] = {}
    for axis in question.axes or ():
        for name in axis.stretched:
            stretched.setdefault(name, []).append(axis)
    parts = [f"{name} stretches on {_spelled(question, axes)}" for name, axes in stretched.items()]
    return "; ".join(parts) or "nothing has to stretch"


def _spelled(question: Answer, axes: Sequence[Axis]) -> str:
    if len(axes) == 1:
        return question.spell(axes[0].number)
    return f"axes {listed([axis.label or str(axis.number) for axis in axes])}"


def mistake(question: Answer, reply: Reply) -> str:
    """What a wrong reply comes of."""
    for made, comes_to in _mistakes(question):
        if comes_to == reply:
            return made
    if question.unknown_sizes and (reply == DEPENDS or question.ok is None):
        return _wrong_of_symbols(question, reply)
    result = right(question)
    if isinstance(reply, str):
        return "said no where it broadcasts"
    if isinstance(result, str):
        return "said yes where it does not broadcast"
    if len(reply) != len(result):
        return f"the result has rank {len(result)}, not {len(reply)}"
    axis = next(i for i, (own, its) in enumerate(zip(reply, result, strict=True)) if own != its)
    return f"the result has {result[axis]} on {question.spell(axis)}, not {reply[axis]}"


def _mistakes(question: Answer) -> Iterator[tuple[str, Reply]]:
    """What may have been done wrong, and the replies that this leads to, the likeliest first."""
    if question.rule is not NUMPY:
        yield "answered for numpy", right(Question(NUMPY, question.operands).answer())
    yield from _laid_wrongly(question)
    if not question.unknown_sizes:
        aligned = columns([shape for _, shape in question.operands], right_aligned(question.ranks))
        known = [[size for size in column if isinstance(size, int)] for column in aligned]
        yield "took the larger size on each axis", tuple(map(max, known))
        yield "multiplied the sizes on each axis", tuple(map(prod, known))
        yield "added the sizes on each axis", tuple(map(sum, known))
    result = question.result or ()
    for axis, _ in enumerate(result):
        yield f"left out {question.spell(axis)}", result[:axis] + result[axis + 1 :]
    for rule in RULES.values():
        if rule.takes(len(question.operands)):
            reply = right(Question(rule, question.operands).answer())
            if reply != NO:  # that alone tells nothing of the rule
                yield f"answered for {rule.name}", reply


def _laid_wrongly(question: Answer) -> Iterator[tuple[str, Reply]]:
    rule, operands, options = question.rule, question.operands, question.question.options
    for option in options:
        yield f"took the default {option}", right(Question(rule, operands).answer())
    rank = max(question.ranks)
    padded = [Operand(name, shape + (1,) * (rank - len(shape))) for name, shape in operands]
    if len(set(question.ranks)) > 1:
        yield "aligned left", right(Question(rule, padded).answer())
    if len(operands) == 2:
        yield "swapped the operands", right(Question(rule, operands[::-1], options).answer())


def _wrong_of_symbols(question: Answer, reply: Reply) -> str:
    """Where a reply goes wrong, by numbers for the unknown sizes."""
    if reply == DEPENDS:
        return f"it depends on nothing: {'any' if question.ok else 'no'} sizes will do"
    verdict = reply == NO
    assignments = _assignments(question.unknown_sizes)
    assignment = next(
        assignment for assignment in assignments if question.with_sizes(assignment).ok is verdict
    )
    sizes = " and ".join(f"{name} = {size}" for name, size in assignment.items())
    return f"with {sizes} it {'broadcasts' if verdict else 'does not broadcast'}"


def _assignments(names: Sequence[str]) -> Iterator[Assignment]:
    """Small numbers for the names."""
    for numbers in product(_SMALL, repeat=len(names)):
        yield dict(zip(names, numbers, strict=True))
