"""What the tests are made with: rows, sentences, and the count of lines."""

from pathlib import Path

import pytest

from tests import lines
from tests.rows import each_row
from tests.sentences import printed

KEPT = """\
# A malformed line is passed.
$ numpy -
< 2,3 3
<
< 2,,3
  2,3
  error: a size is missing here
! bcastcli: line 3: a size is missing here
!   2,,3
!     ^
[2]

"""
MODULE = '''"""A title."""

import os  # a comment


# a comment
def answer(
    text: str,
) -> str:
    """Return it."""
    return f"""{text}
    {os.sep}"""
'''


def test_every_row_that_fails_is_named() -> None:
    """No row stops the others; each that fails is told with its values; a table has rows."""
    tried = []

    @each_row("number", range(4))
    def odd(number: int) -> None:
        tried.append(number)
        if number == 2:
            pytest.fail("two")
        assert number % 2, "even"

    with pytest.raises(BaseExceptionGroup, match="2 of 4 rows fail") as raised:
        odd()
    assert tried == [0, 1, 2, 3]
    notes = [error.__notes__ for error in raised.value.exceptions]
    assert notes == [["the row: number=0"], ["the row: number=2"]]
    with pytest.raises(AssertionError, match="no rows"):
        each_row("number", [])


def test_what_is_printed_now_is_written() -> None:
    """A text is the same if each command line prints what stands there, and else what it prints."""
    assert "".join(printed(KEPT)) == KEPT
    for wrong in (KEPT.replace("  2,3\n", ""), KEPT.replace("[2]", "[0]"), KEPT.replace("!", " ")):
        assert "".join(printed(wrong)) == KEPT
    with pytest.raises(ValueError, match="neither"):
        list(printed("# no sentence\n$ numpy 2\n"))


def test_code_lines(tmp_path: Path) -> None:
    """A line counts that holds a part of a statement, once for its room, at any depth."""
    (tmp_path / "picture" / "paper").mkdir(parents=True)
    for name in ("python.py", "picture/svg.py", "picture/paper/marks.py"):
        (tmp_path / name).write_text(MODULE)
    assert lines.code_by_room(tmp_path) == {"": 6, "picture": 12}
