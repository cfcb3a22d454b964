"""Which folder of the package may import which, and which files may load a large library."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bcastcli.rules import RULES
from tests.walks import statements

PACKAGE = Path(__file__).parents[1] / "bcastcli"

# cli, and the files beside the folders, may import all of ours.
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "rules": {"core"},
    "notation": {"core"},
    "messages": {"core"},
    "models": {"core"},
    "operators": {"core", "rules", "notation"},
    "analysis": {"core", "rules", "operators", "messages", "models"},
    "render": set(),
    "reports": {"core", "messages", "analysis", "models", "render"},
    "quiz": {"core", "rules", "notation", "analysis", "render", "reports"},
    "stream": {"core", "notation", "reports", "render"},
    "help": set(),
}
# A rule's methods take an answer, an answer has its question, and a question its rule: as types,
# which load nothing.
NAME_EACH_OTHER = ("core/answer.py", "core/question.py", "core/rule.py")
# `rules` defines the names; the others say whose rule a message or a model follows.
NAME_RULES = ("rules", "messages", "models")
MAY_LOAD = {
    "typer": ("cli/",),
    "rich": ("render/table.py", "render/topic.py", "stream/progress.py"),
    "onnx": ("models/inference/",),
    "numpy": ("models/inference/",),
    "json": ("python.py", "models/", "notation/", "operators/table.py", "render/json.py"),
}


@cache
def imports(*, for_types: bool = True) -> tuple[tuple[str, str], ...]:
    """Return each file of the package with each module that it imports, anywhere in it.

    Without `for_types`, what only a type checker imports is left out.
    """
    return tuple(_imports(for_types=for_types))


@cache
def parsed() -> dict[str, ast.Module]:
    """Return each file of the package, read as Python."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in PACKAGE.rglob("*.py")
    }


def _imports(*, for_types: bool) -> Iterator[tuple[str, str]]:
    for file, tree in parsed().items():
        if not for_types:
            body = [node for node in tree.body if not _is_for_types(node)]
            tree = ast.Module(body, tree.type_ignores)
        for node in statements(tree):
            if isinstance(node, ast.ImportFrom):
                assert not node.level, f"{file} imports by a relative name"
                yield from ((file, f"{node.module}.{alias.name}") for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((file, alias.name) for alias in node.names)


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imports_of_folders() -> set[tuple[str, str]]:
    """Return each folder with each other folder of ours that it imports."""
    names = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    pairs = {
        (file.split("/")[0], module.split(".")[1])
        for file, module in imports()
        if module.startswith(f"{PACKAGE.name}.") and "/" in file
    }
    return {(own, other) for own, other in pairs if other in names and own != other}


def modules_imported() -> dict[str, set[str]]:
    """Return each module of the package with those of the package that it imports.

    Imports within a function count, and so do those for types alone, but for three modules.
    """
    modules = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in PACKAGE.rglob("*.py")
    }
    found: dict[str, set[str]] = {module: set() for module in modules}
    for file, name in {*imports(for_types=False)} | {
        (file, name) for file, name in imports() if file not in NAME_EACH_OTHER
    }:
        own = f"{PACKAGE.name}.{file.removesuffix('.py').replace('/', '.')}"
        own = own.removesuffix(".__init__")
        other = name if name in modules else name.rpartition(".")[0]
        if other in modules - {own}:
            found[own].add(other)
    return found


def circle(imported: dict[str, set[str]]) -> list[str]:
    """Return modules of which each imports the next and the last the first; none if none do."""
    done: set[str] = set()

    def search(path: list[str]) -> list[str]:
        for other in sorted(imported[path[-1]] - done):
            if other in path:
                return path[path.index(other) :]
            found = search([*path, other])
            if found:
                return found
        done.add(path[-1])
        return []

    return next(filter(None, (search([module]) for module in sorted(imported))), [])


def test_no_circle() -> None:
    """No modules import each other in a circle, within functions and for types neither."""
    assert circle(modules_imported()) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]


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
    """Each folder stands on those that it imports: there are at most seven floors."""
    imported = imports_of_folders()

    @cache
    def floor(folder: str) -> int:
        below = [other for own, other in imported if own == folder]
        return 1 + max(map(floor, below), default=0)

    assert max(floor(own) for own, _ in imported) <= 7


def test_folders() -> None:
    """No folder imports another one against the table, and a new folder has its line there."""
    against = {
        (own, other)
        for own, other in imports_of_folders()
        if own != "cli" and other not in MAY_IMPORT[own]
    }
    assert against == set()


@pytest.mark.parametrize("library", MAY_LOAD)
def test_libraries(library: str) -> None:
    """What takes long to load is imported only by the files that cannot do without it."""
    files = {file for file, module in imports() if module.split(".")[0] == library}
    assert [file for file in files if not file.startswith(MAY_LOAD[library])] == []
