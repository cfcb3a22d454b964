"""What must hold between the shapes of an operator's inputs.

The module is operators/fits.py; clashes.txt has what each operator asks of its inputs.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bcastcli.operators.fits import CHECKED, Clash, fits
from bcastcli.operators.table import MAX_OPSET

QUESTIONS = Path(__file__).with_name("clashes.txt")


def said(question: str) -> list[str]:
    """What a line asks: `-` is an open shape, `1=0,4` the values of input 1, others attributes."""
    operator, *words = question.split()
    inputs = [word.strip("()") for word in words if "=" not in word]
    shapes = [None if each == "-" else _sizes(each) for each in inputs]
    given = dict(word.split("=", 1) for word in words if "=" in word)
    known: dict[str, Any] = {
        name: _sizes(each) if each[0].isdecimal() and "," in each else _size(each)
        for name, each in given.items()
    }
    opset = known.pop("opset", MAX_OPSET)
    values = {int(name): known.pop(name) for name in given if name.isdecimal()}
    listed = [values.get(place) for place in range(max(values, default=-1) + 1)]
    return [each.text for each in fits(operator, shapes, known, listed, opset=opset)]


def _sizes(text: str) -> list[int | str]:
    return [_size(each) for each in text.split(",") if each]


def _size(text: str) -> Any:
    return int(text) if text.isdecimal() else text


def test_what_each_operator_asks(pytestconfig: pytest.Config) -> None:
    """Below each question stands what does not fit; nothing, where nothing is known of it."""
    text = QUESTIONS.read_text("utf-8")
    asked = [line for line in text.splitlines() if not line.startswith(" ")]
    found = "".join(f"{each}\n" + "".join(f"  {line}\n" for line in said(each)) for each in asked)
    if pytestconfig.option.update:
        QUESTIONS.write_text(found, "utf-8")
    assert found == text, "pytest --update writes what is said now"
    assert {each.split()[0] for each in asked} >= CHECKED


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([[1, 3]], []),
        ([[0, -5]], ["index -5 is out of range for x, which has 4 on axis 0"]),
        ([[0, 1], [2, 4]], ["index 4 is out of range for x, which has 4 on axis 0"]),
        (4, ["index 4 is out of range for x, which has 4 on axis 0"]),
        ([], []),
    ],
)
def test_values_are_numbers_or_lists_of_them(values: Any, texts: Sequence[str]) -> None:
    """What is known of an input's integers counts, whether nested, in a row or alone."""
    clashes = fits("Gather", [(4,), None], values=(None, values), names=("x", "i"))
    assert [clash.text for clash in clashes] == texts


def test_a_clash_has_its_axis_and_its_operands() -> None:
    """The axis is that of the first input at fault, and all clashes come, the first first."""
    shapes = [(2, 5, 8), (4,), (5,), (6,), (5,)]
    assert [*fits("BatchNormalization", shapes, names=["x", "s", "b", "m", "v"])] == [
        Clash("s has 4 on axis 0, and x needs 5", 0, (1, 0)),
        Clash("m has 6 on axis 0, and x needs 5", 0, (3, 0)),
    ]
    [pads] = fits("Pad", [(2, 3)], {"pads": [1, 1]})
    assert (pads.axis, pads.operands) == (None, (0,))
    [inner] = fits("MatMul", [(2, 3), (4, 5)], names=["x", "w"])
    assert inner.text.startswith("x 2,3 has 3 on axis 1 (-1) and w 4,5 has 4")
    assert (inner.axis, inner.operands) == (None, (0, 1))
