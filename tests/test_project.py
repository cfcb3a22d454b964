"""What holds for the tests themselves, and for the files that tools outside of them read."""

import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.walks import statements

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PACKAGE = ROOT / "bcastcli"
FILES = sorted(TESTS.rglob("test_*.py"))


def of_tests(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield each test of a module."""
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


@pytest.mark.parametrize("folder", ["cli", "unit"])
def test_files_are_named_after_modules(folder: str) -> None:
    """A test file has the name of its module or folder, or its docstring has their paths."""
    names = {path.stem for path in PACKAGE.rglob("*") if path.suffix == ".py" or path.is_dir()}
    without = []
    for path in (TESTS / folder).glob("test_*.py"):
        text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        named = re.findall(r"\w+/(?:[\w./-]*[\w/])?|\w+\.md", text)
        places = [place for name in named for place in (PACKAGE / name, ROOT / name)]
        if path.stem.removeprefix("test_") not in names and not any(map(Path.exists, places)):
            without.append(path.name)
    assert without == []


def test_what_users_install() -> None:
    """Users and the README's test command have extras; the rest are dependency groups, bounded."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    assert set(extras) == {"onnx", "openvino", "test"}
    assert {"bench", "dev", "engines", "frameworks", "mutation", "scale"} <= set(groups)
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
