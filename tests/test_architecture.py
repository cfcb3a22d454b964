"""Which room of the package may import which, and which files may load a large library."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from bcastcli.rules import RULES
from tests.rooms import BASE, FEATURES, room, statements

PACKAGE = Path(__file__).parents[1] / "bcastcli"

# A rule's methods take an answer, an answer has its question, and a question its rule: as types,
# which load nothing.
NAME_EACH_OTHER = ("core/answer.py", "core/question.py", "core/rule.py")
# `rules` defines the names; the others say whose rule a message or a model follows.
NAME_RULES = ("rules", "why", "model")
MAY_LOAD = {
    "typer": ("cli/", *(f"{feature}/command.py" for feature in FEATURES)),
    "rich": (
        "cli/commands/help.py",
        "raising/command.py",  # where it is, for the program
        "render/table.py",
    ),
    "onnx": ("model/inference/", "operators/inference.py"),
    "numpy": ("model/inference/",),
    "json": ("python.py", "model/", "notation/", "operators/table.py", "render/json.py"),
}


class Import(NamedTuple):
    """A module that a file of the package imports, anywhere in it."""

    file: str
    module: str
    is_for_types: bool
    """Whether only a type checker imports it."""


@cache
def parsed() -> dict[str, ast.Module]:
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in PACKAGE.rglob("*.py")
    }


@cache
def imports() -> list[Import]:
    found = []
    for file, tree in parsed().items():
        blocks = [node for node in tree.body if isinstance(node, ast.If)]
        for_types = {
            each
            for block in blocks
            if ast.unparse(block.test) == "TYPE_CHECKING"
            for each in statements(block)
        }
        for node in statements(tree):
            if isinstance(node, ast.ImportFrom):
                assert not node.level, f"{file} imports by a relative name"
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            found += [Import(file, name, node in for_types) for name in names]
    return found


def imports_of_rooms() -> Iterator[tuple[str, str]]:
    """Yield each file, by its place in the rooms, with each other room that it imports."""
    for file, module, _ in imports():
        own, name = room(file), module.removeprefix(f"{PACKAGE.name}.").replace(".", "/")
        outer = name.rpartition("/")[0]
        path = name if (PACKAGE / f"{name}.py").exists() or (PACKAGE / name).is_dir() else outer
        path = path if (PACKAGE / f"{path}.py").exists() else f"{path}/__init__"
        other = room(path) if module.startswith(f"{PACKAGE.name}.") else ""
        if own and other and own != other:
            yield file.removesuffix(".py"), other


def may_import(file: str) -> set[str]:
    own = file.partition("/")[0]
    if own in BASE:
        return BASE[own]
    if own == "cli":  # features only by name, and when they are asked for
        return {*BASE, *FEATURES}
    return {*BASE, *FEATURES[own]} | ({"cli"} if file.endswith("/command") else set())


def test_no_circle() -> None:
    """No modules import each other in a circle, within functions and for types neither.

    Three modules name each other as types.
    """
    names = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in PACKAGE.rglob("*.py")
    }
    found: dict[str, set[str]] = {name: set() for name in names}
    for file, name, is_for_types in imports():
        own = f"{PACKAGE.name}.{file.removesuffix('.py').replace('/', '.')}"
        own = own.removesuffix(".__init__")
        other = name if name in names else name.rpartition(".")[0]
        if other in names - {own} and not (is_for_types and file in NAME_EACH_OTHER):
            found[own].add(other)
    TopologicalSorter(found).prepare()  # CycleError names those that do


def names_of_rules() -> Iterator[str]:
    """Return where a module decides by the name of a rule: by a comparison, or by a lookup."""
    for file, tree in parsed().items():
        if file.split("/")[0] in NAME_RULES:
            continue
        for node in ast.walk(tree):
            where = ast.unparse(node) if isinstance(node, ast.Subscript | ast.Compare) else ""
            if re.search(r"RULES\[|\.rule\b|\bname\b", where):
                words = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
                if words & {*RULES}:
                    yield f"{file}: {where}"


def test_names_of_rules() -> None:
    """What others need to know of a rule it says itself: they never ask for its name."""
    assert list(names_of_rules()) == []


def test_floors() -> None:
    """Each room stands on those that it imports: there are at most eight floors.

    A feature's command stands on the command line, and so is a room of its own.
    """
    imported = {
        (own if own.endswith("/command") else own.partition("/")[0], other)
        for own, other in imports_of_rooms()
        if not (own.startswith("cli/") and other in FEATURES)
    }

    @cache
    def floor(name: str) -> int:
        return 1 + max((floor(other) for own, other in imported if own == name), default=0)

    assert max(floor(own) for own, _ in imported) <= 8


def test_rooms() -> None:
    """No file imports a room against the table."""
    against: dict[str, set[str]] = {}
    for own, other in imports_of_rooms():
        if other not in may_import(own):
            against.setdefault(own, set()).add(other)
    assert against == {}


@pytest.mark.parametrize("library", MAY_LOAD)
def test_libraries(library: str) -> None:
    """What takes long to load is imported only by the files that cannot do without it."""
    files = {file for file, module, _ in imports() if module.split(".")[0] == library}
    assert [file for file in files if not file.startswith(MAY_LOAD[library])] == []
