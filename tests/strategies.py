"""Random questions to the rules, of which many are near the line between yes and no.

The laws have strategies of Hypothesis besides, the engines a finer choice of what they can compute
in `engines/questions.py`, and the fuzzer lines as people type them in `fuzz/questions.py`.
"""

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, TypeVar

from bcastcli.core.alignment import Operand, letters
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, Size
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES

if TYPE_CHECKING:
    from bcastcli.core.rule import Value

Each = TypeVar("Each", int, Size)

SIZES: tuple[int, ...] = (0, 1, 1, 2, 3)


def random_shapes(
    chance: Random, count: int, sizes: Sequence[Each], max_rank: int = 4
) -> list[tuple[Each | int, ...]]:
    """Return shapes that broadcast often enough: most of their sizes are those of one shape.

    Each takes the last axes of that shape, or others of them in order, and some have all of them;
    then sizes are changed to 1 or another one, axes of 1 are added, and a few are out of order.
    """
    common = chance.choices(sizes, k=chance.randint(0, max_rank))
    kept, ones = chance.choice((0.5, 0.8, 1.0)), chance.choice((0.0, 0.3))
    is_whole = chance.random() < 0.3
    shapes = []
    for _ in range(count):
        start, end = 0, len(common)
        if not is_whole:
            start = chance.randint(0, end)
            end = chance.choice((end, end, chance.randint(start, end)))
        own: list[Each | int] = [
            size if chance.random() < kept else chance.choice(sizes) for size in common[start:end]
        ]
        own = [1 if chance.random() < ones else size for size in own]
        while len(own) < max_rank and chance.random() < 0.2:
            own.insert(chance.choice((0, len(own))), 1)
        if chance.random() < 0.1:
            chance.shuffle(own)
        shapes.append(tuple(own))
    return shapes


def _in_target(
    chance: Random, shapes: list[tuple[Each | int, ...]]
) -> tuple[list[tuple[Each | int, ...]], tuple[int, ...]]:
    """Return an input and a target, and axes of it that suit the input as a rule."""
    own, target = sorted(shapes, key=len)
    places = chance.sample(range(len(target)), len(own))
    if chance.random() < 0.7:
        places.sort()
    if chance.random() < 0.8:
        own = tuple(target[axis] if chance.random() < 0.7 else 1 for axis in places)
    if places and chance.random() < 0.1:
        places[-1] = chance.randint(0, len(target))
    if chance.random() < 0.05:
        places = places[1:]
    return [own, target], tuple(places)


def random_answer(
    chance: Random, rule: str, sizes: Sequence[Size] = SIZES, max_rank: int = 4
) -> Answer:
    """Return a rule's answer to random shapes, with random options where the rule has some."""
    asked = RULES[rule]
    count = 2 if asked.max_operands == 2 else chance.choice((2, 2, 2, 3, 4))
    shapes = random_shapes(chance, count, sizes, max_rank)
    names = [*asked.default_names, *letters(count)[len(asked.default_names) :]]
    options: dict[str, Value] = {}
    if "axes" in asked.options:
        shapes, options["axes"] = _in_target(chance, shapes)
    if "axis" in asked.options:
        options["axis"] = chance.choice((-1, -1, *range(max_rank + 1)))
    if "order" in asked.options:
        options["order"] = chance.choice(("ncnn", "numpy"))
    return Question(asked, list(map(Operand, names, shapes)), options).answer()


def asked(rule: str, question: str) -> Answer:
    """The answer to shapes and options as they are typed."""
    line, _, option = question.partition(" --")
    options: dict[str, int | str] = {}
    if option:
        name, value = option.split()
        options[name] = int(value) if name == "axis" else value
    return answer_line(RULES[rule], line, options)


def of_shapes(rule: str, *shapes: Shape, **options: "Value") -> Answer:
    operands = list(map(Operand, letters(len(shapes)), shapes))
    return Question(RULES[rule], operands, options).answer()
