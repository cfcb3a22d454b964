"""What must hold between the shapes of an operator's inputs.

The module is operators/fits.py.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bcastcli.operators.fits import CHECKED, Clash, fits
from tests.rows import each_row

Dims = Sequence[int | str]
Row = tuple[str, Sequence[Dims | None], Mapping[str, Any], str]
JOINED, UNFILLED = "and only axis 1 may differ", "and these do not fill"
RANKS = "and only shapes of equal rank can be joined"
INNER = "on axis 0 (-2), and these must be equal"
CLASHES: Sequence[Row] = [
    ("Concat", [(1, 1, 4), (4, 5, 4)], {"axis": 1}, f"A has 1 and B has 4 on axis 0, {JOINED}"),
    (
        "Concat",
        [(8, "N"), (8, 3), (4, 3)],
        {"axis": -1},
        f"A has 8 and C has 4 on axis 0, {JOINED}",
    ),
    ("Concat", [(2, 3), (2,)], {"axis": 0}, f"A has 2 axes and B has 1 axis, {RANKS}"),
    ("Concat", [(2, 3)], {"axis": 2}, "axis 2 is out of range for A, which has 2 axes"),
    ("Gather", [(2, 3), (4,)], {"axis": -3}, "axis -3 is out of range for data, which has 2 axes"),
    ("Reshape", [(4, 6)], {"shape": [2, 3]}, "data has 24 elements, but the target 2,3 has 6"),
    (
        "Reshape",
        [(169792,)],
        {"shape": [1, 379, -1, 128]},
        f"data has 169,792 elements, {UNFILLED} 1,379,-1,128: 169,792 / (379 x 128) is 3.5",
    ),
    (
        "Reshape",
        [("N", 3)],
        {"shape": [0, 2, -1]},
        "data has 3 elements apart from its open sizes, and these do not fill 0,2,-1: 3 / 2 is 1.5",
    ),
    ("Reshape", [(3,)], {"shape": [3, 0]}, "the target 3,0 copies axis 1, which data lacks"),
    (
        "Conv",
        [(5, 17, 64, 17), (64, 64, 3, 3)],
        {},
        "X has 17 on axis 1, and W needs 64; the 64 is on axis 2",
    ),
    ("Conv", [(1, 3, 8), (4, 3, 3, 3)], {}, "X has 3 axes, and a window of 2 axes needs 4"),
    ("ConvTranspose", [(1, 4, 8), (3, 6, 3)], {}, "X has 4 on axis 1, and W needs 3"),
    ("Reshape", [(4,)], {"shape": [-1, -1]}, "the target -1,-1 has -1 more than once"),
    ("Reshape", [(4,)], {"shape": [2, -2]}, "the target 2,-2 has a size of -2"),
    (
        "Pad",
        [(2, 3)],
        {"pads": [0, -5, 0, 1]},
        "data has 3 on axis 1, and pads of -5 and 1 leave -1",
    ),
    (
        "Pad",
        [(2, 3)],
        {"pads": [0, 3, 0, 0], "mode": "reflect"},
        "data has 3 on axis 1, and pads of 3 and 0 are too many for mode reflect",
    ),
    (
        "GridSample",
        [(2, 1, 4, 4), (2, 4, 4, 3)],
        {},
        "grid has 3 on axis 3, and X with 4 axes needs 2",
    ),
    (
        "Slice",
        [(2, 3)],
        {"starts": [0, 1], "ends": [1]},
        "the starts are for 2 axes, and the ends for 1",
    ),
    ("Split", [(5,)], {"split": [2, 2]}, "input has 5 on axis 0, but the parts 2, 2 add up to 4"),
    (
        "Squeeze",
        [(1, 3)],
        {"axes": [1]},
        "data has 3 on axis 1, and only an axis of size 1 is removed",
    ),
    (
        "Slice",
        [(1, 3)],
        {"starts": [0], "ends": [1], "axes": [2]},
        "it slices axis 2, and data has 2 axes",
    ),
    ("Pad", [(2, 3)], {"pads": [1, 1]}, "got 2 pads for 2 axes; expected two per axis"),
    ("Tile", [(2, 3)], {"repeats": [2]}, "input has 2 axes, but the repeats are for 1"),
    ("TopK", [(2, 3)], {"k": 4}, "X has 3 on axis 1, but k is 4"),
    ("Transpose", [(2, 3, 4)], {"perm": [0, 1]}, "data has 3 axes, but perm is 0, 1"),
    (
        "Einsum",
        [(64, 32, 65, 12), (38, 38)],
        {"equation": "ncwl,vw->ncvl"},
        "w is 65 in the first and 38 in the second",
    ),
    ("Einsum", [(1, 3)], {"equation": "ii"}, "i is 1 and 3 in the first"),
    ("Einsum", [(2,), (3,)], {"equation": "i"}, "the equation takes 1 operand, and there are 2"),
    ("Einsum", [(2, 3)], {"equation": "i->i"}, "the first has 2 axes, and its term is i"),
    ("Einsum", [(2,)], {"equation": "i->ij"}, "its output has j, and none of its terms has it"),
    ("Einsum", [(2,)], {"equation": "i->ii"}, "its output has i twice"),
    (
        "Einsum",
        [(2, 3)],
        {"equation": "...i->i"},
        "its output lacks the dots, which stand for 1 axis",
    ),
    (
        "Einsum",
        [(2, 3), (3,)],
        {"equation": "...,..."},
        "the dots stand for 2 axes in the first and 1 axis in the second, and must for as many",
    ),
    (
        "Einsum",
        [(2, 3), (4, 3)],
        {"equation": "...i,...i"},
        "axis -1 of the dots is 2 in the first and 4 in the second",
    ),
    ("Gemm", [(8, 64), (10, 64)], {}, f"A 8,64 has 64 on axis 1 (-1) and B 10,64 has 10 {INNER}"),
    ("MatMul", [(2, 3), (4, 5)], {}, f"A 2,3 has 3 on axis 1 (-1) and B 4,5 has 4 {INNER}"),
    (
        "LayerNormalization",
        [(2, 4), (3,)],
        {"axis": 1},
        "X has 4 and Scale has 3 on axis 1 (-1), and Scale must be 4 or 1 there",
    ),
]


@each_row(("operator", "shapes", "attributes", "text"), CLASHES)
def test_what_does_not_fit(
    operator: str, shapes: Sequence[Dims | None], attributes: Mapping[str, Any], text: str
) -> None:
    """Each operator says what does not fit, with the sizes and ONNX's names of its inputs."""
    assert next(fits(operator, shapes, attributes)).text == text


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
