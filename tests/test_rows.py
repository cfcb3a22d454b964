"""Tables whose rows are one test (tests/rows.py)."""

import os
import sys

import pytest

from tests.rows import each_row


@each_row("letter", "ab")
@each_row(("number", "text"), [(1, "1"), pytest.param(2, "2", id="two")])
def test_a_row_sees_its_own(
    letter: str,
    number: int,
    text: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A row gets its values and fixtures, and nothing that another row wrote or patched."""
    assert "BCASTCLI_ROW" not in os.environ
    monkeypatch.setenv("BCASTCLI_ROW", letter)
    sys.stdout.write(text)
    assert capsys.readouterr().out == str(number)
    sys.stdout.write("left over")


def test_every_row_that_fails_is_named() -> None:
    """No row stops the others; each that fails is told with its values."""
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


def test_rows_and_names_fit() -> None:
    """No table is empty, none has names that its test has not, or rows of another length."""
    with pytest.raises(AssertionError, match="no rows"):
        each_row("number", [])
    with pytest.raises(AssertionError, match="unknown name"):
        each_row("number", [1])(lambda: None)
    with pytest.raises(ValueError, match="zip"):
        each_row(("a", "b"), [(1, 2, 3)])
