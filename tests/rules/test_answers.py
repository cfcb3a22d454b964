"""Whole answers of each rule (rules/): what it decides and says, and what engines do otherwise."""

import random
from pathlib import Path

import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Note
from tests.answered import facts, keep_answers, suggestions
from tests.strategies import of_shapes, random_shapes


def test_answers(pytestconfig: pytest.Config) -> None:
    """Everything that is found of a question is as it was read."""
    keep_answers(Path(__file__).with_name("answers.txt"), pytestconfig, facts)


def test_suggestions(pytestconfig: pytest.Config) -> None:
    """What to write instead, in this order, and nothing where nothing is likely."""
    keep_answers(Path(__file__).with_name("suggestions.txt"), pytestconfig, suggestions)


def texts(answer: Answer) -> list[str]:
    return [note.text for note in answer.notes]


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


def test_note_of_numpys_own_limit() -> None:
    """Only above 32 axes is there something to say of NumPy, and only under its own rule."""
    assert texts(of_shapes("numpy", (1,) * 32)) == []
    says = "NumPy itself allows at most 64 axes, and numpy.broadcast_shapes 32"
    assert of_shapes("numpy", (1,) * 33).notes == (Note("engine", says),)
    assert texts(of_shapes("onnx", (1,) * 33)) == []
