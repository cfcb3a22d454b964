"""What must hold between the shapes of an operator's inputs.

The module is operators/fits.py; clashes.txt has what each operator asks of its inputs.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bcastcli.operators.equations import CHECKED
from bcastcli.operators.facts import Facts
from bcastcli.operators.fits import fits
from tests.rows import keep, node_line


def clashes_of(question: str) -> Iterator[str]:
    """Yield what does not fit: `-` is an open shape, `1=[0,4]` the values of input 1."""
    operator, inputs, given = node_line(question)
    shapes = [None if each == "-" else _sizes(each.strip("()")) for each in inputs]
    options = {name: given.pop(name) for name in ("opset", "outputs") if name in given}
    values = {int(name): given.pop(name) for name in [*given] if name.isdecimal()}
    listed = [values.get(place) for place in range(max(values, default=-1) + 1)]
    for each in fits(Facts(operator, shapes, given, values=listed, **options)):
        yield f"{each.text} ({each.axis}: {each.operands})"


def _sizes(text: str) -> list[int | str]:
    return [int(each) if each.isdecimal() else each for each in text.split(",") if each]


def test_what_each_operator_asks(pytestconfig: pytest.Config) -> None:
    """Below each question are the sizes that do not fit, with their axis and inputs."""
    questions = keep(Path(__file__).with_name("clashes.txt"), pytestconfig, clashes_of)
    assert {each.split()[0] for each in questions} >= CHECKED
