"""The rules (rules/): their registry, what each one decides, and how the operands line up."""

import random
import re

import pytest

from bcastcli.cli.main import main
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


def test_counts() -> None:
    """NumPy's rule takes one shape, that of ONNX's operators any number; others compare shapes."""
    accepted = {
        name: [n for n in range(4) if rule.accepts_count(n)] for name, rule in RULES.items()
    }
    any_number = [name for name, counts in accepted.items() if counts == [1, 2, 3]]
    several = [name for name, counts in accepted.items() if counts == [2, 3]]
    two = [name for name, counts in accepted.items() if counts == [2]]
    assert (any_number, several) == (["numpy", "onnx", "left"], ["none", "same-rank"])
    assert len(two) == len(RULES) - 5


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


def test_only_ncnn_types_the_innermost_axis_first() -> None:
    """Shapes are typed outermost first, but for ncnn's own order."""
    assert [name for name, rule in RULES.items() if rule.innermost_first({})] == ["ncnn"]
    assert not RULES["ncnn"].innermost_first(RULES["ncnn"].numpy_order_options)
