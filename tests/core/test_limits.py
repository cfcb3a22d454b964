"""What --strict demands of a result."""

from tests.in_memory import run
from tests.rows import each_row


@each_row("output", ["plain", "json", "table"])
def test_lines(output: str) -> None:
    """What is demanded holds for every line, whatever was asked before it."""
    lines = ["64,1 64,64", "64,64 1,64", "64,1 1,64", "64,1 64", "2,3 3", "64,1 64,64", "N,1 M"]
    command = ["numpy", "-f", output, "--strict"]
    ended = run(command, "\n".join(lines * 50).encode())
    assert ended.status == 1
    assert ended.out.count("every operand stretches") == 150
    if output == "plain":
        singles = [run([*command, line]).out for line in lines]
        assert ended.out == "".join(singles) * 50
