"""raising/rewriting.py: a program that is watched prints and fails as it does alone."""

import ast
import io
import linecache
import random
import traceback
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bcastcli.raising import watching
from bcastcli.raising.loading import use_helpers
from bcastcli.raising.rewriting import rewritten
from bcastcli.raising.trees import NAMES
from tests.effort import in_turn
from tests.rows import each_row

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
    raised = ""
    with redirect_stdout(io.StringIO()) as out:
        try:
            exec(code, vars(module))
        except Exception as error:
            lines = traceback.format_exception(error)
            raised = "".join(each for each in lines if "test_same.py" not in each)
    return out.getvalue(), raised


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


def test_warnings_of_the_compiler() -> None:
    """What Python's compiler warns of has the place of the program's own file, once."""
    with pytest.warns(match="invalid escape") as warned:
        rewritten(b'x = "\\d"', "own.py", operations=True, assignments=True)
    assert [each.filename for each in warned] == ["own.py"]


@each_row(
    ("source", "is_watched"),
    [
        *((f"x - {name}(y)", False) for name in NAMES["numbers"]),
        *((f"x * {right}", False) for right in ("-1", "~-1", "-len(y)", "(not y)", "[y]")),
        *(("ord(x) - ord(y)", False), ("x.min(-1)", False), ("x.clip(-1, len(y))", False)),
        *((f"x {right}", True) for right in ("* -y", "- ~y", "- len", "- y.len()", "- abs(y)")),
        *(("np.maximum(x, -y)", True), ("x.min(y)", True)),
    ],
)
def test_what_is_watched(source: str, is_watched: bool) -> None:
    """A number is told by how it is written: a loop of these takes no longer."""
    code = rewritten(source.encode(), "own.py", operations=True, assignments=False)
    assert any(name.startswith("__bcastcli_") for name in code.co_names) is is_watched


FORMS = (
    *("{x} {op} {y}", "({x} {op} {y}) {op} {z}", "({x} + {y}) * ({z} - 1)", "np.maximum({x}, {y})"),
    *("np.where({x} > {z}, {y}, {x})", "(lambda u, v: u {op} v)({x}, {y})", "{x}.sum(axis=-1)"),
    *("[u {op} {y} for u in ({x}, {z})][-1]", "{x}[..., None] - {y}", "f({x}, {y})", "{x}.T"),
)
OPERATORS = ("+", "-", "*", "/", "<", "==", "%", "**")


def by_chance(seed: int) -> str:
    """A program of assignments, loops and functions, which may fail, and prints each shape."""
    chance = random.Random(seed)
    names = ["a", "b", "c"]
    lines = ["import numpy as np", "def f(u, v):", "    w = u - v", "    return w * u"]
    for name in names:
        shape = chance.choice([(3,), (3, 1), (1, 3), (2, 3), (2, 1, 3), ()])
        lines.append(f"{name} = np.arange(float(np.prod({shape}))).reshape({shape})")
    for number in range(8):
        x, y, z = (chance.choice(names) for _ in range(3))
        form = chance.choice(FORMS).format(x=x, y=y, z=z, op=chance.choice(OPERATORS))
        names.append(f"v{number}")
        kept = chance.choice(["v{0} = {1}", "v{0} = {1}", "for i in range(2): v{0} = {1}"])
        lines.append(kept.format(number, form))
        lines.append(f"print({len(lines)}, np.shape(v{number}))")
    return "\n".join(["np = None", *lines])


@pytest.mark.parametrize("start", in_turn(range(0, 100, 25), 4))
def test_by_chance(start: int, tmp_path: Path) -> None:
    """Of a hundred programs all prints and tracebacks are the same, and the margins are true."""
    use_helpers()
    file = tmp_path / "program.py"
    for seed in range(start, start + 25):
        program = by_chance(seed)
        plain = came_of(program, file)
        assert came_of(program, file, operations=True, assignments=False) == plain
        watching.forget()
        assert came_of(program, file, operations=True, assignments=True) == plain
        margins = {
            watching.sites[number].line: [part[0] for (part,) in shapes if part]
            for number, shapes in watching.margins.items()
            if not watching.sites[number].function and len(next(iter(shapes))) == 1
        }
        for line in plain[0].splitlines():
            number, shape = line.split(" ", 1)
            found = margins.get(int(number) + 1)
            assert found is None or ast.literal_eval(shape) in found
        assert len(margins) >= plain[0].count("\n") / 2
