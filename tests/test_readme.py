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
from unittest.mock import patch

import onnx
import pytest

from bcastcli import help as topics
from bcastcli.notation.text import read
from tests import effort
from tests.effort import slow
from tests.in_memory import run
from tests.model_files import constant, graph, inferred_here, model, node

README = Path(__file__).parents[1] / "README.md"
EXAMPLES = README.parent / "tests" / "readme"
IN_CI = "CI" in os.environ
PATH = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
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
    """Whether a command is only programs in a row, none of which starts another.

    The status may be shown behind them.
    """
    unquoted = re.sub(r"'[^']*'", "", command.removesuffix(SHOW_STATUS))
    words = shlex.split(command)
    return not set("<>;&$`*") & set(unquoted) and not {"xargs", "parallel", "run"} & {*words}


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
        assert matches(written.rstrip("\n"), shown.rstrip("\n")), f"{command}\n{written}"
    if left != PAGES[page]:
        pytest.skip(f"some commands need {' and '.join(tools)}")


def matches(written: str, shown: str) -> bool:
    """Whether a page shows what a command writes; a line `…` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*" if line == "…" else re.escape(f"{line}\n") for line in shown.split("\n")
    )
    return re.fullmatch(pattern, f"{written}\n") is not None


def in_bash(command: str, folder: Path) -> str:
    environment = {**os.environ, "PATH": PATH, "PYTHONIOENCODING": "utf-8"}
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


def test_first_screen() -> None:
    """The README has at most 120 lines: a program, a pasted error, a model and a question."""
    names = [command.split()[1] for command, _ in PAGES["README"]]
    assert names == ["run", "why", "model", "torch"]
    assert len(TEXTS["README"].splitlines()) <= 120


def test_links() -> None:
    """Each link of the README leads to one of its headings, or to a file."""
    headings = re.findall(r"^## (.*)$", TEXTS["README"], re.MULTILINE)
    anchors = {f"#{re.sub('[^a-z ]', '', each.lower()).replace(' ', '-')}" for each in headings}
    links = re.findall(r"\]\(([^)]+)\)", TEXTS["README"])
    assert len(links) >= 3
    files = {each for each in links if (README.parent / each).exists()}
    assert not {*links} - anchors - files


def test_model() -> None:
    """The README's model is as the file beside it makes it."""
    made = runpy.run_path(str(EXAMPLES / "swin.py"))["swin"]()
    assert made == onnx.load(EXAMPLES / "swin.onnx")


@slow
def test_terminal() -> None:
    """The README's terminal shows what the programs write now."""
    terminal = runpy.run_path(str(EXAMPLES / "terminal.py"))
    with patch.dict(os.environ, PATH=PATH):
        drawn = terminal["drawn"](terminal["session"]())
    assert text_of(drawn) == text_of(terminal["PICTURE"].read_text("utf-8"))


def text_of(picture: str) -> str:
    """The text of an SVG, without what Rich's versions do differently."""
    return " ".join(unescape(re.sub("<[^>]*>", "", picture.partition("</style>")[2])).split())
