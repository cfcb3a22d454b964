"""What may be demanded of a result: --strict and --max-elements."""

import io
import json
import sys
from typing import Any

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


def as_json(capsys: Output, *arguments: str) -> Any:
    main([*arguments, "--json"])
    return json.loads(capsys.readouterr().out)


STRETCHES = "mismatch: every operand stretches: none of them has the shape "


@each_row(
    ("arguments", "status", "line"),
    [
        (["numpy", "64,1", "64"], NO, f"{STRETCHES}64,64"),
        (["onnx", "3,1", "1,4", "2,1,1"], NO, f"{STRETCHES}2,3,4"),
        (["bidirectional", "3,1", "2,1,6"], NO, f"{STRETCHES}2,3,6"),
        (["ncnn", "2,1", "1,3"], NO, f"{STRETCHES}2,3"),
        (["numpy", "64,1", "64,64"], YES, "64,64"),
        (["numpy", "64,64", "()"], YES, "64,64"),
        (["numpy", "64"], YES, "64"),
        (["numpy", "1,3", "3"], YES, "1,3"),
        (["pdpd", "2,3", "2,1"], YES, "2,3"),
        # A size that is not known counts as not 1.
        (["numpy", "N,1", "M"], NO, f"{STRETCHES}N,M"),
        (["numpy", "N,4", "3,4"], DEPENDS, "3,4 when N in (1, 3)"),
        (["numpy", "N,1", "1,4", "3,1"], NO, f"{STRETCHES}3,4"),
        (
            ["numpy", "2,3", "2,4"],
            NO,
            "mismatch: A has 3 and B has 4 on axis 1 (-1), and neither is 1",
        ),
    ],
)
def test_strict(capsys: Output, arguments: list[str], status: int, line: str) -> None:
    """--strict answers no where every operand stretches, and changes no other answer."""
    assert plain(capsys, *arguments, "--strict") == (status, line)


@each_row(
    ("arguments", "most", "status"),
    [
        (["numpy", "2,3", "3"], "6", YES),
        (["numpy", "2,3", "3"], "5", NO),
        (["numpy", "1000,1", "1000"], "1M", YES),
        (["numpy", "1000,1", "1001"], "1M", NO),
        (["numpy", "1000"], "1k", YES),
        (["numpy", "1000"], "1K", YES),
        (["numpy", "1001"], "1k", NO),
        (["numpy", "1000000,1000"], "1G", YES),
        (["numpy", "1000000,1001"], "1G", NO),
        (["numpy", "()"], "1", YES),
        (["numpy", "()"], "0", NO),
        (["numpy", "0,5"], "0", YES),
        # A size that is not known counts as 1; a 0 makes the whole empty.
        (["numpy", "N,5"], "5", YES),
        (["numpy", "N,5"], "4", NO),
        (["numpy", "N,0"], "0", YES),
        (["numpy", "N,5", "3,5"], "15", DEPENDS),
        (["numpy", "N,5", "3,5"], "14", NO),
        (["pdpd", "2,3,4", "3", "--axis", "1"], "23", NO),
        (["onnx-uni", "2,3", "3"], "5", NO),
        (["none", "2,3", "2,3"], "5", NO),
        (["ncnn", "2,3", "3"], "5", NO),
        (["bidirectional", "2,3", "3"], "5", NO),
        (["numpy", "9" * 4300], "999999999999999999G", NO),
    ],
)
def test_max_elements(capsys: Output, arguments: list[str], most: str, status: int) -> None:
    """--max-elements answers no where the result holds more, whatever its rule."""
    found, line = plain(capsys, *arguments, "--max-elements", most)
    assert found == status
    assert line.startswith("mismatch: the result ") == (status == NO)


def test_the_reason_tells_how_many(capsys: Output) -> None:
    """The reason tells the result, how many elements it would hold, and how many are allowed."""
    told = "mismatch: the result {} would hold {} elements, and at most {} are allowed"
    for shape, most, amounts in (
        ("1000,1000", "10k", ("1000,1000", "1,000,000", "10,000")),
        ("1" + "0" * 30, "1G", ("1" + "0" * 30, "about 10**30", "1,000,000,000")),
        ("7" + "0" * 4299, "1", ("7" + "0" * 4299, "about 10**4300", "1")),
    ):
        assert plain(capsys, "numpy", shape, "--max-elements", most) == (NO, told.format(*amounts))


def test_json(capsys: Output) -> None:
    """In JSON the reason has a kind of its own; the axes are told as they are."""
    strict = as_json(capsys, "numpy", "64,1", "64", "--strict")
    assert (strict["ok"], strict["result"], strict["reason_kind"]) == (False, None, "strict")
    assert [axis["stretched"] for axis in strict["axes"]] == [["B"], ["A"]]
    assert strict["notes"] == []
    writes = {each["write"]: each["result"] for each in strict["suggestions"]}
    assert writes == {"B[:, None]": [64, 1], "A.squeeze(1)": [64]}
    large = as_json(capsys, "numpy", "64,1", "64", "--max-elements", "4k")
    assert (large["ok"], large["result"], large["reason_kind"]) == (False, None, "limit")
    assert [note["kind"] for note in large["notes"]] == ["stretch"]
    both = as_json(capsys, "numpy", "64,1", "64", "--max-elements", "4k", "--strict")
    assert both["reason_kind"] == "strict"


def test_a_table_ends_with_the_reason(capsys: Output) -> None:
    """The table shows what stretches, what to try, and last the reason, without the same note."""
    assert main(["numpy", "64,1", "64", "--strict"]) == NO
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "try  B[:, None]    64,1  gives 64,1",
        "try  A.squeeze(1)  64    gives 64",
        "mismatch: every operand stretches: none of them has the shape 64,64",
    ]


@each_row("output", ["plain", "json", "tsv", "table"])
def test_lines(capsys: Output, monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    """What is demanded holds for every line, whatever was asked before it."""
    lines = ["64,1 64,64", "64,64 1,64", "64,1 1,64", "64,1 64", "2,3 3", "64,1 64,64", "N,1 M"]
    monkeypatch.setattr(sys, "stdin", Input(lines * 50))
    demanded = ["--strict", "--max-elements", "5"]
    assert main(["numpy", "-f", output, *demanded]) == NO
    told = capsys.readouterr().out
    assert told.count("every operand stretches") == 150
    assert told.count("would hold") == 150 + 50
    if output == "plain":
        singles = [
            plain(capsys, "numpy", "--strict", "--max-elements", "5", line)[1] for line in lines
        ]
        assert told.splitlines() == singles * 50


@each_row(
    "most", ["", "-1", "x", "1.5", "1e3", "1kk", "1T", "k", " 1", "1 k", "٣", "1" * 19, "1_000"]
)
def test_malformed_numbers_of_elements(capsys: Output, most: str) -> None:
    """What is no number of elements is refused, in a sentence that says what is."""
    assert main(["numpy", "2,3", f"--max-elements={most}"]) == MALFORMED
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "a whole number of at most 18 digits, optionally with k, M or G (500k)" in captured.err


@pytest.mark.parametrize("rule", ["numpy", "onnx"])
def test_one_operand_too_large(capsys: pytest.CaptureFixture[str], rule: str) -> None:
    """There is nothing to try where one operand alone is more than is allowed."""
    assert main([rule, "3", "--max-elements", "1", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["suggestions"] == []


@each_row(
    "question",
    ["ncnn 3,1 1,4", "ncnn 2,3,4 3,4", "onnx-uni 3,4 4", "pdpd 2,0 1,1", "bidirectional 3,1 1,4"],
)
def test_a_limit_says_nothing_of_engines(capsys: pytest.CaptureFixture[str], question: str) -> None:
    """What rules and engines do, and so the notes on it, does not depend on what is demanded."""
    kinds = []
    for limit in ([], ["--max-elements", "0"]):
        main([*question.split(), *limit, "--json"])
        kinds.append(json.loads(capsys.readouterr().out)["notes"])
    assert kinds[0] == kinds[1]
