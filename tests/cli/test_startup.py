"""What a process loads before it answers, which is what starting up costs (cli/main.py)."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.effort import each_once

LOADED = """
import sys
from bcastcli.cli.main import main
for arguments in {command_lines!r}:
    main(arguments)
print(*sys.modules, file=sys.stderr)
"""
LARGE = {"numpy", "rich", "json", "pydantic"}
"""Libraries that take long to load."""
FOR_PEOPLE = {"bcastcli.render.sheet", "bcastcli.reports.tables"}
RARE = {
    *("bcastcli.core.amounts", "bcastcli.core.limits", "bcastcli.notation.json"),
    *("bcastcli.operators", "bcastcli.render.picture", "bcastcli.analysis.advice"),
    *("bcastcli.reports.steps", "bcastcli.stream", "bcastcli.cli.words"),
}
"""Modules that take an option, or another question."""
END = """
import atexit, gc, sys
from bcastcli.__main__ import run
atexit.register(lambda: print(len(gc.get_objects()), gc.get_freeze_count()))
sys.argv[1:] = ["numpy", "-q", "2,3", "3"]
run()
"""


def loaded(*command_lines: list[str], questions: str = "") -> set[str]:
    """Return the libraries of note that a process has loaded after the command lines."""
    return modules(*command_lines, questions=questions) & LARGE


def modules(*command_lines: list[str], questions: str = "") -> set[str]:
    """Return the modules that a process has loaded after the command lines."""
    code = LOADED.format(command_lines=command_lines)
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
    ("options", "left_out"),
    [
        (["-q"], {*FOR_PEOPLE, "bcastcli.reports.records", "bcastcli.render.plain"}),
        (["-f", "plain"], {*FOR_PEOPLE, "bcastcli.reports.records"}),
        (["-f", "tsv"], {*FOR_PEOPLE, "bcastcli.reports.records"}),
        (["-f", "json"], FOR_PEOPLE),
        (["-f", "table"], {"bcastcli.reports.records"}),
    ],
    ids=["-q", "plain", "tsv", "json", "table"],
)
def test_an_answer_leaves_out_what_others_need(options: list[str], left_out: set[str]) -> None:
    """The sheet is loaded for people alone, the record for JSON, and what is rare for no yes."""
    assert modules(["numpy", *options, "2,3", "3"]) & (left_out | RARE) == set()


def test_the_modules_left_out_exist() -> None:
    """The names above are those of modules, which a test of absence alone would not tell."""
    for name in FOR_PEOPLE | RARE | {"bcastcli.reports.records", "bcastcli.render.plain"}:
        assert find_spec(name), name


def test_the_end_of_a_process_is_short() -> None:
    """The last collection of garbage has next to nothing of what was loaded to look at."""
    ended = subprocess.run([sys.executable, "-c", END], capture_output=True, text=True, check=True)
    tracked, frozen = map(int, ended.stdout.split())
    assert tracked < frozen / 20


def test_errors_and_help_load_nothing() -> None:
    """Usage errors, malformed questions and help come without Rich, all in one process."""
    command_lines = [
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
    ]
    assert loaded(*command_lines) == set()


@pytest.mark.parametrize("command", ["numpy", "compare"])
@pytest.mark.parametrize("output", ["plain", "tsv"])
def test_a_stream_loads_nothing(command: str, output: str) -> None:
    """Lines are answered without Rich, NumPy or json."""
    assert loaded([command, "-f", output], questions="2,3 3\n2 3\nN 3\n2,,3\n") == set()


@pytest.mark.parametrize(
    "arguments",
    [["quiz", "--seed", "1"], ["quiz", "--sheet"], ["rules", "ncnn", "-f", "plain"]],
    ids=" ".join,
)
def test_plain_text_loads_nothing(arguments: list[str]) -> None:
    """The quiz, its sheet and the rules as lines need neither Rich nor json."""
    assert loaded(arguments, questions="3\nno\n") == set()


def test_an_operator_loads_its_table() -> None:
    """An operator's answer takes json besides, in which the table of operators is written."""
    assert loaded(["op", "Gemm", "2,3", "3,4", "-f", "plain"]) == {"json"}
