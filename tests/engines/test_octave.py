"""GNU Octave judges left."""

import shutil
import subprocess
from math import prod

import pytest

from tests.engines.judging import REQUIRED, answered, answered_unknown, fresh, judge, several
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


def octave_says(asked: list[Question]) -> dict[Question, Known | None]:
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


@pytest.mark.parametrize("counts", [(2,), (2, 3, 4)])
@pytest.mark.parametrize("is_known", [True, False])
def test_sums(counts: tuple[int, ...], is_known: bool) -> None:
    """Octave adds what we say that broadcasts, and the sum has our shape, trailing ones aside.

    So it does with numbers put for sizes that were not known when we answered.
    """
    chance = fresh(f"octave {counts} {is_known}")
    drawn = questions(SMALL._replace(counts=counts), several(2_500), chance)
    small = [each for each in drawn if prod(prod(shape) or 1 for shape in each.shapes) < 10**6]
    answers = answered(small) if is_known else answered_unknown(small, chance)
    says = octave_says([question for question, _ in answers])
    judge(
        "octave",
        answers,
        says.__getitem__,
        lambda _, ours: None if ours.result is None else as_octave_has_it(ours.result),
    )
