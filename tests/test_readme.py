"""Each command that README.md and the topics of help show gives what stands below it."""

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sysconfig
from contextlib import chdir
from functools import cache
from html import unescape
from itertools import groupby
from pathlib import Path

import onnx
import pytest

from bcastcli import help as topics
from bcastcli.core.rule import Rule
from bcastcli.notation.text import read
from bcastcli.rules import RULES
from tests import effort
from tests.in_memory import run
from tests.model_files import constant, graph, inferred_here, model, node

README = Path(__file__).parents[1] / "README.md"
EXAMPLES = README.parent / "tests" / "readme"
TERMINAL = "bcastcli/help/strict.svg"
PICTURE = "bcastcli/help/same-shape.svg"
DRAWN = "compare 3,3 3 --rules numpy,ncnn --picture -f svg"
IN_CI = "CI" in os.environ
SHOW_STATUS = '; echo "status $?"'
Command = tuple[str, str]


def commands_in(text: str) -> list[Command]:
    """Return the commands of a page's console blocks, each with what stands below it."""
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    sessions = (each for block in blocks for each in re.split("^\\$ ", block, flags=re.MULTILINE))
    pairs = (each.partition("\n")[::2] for each in sessions if each)
    return [(command, shown) for command, shown in pairs]


TEXTS = {"README": README.read_text("utf-8")}
TEXTS |= {name: topics.text(name) for name in topics.names()}
PAGES = {name: commands_in(text) for name, text in TEXTS.items()}


@cache
def files() -> dict[str, bytes]:
    """Return the files that the pages read, by the names of their files."""
    nodes = [
        node("Add", "x mask", "y", "mask"),
        node("Mul", "column row", "z", "grid"),
        node("Gemm", "a w c", "h", "head", transB=1),
    ]
    line = read("x=batch,seq,16 mask=7,16 column=4,1 row=1,4 a=8,64 w=10,64 c=10")
    inputs = {str(name): shape for name, shape in zip(line.names, line.shapes, strict=True)}
    joined = [
        node("Concat", "cls patches", "tokens", "join", axis=1),
        node("Add", "tokens pos", "z", "add"),
    ]
    baked = [constant("cls", [0.0] * 4, [1, 1, 4]), constant("pos", [0.0] * 20, [1, 5, 4])]
    vit = graph(joined, {"patches": ["batch", "seq", 4]}, constants=baked)
    return {
        "small.onnx": model(graph(nodes, inputs)),
        "vit.onnx": model(vit),
        **{each.name: each.read_bytes() for each in EXAMPLES.iterdir() if each.is_file()},
    }


def is_plain(command: str) -> bool:
    """Return whether a command is only programs in a row, and none of them starts bcastcli.

    The status may be shown behind them.
    """
    unquoted = re.sub(r"'[^']*'", "", command.removesuffix(SHOW_STATUS))
    words = shlex.split(command)
    return not set("<>;&$`*") & set(unquoted) and not {"xargs", "parallel"} & {*words}


def piped(command: str) -> str:
    """Return what programs in a row write: bcastcli in this process, the others in theirs."""
    told = out = ""
    status = 0
    for is_bar, words in groupby(shlex.split(command.removesuffix(SHOW_STATUS)), "|".__eq__):
        if is_bar:
            continue
        name, *arguments = words
        if name == "bcastcli":
            status, out, err = run(arguments, out.encode())
            told += err
        else:
            ran = subprocess.run(
                [name, *arguments], input=out, stdout=subprocess.PIPE, encoding="utf-8", check=True
            )
            out, status = ran.stdout, ran.returncode
    return out + told + (f"status {status}\n" if command.endswith(SHOW_STATUS) else "")


@pytest.mark.parametrize("page", PAGES)
def test_page(page: str, tmp_path: Path) -> None:
    """The commands that a page shows give what stands below them, one after the other."""
    (tmp_path / "tests").symlink_to(EXAMPLES.parent)
    for name, data in files().items():
        (tmp_path / name).write_bytes(data)
    tools = [tool for tool in ("jq", "parallel") if not shutil.which(tool) and not IN_CI]
    left = [each for each in PAGES[page] if not any(tool in each[0] for tool in tools)]
    for command, shown in left:
        if not effort.thorough and is_plain(command):
            with chdir(tmp_path), inferred_here():
                written = piped(command)
        else:
            written = in_bash(command, tmp_path)
        assert written.rstrip("\n") == shown.rstrip("\n"), command
    if left != PAGES[page]:
        pytest.skip(f"some commands need {' and '.join(tools)}")


def in_bash(command: str, folder: Path) -> str:
    """Return what a command line writes in a shell."""
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return ran.stdout


def test_commands_are_found() -> None:
    """The pages together have commands of every kind that they speak of, and the README a few."""
    commands = [command for shown in PAGES.values() for command, _ in shown]
    assert len(commands) > 40
    for name in ("numpy", "onnx", "onnx-uni", "none", "pdpd", "ncnn"):
        assert any(name in command for command in commands)


def test_first_screen() -> None:
    """The README begins with a terminal, a program, a pasted error, a model and a question."""
    assert f"]({TERMINAL})" in TEXTS["README"].partition("\n```")[0]
    names = [command.split()[1] for command, _ in PAGES["README"]]
    assert names[:5] == ["run", "why", "model", "model", "-p"]


def test_links() -> None:
    """Each link of the README leads to one of its headings, or to a file."""
    headings = re.findall(r"^## (.*)$", TEXTS["README"], re.MULTILINE)
    anchors = {f"#{re.sub('[^a-z ]', '', each.lower()).replace(' ', '-')}" for each in headings}
    links = re.findall(r"\]\(([^)]+)\)", TEXTS["README"])
    assert len(links) >= 3
    files = {each for each in links if (README.parent / each).exists()}
    assert not {*links} - anchors - files


def test_versions() -> None:
    """The versions and the date of the checks are those that `help engines` has."""
    checked = TEXTS["README"].partition("## Checked against")[2].partition("\n## ")[0]
    numbers = set(re.findall(r"\d[\d.-]*\d", checked))
    assert len(numbers) > 10
    assert numbers <= set(re.findall(r"\d[\d.-]*\d", topics.text("engines")))


def test_model() -> None:
    """The README's model is as the file beside it makes it."""
    made = runpy.run_path(str(EXAMPLES / "swin.py"))["swin"]()
    assert made == onnx.load(EXAMPLES / "swin.onnx")


def test_terminal() -> None:
    """The README's terminal shows what the program writes now."""
    shown = unescape(re.sub("<[^>]*>", "", (README.parent / TERMINAL).read_text("utf-8")))
    words = in_bash("bcastcli run --strict tests/readme/silent.py", README.parent).split()
    assert len(words) > 40
    assert [word for word in words if word not in shown] == []


def test_picture() -> None:
    """The README's picture is as the program draws it now."""
    drawn = run(shlex.split(DRAWN)).out
    as_drawn = drawn == (README.parent / PICTURE).read_text("utf-8")
    assert as_drawn, f"draw it again: python -m bcastcli {DRAWN} > {PICTURE}"


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rules(rule: Rule) -> None:
    """The README's table of rules says of each what its help says."""
    row = rf"^\| `bcastcli {rule.name} .*` \| {re.escape(rule.summary)} \|$"
    assert re.search(row, TEXTS["README"], re.MULTILINE)
