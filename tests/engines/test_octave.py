"""GNU Octave judges left."""

import shutil
import subprocess
from collections.abc import Sequence
from math import prod

import pytest

from tests.engines.judging import (
    REQUIRED,
    Answered,
    answered,
    answered_unknown,
    fresh,
    judge,
    several,
)
from tests.strategies import Kind, Known, Question, questions

OCTAVE = shutil.which("octave-cli")
if OCTAVE is None and not REQUIRED:
    pytest.skip("octave-cli is missing: apt-get install octave", allow_module_level=True)

SMALL = Kind("left", most_elements=512)
"""Octave computes the sums."""


def as_octave_has_it(shape: Known) -> Known:
    """A shape with two axes at least, and no ones behind them."""
    padded = [*shape, *(1,) * (2 - len(shape))]
    while len(padded) > 2 and padded[-1] == 1:
        padded.pop()
    return tuple(padded)


def octave_says(asked: Sequence[Question]) -> dict[Question, Known | None]:
    """The size of each sum; None where Octave refuses it."""
    script = []
    for question in asked:
        arrays = (f"zeros({list(as_octave_has_it(shape))},'int8')" for shape in question.shapes)
        total = "+".join(arrays)
        script.append(f"try printf('%d ',size({total})); catch printf('no'); end; puts(\"\\n\");")
    assert OCTAVE
    ended = subprocess.run(
        [OCTAVE, "--norc", "--quiet"],
        input="\n".join(script),
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    lines = ended.stdout.splitlines()
    assert len(lines) == len(asked), ended.stderr
    said = (None if "no" in line else tuple(map(int, line.split())) for line in lines)
    return dict(zip(asked, said, strict=True))


def fitting(kind: Kind, count: int, label: str) -> list[Question]:
    """Questions whose sums are small enough to be computed."""
    drawn = questions(kind, count, fresh(label))
    return [each for each in drawn if prod(prod(shape) or 1 for shape in each.shapes) < 10**6]


def judged_by_octave(answers: Sequence[Answered]) -> None:
    """Hold answers against the sums that Octave makes, trailing ones aside."""
    said = octave_says([question for question, _ in answers])
    judge(
        "octave",
        answers,
        said.__getitem__,
        lambda _, ours: None if ours.result is None else as_octave_has_it(ours.result),
    )


@pytest.mark.parametrize("counts", [(2,), (2, 3, 4)])
def test_known_sizes(counts: Sequence[int]) -> None:
    """Octave adds what we say that broadcasts, and the sum has our shape, trailing ones aside."""
    answers = answered(fitting(SMALL._replace(counts=counts), several(2_500), f"octave {counts}"))
    judged_by_octave(answers)


def test_unknown_sizes() -> None:
    """So it does with numbers put for sizes that were not known when we answered."""
    chance = fresh("octave unknown")
    answers = answered_unknown(fitting(SMALL, several(1_000), "octave unknown"), chance)
    judged_by_octave(answers)
