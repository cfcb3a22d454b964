"""ncnn judges ncnn, by the values that its BinaryOp computes, as it never reports a mismatch."""

import contextlib
import re
from functools import cache, partial
from itertools import combinations, cycle, product
from math import prod
from typing import Any

import pytest

from bcastcli.notation import text as notation
from bcastcli.picture.answers import of_answer
from bcastcli.picture.figure import PictureOptions
from bcastcli.quiz.drawing import Level, quiz, subject
from tests.effort import SEED, many
from tests.engines.judging import Said, answered, answered_unknown, engine, fresh, judge
from tests.strategies import NCNN, Known, Question, questions

np = engine("numpy")
ncnn = engine("ncnn")

SUB, RSUB = 1, 7  # whose operands cannot be swapped unnoticed
STEPS = cycle((1, 2, 3))
"""Between numbers of the first operand, others each time: where operands do not fit, ncnn leaves
some elements as the memory was, with another question's result perhaps."""
BEHIND = 4096
"""As many NaNs at least lie behind each operand."""

Laid = tuple[Known, ...]
"""The operands outermost first, each with a 1 on every axis that it lacks."""


@cache
def net(layer: str, packing: bool) -> Any:
    built = ncnn.Net()
    built.opt.num_threads = 1
    built.opt.use_vulkan_compute = False
    built.opt.use_packing_layout = packing
    for name in ("fp16_packed", "fp16_storage", "fp16_arithmetic", "bf16_storage"):
        setattr(built.opt, f"use_{name}", False)
    assert built.load_param_mem(f"7767517\n{layer}\n") == 0
    return built


def minus(first: Any, second: Any, *, packing: bool) -> Any:
    """What ncnn makes of first - second; a scalar is a parameter of the layer."""
    blobs = {name: blob for name, blob in (("a", first), ("b", second)) if blob.ndim}
    if len(blobs) == 2:
        layer = f"3 3\nInput a 0 1 a\nInput b 0 1 b\nBinaryOp minus 2 1 a b out 0={SUB}"
    else:
        [name] = blobs
        op, scalar = (SUB, second) if name == "a" else (RSUB, first)
        layer = f"2 2\nInput {name} 0 1 {name}\nBinaryOp minus 1 1 {name} out 0={op} 1=1 2={scalar}"
    extractor = net(layer, packing).create_extractor()
    held = {name: with_room_behind(blob) for name, blob in blobs.items()}
    mats = {name: part_of(held[name], len(blob)) for name, blob in blobs.items()}
    if len(mats) == 1:  # it is computed in place, which takes memory of the Mat's own
        mats = {name: mat.clone() for name, mat in mats.items()}
    for name, mat in mats.items():
        assert extractor.input(name, mat) == 0
    status, out = extractor.extract("out")
    assert status == 0
    return np.array(out)


def part_of(mat: Any, count: int) -> Any:
    cut = {1: mat.range, 2: mat.row_range}.get(mat.dims, mat.channel_range)
    return cut(0, count)


def with_room_behind(blob: Any) -> Any:
    """A blob with NaNs behind it, as ncnn reads past the ends of operands that do not fit."""
    rows = BEHIND // blob[0].size + 1
    nans = np.full((rows, *blob.shape[1:]), np.nan, np.float32)
    padded = np.concatenate([blob, nans])  # whose memory a Mat shares, but does not keep alive
    return ncnn.Mat(padded).clone()


def numbers(shape: Known, step: int) -> Any:
    count = prod(shape)
    return (step * np.arange(1, count + 1, dtype=np.float32)).reshape(shape)


def operands(shapes: Laid, step: int) -> tuple[Any, Any]:
    """Arrays of distinct numbers, whose differences are told apart too."""
    return numbers(shapes[0], step), numbers(shapes[1], 8192)


def layings(shapes: Laid, step: int = 1) -> dict[Laid, Any]:
    """Each way to lay the operands that NumPy can broadcast, and what first - second is then."""
    first, second = operands(shapes, step)
    rank = max(map(len, shapes))
    found = {}
    for laid in product(*(with_axes(shape, rank) for shape in shapes)):
        with contextlib.suppress(ValueError):
            found[laid] = first.reshape(laid[0]) - second.reshape(laid[1])
    return found


def with_axes(shape: Known, rank: int) -> set[Known]:
    """The shape with ones put in, in each way that gives it so many axes."""
    return {
        tuple(dict(zip(places, shape, strict=True)).get(axis, 1) for axis in range(rank))
        for places in combinations(range(rank), len(shape))
    }


def laid_by_ncnn(shapes: Laid, *, packing: bool) -> Laid | None:
    """How ncnn lays the operands, told by the values; None if these are those of no way to."""
    step = next(STEPS)
    out = minus(*operands(shapes, step), packing=packing)
    ways = [laid for laid, right in layings(shapes, step).items() if np.array_equal(out, right)]
    assert len(ways) <= 1
    return ways[0] if ways else None


def turned(shapes: Laid, order: str) -> Laid:
    """Shapes in an order of axes, outermost first, and back."""
    return shapes if order == "numpy" else tuple(shape[::-1] for shape in shapes)


def ncnn_says(order: str, question: Question) -> list[Laid | None]:
    """Where the operands lie without packing and with it; nowhere if one is garbage.

    Of 4,8,2,1 and 2 the garbage with packing is what B on axis d would give.
    """
    shapes = turned(question.shapes, order)
    plain, packed = (laid_by_ncnn(shapes, packing=packing) for packing in (False, True))
    return [plain, packed] if plain and packed else [None, None]


def we_say(order: str, question: Question, said: Said) -> list[Laid | None]:
    """Where the operands lie by our answer, or by its note on what the CPU engine does."""
    first, second = question.shapes
    if said.ok:
        assert said.result == np.broadcast_shapes(*said.laid)
        assert documented(turned((first, second), order)), question
        return [turned(said.laid, order)] * 2
    found = re.findall(r"CPU engine reads (A|B) as (\S+) and accepts it", " ".join(said.notes))
    undetected = "ncnn does not detect this: it returns 0 (success) and meaningless values"
    assert (undetected in said.notes) is not bool(found)
    if not found:
        return [None] * 2
    assert not documented(turned((first, second), order)), question
    [(name, text)] = found
    [explicit] = [tuple(map(int, shape)) for shape in notation.read(text).shapes]
    return [turned((explicit, second) if name == "A" else (first, explicit), order)] * 2


def documented(shapes: Laid) -> bool:
    """Whether ncnn's document has what its CPU engine accepts: the engine accepts more."""
    smaller, larger = sorted(shapes, key=len)
    inner, outer = larger[: len(smaller)], larger[-1:]
    return len(smaller) == len(larger) or prod(smaller) == 1 or smaller in (inner, outer)


def asked(count: int, label: str, order: str) -> list[Question]:
    """Questions that ncnn's values can decide: there is a way to lay the operands that fits."""
    found = questions(NCNN, count, fresh(f"ncnn {label} {order}"))
    if order == "numpy":
        found = [question._replace(shapes=turned(question.shapes, "ncnn")) for question in found]
    return [q for q in found if any(q.shapes) and layings(turned(q.shapes, order))]


@pytest.mark.parametrize("order", ["ncnn", "numpy"])
def test_known_sizes(order: str) -> None:
    """BinaryOp lays operands as we say; where we say no, as our note says, or gives garbage."""
    answers = answered(asked(6_000, "known", order), {"order": order})
    judge("ncnn", answers, partial(ncnn_says, order), partial(we_say, order))
    noted = [said for _, said in answers if any("CPU engine reads" in n for n in said.notes)]
    assert len(noted) > 50


@pytest.mark.parametrize("order", ["ncnn", "numpy"])
def test_unknown_sizes(order: str) -> None:
    """For whatever numbers, the condition and the result are what ncnn's values show."""
    chance = fresh(f"ncnn unknown {order}")
    answers = [
        (question, said)
        for question, said in answered_unknown(
            asked(1_000, "unknown", order), chance, {"order": order}
        )
        if layings(turned(question.shapes, order))
    ]
    judge("ncnn", answers, partial(ncnn_says, order), partial(we_say, order))


def test_what_no_laying_makes_fit() -> None:
    """We say no wherever there is no way to lay the operands that NumPy can broadcast."""
    found = questions(NCNN, 2_000, fresh("ncnn no laying"))
    never = [question for question in found if not layings(turned(question.shapes, "ncnn"))]
    assert len(never) > 200
    assert [question.line for question, said in answered(never) if said.ok is not False] == []


def test_limits() -> None:
    """No blob of ncnn has five axes or an empty one, and we say no there."""
    with pytest.raises(RuntimeError, match="dims"):
        ncnn.Mat(np.ones((1,) * 5, np.float32))
    empty = np.ones((0, 3), np.float32)
    assert ncnn.Mat(empty).empty()
    beyond = [Question("ncnn", ((1,) * 5, (1,) * 5)), Question("ncnn", ((3, 0), (3, 0)))]
    assert [said.ok for _, said in answered(beyond)] == [False, False]


def test_the_quiz() -> None:
    """What the quiz takes for right is what ncnn computes; so is each number of the picture."""
    asked = [quiz(subject("ncnn"), Level.MIXED, SEED + number, 100) for number in range(many(4))]
    for answer in (exercise.answer for each in asked for exercise in each):
        if not answer.unknown_sizes:
            shapes = turned(answer.shapes, "ncnn")  # type: ignore[arg-type]  # all known
            laid = laid_by_ncnn(shapes, packing=False)
            accepts_more = any("accepts it" in note.text for note in answer.notes)
            assert (laid is not None) == (answer.ok or accepts_more), shapes
            figure = of_answer(answer, PictureOptions("-"))
            if answer.ok and figure.blocks and figure.longest:
                tens, ones = (np.arange(prod(s), dtype=np.float32).reshape(s) for s in shapes)
                right = minus(10 * tens, ones + 1, packing=False)
                assert [int(c.text) for c in figure.blocks[-1].cells] == [*right.ravel()], shapes
