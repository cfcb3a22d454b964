"""What to write instead where operands do not broadcast: never what does not work."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest

from bcastcli.advice.lines import advise
from bcastcli.cli.main import main
from bcastcli.core import limits
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, typed
from bcastcli.core.shapes import Shape, written
from bcastcli.rules import RULES
from bcastcli.rules.rewriting import MAX_AXES
from tests.effort import each_once, in_turn, many
from tests.laws.advised import obeys
from tests.rows import each_row
from tests.strategies import asked, of_shapes, random_answer

Output = pytest.CaptureFixture[str]
SIZES = ((0, 1, 1, 2, 3), (1, 2, 3, 4, 6, 12), (1, 8, 9, 16, 24, 32), (1, 1, 2, 3, "N", "?"))


def tried(rule: str, question: str) -> list[tuple[str, str]]:
    """The suggestions for a question as it is typed, each with the result that it gives."""
    lines = advise(asked(rule, question)).lines
    return [(each.write, written(each.answer.result or ())) for each in lines]


def writes(answer: Answer) -> list[str]:
    """What is suggested, as code."""
    return [each.write for each in advise(answer).lines]


def advised(rule: str, count: int, seed: int = 0) -> Iterator[Answer]:
    """Random questions whose answer is not yes, or a silent square; some are strict."""
    chance = random.Random(f"{rule} {seed}")
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


LIKELIEST = [
    # 1 to 3: axes of size 1 inserted or dropped, axes permuted.
    ("numpy", "3,4 3", [("B[:, None]", "3,4")]),
    ("numpy", "8,3,224,224 3", [("B[:, None, None]", "8,3,224,224")]),
    ("numpy", "32,10,512 32,512", [("B[:, None, :]", "32,10,512")]),
    ("numpy", "8,3,9,9 1,3", [("B[..., None, None]", "8,3,9,9")]),
    ("numpy", "2,3,4 1,3,1,1", [("B.squeeze(3)", "2,3,4")]),
    ("numpy", "8,9,9,3 3,1,1", [("B.squeeze((1, 2))", "8,9,9,3")]),
    ("numpy", "3,5 1,1,1,3", [("B[0, 0, 0, :, None]", "3,5")]),
    ("numpy", "3,5 1,3", [("B.T", "3,5")]),
    (
        "numpy",
        "8,3,9,9 8,9,9,3",
        [("B.transpose(0, 3, 1, 2)", "8,3,9,9"), ("A.transpose(0, 2, 3, 1)", "8,9,9,3")],
    ),
    ("numpy", "5,2,7,3 3,7", [("bcastcli op MatMul 5,2,7,3 3,7", "5,2,7,7"), ("B.T", "5,2,7,3")]),
    ("numpy", "5,2,3,7 3,2", [("B.T[..., None]", "5,2,3,7")]),
    # Each place where a size fits is a line, the last axes first.
    (
        "numpy",
        "8,12,128,128 8,128",
        [("B[:, None, None, :]", "8,12,128,128"), ("B[:, None, :, None]", "8,12,128,128")],
    ),
    (
        "numpy",
        "4,4,4,3 4",
        [(f"B[{', '.join([':', *['None'] * n])}]", "4,4,4,3") for n in (1, 2, 3)],
    ),
    # 4: an axis is split, and none is merged.
    ("numpy", "6 2,3", [("A.reshape(2, 3)", "2,3")]),
    ("numpy", "24 4,6,9", [("A.reshape(4, 6, 1)", "4,6,9")]),
    ("numpy", "12 2,N,3,4", [("A.reshape(3, 4)", "2,N,3,4")]),
    # Only where it is the operand's only axis: beside others a product is mostly chance.
    ("numpy", "32,784 32,28,28", []),
    # 5: for every pair, and a size that is on the other one's own 1.
    ("numpy", "5,3 7,3", [("A[:, None, :]", "5,7,3")]),
    ("numpy", "3 4", [("A[:, None]", "3,4")]),
    ("numpy", "5000,3 7000,3", []),
    ("numpy", "2,3 2,4", []),
    ("numpy", "8,1,6 8,7", [("B[..., None]", "8,7,6")]),
    # 6: a matrix product first.
    ("numpy", "2,3 3,2", [("bcastcli op MatMul 2,3 3,2", "2,2"), ("B.T", "2,3"), ("A.T", "3,2")]),
    # Letters: always, or not at all.
    ("numpy", "N,3,4 N,3", [("B[..., None]", "N,3,4")]),
    ("numpy", "N,C,H,W C", [("B[:, None, None]", "N,C,H,W")]),
    (
        "numpy",
        "B,H,T,T B,T",
        [("Y[:, None, None, :]", "B,H,T,T"), ("Y[:, None, :, None]", "B,H,T,T")],
    ),
    ("numpy", "N,C C,N", [("B.T", "N,C"), ("A.T", "C,N")]),
    ("numpy", "N,4 3,4", []),
    # Where the names also fit as typed, at some numbers, a change might move the values.
    ("numpy", "N,3 3,1", []),
    ("numpy", "N,3 N", []),
    # The silent square: what keeps the smaller result.
    ("numpy", "32,1 32", [("B[:, None]", "32,1"), ("A.squeeze(1)", "32")]),
    ("numpy", "N,1 N", [("B[:, None]", "N,1"), ("A.squeeze(1)", "N")]),
    # The odd one out, and what clashes on the rightmost axis.
    ("numpy", "2,3 2,3 2", [("C[:, None]", "2,3")]),
    ("numpy", "2,3 3,2 3", [("B.T", "2,3")]),
    # As few operands as possible.
    ("numpy", "32,10 32 32", [("B[:, None], C[:, None]", "32,10")]),
    ("numpy", "4,1,3 1,5,1 4", [("C[:, None, None]", "4,5,3")]),
    ("onnx-uni", "3,4 3", [("Unsqueeze(B, axes=[1])", "3,4")]),
    ("onnx-uni", "1,3 2,3", [("swap A and B", "2,3"), ("rule onnx", "2,3")]),
    ("onnx-uni", "3 3,4", [("swap A and B, Unsqueeze(A, axes=[1])", "3,4")]),
    ("onnx-uni", "2,3 1,1,3", [("Squeeze(B, axes=[0])", "2,3")]),
    (
        "onnx-uni",
        "() 1",
        [("Squeeze(B, axes=[0])", "()"), ("swap A and B", "1"), ("rule onnx", "1")],
    ),
    ("none", "2,3 3", [("numpy.broadcast_to(B, (2, 3))", "2,3"), ("rule numpy", "2,3")]),
    ("none", "2,3 2", [("numpy.broadcast_to(B[:, None], (2, 3))", "2,3")]),
    ("none", "1 ()", [("numpy.broadcast_to(B, (1,))", "1"), ("rule numpy", "1")]),
    ("none", "2,3 2,3 2,3 3", [("numpy.broadcast_to(D, (2, 3))", "2,3"), ("rule numpy", "2,3")]),
    ("none", "2,3 2,3 2,3 2,3 3", []),
    ("pdpd", "2,3,4,5 3,4", [("--axis 1", "2,3,4,5"), ("B[..., None]", "2,3,4,5")]),
    ("pdpd", "3,4 3 --axis 7", [("--axis 0", "3,4"), ("B[:, None]", "3,4")]),
    ("pdpd", "2,3,4,5 2,5", [("B[:, None, None, :]", "2,3,4,5")]),
    ("pdpd", "3,4 2,3,4", [("swap A and B", "2,3,4"), ("rule numpy", "2,3,4")]),
    ("pdpd", "3,4 3,4,1", [("B.squeeze(2)", "3,4"), ("swap A and B, --axis 0", "3,4,1")]),
    ("bidirectional", "3 3,4", [("A[:, None]", "3,4")]),
    ("bidirectional", "3,4 3", [("target 3,1", "3,4")]),
    ("same-rank", "2,3 3", [("B[None, :]", "2,3")]),
    ("left", "2,3,4 2,4", [("B[:, None, :]", "2,3,4")]),
    ("left", "2,3 3", [("B[None, :]", "2,3")]),
    ("same-rank", "2,3,4 3,4 4", [("B[None, :, :], C[None, None, :]", "2,3,4")]),
    ("same-rank", "5,3 7,3", [("A[:, None, :], B[None, :, :]", "5,7,3")]),
    ("ncnn", "2,3,4,5,6 2,1,4,1,6", []),
]


@each_row(("rule", "question", "expected"), LIKELIEST)
def test_likeliest_first(rule: str, question: str, expected: list[tuple[str, str]]) -> None:
    """What is suggested is what people mean, in their own words, the likeliest first."""
    assert tried(rule, question) == expected
    assert obeys(asked(rule, question)) is not None


@each_row(
    ("question", "write", "shapes", "result"),
    [
        ("2,3,4 2,3", "Reshape B 0=2 1=3 2=1", ["2,3,1"], "2,3,4"),
        ("2,3,4 1,4", "Reshape B 0=1 1=1 2=4", ["1,1,4"], "2,3,4"),
        ("4,3,2 4,1 --order numpy", "Reshape B 0=1 1=1 2=4", ["4,1,1"], "4,3,2"),
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
    lines = advise(asked("ncnn", question)).lines
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
