"""Random questions near the line between yes and no, with sizes that are known.

A third of them fit by construction, most others are such a question with one thing changed, and the
rest is made of shapes that have nothing to do with each other.
"""

from collections.abc import Sequence
from math import prod
from random import Random
from typing import NamedTuple

from bcastcli.core.rule import typed as given
from tests.cases.engine_judged import typed

Known = tuple[int, ...]
"""A shape of known sizes."""

SIZES = (0, 1, 1, 1, 2, 2, 3, 4, 5, 8)
LARGE = (*SIZES, *SIZES, 17, 224, 1000)


class Question(NamedTuple):
    """Shapes of known sizes for a rule."""

    rule: str
    shapes: tuple[Known, ...]
    axis: int | None = None
    axes: tuple[int, ...] | None = None

    @property
    def line(self) -> str:
        """The question as it is typed on a line."""
        axis = [] if self.axis is None else [f"axis={self.axis}"]
        axes = [] if self.axes is None else [f"axes={given(self.axes)}"]
        return " ".join([*map(typed, self.shapes), *axis, *axes])


class Kind(NamedTuple):
    """What questions are wanted."""

    rule: str
    sizes: Sequence[int] = SIZES
    most_axes: int = 6
    most_elements: int = 4096
    """What a whole operand may hold, where the engine is to compute it."""
    counts: Sequence[int] = (2,)
    """How many operands there may be."""


def inferred(rule: str, counts: Sequence[int] = (2,)) -> Kind:
    """Questions for an engine that computes no elements, so that sizes may be large."""
    return Kind(rule, LARGE, most_elements=10**18, counts=counts)


NCNN = Kind("ncnn", sizes=SIZES[1:], most_axes=4)
"""What ncnn has: at most 4 axes, none of them empty."""


def questions(kind: Kind, count: int, chance: Random) -> list[Question]:
    """So many questions, no two the same."""
    found: dict[Question, None] = {}
    while len(found) < count:
        found[_question(kind, chance)] = None
    return list(found)


def _question(kind: Kind, chance: Random) -> Question:
    count = chance.choice(kind.counts)
    fate = chance.random()
    if kind.rule == "explicit":
        question = _on_axes(_whole(kind, chance), kind, chance)
        return question if fate < 0.4 else _changed(question, kind, chance)
    if fate < 0.1:
        shapes = [_whole(kind, chance) for _ in range(count)]
        axis = chance.randint(-1, 3) if kind.rule == "pdpd" else None
        return Question(kind.rule, tuple(shapes), axis)
    question = _fitting(kind, _whole(kind, chance), count, chance)
    return question if fate < 0.4 else _changed(question, kind, chance)


def _whole(kind: Kind, chance: Random) -> Known:
    while True:
        shape = tuple(chance.choices(kind.sizes, k=chance.randint(0, kind.most_axes)))
        if prod(map(float, shape)) <= kind.most_elements:
            return shape


def _fitting(kind: Kind, whole: Known, count: int, chance: Random) -> Question:
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
        inner, outer = whole[start:], whole[:1]
        both = [_with_ones(whole, chance), _with_ones(whole, chance)]
        shapes = chance.choice([[whole, inner], [whole, inner], [whole, outer], both])
        chance.shuffle(shapes)
    else:
        shapes = [_with_ones(whole[chance.choice([0, start]) :], chance) for _ in range(count)]
    return Question(kind.rule, tuple(shapes), axis)


def _on_axes(target: Known, kind: Kind, chance: Random) -> Question:
    """An input on axes of a target, mostly in their order."""
    places = chance.sample(range(len(target)), chance.randint(0, len(target)))
    if chance.random() < 0.7:
        places.sort()
    shape = _with_ones(tuple(target[axis] for axis in places), chance)
    return Question(kind.rule, (shape, target), axes=tuple(places))


def _with_ones(shape: Known, chance: Random) -> Known:
    share = chance.choice([0.0, 0.2, 0.5])
    return tuple(1 if chance.random() < share else size for size in shape)


def _changed(question: Question, kind: Kind, chance: Random) -> Question:
    """The question with one thing changed, which may be what makes it a no."""
    rule, shapes, axis, axes = question
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
        near = [shape[place] + 1, shape[place] + 2, chance.choice(kind.sizes)]
        changed = (*shape[:place], chance.choice(near), *shape[place + 1 :])
    elif len(shape) == kind.most_axes or (shape and chance.random() < 0.5):
        place = chance.choice([0, len(shape) - 1, *big])
        changed = (*shape[:place], *shape[place + 1 :])
    else:
        place = chance.choice([0, len(shape), *big])
        changed = (*shape[:place], chance.choice(kind.sizes), *shape[place:])
    return question._replace(shapes=(*shapes[:number], changed, *shapes[number + 1 :]))
