"""Which folder of the package may import which, and which files may load a large library."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "bcastcli"

# cli, and the files beside the folders, may import all of ours.
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "rules": {"core"},
    "notation": {"core"},
    "messages": {"core"},
    "models": {"core"},
    "operators": {"core", "rules", "notation"},
    "analysis": {"core", "rules"},
    "render": set(),
    "reports": {"core", "rules", "operators", "messages", "analysis", "models", "render"},
    "stream": {"core", "notation", "reports", "render"},
    "help": set(),
}
MAY_LOAD = {
    "typer": ("cli/",),
    "rich": ("render/table.py", "render/topic.py", "stream/progress.py"),
    "onnx": ("models/inference/",),
    "numpy": ("models/inference/",),
    "json": ("models/", "notation/", "operators/table.py", "render/json.py"),
}


@cache
def imports() -> tuple[tuple[str, str], ...]:
    """Return each file of the package with each module that it imports, anywhere in it."""
    return tuple(_imports())


def _imports() -> Iterator[tuple[str, str]]:
    for path in PACKAGE.rglob("*.py"):
        file = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not node.level, f"{file} imports by a relative name"
                yield from ((file, f"{node.module}.{alias.name}") for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((file, alias.name) for alias in node.names)


def imports_of_folders() -> set[tuple[str, str]]:
    """Return each folder with each other folder of ours that it imports."""
    names = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    pairs = {
        (file.split("/")[0], module.split(".")[1])
        for file, module in imports()
        if module.startswith(f"{PACKAGE.name}.") and "/" in file
    }
    return {(own, other) for own, other in pairs if other in names and own != other}


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
