"""The notes of the rules besides the verdict (rules/)."""

import random

import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Note
from bcastcli.core.shapes import Shape
from bcastcli.core.wording import growth_note
from tests.rows import each_row
from tests.strategies import SIZES, asked, of_shapes, random_shapes


def texts(answer: Answer) -> list[str]:
    return [note.text for note in answer.notes]


# Notes.


MAY_STRETCH = (
    "both operands stretch, unless an unknown size makes one of them as large as the result"
)


def test_ncnn_accepts_what_a_note_says_to_write() -> None:
    """The explicit shape that a note gives instead of a mismatch broadcasts by the rule."""
    chance = random.Random(15)
    seen = 0
    for _ in range(1000):
        order = chance.choice(["ncnn", "numpy"])
        shapes = sorted(random_shapes(chance, 2, (1, 2, 3)), key=len)
        for text in texts(of_shapes("ncnn", *shapes, order=order)):
            if "CPU engine" in text:
                instead = tuple(map(int, text.rpartition("Write ")[2].split(",")))
                assert len(instead) == len(shapes[1])
                assert of_shapes("ncnn", instead, shapes[1], order=order).ok is True
                seen += 1
    assert seen > 20


@each_row(
    ("shapes", "result", "text"),
    [
        (
            [(64, 1), (64,)],
            (64, 64),
            "both operands stretch: 64 elements each become 4,096",
        ),
        ([(3, 1), (1, 4), (2, 1, 1)], (2, 3, 4), "3, 4 and 2 elements become 24 (6 times 4)"),
        ([(2, 2, 1), (1, 1, 3)], (2, 2, 3), "4 and 3 elements become 12 (3 times 4)"),
        ([(2, 1), (1, 3), *[(1, 1)] * 3], (2, 3), "up to 3 elements become 6 (2 times 3)"),
        ([(4, 1, 3), (1, 4, 1), (4, 1)], (4, 4, 3), "4 and 4 elements become 48 (4 times 12)"),
        ([(4, 3, 1, 1), (1, 1, 5, 2)], (4, 3, 5, 2), "10 elements become 120 (10 times 12)"),
        ([(0, 1), (1, 3)], (0, 3), "both operands stretch: 0 and 3 elements become 0"),
        ([("N", 1), (1, 3)], ("N", 3), MAY_STRETCH),
    ],
)
def test_growth(shapes: list[Shape], result: Shape, text: str) -> None:
    """Where all operands stretch, what that makes of their elements is said in numbers."""
    assert growth_note(shapes, result).endswith(text)


@each_row(
    ("rule", "question", "noted"),
    [
        ("bidirectional", "3,1 1,4", True),
        ("ncnn", "2,1 1,3", True),
        ("numpy", "3,1 1,4 1,1,2,1,1", True),
        ("numpy", "N,1 M", True),
        ("numpy", "2,1 N", True),
        # A size that is not known may be the result's.
        ("numpy", "N,1 1,M 3,4", False),
        ("numpy", "N M", False),
        # An axis of size 1 is there whether it stretches or not.
        ("numpy", "3 1,3", False),
        ("numpy", "3,1 1,0", True),
        ("pdpd", "3,4 1", False),
    ],
)
def test_note_where_every_operand_stretches(rule: str, question: str, noted: bool) -> None:
    """That no operand has the result's shape is noted, as it is seldom meant."""
    answer = asked(rule, question)
    assert answer.all_stretch is noted
    texts = [note.text for note in answer.notes if note.kind == "stretch"]
    # A target shape stores nothing that could grow.
    assert len(texts) == (noted and not answer.rule.second_is_target)
    for text in texts:
        assert (text == MAY_STRETCH) is bool(answer.unknown_sizes and len(answer.operands) == 2)
    if noted:
        assert answer.result not in [operand.shape for operand in answer.operands]


@pytest.mark.parametrize("rule", ["numpy", "onnx", "bidirectional", "ncnn"])
def test_every_operand_stretches_where_none_has_the_result(rule: str) -> None:
    """For known sizes it is noted exactly where no operand, ones before it aside, is the result."""
    chance = random.Random(23)
    seen = set()
    for _ in range(1000):
        answer = of_shapes(rule, *random_shapes(chance, 2, SIZES))
        if answer.result is None:
            continue
        rank = len(answer.result)
        kept = [(1,) * (rank - len(shape)) + shape for _, shape in answer.operands]
        if rule == "ncnn" and len(set(answer.ranks)) > 1:
            assert not answer.all_stretch  # the larger one is the result
        else:
            assert answer.all_stretch is (answer.result not in kept)
        seen.add(answer.all_stretch)
    assert seen == {True, False}


def test_note_of_numpys_own_limit() -> None:
    """Only above 32 axes is there something to say of NumPy, and only under its own rule."""
    assert texts(of_shapes("numpy", (1,) * 32)) == []
    says = "NumPy itself allows at most 64 axes, and numpy.broadcast_shapes 32"
    assert of_shapes("numpy", (1,) * 33).notes == (Note("engine", says),)
    assert texts(of_shapes("onnx", (1,) * 33)) == []
