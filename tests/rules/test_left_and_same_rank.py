"""rules/left.py and rules/same_rank.py: their suggestions, notes, and comparison with numpy."""

from bcastcli.core.answer import Answer
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES
from tests.rows import each_row


def answer(rule: str, line: str) -> Answer:
    return answer_line(RULES[rule], line, {})


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
