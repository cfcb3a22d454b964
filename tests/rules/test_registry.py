"""The rules (rules/): their registry, what each one decides, and how the operands line up."""

import random
import re
from collections.abc import Callable

import pytest

from bcastcli.core.rule import Option, Rule
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES
from tests.in_memory import run
from tests.rows import each_row
from tests.strategies import of_shapes

# The registry.


def test_order_of_rules() -> None:
    """The rules are listed in one order, each under its own name."""
    names = ["numpy", "onnx", "onnx-uni", "none", "pdpd", "bidirectional", "ncnn"]
    names += ["left", "same-rank", "explicit"]
    assert list(RULES) == names
    assert [rule.name for rule in RULES.values()] == names


@each_row("rule", RULES)
def test_source(rule: str) -> None:
    """Every rule names the document and the section that it comes from, with a version or date."""
    *_, last = RULES[rule].statement.split("\n\n")
    line = " ".join(last.split())
    assert line.startswith("Source: ")
    undated = [each for each in line.split(";") if not re.search(r" (R?\d|[0-9a-f]{7}\b)", each)]
    assert undated == []


@each_row("name", RULES)
def test_statement(name: str) -> None:
    """A rule has a title of one line, a statement, and examples that are no part of it."""
    rule = RULES[name]
    assert rule.statement.split("\n")[:2] == [rule.summary, ""]
    assert len(rule.statement.split("\n\n")) >= 3
    assert "Examples" not in rule.statement
    assert len(rule.examples) >= 4


@each_row("rule", RULES)
def test_no_shape_is_no_question(rule: str) -> None:
    """There is no rule that takes no shape at all."""
    with pytest.raises(NotationError, match="shape"):
        answer_line(RULES[rule], ";", {})


def skips_missing_axes(rule: Rule) -> bool:
    """Whether many operands of few axes need no entries for the axes that they lack."""
    return any(each.skips_missing for each in rule.align((1, 1), {}).alignments)


@each_row(
    ("having", "expected"),
    [
        (lambda rule: not rule.compared_by_default, "none left same-rank explicit"),
        (lambda rule: rule.like_numpy, "numpy onnx bidirectional"),
        (lambda rule: rule.keeps_first, "onnx-uni pdpd"),
        (lambda rule: rule.second_is_target, "bidirectional explicit"),
        (lambda rule: rule.default_names == ("A", "target"), "bidirectional explicit"),
        (lambda rule: rule.missing_axes == "trailing", "left"),
        (lambda rule: rule.missing_axes == "none", "same-rank explicit"),
        (lambda rule: rule.words == "onnx", "onnx onnx-uni"),
        (lambda rule: rule.words == "ncnn", "ncnn"),
        (lambda rule: rule.innermost_first({}), "ncnn"),
        (lambda rule: rule.innermost_first(rule.numpy_order_options), ""),
        (skips_missing_axes, "numpy onnx bidirectional left"),
        (lambda rule: rule.accepts_count(1), "numpy onnx left"),
        (lambda rule: rule.accepts_count(3), "numpy onnx none left same-rank"),
    ],
)
def test_kinds_of_rules(having: Callable[[Rule], bool], expected: str) -> None:
    """Rules differ in what is compared, what stretches, and how many shapes they take."""
    assert " ".join(name for name, rule in RULES.items() if having(rule)) == expected


def test_options() -> None:
    """Only pdpd asks for an axis, only ncnn for an order, and only explicit for axes."""
    axis = "The axis of A where B starts; -1 means rank(A) - rank(B)."
    order = "How shapes are read and written: w first, or in NumPy's order."
    axes = "The axes of the target that the axes of A go to, such as 0,2; or none."
    assert {name: rule.options for name, rule in RULES.items() if rule.options} == {
        "pdpd": {"axis": Option(-1, axis, "K")},
        "ncnn": {"order": Option("ncnn", order, "ncnn|numpy")},
        "explicit": {"axes": Option(None, axes, "K,...")},
    }


@each_row(
    ("rule", "arguments", "outcome"),
    [(name, *example) for name, rule in RULES.items() for example in rule.examples],
)
def test_worked_example(rule: str, arguments: list[str], outcome: str) -> None:
    """The examples in a rule's document are what the command line answers."""
    status, out, err = run([rule, "-p", *arguments])
    assert (out.partition(":")[0] if outcome == "mismatch" else out.rstrip("\n")) == outcome
    assert status == (1 if outcome == "mismatch" else 3 if " when " in outcome else 0)
    assert err == ""


@pytest.mark.parametrize("rule", ["numpy", "onnx", "none"])
def test_many_operands(rule: str) -> None:
    """So many operands that they are not padded are answered, and shown, as a few are."""
    chance = random.Random(31)
    verdicts = set()
    for _ in range(300):
        few = [tuple(chance.choices((1, 2, 3, "N"), k=chance.randint(0, 3))) for _ in range(3)]
        one, many = (of_shapes(rule, *few * times) for times in (1, 5))
        verdicts.add(many.ok)
        assert (many.ok, many.result, many.when) == (one.ok, one.result, one.when)
        assert one.axes is not None
        assert many.axes is not None
        assert [axis.sizes for axis in many.axes] == [axis.sizes * 5 for axis in one.axes]
        assert [axis.conflict for axis in many.axes] == [axis.conflict for axis in one.axes]
    assert verdicts >= {True, False}
