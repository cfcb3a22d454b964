"""rules/left.py and rules/same_rank.py: their suggestions, notes, and comparison with numpy."""

import pytest

from bcastcli.cli.main import main
from bcastcli.compare.comparison import Comparison
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES
from tests.rows import each_row

Output = pytest.CaptureFixture[str]


def answer(rule: str, line: str) -> Answer:
    return answer_line(RULES[rule], line, {})


@each_row(
    "line",
    [
        *("2,3 3", "4,4 4", "2,3,4 4 3,4", "2,3 ()", "3,1 4", "8,1,6,1 7,1,5", "1,4,1 3 4,1"),
        *("2,3 3 3 3 3", "2,1 3 3 3 3", "N,3 3", "N,1 M"),
    ],
)
def test_same_rank_asks_for_a_reshape_to_the_rank(line: str) -> None:
    """Where only ranks differ, operands of one rank are suggested, and no other rule is."""
    suggested = answer("same-rank", line).suggestions
    assert answer("numpy", line).result in [each.answer.result for each in suggested]
    assert {each.answer.rule.name for each in suggested} == {"same-rank"}
    assert all(len({*each.answer.ranks}) == 1 for each in suggested)


@each_row(
    ("rule", "line", "note"),
    [
        ("left", "3 3", "MATLAB and Octave have no arrays of fewer than two axes: there it is 3,1"),
        ("left", "() ()", "MATLAB and Octave have no arrays of fewer than two axes"),
        ("left", "2,3,1 2", "MATLAB and Octave drop trailing ones, down to two axes"),
        ("same-rank", "2,3 ()", 'JAX with numpy_rank_promotion="raise" lets scalars through'),
    ],
)
def test_notes(rule: str, line: str, note: str) -> None:
    """Where a framework differs from the rule, the answer says so."""
    assert note in [each.text for each in answer(rule, line).notes]


def test_no_note_without_a_scalar() -> None:
    """JAX's exception is about scalars alone: other ranks that differ are refused there too."""
    assert answer("same-rank", "2,3 3").notes == ()
    assert answer("same-rank", "2,3 3 ()").notes == ()
    assert answer("left", "2,3 2").notes == ()


def test_a_mismatch_of_ranks_shows_no_stretch() -> None:
    """Under same-rank, an axis that would do has neither a stretch nor a result."""
    axes = answer("same-rank", "1,2,3 2,3").axes or ()
    assert [axis.stretched for axis in axes] == [(), (), ()]
    assert [axis.conflict for axis in axes] == [True, False, False]


def test_the_same_shape_with_other_values(capsys: Output) -> None:
    """Julia's 3,3 and 3 gives NumPy's shape and other values, in words and in the picture."""
    assert main(["compare", "--rules", "numpy,julia", "3,3", "3"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert "same shape, different values: julia lines B up with the rows" in out
    assert main(["compare", "--rules", "numpy,julia", "3,3", "3", "--picture"]) == 1
    out = capsys.readouterr().out
    assert "!: value differs from the first row" in out
    assert [line for line in out.splitlines() if line in ("numpy", "julia")] == ["numpy", "julia"]


def test_not_compared_unless_named() -> None:
    """By default these rules are not compared."""
    operands = (Operand("A", (3, 3)), Operand("B", (1, 3)))
    rows = {row.name for row in Comparison(operands, None, None).rows}
    assert rows.isdisjoint({"none", "left", "same-rank"})
