"""Without the names that Typer keeps to itself, commands answer (cli/commands/__init__.py)."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from bcastcli.rules import RULES
from tests.effort import in_turn, slow
from tests.rows import each_row

ROOT = Path(__file__).parents[2]
CLI = ROOT / "bcastcli" / "cli"
TYPER = Path(typer.__file__).parent
PRIVATE = ["get_runtime_param", "completion_init"]
"""The names of Typer's that the command line uses, and that may change in any release."""
OF_NAMED_TUPLES = {"_asdict", "_replace"}
COMMAND_LINES = [
    *(
        [rule, *RULES[rule].examples[0][0], *form]
        for rule in in_turn(RULES)
        for form in ([], ["--json"])
    ),
    *(["numpy", "-qf", "table", "2,3", "4"], ["pdpd", "2,3", "3", "--axis", "-1", "-p"], []),
    *(["ncnn", "-1,3", "3", "--order=numpy", "-p"], ["-p", "torch", "2,3", "3"], ["-h"], ["-V"]),
    *(["compare", "3,3", "3", "--color", "always"], ["compare", "-p", "N", "3"]),
    *(["op"], ["op", "Gemm", "8,64", "64,10", "--opset", "13", "--json"], ["op", "Add", "-h"]),
    *(["why", "operands could not be broadcast together with shapes (2,3) (4,)"], ["help", "exit"]),
    *(["quiz", "--sheet", "--count", "2", "--seed", "1"], ["rules", "torch", "-p"], ["rules"]),
    *(
        ["completions", "bash"],
        ["check", "lesson.txt"],
        ["deck", "lesson.txt"],
        ["run", "fails.py"],
    ),
    *(["model", "no.onnx"], ["numpy", "2,3", "4", "--steps"], ["numpy", "2,3", "3", "--picture"]),
]
ASK = """
import json, sys
sys.path[:0] = sys.argv[1:]
from bcastcli.cli import early
from tests.in_memory import run

early.read = lambda name, arguments: None
answers = [[line, *run(line, b"2,3 3")] for line in json.load(sys.stdin)]
print()
print(json.dumps(answers))
"""


def names_used() -> set[str]:
    """The attributes of other objects with an underscore that the command line reads or sets."""
    return {
        node.attr
        for path in CLI.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) != "self"
        if re.match("_[a-z]", node.attr)
    }


def answers(folder: Path, *first: Path) -> object:
    """What the command lines answer in a folder, with the modules of other folders first."""
    ran = subprocess.run(
        [sys.executable, "-c", ASK, *map(str, (*first, ROOT))],
        input=json.dumps(COMMAND_LINES),
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    found: object = json.loads(ran.stdout.splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, object]:
    """A folder with the files that are asked about, and the answers in it."""
    folder = tmp_path_factory.mktemp("usual")
    (folder / "lesson.txt").write_text("2,3 3\n4,1 3\n")
    (folder / "fails.py").write_text("print(1)\n")
    return folder, answers(folder)


def test_private_names() -> None:
    """The names that the next test takes away are all there are."""
    assert names_used() - OF_NAMED_TUPLES <= {*PRIVATE}


@slow
@each_row("name", in_turn(PRIVATE, 2))
def test_answers_without(name: str, usual: tuple[Path, object], tmp_path: Path) -> None:
    """Each command answers the same where Typer calls a thing otherwise."""
    for path in TYPER.rglob("*.py"):
        copy = tmp_path / "typer" / path.relative_to(TYPER)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(re.sub(rf"\b{name}\b", f"{name}_now", path.read_text("utf-8")))
    folder, expected = usual
    assert answers(folder, tmp_path) == expected
