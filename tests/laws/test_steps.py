"""The steps: what they say is what NumPy does, on random questions of every rule."""

import json
import random
import re
from collections.abc import Iterator
from itertools import count, islice, pairwise
from math import prod
from typing import Any

import numpy as np
import pytest

from bcastcli.cli.main import main
from bcastcli.core.answer import Answer
from bcastcli.picture import steps as reports
from bcastcli.picture.figure import Step
from bcastcli.picture.report import PicturedReport
from bcastcli.render import Terminal
from bcastcli.render.json import line
from bcastcli.render.sheet import Sheet
from bcastcli.render.table import show
from bcastcli.reports.memory import Product, elements, operand_uses, product
from bcastcli.reports.numpy_code import as_expressions, explicit_shapes, numpy_expression
from bcastcli.rules import RULES
from tests.effort import many
from tests.in_memory import run
from tests.rows import each_row
from tests.strategies import random_answer

Array = np.ndarray[Any, Any]
QUESTIONS = many(250)
"""So many that broadcast, for each rule."""


def random_questions(rule: str, seed: int) -> Iterator[Answer]:
    """Questions of known sizes that broadcast."""
    chance = random.Random(seed)
    answers = (random_answer(chance, rule, (0, 1, 1, 2, 3, 3, 4)) for _ in count())
    return islice((answer for answer in answers if answer.ok), QUESTIONS)


def arrays(answer: Answer) -> dict[str, Array]:
    """The operands as arrays of distinct numbers, as NumPy has them: outermost axis first."""
    flip = -1 if answer.rule.innermost_first(answer.question.options) else 1
    made = {}
    count = 1
    for name, sizes in answer.operands:
        shape = tuple(map(int, sizes[::flip]))
        made[name] = np.arange(count, count + prod(shape), dtype=np.int64).reshape(shape)
        count += prod(shape)
    return made


def result_of(answer: Answer) -> tuple[int, ...]:
    """The result's shape as NumPy has it."""
    assert answer.result is not None
    flip = -1 if answer.rule.innermost_first(answer.question.options) else 1
    return tuple(int(size) for size in answer.result[::flip])


def stretched(answer: Answer) -> list[Array]:
    """The operands, reshaped as the steps say and then stretched by NumPy."""
    made = arrays(answer)
    texts = as_expressions(answer)
    assert texts is not None
    return [np.broadcast_to(eval(text, {**made}), result_of(answer)) for text in texts]


@each_row("rule", RULES)
def test_written_out(rule: str) -> None:
    """The written-out equivalent, executed by NumPy, gives the result."""
    for answer in random_questions(rule, 1):
        text = numpy_expression(answer)
        assert text is not None
        made: dict[str, Any] = arrays(answer)
        if answer.rule.second_is_target:
            made = {"A": made["A"], "numpy": np}
        assert np.shape(eval(text, made)) == result_of(answer), (text, answer.operands)


@each_row("rule", RULES)
def test_strides(rule: str) -> None:
    """The strides are NumPy's, in elements: of its view, and where nothing stretches of the array.

    NumPy's view has a stride of 0 on every axis of size 1, stretched or not.
    """
    for answer in random_questions(rule, 2):
        flip = -1 if answer.rule.innermost_first(answer.question.options) else 1
        texts = as_expressions(answer)
        assert texts is not None
        for use, text, view in zip(operand_uses(answer), texts, stretched(answer), strict=False):
            if use.elements == Product(0):
                continue
            array = eval(text, arrays(answer))
            both = zip(view.shape, view.strides, array.strides, strict=True)
            own = [
                (alone if size == 1 else stride) // view.itemsize for size, stride, alone in both
            ]
            assert list(use.strides) == [Product(step) for step in own[::flip]], answer.operands


@each_row("rule", RULES)
def test_gradient(rule: str) -> None:
    """Summed over the axes named, the result's gradient is each operand's own."""
    for answer in random_questions(rule, 3):
        result = result_of(answer)
        upstream = np.arange(1, 1 + int(np.prod(result, dtype=int))).reshape(result)
        flip = answer.rule.innermost_first(answer.question.options)
        views = stretched(answer)
        for number, use in enumerate(operand_uses(answer)):
            assert all(each.when is None for each in use.sums)
            numbers = [len(result) - 1 - s.axis.number if flip else s.axis.number for s in use.sums]
            kept = [place for place, s in zip(numbers, use.sums, strict=True) if s.keeps]
            dropped = [place for place in numbers if place not in kept]
            summed = upstream.sum(tuple(kept), keepdims=True).sum(tuple(dropped))
            if use.trimmed is not None:
                summed = summed.reshape([int(str(size)) for size in use.trimmed])
            else:
                summed = summed.transpose(np.argsort(use.order).astype(int))
            # Each element of the operand gets what arrives at its copies.
            array = arrays(answer)[use.name]
            own = dict.fromkeys(array.ravel().tolist(), 0)
            for value, arriving in zip(
                views[number].ravel().tolist(), upstream.ravel().tolist(), strict=True
            ):
                own[value] += arriving
            expected = np.array(list(own.values()), dtype=int).reshape(array.shape)
            assert summed.shape == array.shape, answer.operands
            assert summed.tolist() == expected.tolist(), answer.operands


@each_row("rule", RULES)
def test_elements_and_bytes(rule: str) -> None:
    """Elements and bytes are NumPy's size and nbytes, of each operand and of the result."""
    for answer in random_questions(rule, 4):
        result = np.empty(result_of(answer), np.float32)
        assert elements(answer) == Product(result.size)
        for use, array in zip(operand_uses(answer), arrays(answer).values(), strict=False):
            assert use.elements == Product(array.size)
        text = steps(answer)
        [line] = re.findall(r"^size .*$", text, re.MULTILINE)
        assert f" {result.size:,} element" in line
        if result.nbytes < 1024:
            assert f", {result.nbytes} B as float32" in line


def steps(answer: Answer) -> str:
    return show(Sheet("", "", tuple(reports.steps(answer))), Terminal())


@each_row("rule", RULES)
def test_explicit_shapes_broadcast_by_numpy(rule: str) -> None:
    """Under every rule, what is written out broadcasts by NumPy's rule to the same result."""
    for answer in random_questions(rule, 5):
        shapes = explicit_shapes(answer)
        assert shapes is not None
        known = [tuple(map(int, shape)) for shape in shapes]
        assert np.broadcast_shapes(*known) == result_of(answer)


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


@each_row("rule", ["onnx-uni", "pdpd", "ncnn"])
def test_values(rule: str) -> None:
    """The written-out equivalent meets the elements that the rule's document says meet."""
    for answer in random_questions(rule, 6):
        made = arrays(answer)
        flip = -1 if answer.rule.innermost_first(answer.question.options) else 1
        result = eval(str(numpy_expression(answer)), {**made})
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
    assert not re.search("stretch  |written out|gradient|(?m:^size )", said)


@each_row(
    ("option", "output", "formats"),
    [
        ("--steps", "plain", "table or json"),
        ("--steps", "svg", "table or json"),
        ("--picture", "plain", "table or svg"),
        ("--picture", "json", "table or svg"),
    ],
)
def test_formats_without_room(
    capsys: pytest.CaptureFixture[str], option: str, output: str, formats: str
) -> None:
    """Formats for programs have no pictures, those of one line no steps, and say which have."""
    assert main(["numpy", "2", "2", option, "-f", output]) == 2
    assert capsys.readouterr() == ("", f"bcastcli: {option} needs --format {formats}\n")


@each_row("rule", RULES)
def test_json_has_what_the_steps_count(rule: str) -> None:
    """Its elements, bytes, strides and axes are those of NumPy, as the tests above hold them."""
    for answer in random_questions(rule, 7):
        [record] = PicturedReport(answer, steps=Step.RESULT).records()
        asked = json.loads(line(record))
        result = result_of(answer)
        assert (asked["elements"], asked["bytes"]) == (prod(result), 4 * prod(result))
        found = {each["name"]: each for each in asked["operands"]}
        for use in operand_uses(answer):
            assert found[use.name]["strides"] == [step and step.number for step in use.strides]
            summed = [each.axis.number for each in use.sums]
            assert found.pop(use.name)["gradient_axes"] == summed
        assert all(each["strides"] is each["gradient_axes"] is None for each in found.values())


@each_row(
    ("question", "keys"),
    [
        ("numpy 3,4 3", (None, None, [None, None], [None, None])),
        ("numpy N,4 4", ("4*N", "16*N", [[4, 1], [0, 1]], [[], [0]])),
        ("numpy N,4 3,4", (12, 48, [[None, 1], [4, 1]], [None, []])),
        ("bidirectional 3,1 2,3,6", (36, 144, [[0, 1, 0], None], [[0, 2], None])),
    ],
)
def test_json_of_what_is_not_known(
    capsys: pytest.CaptureFixture[str], question: str, keys: tuple[object, ...]
) -> None:
    """A mismatch and a target have nothing to count; names stand in products; else it is null."""
    main([*question.split(), "--steps", "--json"])
    said = json.loads(capsys.readouterr().out)
    operands = [[each[key] for each in said["operands"]] for key in ("strides", "gradient_axes")]
    assert (said["elements"], said["bytes"], *operands) == keys


@pytest.mark.parametrize(("question", "count"), [("2,N 2", 1), ("2,3,4 N,4", 0)])
def test_how_operands_lie_is_said_once(
    capsys: pytest.CaptureFixture[str], question: str, count: int
) -> None:
    """Where unknown sizes decide how the operands lie, the first step says so, and no note does."""
    main(["ncnn", "--steps", *question.split()])
    said = capsys.readouterr().out.count("the unknown sizes decide how the operands line up")
    assert said == count


def test_product() -> None:
    """A product knows its zero, and hides a factor 1."""
    assert [
        str(product(sizes)) for sizes in ((), (1, "N"), (0, "N"), ("N", 2, "N"), (10**20,))
    ] == ["1", "N", "0", "2*N*N", "about 10**20"]


@each_row(
    ("question", "sentence"),
    [
        ("numpy 3 4", "axis 0: 3 and 4: neither is 1"),
        ("numpy 3 4 5", "axis 0: 3, 4 and 5: none is 1"),
        ("onnx-uni 1 3", "axis 0: 1 and 3: A never stretches"),
        ("onnx-uni 2 3", "axis 0: 2 and 3: B must be 2 or 1 there"),
        ("none 3 4", "axis 0: 3 and 4: nothing stretches"),
        ("none 3 1", "axis 0: 3 and 1: nothing stretches"),
        ("none 2,3 4", "axis 1: 3 and 4: not allowed"),
        ("pdpd 2,3 4", "axis 1: 3 and 4: B must be 3 or 1 there"),
        ("bidirectional 3 4", "axis 0: 3 and 4: neither is 1"),
        ("ncnn 3 4", "axis w: 3 and 4: neither is 1"),
    ],
)
def test_an_axis_clashes_in_the_words_of_its_rule(question: str, sentence: str) -> None:
    """In the steps and below the picture; under another rule a 1 may not help."""
    command = question.split()
    assert sentence in run([*command, "--steps"]).out
    assert sentence.partition(": ")[2] in run([*command, "--picture"]).out


@each_row("line", ["numpy 4,1 3", "numpy 4,3 4", "pdpd 2,3,4 3,1 --axis 1"])
def test_up_to_a_step(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--until cuts the steps: each shows more below, the answer only in the last one."""
    shown = []
    for step in ("align", "compare", "stretch", "result"):
        main([*line.split(), "--steps", "--until", step])
        shown.append(re.sub("  +", "  ", capsys.readouterr().out))
    assert shown[0] != shown[1]
    for fewer, more in pairwise(shown):
        assert more.startswith(fewer)
    titles = [re.findall(r"^\d (\w+)", text, re.MULTILINE)[-1] for text in shown]
    refused = "mismatch" in shown[-1]
    assert titles == ["align", "compare", *["compare" if refused else "stretch"] * 2]
    assert [text.endswith(shown[-1].splitlines()[-1] + "\n") for text in shown] == [
        *(False, refused, refused, True)
    ]
