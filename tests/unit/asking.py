"""How the tests of rules ask."""

import random

from bcastcli.core.alignment import Operand, letters
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES


def asked(rule: str, question: str) -> Answer:
    """The answer to shapes and options as they are typed."""
    line, _, option = question.partition(" --")
    options: dict[str, int | str] = {}
    if option:
        name, value = option.split()
        options[name] = int(value) if name == "axis" else value
    return answer_line(RULES[rule], line, options)


def of_shapes(rule: str, *shapes: Shape, **options: int | str) -> Answer:
    operands = list(map(Operand, letters(len(shapes)), shapes))
    return Question(RULES[rule], operands, options).answer()


def random_shapes(
    chance: random.Random, count: int, sizes: tuple[int, ...] = (0, 1, 1, 2, 3), most: int = 4
) -> list[tuple[int, ...]]:
    """Shapes that broadcast often enough: each takes most of its sizes from one common shape."""
    common = [chance.choice(sizes) for _ in range(most)]
    shapes = []
    for _ in range(count):
        rank = chance.randint(0, most)
        own = [
            size if chance.random() < 0.6 else chance.choice(sizes)
            for size in common[most - rank :]
        ]
        shapes.append(tuple(own))
    return shapes
