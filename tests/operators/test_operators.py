"""The ONNX operators: their table, and what each one makes of its inputs, by the document."""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from bcastcli.core.alignment import Operand
from bcastcli.core.shapes import Shape
from bcastcli.operators.table import Version
from tests.cases.operator_documents import DOCUMENTS, Document, random_question
from tests.effort import many
from tests.in_memory import run
from tests.operators.asking import TABLE, ask, of_shapes, plain, questions, until
from tests.rows import each_row

LISTED_ONLY = {"Einsum"}
BROADCASTING = TABLE.keys() - LISTED_ONLY
VERSIONS = [
    version
    for name in sorted(BROADCASTING)
    for version in TABLE[name]
    if not version.rule.startswith("onnx-legacy")
]


# The table.


def test_table() -> None:
    """The table has 34 operators; each one's versions follow each other, and change something."""
    assert len(TABLE) == 34
    for name, versions in TABLE.items():
        opsets = [version.since_opset for version in versions]
        assert opsets == sorted(set(opsets)), name
        assert {version.op for version in versions} == {name}
        assert {version.rule for version in versions} <= {
            *("onnx", "onnx-uni", "none", "onnx-legacy", "onnx-legacy-prelu")
        }
        assert all(version.inputs for version in versions)


@each_row("version", VERSIONS)
def test_every_version(version: Version) -> None:
    """In the first and in the last of its opsets, a version of an operator decides by its rule."""
    for question, expected in questions(version).items():
        for opset in {version.since_opset, until(version)}:
            arguments = [version.op, *question.split(), "--opset", str(opset)]
            status, line = plain(*arguments)
            if expected is None:
                assert (status, line.startswith("mismatch: ")) == (1, True), (arguments, line)
            else:
                assert (status, line) == (3 if " when " in expected else 0, expected), arguments


@each_row("output", ["plain", "table"])
def test_unknown_name_on_a_line(output: str) -> None:
    """A name on a line cannot steer the terminal on which the answers are read."""
    ended = run(["op", "-", "-f", output], b'q\x1b[1m 2\n{"op": "q\\u001b[1m", "shapes": []}\n')
    assert ended.status == 2
    assert "\x1b" not in ended.out
    assert ended.out.count("x1b") >= 2
    assert "q\\x1b[1m is not known;" in run(["op", "q\x1b[1m", "2"]).err


def test_before_it_exists() -> None:
    """In an opset before an operator's first, it says since when there is one."""
    for name, versions in TABLE.items():
        first = versions[0].since_opset
        if first > 1:
            since = (
                f"{name} was introduced in opset {first} and does not exist in opset {first - 1}"
            )
            for arguments in ([name, "2"], [name]):
                ended = run(["op", *arguments, f"--opset={first - 1}"])
                assert (ended.status, ended.out) == (2, "")
                assert ended.err.startswith(f"bcastcli: {since}\n")


def numbered(shapes: Sequence[Shape], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Every choice of small numbers for the unknown sizes, by the names that conditions use."""
    unnamed = [
        (names[place], axis)
        for place, shape in enumerate(shapes)
        for axis, size in enumerate(shape)
        if size == "?"
    ]
    named = sorted({size for shape in shapes for size in shape if isinstance(size, str)} - {"?"})
    for numbers in product(range(5), repeat=len(named) + len(unnamed)):
        chosen: dict[str, Any] = dict(zip(named, numbers, strict=False))
        places = dict(zip(unnamed, numbers[len(named) :], strict=True))
        for place, shape in enumerate(shapes):
            chosen[names[place]] = tuple(
                places.get((names[place], axis), chosen.get(str(size), size))
                for axis, size in enumerate(shape)
            )
        yield chosen


@each_row("document", DOCUMENTS)
def test_known_sizes_by_the_document(document: Document) -> None:
    """For sizes that are known, an answer is what the operator's document says."""
    chance = random.Random(f"known {document.name} {document.opset}")
    verdicts = set()
    for _ in range(many(1_500)):
        shapes, options = random_question(document, chance, (0, 1, 2, 3, 3))
        answer = of_shapes(document.name, shapes, document.opset, **options)
        expected = document.says(*shapes, **options)
        assert (answer.ok, answer.result) == (expected is not None, expected), (shapes, options)
        assert (answer.reason is None) == answer.ok
        verdicts.add(answer.ok)
    assert verdicts == {True, False}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: f"{each.name}-{each.opset or ''}")
def test_unknown_sizes_by_the_document(document: Document) -> None:
    """Whatever numbers are put for unknown sizes, the condition and the result hold for them."""
    chance = random.Random(f"unknown {document.name} {document.opset}")
    verdicts = set()
    count = 0
    while count < many(500):
        shapes, options = random_question(document, chance, (1, 2, 3, "N", "M", "?"))
        unknown = {size for shape in shapes for size in shape if isinstance(size, str)} - {"?"}
        if not 1 <= len(unknown) + sum(shape.count("?") for shape in shapes) <= 3:
            continue
        count += 1
        answer = of_shapes(document.name, shapes, document.opset, **options)
        names = [operand.name for operand in answer.question.inputs]
        outcomes = set()
        for chosen in numbered(shapes, names):
            scope = {**chosen, **{name: SimpleNamespace(shape=chosen[name]) for name in names}}
            expected = document.says(*(chosen[name] for name in names), **options)
            outcomes.add(expected is not None)
            holds = answer.ok if answer.when is None else eval(answer.when, {}, scope)
            assert holds == (expected is not None), (shapes, options, answer.when, chosen)
            if expected is not None:
                assert answer.result is not None
                assert len(answer.result) == len(expected)
                pairs = zip(answer.result, expected, strict=True)
                known = [(chosen.get(str(own), own), size) for own, size in pairs if own != "?"]
                assert all(own == size for own, size in known), (shapes, options, answer.result)
        assert answer.ok == (outcomes.pop() if len(outcomes) == 1 else None), (shapes, options)
        verdicts.add(answer.ok)
    assert verdicts == {True, False, None}


def test_a_name_of_an_input_that_is_taken() -> None:
    """A size may be called like an input: the inputs' own names are others then."""
    answer = ask("Where", "X,1 Y 3")
    assert [operand.name for operand in answer.question.inputs] == ["in1", "in2", "in3"]
    assert ask("Gemm", "A,3 3,B").operand_names == ("X@Y",)
    assert list(ask("PRelu", "slope=2,3 X=3").operands) == [
        Operand("slope", (2, 3)),
        Operand("X", (3,)),
    ]
