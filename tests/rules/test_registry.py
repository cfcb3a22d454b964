"""The rules (rules/): their registry, what each one decides, and how the operands line up."""

import random
import re

import pytest

from bcastcli.cli.main import main
from bcastcli.core.alignment import Operand
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES
from tests.rows import each_row
from tests.strategies import asked, of_shapes

# The registry.


def test_order_of_rules() -> None:
    """The rules are listed in one order, each under its own name."""
    names = ["numpy", "onnx", "onnx-uni", "none", "pdpd", "bidirectional", "ncnn"]
    names += ["left", "same-rank", "explicit"]
    assert list(RULES) == names
    assert [rule.name for rule in RULES.values()] == names


def test_compared_by_default() -> None:
    """Rules that few frameworks have are compared only where they are asked for."""
    left_out = [rule.name for rule in RULES.values() if not rule.compared_by_default]
    assert left_out == ["none", "left", "same-rank", "explicit"]


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
        asked(rule, ";")


def test_options() -> None:
    """Only pdpd asks for an axis, only ncnn for an order, and only explicit for axes."""
    options = {name: tuple(rule.options) for name, rule in RULES.items() if rule.options}
    assert options == {"pdpd": ("axis",), "ncnn": ("order",), "explicit": ("axes",)}


@each_row(
    ("rule", "arguments", "outcome"),
    [(name, *example) for name, rule in RULES.items() for example in rule.examples],
)
def test_worked_example(
    rule: str, arguments: list[str], outcome: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The examples in a rule's docstring are what the command line answers."""
    status = main([rule, "--format", "plain", *arguments])
    out, err = capsys.readouterr()
    if outcome == "mismatch":
        assert out.startswith("mismatch: ")
        assert status == 1
    else:
        assert out == f"{outcome}\n"
        assert status == (3 if " when " in outcome else 0)
    assert err == ""


# Verdicts.


# Axes.


@each_row(
    ("question", "labels"),
    [
        ("2 2", "w"),
        ("2,3 3", "wh"),
        ("2,3,4 4", "whc"),
        ("2,3,4,5 5", "whdc"),
        ("5,4,3,2 5 --order numpy", "cdhw"),
        ("3,2 3 --order numpy", "hw"),
    ],
)
def test_ncnn_labels(question: str, labels: str) -> None:
    """Under ncnn an axis is called w, h, d or c, in the order of the shapes as typed."""
    answer = asked("ncnn", question)
    assert [axis.label for axis in answer.axes or ()] == list(labels)


def test_only_ncnn_has_labels() -> None:
    """Elsewhere an axis has only its number, and so has one of more than ncnn has."""
    labels = [axis.label for axis in asked("ncnn", "1,2,3,4,5 5").axes or ()]
    assert labels == [""] * 5
    for rule in RULES:
        axes = " axes=0,1" if rule == "explicit" else ""
        labels = [axis.label for axis in asked(rule, f"2,3 2,3{axes}").axes or ()]
        assert labels == (["w", "h"] if rule == "ncnn" else ["", ""])


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


# How the operands lie.


@each_row(
    ("rule", "question", "how"),
    [
        ("ncnn", "2,3 2,3", "same number of axes: matched axis by axis"),
        ("ncnn", "2,3 N,3", "same number of axes: matched axis by axis"),
        ("ncnn", "2,1 1,3", "same number of axes: matched axis by axis"),
        ("ncnn", "2,3 1", "B is like a scalar"),
        ("ncnn", "() 2,3", "A is like a scalar"),
        ("ncnn", "2,3,4 2", "B is on w of A (outer)"),
        ("ncnn", "4 2,3,4", "A is on the last axes of B (inner)"),
        ("ncnn", "2,3,4 3,4", "B is on the last axes of A (inner)"),
        ("ncnn", "2,3,4 4 --order numpy", "B is on w of A (outer)"),
        ("ncnn", "2,3,4 2 --order numpy", "B is on the last axes of A (inner)"),
        ("ncnn", "2,3,4 2,3", ""),
        ("ncnn", "() ()", ""),
        ("pdpd", "2,3,4 3,4", "B starts at axis 1 (default: 3 - 2)"),
        ("pdpd", "2,3,4 3 --axis 5", "B starts at axis 5 (--axis 5)"),
        ("pdpd", "3 2,3", ""),
        ("numpy", "2,3 3", ""),
    ],
)
def test_how_operands_lie(rule: str, question: str, how: str) -> None:
    """Where the rule chooses how operands lie, it says how; else the aligned axes show it."""
    answer = asked(rule, question)
    assert answer.rule.describe_alignment(answer) == how


def test_only_ncnn_types_the_innermost_axis_first() -> None:
    """Shapes are typed outermost first, but for ncnn's own order."""
    assert [name for name, rule in RULES.items() if rule.innermost_first({})] == ["ncnn"]
    assert not RULES["ncnn"].innermost_first(RULES["ncnn"].numpy_order_options)


def test_the_operand_at_odds_is_changed() -> None:
    """Of many operands, the one that clashes with the others gets a new axis."""
    answer = of_shapes("numpy", (2, 3), (2, 3), (2, 3), (2, 3), (2,))
    assert [each.changed for each in answer.suggestions] == [(Operand("E", (2, 1)),)]
