"""What to write instead where operands do not broadcast: never what does not work.

What is claimed is true: that nothing helps, and that a suggestion keeps every value.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, permutations
from math import prod
from random import Random

import numpy as np
import pytest

from bcastcli.advice.dialects import in_words_of
from bcastcli.advice.lines import advise
from bcastcli.cli.main import main
from bcastcli.core import limits
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question, Suggestion
from bcastcli.core.rule import Options, typed
from bcastcli.core.shapes import Shape, written
from bcastcli.operators.questions import ask
from bcastcli.reports.numpy_code import outcome
from bcastcli.rules import RULES
from bcastcli.rules.rewriting import MAX_AXES
from tests.effort import SEED, each_once, in_turn, many
from tests.laws.advised import Array, obeys
from tests.rows import each_row
from tests.strategies import of_shapes, random_answer, random_shapes

Output = pytest.CaptureFixture[str]
SIZES = ((0, 1, 1, 2, 3), (1, 2, 3, 4, 6, 12), (1, 8, 9, 16, 24, 32), (1, 1, 2, 3, "N", "?"))


def writes(answer: Answer) -> list[str]:
    return [each.write for each in advise(answer).lines]


def advised(rule: str, count: int, seed: int = 0) -> Iterator[Answer]:
    """Random questions whose answer is not yes, or a silent square; some are strict."""
    chance = Random(f"{rule} {seed}")
    while count:
        answer = random_answer(chance, rule, chance.choice(SIZES), max_rank=5)
        if chance.random() < 0.1:
            answer = limits.LimitedAnswer(answer, limits.no_outer_product)
        if not answer.ok or answer.is_square:
            count -= 1
            yield answer


@each_row("rule", RULES)
def test_every_suggestion_keeps_the_meaning(rule: str) -> None:
    """A suggestion answers yes, has an operand's shape, and keeps each axis and each element.

    A mismatch without one has a sentence on its sizes.
    """
    seen: Counter[str] = Counter()
    for answer in advised(rule, many(300)):
        seen.update(line.kind for line in obeys(answer))
    assert sum(seen.values()) > many(300) // 10, seen


def arguments_of(rule: str, shapes: list[Shape], options: Options) -> list[str]:
    """A question as a command line that wants JSON."""
    values = {name: tuple(v) if isinstance(v, list) else v for name, v in options.items()}
    given = [part for name, value in values.items() for part in (f"--{name}", typed(value))]
    return [rule, "--json", *given, "--", *map(written, shapes)]


@each_row("rule", RULES)
def test_json_is_asked_again(rule: str, capsys: Output) -> None:
    """What JSON suggests is all that it takes to ask again, and gives what it says."""
    for answer in advised(rule, many(25), seed=1):
        if isinstance(answer, limits.LimitedAnswer):
            continue
        shapes = [operand.shape for operand in answer.operands]
        main(arguments_of(rule, shapes, dict(answer.question.options)))
        suggestions = json.loads(capsys.readouterr().out)["suggestions"]
        assert len(suggestions) == len(advise(answer).lines)
        for each in suggestions:
            if each["kind"] == "product":
                assert main(["op", each["op"], "--json", "--", *map(written, each["shapes"])]) == 0
            else:
                assert list(each) == ["write", "rule", "shapes", "options", "result", "kind"]
                assert main(arguments_of(each["rule"], each["shapes"], each["options"])) == 0
            assert json.loads(capsys.readouterr().out)["result"] == each["result"]


LIKELIEST = """\
# 1 to 3: axes of size 1 inserted or dropped, axes permuted.
numpy 3,4 3 | B[:, None] -> 3,4
numpy 8,3,224,224 3 | B[:, None, None] -> 8,3,224,224
numpy 32,10,512 32,512 | B[:, None, :] -> 32,10,512
numpy 8,3,9,9 1,3 | B[..., None, None] -> 8,3,9,9
numpy 2,3,4 1,3,1,1 | B.squeeze(3) -> 2,3,4
numpy 8,9,9,3 3,1,1 | B.squeeze((1, 2)) -> 8,9,9,3
numpy 3,5 1,1,1,3 | B[0, 0, 0, :, None] -> 3,5
numpy 3,5 1,3 | B.T -> 3,5
numpy 8,3,9,9 8,9,9,3 | B.transpose(0, 3, 1, 2) -> 8,3,9,9 | A.transpose(0, 2, 3, 1) -> 8,9,9,3
numpy 5,2,7,3 3,7 | bcastcli op MatMul 5,2,7,3 3,7 -> 5,2,7,7 | B.T -> 5,2,7,3
numpy 5,2,3,7 3,2 | B.T[..., None] -> 5,2,3,7
# Each place where a size fits is a line, the last axes first.
numpy 8,12,128,128 8,128 | B[:, None, None, :] -> 8,12,128,128 | B[:, None, :, None] -> 8,12,128,128
numpy 4,4,4,3 4 | B[:, None] -> 4,4,4,3 | B[:, None, None] -> 4,4,4,3 | B[:, None, None, None] -> 4,4,4,3
# 4: an axis is split, and none is merged.
numpy 6 2,3 | A.reshape(2, 3) -> 2,3
numpy 24 4,6,9 | A.reshape(4, 6, 1) -> 4,6,9
numpy 12 2,N,3,4 | A.reshape(3, 4) -> 2,N,3,4
# Only where it is the operand's only axis: beside others a product is mostly chance.
numpy 32,784 32,28,28
# 5: for every pair, and a size that is on the other one's own 1.
numpy 5,3 7,3 | A[:, None, :] -> 5,7,3
numpy 3 4 | A[:, None] -> 3,4
numpy 5000,3 7000,3
numpy 2,3 2,4
numpy 8,1,6 8,7 | B[..., None] -> 8,7,6
# 6: a matrix product first.
numpy 2,3 3,2 | bcastcli op MatMul 2,3 3,2 -> 2,2 | B.T -> 2,3 | A.T -> 3,2
# Letters: always, or not at all.
numpy N,3,4 N,3 | B[..., None] -> N,3,4
numpy N,C,H,W C | B[:, None, None] -> N,C,H,W
numpy B,H,T,T B,T | Y[:, None, None, :] -> B,H,T,T | Y[:, None, :, None] -> B,H,T,T
numpy N,C C,N | B.T -> N,C | A.T -> C,N
numpy N,4 3,4
# Where the names also fit as typed, at some numbers, a change might move the values.
numpy N,3 3,1
numpy N,3 N
# The silent square: what keeps the smaller result.
numpy 32,1 32 | B[:, None] -> 32,1 | A.squeeze(1) -> 32
numpy N,1 N | B[:, None] -> N,1 | A.squeeze(1) -> N
# The odd one out, and what clashes on the rightmost axis.
numpy 2,3 2,3 2 | C[:, None] -> 2,3
numpy 2,3 3,2 3 | B.T -> 2,3
# As few operands as possible.
numpy 32,10 32 32 | B[:, None], C[:, None] -> 32,10
numpy 4,1,3 1,5,1 4 | C[:, None, None] -> 4,5,3
onnx-uni 3,4 3 | Unsqueeze(B, axes=[1]) -> 3,4
onnx-uni 1,3 2,3 | swap A and B -> 2,3 | rule onnx -> 2,3
onnx-uni 3 3,4 | swap A and B, Unsqueeze(A, axes=[1]) -> 3,4
onnx-uni 2,3 1,1,3 | Squeeze(B, axes=[0]) -> 2,3
onnx-uni () 1 | Squeeze(B, axes=[0]) -> () | swap A and B -> 1 | rule onnx -> 1
none 2,3 3 | numpy.broadcast_to(B, (2, 3)) -> 2,3 | rule numpy -> 2,3
none 2,3 2 | numpy.broadcast_to(B[:, None], (2, 3)) -> 2,3
none 1 () | numpy.broadcast_to(B, (1,)) -> 1 | rule numpy -> 1
none 2,3 2,3 2,3 3 | numpy.broadcast_to(D, (2, 3)) -> 2,3 | rule numpy -> 2,3
none 2,3 2,3 2,3 2,3 3
pdpd 2,3,4,5 3,4 | --axis 1 -> 2,3,4,5 | B[..., None] -> 2,3,4,5
pdpd 3,4 3 --axis 7 | --axis 0 -> 3,4 | B[:, None] -> 3,4
pdpd 2,3,4,5 2,5 | B[:, None, None, :] -> 2,3,4,5
pdpd 3,4 2,3,4 | swap A and B -> 2,3,4 | rule numpy -> 2,3,4
pdpd 3,4 3,4,1 | B.squeeze(2) -> 3,4 | swap A and B, --axis 0 -> 3,4,1
bidirectional 3 3,4 | A[:, None] -> 3,4
bidirectional 3,4 3 | target 3,1 -> 3,4
same-rank 2,3 3 | B[None, :] -> 2,3
left 2,3,4 2,4 | B[:, None, :] -> 2,3,4
left 2,3 3 | B[None, :] -> 2,3
same-rank 2,3,4 3,4 4 | B[None, :, :], C[None, None, :] -> 2,3,4
same-rank 5,3 7,3 | A[:, None, :], B[None, :, :] -> 5,7,3
ncnn 2,3,4,5,6 2,1,4,1,6
"""  # noqa: E501  # one is longer
"""A rule and a question, and behind each bar a suggestion with its result."""


@each_row("line", [line for line in LIKELIEST.splitlines() if line[0] != "#"])
def test_likeliest_first(line: str) -> None:
    """What is suggested is what people mean, in their own words, the likeliest first."""
    question = line.partition(" | ")[0]
    lines = obeys(ask(question.replace("--axis ", "axis=")))
    given = (f"{each.write} -> {written(each.answer.result or ())}" for each in lines)
    assert " | ".join([question, *given]) == line


@each_row(
    ("question", "write", "shapes", "result"),
    [
        ("2,3,4 2,3", "Reshape B 0=2 1=3 2=1", ["2,3,1"], "2,3,4"),
        ("2,3,4 1,4", "Reshape B 0=1 1=1 2=4", ["1,1,4"], "2,3,4"),
        ("4,3,2 4,1 order=numpy", "Reshape B 0=1 1=1 2=4", ["4,1,1"], "4,3,2"),
        ("2,3 3,2", "Permute B 0=1", ["2,3"], "2,3"),
        ("2,3,4 4,2,3", "Permute B 0=4", ["2,3,4"], "2,3,4"),
        ("6 2,3,4", "Reshape A 0=2 1=3 2=1", ["2,3,1"], "2,3,4"),
        ("12 2,3,4", "Reshape A 0=1 1=3 2=4", ["1,3,4"], "2,3,4"),
        ("N,3,4 N,3", "Reshape B 0=N 1=3 2=1", ["N,3,1"], "N,3,4"),
        ("2,3,4,5 2,3", "Reshape B 0=2 1=3 11=1 2=1", ["2,3,1,1"], "2,3,4,5"),
    ],
)
def test_ncnn(question: str, write: str, shapes: list[str], result: str) -> None:
    """Under ncnn it is the layer that helps, with its parameters."""
    lines = advise(ask(f"ncnn {question}")).lines
    changed = [written(operand.shape) for operand in lines[0].changed]
    assert (lines[0].write, changed) == (write, shapes)
    assert written(lines[0].answer.result or ()) == result


def test_the_order_of_the_operands_does_not_matter() -> None:
    """Under numpy the same operand is rewritten first, wherever it stands."""
    for shapes in permutations([(2, 3), (2, 3), (2, 3), (2,)]):
        names = ["odd" if len(shape) == 1 else f"n{i}" for i, shape in enumerate(shapes)]
        answer = Question(RULES["numpy"], [*map(Operand, names, shapes)]).answer()
        assert writes(answer)[0] == "odd[:, None]"


def test_what_is_demanded_holds_for_suggestions() -> None:
    """A suggestion meets the limit that the question did not meet."""
    limit = limits.no_outer_product
    answer = of_shapes("numpy", (64, 1), (64,))
    answer = limits.LimitedAnswer(answer, limits.no_outer_product)
    assert Question(answer.rule, answer.operands).answer().ok
    assert writes(answer) == ["B[:, None]", "A.squeeze(1)"]
    for each in answer.suggestions:
        assert limit(Question(RULES["numpy"], each.answer.operands).answer()) is None


@pytest.mark.parametrize(
    "shape", [(*[2] * (MAX_AXES - 1), 3), ("n" * 70, "m")], ids=["axes", "characters"]
)
def test_the_longest_that_is_rewritten(shape: Shape) -> None:
    """As many axes, and characters, as people can read are still rewritten."""
    assert of_shapes("numpy", shape, shape[:1]).suggestions


@each_once
@pytest.mark.parametrize("rule", in_turn(RULES, 2))
@pytest.mark.parametrize(
    "shape",
    [(2,) * 10_000, tuple(range(2, 62)), (10**4299, 2), (2,) * (MAX_AXES + 1), ("n" * 100, 2)],
    ids=["many", "60", "digits", "over", "name"],
)
def test_nothing_is_written_that_nobody_can_read(rule: str, shape: Shape) -> None:
    """A shape that is too long to be read is not made longer, and its axes are counted."""
    for operands in ([shape, (3,)], [(3,), shape]):
        answer = of_shapes(rule, *operands)
        assert answer.suggestions == ()
        note = advise(answer).note
        assert answer.ok is not False or note is None or len(note.text) < 9_000


# Claims

Numbers = tuple[int, ...]
NONE = "no reshape helps"
CUT_OFF = "found no reshape of one operand that helps"
WITH_NAMES = ((1, 2, 3, "N"), (1, 3, "N", "M", "K"), (2, 3, "N", "?"))
KNOWN = ((1, 2, 3, 4), (1, 2, 3, 5, 7), (1, 8, 10, 32), (2, 3, 3, 4), (1, 1, 2, 6, 12))


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


def mismatches(chance: Random, count: int) -> Iterator[list[Numbers]]:
    """Shapes of two to four operands that NumPy refuses."""
    while count:
        shapes = random_shapes(chance, chance.choice((2, 3, 3, 4)), chance.choice(KNOWN), 4)
        if chance.random() < 0.3:  # parts of the first one, in its order
            axes = [sorted(chance.sample(range(len(shapes[0])), chance.randint(0, len(shapes[0]))))]
            axes += [sorted(chance.sample(range(len(shapes[0])), len(each))) for each in axes]
            shapes[1:] = [tuple(shapes[0][axis] for axis in each) for each in axes]
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            count -= 1
            yield shapes


def test_nothing_helps_only_where_nothing_does() -> None:
    """That no reshape helps is said where none does, and what helps several is suggested."""
    said = Counter[bool]()
    for shapes in mismatches(Random(f"{SEED} A"), many(10_000)):
        answer = of_shapes("numpy", *shapes)
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
    chance = Random(f"{SEED} A {rule}")
    for _ in range(many(3_000)):
        answer = random_answer(chance, rule, chance.choice(KNOWN))
        shapes = [tuple(map(int, shape)) for _, shape in answer.operands]
        note = advise(answer).note
        text = note.text if note else ""
        assert not (text.startswith(NONE) and is_mended(shapes)), (rule, shapes, text)


def assignments(answer: Answer, chance: Random) -> Iterator[dict[str, int]]:
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
    chance, left = Random(f"{SEED} B {rule}"), many(1_000 if rule == "numpy" else 300)
    for _ in range(100 * left):
        answer = random_answer(
            chance, rule, chance.choice(WITH_NAMES[: 3 if rule == "numpy" else 2])
        )
        if answer.ok is None and answer.suggestions:
            left -= 1
            for each in answer.suggestions:
                for sizes in assignments(answer, chance):
                    keeps_values(answer, each, sizes)
        if not left:
            break
    assert rule != "numpy" or not left
