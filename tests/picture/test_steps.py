"""The steps of operators, and of rules compared (picture/steps.py)."""

from tests.in_memory import run
from tests.rows import each_row


@each_row("name", ["MatMul", "Gemm", "LayerNormalization"])
def test_an_operator_that_does_more_has_none(name: str) -> None:
    """What does more than line its inputs up has no steps, and that is said."""
    ended = run(["op", name, "--steps", "2,3", "3,3"])
    assert (ended.status, ended.out) == (2, "")
    assert f"--steps is not available for {name}, which does more" in ended.err


@each_row(
    "command",
    [
        "compare --steps --json 3,3 3",
        "compare --steps -p 3,3 3",
        "op Add --steps -p 3,3 3",
        "op --steps",
        "compare --steps -",
        "op Add --steps -",
        "op - --steps",
    ],
)
def test_where_there_are_no_steps(command: str) -> None:
    """Formats without room for steps, lines and lists refuse them, as an option without effect."""
    ended = run(command.split(), b"3,3 3\n")
    assert (ended.status, ended.out) == (2, "")
