"""A feature is a folder that could be deleted: every command that is left answers as before."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from bcastcli.rules import RULES
from tests.effort import in_turn, slow

ROOT = Path(__file__).parents[1]
FEATURES = (
    ("why", "raising"),
    ("model",),
    ("check",),
    ("deck",),
    ("quiz",),
    ("raising",),
    ("picture", "deck"),
    ("compare", "picture", "deck"),
)
"""The features, each with those that cannot do without it."""
COMMANDS = {"raising": "run"}
"""The commands that are not named after their folder."""
MESSAGE = "operands could not be broadcast together with shapes (2,3) (4,)"
FORMATS = ("", "-p", "--json")
QUESTIONS = [f"{rule} {' '.join(RULES[rule].examples[0][0])}" for rule in RULES]
ANSWERED = [
    *("8,1,6,1 7,1,5", "torch 2,3 3,2", "N,4 3,4", "2,,3 4", "numpy 64,1 64 --strict"),
    *QUESTIONS,
    *("compare 3,3 3", "compare 2,3 4", "compare N,3 3"),
    *("op", "op Gemm", "op Gemm 8,64 10,64 10", "op Add 2,3 4", "op Conv 1,3,8,8 4,3,3,3"),
    *(f"why '{MESSAGE}'", "why nothing"),
    *("rules", *(f"rules {rule}" for rule in RULES)),
]
"""Command lines that are asked in each format; in a quick run most in one, others each time."""
OTHERS = [
    *("model net.onnx --json", "check lesson.txt", "check lesson.txt --json"),
    *("run fails.py", "quiz --sheet --seed 1", "quiz --sheet --seed 1 -f gift"),
    *(f"completions {shell}" for shell in ("bash", "zsh", "fish")),
    *("-V", "matmul 3,4 4", "nonsense", "numpy 2 --strange", "compare 2 3 --axis x"),
]
NEEDING = {
    "4,1 3 --steps": "picture",
    "4,1 3 --picture": "picture",
    "4,1 3 -f svg": "picture",
    "compare 3,3 3 --picture": "picture",
    "check compared.txt": "compare",
}
"""Command lines that need a feature besides their own; without it they are refused."""
ASK = """
import io, json, subprocess, sys
from contextlib import redirect_stderr, redirect_stdout
from bcastcli.cli.main import main

def asked(words):
    if words[:1] == ["run"]:  # which becomes the program
        command = [sys.executable, "-m", "bcastcli", *words]
        ended = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        return ended.returncode, ended.stdout, ended.stderr
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "oe"]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        status = main(words)
    return status, *(stream.buffer.getvalue().decode() for stream in streams)

json.dump([asked(words) for words in json.load(sys.stdin)], sys.stdout)
"""


def answers(folder: Path, lines: list[str]) -> dict[str, list[object]]:
    """The status and the output of each command line, by the package in a folder."""
    ended = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        input=json.dumps([shlex.split(line) for line in lines]),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout.replace(str(folder), "."))
    return dict(zip(lines, found, strict=True))


def copy(folder: Path) -> Path:
    """Put a copy of the package into a folder, and the files that the command lines name."""
    for name in ("bcastcli", "completions"):
        shutil.copytree(ROOT / name, folder / name)  # what is compiled, too
    (folder / "lesson.txt").write_text("4,1 3 -> 4,3\n2,3 4\n", "utf-8")
    (folder / "compared.txt").write_text("compare 3,3 3\n", "utf-8")
    (folder / "fails.py").write_text(f"raise ValueError({MESSAGE!r})\n", "utf-8")
    (folder / "net.onnx").write_bytes(_model())
    return folder


def _model() -> bytes:
    """A model of one node; without onnx, a file that is none."""
    if not find_spec("onnx"):
        return b"no model"
    from tests.model_files import graph, model, node

    return model(graph([node("Add", "x y", "z")], {"x": ["batch", 3], "y": [4, 3]}))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[object]]:
    lines = in_turn([f"{line} {form}" for line in ANSWERED for form in FORMATS], 4)
    return answers(copy(tmp_path_factory.mktemp("whole")), [*lines, *OTHERS])


@slow
@pytest.mark.parametrize("deleted", in_turn(FEATURES, 2), ids="+".join)
def test_deleted(deleted: tuple[str, ...], tmp_path: Path, whole: dict[str, list[object]]) -> None:
    """Without a feature every other command answers as before, and no help lists its command."""
    folder = copy(tmp_path)
    for name in deleted:
        shutil.rmtree(folder / "bcastcli" / name)
    gone = {COMMANDS.get(name, name) for name in deleted}
    left = [line for line in whole if line.split()[0] not in gone]
    asked = [f"{name} 3,3 3" for name in gone]
    topics = (page.stem for page in folder.glob("bcastcli/*/*.md") if page.stem.islower())
    pages = ["-h", "help topics", *(f"help {topic}" for topic in topics)]
    found = answers(folder, [*left, *asked, *pages, *NEEDING])
    assert {line: found[line] for line in left if found[line] != whole[line]} == {}
    assert {line for line in [*asked, *pages, *NEEDING] if found[line][0] == 2} == {
        *asked,
        *(line for line, need in NEEDING.items() if need in deleted or line.split()[0] in gone),
    }
    assert {found[line][0] for line in pages} == {0}
    for name in gone:
        assert f"  {name} " not in str(found["-h"][1])
