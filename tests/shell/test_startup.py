"""What a process loads before it answers, which is what starting up costs (cli/main.py)."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

LOADED = """
import sys
from bcastcli.cli.main import main
for arguments in {command_lines!r}:
    main(arguments)
    print("loaded:", *sys.modules, file=sys.stderr)
"""
LARGE = {"numpy", "rich", "json", "pydantic"}
"""Libraries that take long to load."""
FOR_PEOPLE = {"bcastcli.render.sheet", "bcastcli.reports.tables"}
RARE = {
    *("bcastcli.core.amounts", "bcastcli.core.limits", "bcastcli.notation.json"),
    *("bcastcli.operators", "bcastcli.picture.figure", "bcastcli.advice.lines"),
    *("bcastcli.picture.steps", "bcastcli.stream", "bcastcli.cli.words"),
}
"""Modules that take an option, or another question."""
END = """
import atexit, gc, sys
from bcastcli.__main__ import run
atexit.register(lambda: print(len(gc.get_objects()), gc.get_freeze_count()))
sys.argv[1:] = ["numpy", "-q", "2,3", "3"]
run()
"""


def modules(*command_lines: list[str], questions: str = "") -> list[set[str]]:
    """Return the modules that one process has loaded after each of the command lines."""
    code = LOADED.format(command_lines=command_lines)
    ran = subprocess.run(
        [sys.executable, "-c", code], input=questions, capture_output=True, text=True, check=True
    )
    lines = [line for line in ran.stderr.splitlines() if line.startswith("loaded: ")]
    assert len(lines) == len(command_lines)
    return [set(line.split()[1:]) for line in lines]


OF_PARSER = {"typer", "inspect", "subprocess", "bcastcli.cli.parser"}
"""What the option parser loads, and Rich a part of."""
LEFT_OUT = {
    "-q": {*FOR_PEOPLE, *OF_PARSER, "bcastcli.reports.records", "bcastcli.render.plain"},
    "-f plain": {*FOR_PEOPLE, *OF_PARSER, "bcastcli.reports.records"},
    "-f json": {*FOR_PEOPLE, *OF_PARSER},
    "-f table": {"typer", "bcastcli.cli.parser", "bcastcli.reports.records"},
}


@pytest.mark.parametrize("formats", [["-q", "-f plain", "-f json"], ["-f table"]], ids=", ".join)
def test_an_answer_leaves_out_what_others_need(formats: list[str]) -> None:
    """The sheet is loaded for people alone, the record for JSON, and what is rare for no yes.

    The option parser is loaded for none.

    In one process each format may load what those before it did not.
    """
    after_each = modules(*(["numpy", *options.split(), "2,3", "3"] for options in formats))
    for options, own in zip(formats, after_each, strict=True):
        assert own & (LEFT_OUT[options] | RARE) == set(), options


def test_the_modules_left_out_exist() -> None:
    """The names above are those of modules, which a test of absence alone would not tell."""
    for name in (
        FOR_PEOPLE | RARE | OF_PARSER | {"bcastcli.reports.records", "bcastcli.render.plain"}
    ):
        assert find_spec(name), name


def test_the_end_of_a_process_is_short() -> None:
    """The last collection of garbage has next to nothing of what was loaded to look at."""
    ended = subprocess.run([sys.executable, "-c", END], capture_output=True, text=True, check=True)
    tracked, frozen = map(int, ended.stdout.split())
    assert tracked < frozen / 20


def answers(*formats: str) -> list[list[str]]:
    """Questions to rules of each kind, in some formats."""
    rules = ("numpy", "onnx-uni", "pdpd", "bidirectional", "ncnn", "compare")
    return [[rule, *form.split(), "2,N,4", "3,4"] for form in formats for rule in rules]


NO_ANSWERS = [
    *([], ["--file", "3"], ["torch", "2,,3"], ["numpy", "2,,3"], ["numpy", "2", "--axis", "1"]),
    *(["numpy", "2", "-f", "nope"], ["onnx-uni", "2"], ["--help"], ["ncnn", "--help"]),
    *(["compare", "2"], ["compare", "--help"], ["op", "--help"], ["op", "Add", "--nope"]),
    *(["completions"], ["--version"]),
]
LINES = "2,3 3\n2 3\nN 3\n2,,3\n"


@pytest.mark.parametrize(
    ("command_lines", "questions", "needed"),
    [
        (answers("-q", "-f plain", "-f svg"), "", set()),
        (answers("-f json"), "", {"json"}),
        (answers("-f table", "-f table --color always"), "", {"rich"}),
        (NO_ANSWERS, "", set()),
        ([["quiz", "--sheet"], ["rules", "ncnn", "-p"]], "", set()),
        *(([[command, "-f", "plain"]], LINES, set()) for command in ("numpy", "compare")),
        ([["op", "Gemm", "2,3", "3,4", "-p"]], "", {"json"}),
    ],
)
def test_libraries(command_lines: list[list[str]], questions: str, needed: set[str]) -> None:
    """JSON alone loads json, and a table alone Rich; nothing loads NumPy or pydantic.

    An operator takes json, in which the table of operators is written.
    """
    for line, own in zip(command_lines, modules(*command_lines, questions=questions), strict=True):
        assert own & LARGE == needed, line
