"""What --strict demands of a result."""

import json

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


@each_row(
    "question",
    ["ncnn 3,1 1,4", "ncnn 2,3,4 3,4", "onnx-uni 3,4 4", "pdpd 2,0 1,1", "bidirectional 3,1 1,4"],
)
def test_a_limit_says_nothing_of_engines(question: str) -> None:
    """The notes on rules and engines do not depend on what is demanded."""
    kinds = []
    for limit in ([], ["--strict"]):
        notes = json.loads(run([*question.split(), *limit, "--json"]).out)["notes"]
        kinds.append([note for note in notes if note["kind"] != "stretch"])
    assert kinds[0] == kinds[1]
