"""The steps: what they say is what NumPy does, on random questions of every rule."""

import re
from itertools import islice
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest

from bcastcli.cli.main import main
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import written
from bcastcli.notation.questions import answer_line
from bcastcli.reports.numpy_code import explicit, numpy_expression
from bcastcli.rules import RULES
from tests.effort import many
from tests.in_memory import run
from tests.rows import each_row
from tests.strategies import random_answers


def arrays(answer: Answer) -> dict[str, Any]:
    """The operands as arrays of distinct numbers, as NumPy has them: outermost axis first."""
    made, count = {}, 1
    for name, sizes in answer.operands:
        shape = tuple(map(int, sizes[:: -1 if answer.innermost_first else 1]))
        made[name] = np.arange(count, count + prod(shape)).reshape(shape)
        count += prod(shape)
    return made


def places(answer: Answer, place: tuple[int, ...]) -> tuple[int, ...]:
    """Which element of the smaller operand meets a place in the result, by the rule's document.

    The place, and the answer, are in the order of the shapes as typed.
    """
    (_, first), (_, second) = answer.operands
    larger, smaller = (first, second) if len(first) >= len(second) else (second, first)
    if answer.rule.name == "pdpd":
        start = answer.options["axis"]
        assert isinstance(start, int)
        # Where B's ones lie past A's end, there is no place, and its only index is 0.
        padded = (*place, *[0] * len(smaller))[start : start + len(smaller)]
    elif answer.rule.name == "onnx-uni":
        padded = place[len(place) - len(smaller) :]
    elif len(smaller) == len(larger) or set(smaller) <= {1}:
        padded = place[: len(smaller)]
    else:
        w_first = answer.options["order"] == "ncnn"
        last = place[-len(smaller) :] if w_first else place[: len(smaller)]
        aim = larger[-len(smaller) :] if w_first else larger[: len(smaller)]
        w = place[0] if w_first else place[-1]
        padded = last if aim == smaller else (w,)
    return tuple(0 if own == 1 else index for own, index in zip(smaller, padded, strict=True))


@each_row("rule", RULES)
def test_written_out(rule: str) -> None:
    """The written-out equivalent, executed by NumPy, gives the result.

    Under rules that lay an operand their own way it meets what their documents say that it meets.
    """
    found = (each for each in random_answers(rule, Random(6), (0, 1, 1, 2, 3, 3, 4)) if each.ok)
    for answer in islice(found, many(250)):
        made, flip = arrays(answer), -1 if answer.innermost_first else 1
        scope = {"A": made["A"], "numpy": np} if answer.rule.second_is_target else dict(made)
        result = eval(str(numpy_expression(answer)), scope)
        assert np.shape(result) == (answer.result or ())[::flip], answer.operands
        if rule not in ("onnx-uni", "pdpd", "ncnn"):
            continue
        larger, smaller = made.values()
        if smaller.ndim > larger.ndim:
            larger, smaller = smaller, larger
        for place in np.ndindex(result.shape):
            own = tuple(0 if size == 1 else i for size, i in zip(larger.shape, place, strict=True))
            other = places(answer, place[::flip])[::flip]
            assert result[place] == larger[own] + smaller[other], (answer.operands, place)


@each_row("question", ["numpy 3,4 3", "onnx-uni 3 2,3", "none 2,3 3", "pdpd 2 3,4", "ncnn 0 1"])
def test_a_mismatch_ends_where_it_fails(capsys: pytest.CaptureFixture[str], question: str) -> None:
    """A mismatch is aligned and compared, and nothing is said of a result."""
    assert main([*question.split(), "--steps"]) == 1
    said = capsys.readouterr().out
    assert "2 compare" in said
    assert said.splitlines()[-1].startswith("mismatch: ")
    assert not re.search("stretch  |written out", said)


@each_row(
    ("question", "sentence"),
    [
        ("numpy 3 4", "axis 0: 3 and 4, and neither is 1"),
        ("onnx-uni 1 3", "axis 0: 1 and 3, and A never stretches"),
        ("onnx-uni 2 3", "axis 0: 2 and 3, and B must be 2 or 1 there"),
        ("none 3 4", "axis 0: 3 and 4, and nothing stretches"),
        ("none 2,3 4", "axis 1: 3 and 4, and nothing stretches"),
        ("same-rank 6,3 3", "axis 0: 6, but B has no such axis"),
        ("none M,3 N,2 1", "axis 0: M and N, but C has no such axis"),
        ("pdpd 1,M,3 3,3 --axis 2", "axis 3: 3, but A has no such axis"),
        ("ncnn 2,0 3,0", "axis w: 2 and 3 clash"),
        ("ncnn 0,3 2", "axis w: 0, and ncnn has no empty axes"),
        ("pdpd 2,3 4", "axis 1: 3 and 4, and B must be 3 or 1 there"),
        ("ncnn 3 4", "axis w: 3 and 4, and neither is 1"),
    ],
)
def test_an_axis_clashes_in_the_words_of_its_rule(question: str, sentence: str) -> None:
    """In the steps and below the picture; under another rule a 1 may not help."""
    command = question.split()
    assert sentence in run([*command, "--steps"]).out
    assert sentence.partition(": ")[2] in run([*command, "--picture"]).out


@each_row(
    ("rule", "line", "options", "shapes", "expression"),
    [
        ("numpy", "2,3", {}, "2,3", "A"),
        ("numpy", "2 scalar x=2", {}, "2 1 2", "A + B.reshape(1) + x"),
        ("pdpd", "2,3 3,N", {"axis": 1}, "2,3 1,3", "A + B.reshape(1,3)"),
        ("ncnn", "2,3,4 3,4", {}, "4,3,2 4,3,1", "A + B.reshape(4,3,1)"),
        ("ncnn", "4,3,2 4,3", {"order": "numpy"}, "4,3,2 4,3,1", "A + B.reshape(4,3,1)"),
        ("bidirectional", "3,1 2,1,6", {}, "1,3,1 2,1,6", "A.reshape(1,3,1) * numpy.ones((2,1,6))"),
        # a size that nobody named, and one with a name
        ("numpy", "2,N,4 ?,4", {}, "2,N,4 1,?,4", "A + B.reshape(1,B.shape[0],4)"),
        ("numpy", "2,3 N", {}, "2,3 1,N", "A + B.reshape(1,N)"),
        ("ncnn", "4,?,7 ?,7", {}, "7,?,4 7,?,1", "A + B.reshape(7,B.shape[1],1)"),
        ("bidirectional", "3,1 ?", {}, "3,1 1,?", "A * numpy.ones((1,target[0]))"),
    ],
)
def test_examples(
    rule: str, line: str, options: dict[str, int | str], shapes: str, expression: str
) -> None:
    """Operands get the rank of the result; one that has it stands as it is."""
    answer = answer_line(RULES[rule], line, options)
    assert " ".join(written(each.shape) for each in explicit(answer)) == shapes
    assert numpy_expression(answer) == expression
