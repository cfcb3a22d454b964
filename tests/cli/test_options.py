"""Options: those of pictures that go together, and whole numbers."""

import pytest

from bcastcli.cli.options import Shown, whole_number
from tests.in_memory import run
from tests.rows import each_row


@each_row("line", ["numpy 4,1 3", "ncnn 2,3,4 3,4", "compare 3,3 3", "op Add 4,1 3"])
def test_svg_is_a_picture(line: str) -> None:
    """`-f svg` draws, without `--picture` as with it."""
    asked = [*line.split(), "-f", "svg"]
    assert run(asked) == run([*asked, "--picture"])


def test_without_pictures() -> None:
    """Where that feature is not installed, reports take no options of pictures."""
    assert Shown().drawing() == {}


@each_row(
    ("text", "is_valid"), [("1", True), ("9", True), ("0", False), ("10", False), ("x", False)]
)
def test_whole_number(text: str, is_valid: bool) -> None:
    """Both bounds are allowed."""
    read = whole_number(1, 9)
    if is_valid:
        assert read(text) == int(text)
    else:
        with pytest.raises(ValueError, match="is not a whole number from 1 to 9"):
            read(text)
