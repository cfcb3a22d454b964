"""What a process loads before it answers, which is what starting up costs."""

import subprocess
import sys

import pytest

from tests.effort import each_once

LOADED = """
import sys
from bcastcli.cli.main import main
status = main({arguments!r})
loaded = {{name.partition(".")[0] for name in sys.modules}}
print(*sorted(loaded & {{"numpy", "rich", "json", "pydantic"}}), file=sys.stderr)
"""


def loaded(arguments: list[str], questions: str = "") -> set[str]:
    """The libraries of note that a process has loaded after a command line."""
    code = LOADED.format(arguments=arguments)
    ran = subprocess.run(
        [sys.executable, "-c", code], input=questions, capture_output=True, text=True, check=True
    )
    return set(ran.stderr.splitlines()[-1].split())


@each_once
@pytest.mark.parametrize("rule", ["numpy", "onnx-uni", "pdpd", "bidirectional", "ncnn", "compare"])
@pytest.mark.parametrize(
    ("options", "needed"),
    [
        (["-q"], set()),
        (["-f", "plain"], set()),
        (["-f", "tsv"], set()),
        (["-f", "markdown"], set()),
        (["-f", "svg", "--picture"], set()),
        (["-f", "html", "--picture"], set()),
        (["-f", "json"], {"json"}),
        (["-f", "table"], set()),
        (["-f", "table", "--color", "always"], {"rich"}),
    ],
    ids=" ".join,
)
def test_an_answer_loads_only_what_its_format_needs(
    rule: str, options: list[str], needed: set[str]
) -> None:
    """Rich is loaded for colors alone, json for JSON alone, NumPy and pydantic never."""
    assert loaded([rule, *options, "2,N,4", "3,4"]) == needed


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--file", "3"],
        ["torch", "2,,3"],
        ["numpy", "2,,3"],
        ["numpy", "2", "--axis", "1"],
        ["numpy", "2", "-f", "nope"],
        ["onnx-uni", "2"],
        ["--help"],
        ["ncnn", "--help"],
        ["compare", "2"],
        ["compare", "--help"],
        ["op", "--help"],
        ["op", "Add", "--nope"],
        ["completions"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_errors_and_help_load_nothing(arguments: list[str]) -> None:
    """Usage errors, malformed questions and help come without Rich."""
    assert loaded(arguments) == set()


@pytest.mark.parametrize("command", ["numpy", "compare"])
@pytest.mark.parametrize("output", ["plain", "tsv"])
def test_a_stream_loads_nothing(command: str, output: str) -> None:
    """Lines are answered without Rich, NumPy or json."""
    assert loaded([command, "-f", output], "2,3 3\n2 3\nN 3\n2,,3\n") == set()


@pytest.mark.parametrize(
    "arguments",
    [["quiz", "--seed", "1"], ["quiz", "--sheet"], ["rules", "ncnn", "-f", "plain"]],
    ids=" ".join,
)
def test_plain_text_loads_nothing(arguments: list[str]) -> None:
    """The quiz, its sheet and the rules as lines need neither Rich nor json."""
    assert loaded(arguments, "3\nno\n") == set()


def test_an_operator_loads_its_table() -> None:
    """An operator's answer takes json besides, in which the table of operators is written."""
    assert loaded(["op", "Gemm", "2,3", "3,4", "-f", "plain"]) == {"json"}
