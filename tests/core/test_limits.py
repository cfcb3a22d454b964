"""What --strict demands of a result."""

import io
import json
import sys

import pytest

from bcastcli.cli.main import main
from tests.rows import each_row

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3
Output = pytest.CaptureFixture[str]


class Input:
    """Standard input that holds given lines."""

    def __init__(self, lines: list[str]) -> None:
        self.buffer = io.BytesIO("".join(f"{line}\n" for line in lines).encode())

    def fileno(self) -> int:
        raise io.UnsupportedOperation

    def isatty(self) -> bool:
        return False


def plain(capsys: Output, *arguments: str) -> tuple[int, str]:
    """The status and the answer in one line."""
    status = main([*arguments, "-f", "plain"])
    return status, capsys.readouterr().out.rstrip("\n")


@each_row("output", ["plain", "json", "table"])
def test_lines(capsys: Output, monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    """What is demanded holds for every line, whatever was asked before it."""
    lines = ["64,1 64,64", "64,64 1,64", "64,1 1,64", "64,1 64", "2,3 3", "64,1 64,64", "N,1 M"]
    monkeypatch.setattr(sys, "stdin", Input(lines * 50))
    assert main(["numpy", "-f", output, "--strict"]) == NO
    told = capsys.readouterr().out
    assert told.count("every operand stretches") == 150
    if output == "plain":
        singles = [plain(capsys, "numpy", "--strict", line)[1] for line in lines]
        assert told.splitlines() == singles * 50


@each_row(
    "question",
    ["ncnn 3,1 1,4", "ncnn 2,3,4 3,4", "onnx-uni 3,4 4", "pdpd 2,0 1,1", "bidirectional 3,1 1,4"],
)
def test_a_limit_says_nothing_of_engines(capsys: pytest.CaptureFixture[str], question: str) -> None:
    """The notes on rules and engines do not depend on what is demanded."""
    kinds = []
    for limit in ([], ["--strict"]):
        main([*question.split(), *limit, "--json"])
        notes = json.loads(capsys.readouterr().out)["notes"]
        kinds.append([note for note in notes if note["kind"] != "stretch"])
    assert kinds[0] == kinds[1]
