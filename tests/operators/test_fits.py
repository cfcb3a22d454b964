"""What must hold between the shapes of an operator's inputs.

The module is operators/fits.py; sentences.txt has what each operator says.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bcastcli.operators.fits import CHECKED, Clash, fits
from tests.rows import each_row

Dims = Sequence[int | str]


@each_row(
    ("operator", "shapes", "attributes"),
    [
        ("Concat", [(2, 3), (0, 5)], {"axis": 0}),
        ("Concat", [(0, 3), (3,)], {"axis": 0}),
        ("Concat", [(2, "N"), (4, "M")], {"axis": 0}),
        ("Concat", [(2, 3), None], {"axis": 0}),
        ("Reshape", [(4, 6)], {}),
        ("Reshape", [("N", 3)], {"shape": [0, -1]}),
        ("Gemm", [(8, 64), (10, 64)], {"transB": 1}),
        ("Gather", [(4,), (2,)], {"axis": "first"}),
        ("Conv", [(1, 4, 8), (6, 2, 3)], {"group": 2}),
        ("Conv", [(1, 4, 8), (6, 2, 3)], {"group": "two"}),
        ("Split", [(4,)], {"num_outputs": 0}),
        ("Split", [(5,)], {"split": [2, 3]}),
        ("Split", [(5,)], {}),
        ("Relu", [(4,), (5,)], {}),
    ],
)
def test_nothing_is_said_of_what_is_not_known(
    operator: str, shapes: Sequence[Dims | None], attributes: Mapping[str, Any]
) -> None:
    """Open sizes, attributes that are none, and operators without constraints yield nothing."""
    assert [*fits(operator, shapes, attributes)] == []


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


@pytest.mark.parametrize(("opset", "sizes"), [(18, (2, 2)), (20, (2, 2)), (21, (6, 6))])
def test_an_opset_with_other_constraints(opset: int, sizes: Sequence[int]) -> None:
    """GroupNormalization had a scale for each group, and has one for each channel."""
    shapes = [(1, 6, 4), *([size] for size in sizes)]
    for groups in (2, 3):
        found = [*fits("GroupNormalization", shapes, {"num_groups": groups}, opset=opset)]
        assert bool(found) == (opset < 21 and groups == 3)


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


def test_operators_with_constraints_have_names_for_their_inputs() -> None:
    """Without names from a file or a program, a sentence has those of ONNX, or A, B and so on."""
    assert {"Concat", "Conv", "LSTM", "com.microsoft::BiasGelu"} <= CHECKED
    [clash, *_] = fits("LSTM", [(7, 3, 2), (1, 16, 3), (1, 16, 4)], {"hidden_size": 4})
    assert clash.text == "X has 2 on axis 2, and W needs 3; the 3 is on axis 1"
    [gru] = fits("GRU", [(7, 3, 2), (1, 16, 2), (1, 12, 4)], {"hidden_size": 4})
    assert gru.text == "W has 16 on axis 1, and hidden_size=4 needs 12"
    assert not [*fits("GRU", [(7, 3, 2), (1, 12, 2), (1, 12, 4)], {})]  # it has no default
