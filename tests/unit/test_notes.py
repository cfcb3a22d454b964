"""The notes of the rules besides the verdict (rules/)."""

import random

import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Note
from bcastcli.core.shapes import Shape
from bcastcli.core.wording import growth_note
from bcastcli.rules import RULES
from tests.rows import each_row
from tests.unit.asking import asked, of_shapes, random_shapes


def texts(answer: Answer) -> list[str]:
    return [note.text for note in answer.notes]


# Notes.

PRELU = (
    "ONNX Runtime runs PRelu multidirectionally, as PRelu-16's function body does: "
    "it accepts this and returns "
)
INFERENCE = "ONNX's shape inference, strict mode included, does not check this rule"
NO_TRIM = "OpenVINO from 2023.1 does not trim, and refuses this"
NO_INNER_1 = "OpenVINO up to 2023.0 refuses a 1 within B that meets another size"
NO_0_WITH_1 = "OpenVINO from 2023.1 refuses a 1 that meets a 0, as here"
NO_1_WITH_0 = "OpenVINO from 2023.1 refuses a 1 that meets a 0: B must be 0 there"
SHRINKS = "OpenVINO from 2023.1 lets a 0 of B shrink a 1 of A, and accepts this"


FACTORIES = (
    "OpenVINO's Python operator factories use axis 0 where "
    'auto_broadcast="PDPD" is given without an axis'
)
HAS_A_1 = "target has a 1 where A has another size"
MAY_STRETCH = (
    "both operands stretch, unless an unknown size makes one of them as large as the result"
)
GARBAGE = "ncnn does not detect this: it returns 0 (success) and meaningless values"


def trimmed(shape: str, kept: str) -> str:
    return f"B {shape} counts as {kept}: trailing ones are dropped"


@each_row(
    ("rule", "question", "notes"),
    [
        ("numpy", "2,3 3", []),
        ("numpy", "2,3 4", []),
        ("onnx", "2,3 4", []),
        ("none", "2,3 4", []),
        ("onnx-uni", "2,3 3", []),
        ("onnx-uni", "3 N", []),
        ("onnx-uni", "3 2,3", [f"{PRELU}2,3", INFERENCE]),
        ("onnx-uni", "1 3", [f"{PRELU}3", INFERENCE]),
        ("onnx-uni", "3 2", [INFERENCE]),
        ("onnx-uni", "3,N N,2", [INFERENCE]),
        ("pdpd", "2,3 2,3", ["B starts at axis 0 (default: 2 - 2)"]),
        ("pdpd", "2,3,4,5 4,5", ["B starts at axis 2 (default: 4 - 2)", FACTORIES]),
        ("pdpd", "2,3,4,5 4,5 --axis 2", ["B starts at axis 2 (--axis 2)"]),
        ("pdpd", "2,3,4,5 3,4", ["B starts at axis 2 (default: 4 - 2)", FACTORIES]),
        ("pdpd", "2,3,4,5 3,1 --axis 1", ["B starts at axis 1 (--axis 1)", trimmed("3,1", "3")]),
        (
            "pdpd",
            "2,3,4,5 5,1 --axis 3",
            ["B starts at axis 3 (--axis 3)", trimmed("5,1", "5"), NO_TRIM],
        ),
        (
            "pdpd",
            "2,3,4,5 5,1,1 --axis 3",
            ["B starts at axis 3 (--axis 3)", trimmed("5,1,1", "5"), NO_TRIM],
        ),
        (
            "pdpd",
            "2,3,4,5 1 --axis 4",
            ["B starts at axis 4 (--axis 4)", trimmed("1", "()"), NO_TRIM],
        ),
        ("pdpd", "2,3,4,5 4,1 --axis 3", ["B starts at axis 3 (--axis 3)", trimmed("4,1", "4")]),
        ("pdpd", "2,3,4,5 1,3 --axis 0", ["B starts at axis 0 (--axis 0)", NO_INNER_1]),
        ("pdpd", "1,3,4,5 1,3 --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "2,3,4,5 1,4 --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "2,3,4,5 5,N --axis 3", ["B starts at axis 3 (--axis 3)", NO_TRIM]),
        ("pdpd", "2,N,4 1,3 --axis 0", ["B starts at axis 0 (--axis 0)", NO_INNER_1]),
        # A 1 before what may be a 1 is within B, or trimmed with it.
        ("pdpd", "2,N,4 1,N --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "0,3 1,3 --axis 0", ["B starts at axis 0 (--axis 0)", NO_0_WITH_1, NO_INNER_1]),
        (
            "pdpd",
            "2,0 2,1 --axis 0",
            ["B starts at axis 0 (--axis 0)", trimmed("2,1", "2"), NO_0_WITH_1],
        ),
        (
            "pdpd",
            "2,0 1,1 --axis 1",
            ["B starts at axis 1 (--axis 1)", trimmed("1,1", "()"), NO_TRIM],
        ),
        ("pdpd", "0,3 0,3 --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "1,3 0,3 --axis 0", ["B starts at axis 0 (--axis 0)", SHRINKS]),
        ("pdpd", "0,3 N,3", ["B starts at axis 0 (default: 2 - 2)", NO_1_WITH_0]),
        ("pdpd", "0,3 N,4", ["B starts at axis 0 (default: 2 - 2)"]),
        ("pdpd", "1,3 0,2 --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "1,3 2,3 --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "2,3 4 --axis 5", ["B starts at axis 5 (--axis 5)"]),
        ("pdpd", "2 2,3,4", []),
        ("bidirectional", "3,4 3,4", []),
        ("bidirectional", "1 3,4", []),
        ("bidirectional", "1 1", []),
        ("bidirectional", "2 1", [f"the result 2 is not the target shape 1: {HAS_A_1}"]),
        ("bidirectional", "3,4 3", []),
        (
            "bidirectional",
            "5 1",
            [f"the result 5 is not the target shape 1: {HAS_A_1}"],
        ),
        (
            "bidirectional",
            "3,1 2,1,6",
            [f"the result 2,3,6 is not the target shape 2,1,6: {HAS_A_1}"],
        ),
        (
            "bidirectional",
            "3,4 ()",
            ["the result 3,4 is not the target shape (): A has more axes"],
        ),
        (
            "bidirectional",
            "x=2,4 y=4",
            ["the result 2,4 is not the target shape 4: x has more axes"],
        ),
    ],
)
def test_notes(rule: str, question: str, notes: list[str]) -> None:
    """What an engine does otherwise, or what is easily missed, is noted where it applies."""
    assert texts(asked(rule, question)) == notes


@each_row(
    ("question", "garbage", "explicit"),
    [
        ("2,3,4 4", False, None),
        ("2,3,4 1,4", True, "B as 1,1,4"),
        ("1,4 2,3,4", True, "A as 1,1,4"),
        ("4,3,2 4,1 --order numpy", True, "B as 4,1,1"),
        ("2,3,4 3,1", True, "B as 1,3,1"),
        ("2,1 3", True, None),
        ("2,1 1,3", False, None),
        ("2,1,4 3,4", True, "B as 1,3,4"),
        ("1,3 4", True, "B as 4,1"),
        ("2,3,4 2,3", True, None),
        ("2,3 2,4", True, None),
        ("2,3,4 N,2", True, None),
        ("0,2 2", False, None),
        ("1,2,3,4,5 2", False, None),
    ],
)
def test_notes_of_ncnn(question: str, garbage: bool, explicit: str | None) -> None:
    """On a mismatch ncnn reports nothing, and its CPU engine may accept it as a longer shape."""
    noted = texts(asked("ncnn", question))
    assert (GARBAGE in noted) is garbage
    by_cpu = [text for text in noted if "CPU engine" in text]
    assert by_cpu == [
        f"ncnn's CPU engine reads {taken} and accepts it; its Vulkan engine does not. "
        f"Write {taken.split()[-1]}"
        for taken in [explicit]
        if taken
    ]


def test_ncnn_accepts_what_a_note_says_to_write() -> None:
    """The explicit shape that a note gives instead of a mismatch broadcasts by the rule."""
    chance = random.Random(15)
    seen = 0
    for _ in range(1000):
        order = chance.choice(["ncnn", "numpy"])
        shapes = sorted(random_shapes(chance, 2, sizes=(1, 2, 3)), key=len)
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
            "both operands stretch: 64 and 64 elements become 4,096 (64x)",
        ),
        (
            [(3, 1), (1, 4), (2, 1, 1)],
            (2, 3, 4),
            "all operands stretch: 3, 4 and 2 elements become 24 (6x)",
        ),
        (
            [(2, 2, 1), (1, 1, 3)],
            (2, 2, 3),
            "both operands stretch: 4 and 3 elements become 12 (3x)",
        ),
        ([(2, 1), (1, 3), (1, 1), (1, 1), (1, 1)], (2, 3), "up to 3 elements become 6 (2x)"),
        ([(4, 1, 3), (1, 4, 1), (4, 1)], (4, 4, 3), "12, 4 and 4 elements become 48 (4x)"),
        ([(4, 3, 1, 1), (1, 1, 5, 2)], (4, 3, 5, 2), "12 and 10 elements become 120 (10x)"),
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
        ("numpy", "64,1 64", True),
        ("numpy", "8,1,6,1 7,1,5", True),
        ("onnx", "3,1 1,4", True),
        ("bidirectional", "3,1 1,4", True),
        ("ncnn", "2,1 1,3", True),
        ("numpy", "3,1 1,4 1,1,2,1,1", True),
        ("numpy", "N,1 M", True),
        ("numpy", "2,1 N", True),
        # A size that is not known may be the result's.
        ("numpy", "N,1 1,M 3,4", False),
        ("numpy", "N M", False),
        ("numpy", "3,4 4", False),
        ("numpy", "3,1 1,4 3,4", False),
        # An axis of size 1 is there whether it stretches or not.
        ("numpy", "3 1,3", False),
        ("numpy", "1,3 3", False),
        ("numpy", "3", False),
        ("numpy", "() ()", False),
        ("numpy", "3,1 1,0", True),
        ("numpy", "3,1,2 4,5", False),
        ("onnx-uni", "3,4 1,1", False),
        ("none", "1 1", False),
        ("pdpd", "3,4 1", False),
        ("ncnn", "1,3 3", False),
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
        answer = of_shapes(rule, *random_shapes(chance, 2))
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


@each_row(
    ("question", "noted"),
    [
        ("2,2 2", "B would also fit A's w, but ncnn tries the last axes (inner) first"),
        ("2 2,3,2", "A would also fit B's w, but ncnn tries the last axes (inner) first"),
        (
            "2,3,2 2 --order numpy",
            "B would also fit A's w, but ncnn tries the last axes (inner) first",
        ),
        ("2,3 2", None),
        ("3,2 2", None),
        ("1,1 1", None),
        ("2,2 2,2", None),
        ("2,2,2 2,2", None),
    ],
)
def test_note_where_a_size_fits_two_axes(question: str, noted: str | None) -> None:
    """Under ncnn a shape of one axis that could start at w too is aligned with the last axis."""
    answer = asked("ncnn", question)
    found = [note for note in answer.notes if "also fit" in note.text]
    assert found == ([("layout", noted)] if noted else [])


@each_row(
    ("question", "made"),
    [
        ("5,3,4 5", "B to 5,1,1"),
        ("2,3,4 2", "B to 2,1,1"),
        ("5,3,4 5,3", "B to 5,3,1"),
        ("5,3 5,3,4", "A to 5,3,1"),
        ("4,3,5 5 --order numpy", "B to 1,1,5"),
        ("5,3,4 4", None),
        ("5,3,4 3,4", None),
        ("5,3,4 1", None),
        ("5,3,4 ()", None),
        ("5,3 5,1", None),
        ("2,3,N M", "B to M,1,1"),
        ("1,2,3,4,5 1", None),
    ],
)
def test_note_of_pnnx(question: str, made: str | None) -> None:
    """Where ranks differ, pnnx makes numpy's broadcasting explicit with ones that it appends."""
    noted = [note for note in asked("ncnn", question).notes if "pnnx" in note.text]
    says = f"pnnx keeps NumPy's meaning: it inserts a Reshape of {made}"
    assert noted == ([] if made is None else [Note("engine", says)])


def test_note_of_ncnns_layout() -> None:
    """A note stands in for the axes where unknown sizes decide how the operands lie."""
    for question in ("2,N 2", "2,3,4 N", "2,3,4 N,4", "2,3,4 2", "N N", "2,3,4 N,3"):
        answer = asked("ncnn", question)
        noted = [note.text for note in answer.notes if note.kind == "layout"]
        says = "how the operands line up depends on the unknown sizes"
        assert noted == ([says] if answer.axes is None else [])


def test_note_of_numpys_own_limit() -> None:
    """Only above 32 axes is there something to say of NumPy, and only under its own rule."""
    assert texts(of_shapes("numpy", (1,) * 32)) == []
    says = "NumPy itself allows at most 64 axes, and numpy.broadcast_shapes 32"
    assert of_shapes("numpy", (1,) * 33).notes == (Note("engine", says),)
    assert texts(of_shapes("onnx", (1,) * 33)) == []


def test_pdpd_resolves_no_axis_where_b_has_more() -> None:
    """The default is no axis of A where B has more axes, however many."""
    for question in ("2 2,3", "2 2,3,4"):
        assert asked("pdpd", question).options == {"axis": -1}


@pytest.mark.parametrize("question", ["2,3 1,1,1 --axis 1", "2 1,1 --axis 0"])
def test_pdpd_always_states_its_axis(question: str) -> None:
    """The axis that was given is stated even where the ranks do not fit."""
    axis = question[-1]
    answer = asked("pdpd", question)
    assert answer.options == {"axis": int(axis)}
    assert f"B starts at axis {axis} (--axis {axis})" in texts(answer)


@each_row(
    ("question", "differs"),
    [
        ("? ?", True),
        ("N M", True),
        ("N N", False),
        ("1 ?", False),
        ("3,? 3,4", False),
        ("3,? 1,?", True),
    ],
)
def test_note_of_a_target_that_is_not_known(question: str, differs: bool) -> None:
    """A result that may differ from the target is noted, with or without names for the sizes."""
    kinds = [note.kind for note in asked("bidirectional", question).notes]
    assert kinds == (["target"] if differs else [])


def test_note_of_a_target_that_surely_differs() -> None:
    """One axis on which the result is not the target is enough to say so."""
    [note] = texts(asked("bidirectional", "4,N 1,1"))
    assert "is not the target shape 1,1" in note


def test_note_of_a_target_that_may_differ() -> None:
    """Where the result is the target for some numbers only, the note does not say more."""
    [note] = texts(asked("bidirectional", "N 1"))
    assert note.startswith("the result N may differ from the target shape 1: ")
    [note] = texts(asked("bidirectional", "N M"))
    assert note.startswith("the result ? may differ from the target shape M: ")


def test_note_of_a_target_says_what_the_target_has() -> None:
    """A target of unknown size is not said to have a 1."""
    [note] = texts(asked("bidirectional", "3,4 3,N"))
    assert "the result 3,4 may differ from the target shape 3,N" in note
    assert "target has a 1" not in note
    [note] = texts(asked("bidirectional", "N,4 1,4"))
    assert note.endswith("target shape 1,4: target has a 1 where A may have another size")


@each_row("question", ["x=2,3 bias=1,3", "x=1,3 bias=0,3", "x=0,3 bias=1,3"])
def test_notes_call_operands_by_their_names(question: str) -> None:
    """Operands with names are called by them, never A and B."""
    noted = " ".join(texts(asked("pdpd", question)))
    assert "2023" in noted
    assert {"A", "B"}.isdisjoint(noted.replace(",", " ").split())


@each_row("rule", RULES)
def test_kinds_of_notes(rule: str) -> None:
    """Every note of a random question says of which kind it is, in one line."""
    chance = random.Random(16)
    kinds = {"axis", "trim", "target", "engine", "layout", "stretch"}
    for _ in range(200):
        for note in of_shapes(rule, *random_shapes(chance, 2)).notes:
            assert note.kind in kinds
            assert note.text == note.text.strip()
            assert "\n" not in note.text
