"""What advice claims is true: that nothing helps, and that a suggestion keeps every value."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, permutations
from math import prod

import numpy as np
import numpy.typing
import pytest

from bcastcli.advice.dialects import in_words_of
from bcastcli.advice.lines import advise
from bcastcli.core.alignment import Operand, letters
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question, Suggestion
from bcastcli.reports.numpy_code import outcome
from bcastcli.rules import RULES
from tests.effort import SEED, in_turn, many
from tests.rows import each_row
from tests.strategies import random_answer, random_shapes

Array = numpy.typing.NDArray[np.int_]
Numbers = tuple[int, ...]
NONE = "no reshape helps"
CUT_OFF = "found no reshape of one operand that helps"
NAMED = ((1, 2, 3, "N"), (1, 3, "N", "M", "K"), (2, 3, "N", "?"))
SIZES = ((1, 2, 3, 4), (1, 2, 3, 5, 7), (1, 8, 10, 32), (2, 3, 3, 4), (1, 1, 2, 6, 12))


def inserted(shape: Numbers, rank: int) -> set[Numbers]:
    """A shape with ones inserted in all ways, up to a rank."""
    ways = combinations(range(rank), len(shape))
    found = set()
    for places in ways:
        made = [1] * rank
        for place, size in zip(places, shape, strict=True):
            made[place] = size
        found.add(tuple(made))
    return found


def together(one: set[Numbers], other: set[Numbers]) -> set[Numbers]:
    """What NumPy makes of any of the shapes with any of the others."""
    made = set()
    for a in one:
        for b in other:
            try:
                made.add(np.broadcast_shapes(a, b))
            except ValueError:
                continue
    return made


def mended(shapes: Sequence[Numbers]) -> set[Numbers]:
    """The results of the operands with ones inserted in all of them together."""
    rank = max(map(len, shapes))
    return reduce(together, [inserted(shape, rank) for shape in shapes])


def is_mended(shapes: Sequence[Numbers]) -> bool:
    """Whether insertions in all operands together help, with the axes of one of them permuted."""
    rank = max(map(len, shapes))
    ways = [inserted(shape, rank) for shape in shapes]
    for number, shape in enumerate(shapes):
        turned = set().union(*(inserted(own, rank) for own in permutations(shape)))
        if reduce(together, [*ways[:number], turned, *ways[number + 1 :]]):
            return True
    return False


def mismatches(chance: random.Random, count: int) -> Iterator[list[Numbers]]:
    """Shapes of two to four operands that NumPy refuses."""
    while count:
        shapes = random_shapes(chance, chance.choice((2, 3, 3, 4)), chance.choice(SIZES), 4)
        if chance.random() < 0.3:  # parts of the first one, in its order
            axes = [sorted(chance.sample(range(len(shapes[0])), chance.randint(0, len(shapes[0]))))]
            axes += [sorted(chance.sample(range(len(shapes[0])), len(each))) for each in axes]
            shapes[1:] = [tuple(shapes[0][axis] for axis in each) for each in axes]
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            count -= 1
            yield shapes


def note_of(answer: Answer) -> str:
    note = advise(answer).note
    return note.text if note else ""


def asked(rule: str, shapes: Sequence[Numbers]) -> Answer:
    return Question(RULES[rule], [*map(Operand, letters(len(shapes)), shapes)]).answer()


def test_nothing_helps_only_where_nothing_does() -> None:
    """That no reshape helps is said where none does, and what helps several is suggested."""
    said = Counter[bool]()
    for shapes in mismatches(random.Random(f"{SEED} A"), many(10_000)):
        answer = asked("numpy", shapes)
        lines, note = advise(answer)
        text = note.text if note else ""
        assert lines or text, shapes
        claims = text.startswith(NONE)
        said[claims] += 1
        assert not (claims and is_mended(shapes)), (shapes, text)
        assert len(shapes) > 2 or not text.startswith(CUT_OFF), shapes
        if mended(shapes) & {*shapes}:
            assert lines, (shapes, text)
    assert min(said.values()) > sum(said.values()) // 10, said


@each_row("rule", in_turn(RULES))
def test_under_every_rule(rule: str) -> None:
    """The same holds under the rules that refuse more than NumPy's."""
    chance = random.Random(f"{SEED} A {rule}")
    for _ in range(many(3_000)):
        answer = random_answer(chance, rule, chance.choice(SIZES))
        shapes = [tuple(map(int, shape)) for _, shape in answer.operands]
        text = note_of(answer)
        assert not (text.startswith(NONE) and is_mended(shapes)), (rule, shapes, text)


def assignments(answer: Answer, chance: random.Random) -> Iterator[dict[str, int]]:
    """Numbers for the unknown sizes, each another one, of which some stand in the shapes."""
    there = {size for shape in answer.shapes for size in shape if isinstance(size, int)}
    numbers = sorted(({*there} | {2, 3, 4, 5, 7}) - {0, 1})
    for _ in range(12):
        names = answer.unknown_sizes
        yield dict(zip(names, chance.sample(numbers, len(names)), strict=True))


def arrays(answer: Answer) -> dict[str, Array]:
    """Arrays of the operands' shapes, no two elements of which are equal."""
    made, start = {}, 0
    for name, shape in answer.operands:
        sizes = [int(size) for size in shape]
        count = prod(sizes)
        made[name] = np.arange(start, start + count).reshape(sizes) ** 3
        start += count
    return made


def summed(code: Sequence[str], values: dict[str, Array]) -> Array:
    made: Array = reduce(np.add, [eval(each, {}, values) for each in code])
    return made


def keeps_values(answer: Answer, each: Suggestion, sizes: dict[str, int]) -> None:
    """With numbers the suggestion gives what it says, with the values of the question as typed."""
    typed = answer.question.with_sizes(sizes).answer()
    if answer.rule.name == "numpy":  # a `?` is known by its place, which a change moves
        shapes = dict(typed.operands)
        for change in each.changes:
            own = shapes[change.name]
            shapes[change.name] = tuple(1 if axis is None else own[axis] for axis in change.order)
        placed = typed.question.with_shapes([*shapes.values()]).answer()
    else:
        placed = each.answer.question.with_sizes(sizes).answer()
    told = tuple(sizes.get(str(size), size) for size in each.answer.result or ())
    assert placed.ok, (answer.question, each.write, sizes)
    assert placed.result == told or "?" in told
    if typed.ok:
        assert outcome(typed) == outcome(placed), (answer.question, each.write, sizes)
    if answer.rule.name == "numpy":
        values = arrays(typed)
        written = in_words_of("", [[change] for change in each.changes])
        code = dict(zip([change.name for change in each.changes], written, strict=True))
        made = summed([code.get(name, name) for name in values], values)
        assert np.shape(made) == placed.result
        if typed.ok:
            assert np.array_equal(made, summed([*values], values))


@pytest.mark.parametrize("rule", RULES)
def test_a_suggestion_for_named_sizes_keeps_values(rule: str) -> None:
    """Put numbers in for the names: what broadcast as typed has the same values."""
    chance, left = random.Random(f"{SEED} B {rule}"), many(1_000 if rule == "numpy" else 300)
    for _ in range(100 * left):
        answer = random_answer(chance, rule, chance.choice(NAMED[: 3 if rule == "numpy" else 2]))
        if answer.ok is None and answer.suggestions:
            left -= 1
            for each in answer.suggestions:
                for sizes in assignments(answer, chance):
                    keeps_values(answer, each, sizes)
        if not left:
            break
    assert rule != "numpy" or not left
