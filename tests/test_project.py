"""What holds for the tests themselves, and for the files that tools outside of them read."""

import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from bcastcli import __version__
from tests.rooms import statements

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PACKAGE = ROOT / "bcastcli"
FILES = sorted(TESTS.rglob("test_*.py"))


def of_tests(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in statements(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def test_every_test_has_its_promise() -> None:
    """The docstring of each test begins with one sentence: what it promises."""
    without = [
        f"{path.name}: {test.name}"
        for path in FILES
        for test in of_tests(ast.parse(path.read_text("utf-8")))
        if not re.match(r"[^\n]*\w.*?[.)]($|\s)", ast.get_docstring(test) or "", re.DOTALL)
    ]
    assert without == []


def test_tests_mirror_the_rooms() -> None:
    """A test file is in the folder of its room, and has the name or the path of what it tests."""
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    without = []
    for path in TESTS.glob("*/test_*.py"):
        if (room := path.parent.name) not in rooms:
            continue
        names = {each.stem for each in (PACKAGE / room).rglob("*")}
        text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        named = re.findall(rf"\b{room}/[\w/]*(?:\.\w+)?", text)
        found = [each for each in named if (PACKAGE / each).exists()]
        if path.stem.removeprefix("test_") not in names and not found:
            without.append(f"{room}/{path.name}")
    assert without == []


def test_what_users_install() -> None:
    """Users and the README's test command have extras; the rest are dependency groups, bounded."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    assert set(extras) == {"onnx", "test"}
    assert {"bench", "dev", "engines", "frameworks"} <= set(groups)
    required = [*project["project"]["dependencies"], *chain(*extras.values(), *groups.values())]
    named = [each for each in required if isinstance(each, str) and "bcastcli[" not in each]
    assert [each for each in named if not re.search(r"[>=]=\d", each)] == []


@pytest.mark.skipif(not (ROOT / ".ci").exists(), reason="a source distribution has no hidden files")
def test_what_is_checked_before_a_commit() -> None:
    """The hooks of pre-commit run what .ci/run does first, and nothing else."""
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    entries = re.findall(r"^ +entry: (.*)$", hooks, re.MULTILINE)
    lint, _, _ = (ROOT / ".ci" / "run").read_text("utf-8").partition("echo \"== the README's")
    run = re.findall(r"^\.lint/bin/(?!pip)(.*?)(?: \.)?$", lint, re.MULTILINE)
    assert run == entries == ["ruff check", "ruff format --check", "mypy --strict"]


def test_changelog() -> None:
    """The changelog begins with this version and its day, or with the next, not yet released."""
    text = (PACKAGE / "CHANGELOG.md").read_text("utf-8")
    newest = next(line for line in text.splitlines() if line.startswith("## "))
    this_one = rf"{re.escape(__version__)}, \d{{4}}-\d\d-\d\d"
    assert re.fullmatch(rf"## ({this_one}|\d+\.\d+\.\d+ \(unreleased\))", newest)


def test_hook_for_others() -> None:
    """The hook that other projects use takes the files that check reads, in any case of letters."""
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    [files] = re.findall(r"^ +files: (.*)$", hook, re.MULTILINE)
    names = ["A.MD", "b.md", "c.Markdown", "d/shapes.txt", "e.mdx", "myshapes.txt"]
    assert [name for name in names if re.search(files, name)] == names[:4]
