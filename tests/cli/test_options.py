"""Options of pictures: those that go together."""

from tests.in_memory import run
from tests.rows import each_row


@each_row("line", ["numpy 4,1 3", "ncnn 2,3,4 3,4", "compare 3,3 3", "op Add 4,1 3"])
def test_svg_is_a_picture(line: str) -> None:
    """`-f svg` draws, without `--picture` as with it."""
    asked = [*line.split(), "-f", "svg"]
    assert run(asked) == run([*asked, "--picture"])
