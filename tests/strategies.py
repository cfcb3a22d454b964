"""Random questions to the rules, near the line between yes and no.

Some fit by construction, some are parts of one shape in its order, most are one of these with one
thing changed, and the rest is made of shapes that have nothing to do with each other. The fuzzer
has lines as people type them besides, in `fuzz/questions.py`.
"""

from collections.abc import Iterator, Sequence
from math import prod
from random import Random
from typing import Any, NamedTuple

from bcastcli.core import question as core
from bcastcli.core.alignment import Operand, letters
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Value, typed
from bcastcli.core.shapes import Shape, Size, written
from bcastcli.rules import RULES

Known = tuple[int, ...]
"""A shape of known sizes."""
Sizes = tuple[Any, ...]
"""A shape; of known sizes unless a kind of questions has others."""

SIZES = (0, 1, 1, 1, 2, 2, 3, 4, 5, 8)
LARGE = (*SIZES, *SIZES, 17, 224, 1000)
NAMED: tuple[Size, ...] = (0, 1, 1, 2, 3, "N", "M", "?")
"""Sizes of which some are unknown."""


class Question(NamedTuple):
    rule: str
    shapes: tuple[Sizes, ...]
    axis: int | None = None
    axes: tuple[int, ...] | None = None
    order: str = ""

    @property
    def options(self) -> dict[str, Value]:
        options: dict[str, Value] = {} if self.axis is None else {"axis": self.axis}
        if self.axes is not None:
            options["axes"] = self.axes
        return options | ({"order": self.order} if self.order else {})

    @property
    def line(self) -> str:
        settings = (f"{name}={typed(value)}" for name, value in self.options.items())
        return " ".join([*map(written, self.shapes), *settings])

    def answer(self) -> Answer:
        """The answer, with the operands called by their usual names."""
        return of_shapes(self.rule, *self.shapes, **self.options)


class Kind(NamedTuple):
    rule: str
    sizes: Sequence[Size] = SIZES
    most_axes: int = 6
    most_elements: int = 4096
    """What a whole operand may hold, where an engine is to compute it."""
    counts: Sequence[int] = (2,)
    """How many operands there may be."""


def inferred(rule: str, counts: Sequence[int] = (2,)) -> Kind:
    """Questions for an engine that computes no elements, so that sizes may be large."""
    return Kind(rule, LARGE, most_elements=10**18, counts=counts)


NCNN = Kind("ncnn", sizes=SIZES[1:], most_axes=4)
"""What ncnn has: at most 4 axes, none of them empty."""


def of_shapes(rule: str, *shapes: Shape, **options: Value) -> Answer:
    """The answer to shapes without names."""
    found = RULES[rule]
    names = [*found.default_names, *letters(len(shapes))[len(found.default_names) :]]
    return core.Question(found, list(map(Operand, names, shapes)), options).answer()


def questions(kind: Kind, count: int, chance: Random) -> list[Question]:
    """So many questions, no two the same."""
    found: dict[Question, None] = {}
    while len(found) < count:
        found[random_question(kind, chance)] = None
    return list(found)


def random_answers(
    rule: str, chance: Random, sizes: Sequence[Size] = (0, 1, 1, 2, 3), max_rank: int = 4
) -> Iterator[Answer]:
    """Answers of a rule to random questions, without end."""
    while True:
        yield random_answer(chance, rule, sizes, max_rank)


def random_answer(
    chance: Random, rule: str, sizes: Sequence[Size] = (0, 1, 1, 2, 3), max_rank: int = 4
) -> Answer:
    """A rule's answer to a random question, with random options where the rule has some."""
    counts = (2,) if RULES[rule].max_operands == 2 else (2, 2, 2, 3, 4)
    question = random_question(Kind(rule, sizes, max_rank, 10**18, counts), chance)
    if rule == "ncnn" and chance.random() < 0.5:
        turned = tuple(shape[::-1] for shape in question.shapes)
        question = question._replace(shapes=turned, order="numpy")
    return question.answer()


def random_shapes(
    chance: Random, count: int, sizes: Sequence[Size], max_rank: int = 4
) -> list[Sizes]:
    """Shapes that often broadcast as NumPy's."""
    return [*random_question(Kind("numpy", sizes, max_rank, 10**18, [count]), chance).shapes]


def random_question(kind: Kind, chance: Random) -> Question:
    count, fate = chance.choice(kind.counts), chance.random()
    whole = _whole(kind, chance)
    if kind.rule == "explicit":
        question = _on_axes(whole, kind, chance)
    elif fate < 0.1:
        shapes = (whole, *(_whole(kind, chance) for _ in range(count - 1)))
        axis = chance.randint(-1, 3) if kind.rule == "pdpd" else None
        return Question(kind.rule, shapes, axis)
    elif fate < 0.3 and kind.rule not in ("none", "same-rank"):
        parts = [_part(whole, chance) for _ in range(count - 1)]
        return Question(kind.rule, (whole, *parts), -1 if kind.rule == "pdpd" else None)
    else:
        question = _fitting(kind, whole, count, chance)
    for _ in range(0 if fate < 0.5 else chance.choice([1, 1, 2])):
        question = _changed(question, kind, chance)
    return question


def _whole(kind: Kind, chance: Random) -> Sizes:
    while True:
        shape = tuple(chance.choices(kind.sizes, k=chance.randint(0, kind.most_axes)))
        if prod(float(size) for size in shape if isinstance(size, int)) <= kind.most_elements:
            return shape


def _part(whole: Sizes, chance: Random) -> Sizes:
    """Some of the axes of a shape, mostly in its order."""
    places = chance.sample(range(len(whole)), chance.randint(0, len(whole)))
    if chance.random() < 0.7:
        places.sort()
    return tuple(whole[place] for place in places)


def _fitting(kind: Kind, whole: Sizes, count: int, chance: Random) -> Question:
    """Operands that go together to a whole, as the rule lays them."""
    rank = len(whole)
    start = chance.choice([0, 0, chance.randint(0, rank)])
    axis = None
    if kind.rule == "none":
        shapes = [whole] * count
    elif kind.rule == "same-rank":
        shapes = [_with_ones(whole, chance) for _ in range(count)]
    elif kind.rule == "left":
        shapes = [_with_ones(whole[: chance.choice([rank, start])], chance) for _ in range(count)]
    elif kind.rule == "onnx-uni":
        shapes = [whole, _with_ones(whole[start:], chance)]
    elif kind.rule == "pdpd":
        stop = chance.choice([rank, chance.randint(start, rank)])
        part = _with_ones(whole[start:stop], chance)
        part += (1,) * chance.choice([0, 0, chance.randint(0, rank - len(part))])
        shapes = [whole, part]
        axis = -1 if len(part) == rank - start and chance.random() < 0.5 else start
    elif kind.rule == "ncnn":
        is_equal = chance.random() < 0.25  # ranks
        ways = [whole] if is_equal else [whole[start:], whole[start:], whole[:1]]
        shapes = [whole, *(chance.choice(ways) for _ in range(count - 1))]
        if is_equal:
            shapes = [_with_ones(shape, chance) for shape in shapes]
        chance.shuffle(shapes)
    else:
        shapes = [_with_ones(whole[chance.choice([0, start]) :], chance) for _ in range(count)]
    return Question(kind.rule, tuple(shapes), axis)


def _on_axes(target: Sizes, kind: Kind, chance: Random) -> Question:
    """An input on axes of a target, mostly in their order."""
    places = chance.sample(range(len(target)), chance.randint(0, len(target)))
    if chance.random() < 0.7:
        places.sort()
    shape = _with_ones(tuple(target[axis] for axis in places), chance)
    return Question(kind.rule, (shape, target), axes=tuple(places))


def _with_ones(shape: Sizes, chance: Random) -> Sizes:
    share = chance.choice([0.0, 0.2, 0.5])
    return tuple(1 if chance.random() < share else size for size in shape)


def _changed(question: Question, kind: Kind, chance: Random) -> Question:
    """The question with one thing changed, which may be what makes it a no."""
    rule, shapes, axis, axes, _ = question
    if axis is not None and chance.random() < 0.2:
        return question._replace(axis=max(axis + chance.choice([-1, 1]), -1))
    if axes and chance.random() < 0.3:
        place = chance.randrange(len(axes))
        other = chance.choice([chance.randint(0, len(shapes[1])), *axes])
        return question._replace(axes=(*axes[:place], other, *axes[place + 1 :]))
    if len(shapes) == 2 and rule != "ncnn" and chance.random() < 0.1:
        return question._replace(shapes=shapes[::-1])
    number = chance.randrange(len(shapes))
    shape = shapes[number]
    big = [place for place, size in enumerate(shape) if size != 1]
    if shape and chance.random() < 0.7:
        place = chance.choice(big or range(len(shape)))
        near = [chance.choice(kind.sizes)]
        if isinstance(shape[place], int):
            most = 1 + max(size for size in kind.sizes if isinstance(size, int))
            near += [min(shape[place] + more, most) for more in (1, 2)]
        changed = (*shape[:place], chance.choice(near), *shape[place + 1 :])
    elif len(shape) == kind.most_axes or (shape and chance.random() < 0.5):
        place = chance.choice([0, len(shape) - 1, *big])
        changed = (*shape[:place], *shape[place + 1 :])
    else:
        place = chance.choice([0, len(shape), *big])
        changed = (*shape[:place], chance.choice(kind.sizes), *shape[place:])
    return question._replace(shapes=(*shapes[:number], changed, *shapes[number + 1 :]))
