"""raising/rewriting.py: a program that is watched prints and fails as it does alone."""

import io
import linecache
import traceback
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bcastcli.raising.loading import use_helpers
from bcastcli.raising.rewriting import rewritten

FILE = Path(__file__).with_name("same.txt")
PROGRAMS = dict(each.split("\n", 1) for each in FILE.read_text("utf-8").split("\n\n# "))


def came_of(source: str, file: Path, **what: Any) -> tuple[str, str]:
    """What a program prints, and its traceback."""
    file.write_text(source, "utf-8")
    linecache.cache.pop(str(file), None)
    code = compile(source, str(file), "exec", dont_inherit=True)
    if what:
        code = rewritten(source.encode(), str(file), **what)
    module = ModuleType("program")
    module.__file__ = str(file)
    told = ""
    with redirect_stdout(io.StringIO()) as out:
        try:
            exec(code, vars(module))
        except Exception as error:
            lines = traceback.format_exception(error)
            told = "".join(each for each in lines if "test_same.py" not in each)
    return out.getvalue(), told


@pytest.mark.parametrize("title", PROGRAMS)
def test_same(title: str, tmp_path: Path) -> None:
    """Watched for its operations, its assignments or both, it prints and fails as it does alone."""
    use_helpers()
    plain = came_of(PROGRAMS[title], tmp_path / "program.py")
    assert plain != ("", "")
    for operations, assignments in ((True, False), (False, True), (True, True)):
        own = came_of(
            PROGRAMS[title], tmp_path / "program.py", operations=operations, assignments=assignments
        )
        assert own == plain
