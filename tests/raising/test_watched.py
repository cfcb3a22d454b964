"""raising/session.py: what `run --strict` and `run --shapes` say, of the same program."""

import ast
import json
from pathlib import Path

import pytest

from bcastcli.raising.rewriting import Watched
from tests.effort import in_turn
from tests.raising.test_command import by_run, ran

TRAIN = """
import sys
import numpy as np

def predict(X, w):
    return X @ w

def step(X, y, w):
    p = predict(X, w)
    err = p - y
    return (err ** 2).mean()

class Ends:
    def __del__(held, n=2.0): print("let go", n * n)

ends = Ends()
X, y, w = np.ones((8, 3)), np.ones((8, 1)), np.ones(3)
for epoch in range(5):
    loss = step(X, y, w)
print("loss", loss, sorted(globals()), __spec__, __package__, __file__, sys.path[0], sys.argv)
how = sys.argv[1:] and sys.argv[1]
if how == "exit": sys.exit(3)
if how == "raise": raise SystemExit(4)
if how == "fail": loss + undefined
if how == "interrupt": raise KeyboardInterrupt
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a program."""
    (tmp_path / "train.py").write_text(TRAIN, "utf-8")
    return tmp_path


@pytest.mark.parametrize("how", in_turn(["", "exit", "raise", "fail", "interrupt"], 2))
def test_the_program_is_the_same(how: str, folder: Path) -> None:
    """Output, status and traceback are Python's, but the status is 1 where it would be 0."""
    own, others = (
        by_run(["--strict", "train.py", how], folder),
        ran(["python", "train.py", how], folder),
    )
    assert own.stdout == others.stdout
    assert own.returncode == (others.returncode or 1)
    assert own.stderr.startswith(others.stderr)
    assert "train.py, line 10, in step: err = p - y   (5 times)\n" in own.stderr
    assert own.stderr.endswith("1 line where shapes silently grew\n")


def test_both(folder: Path) -> None:
    """The margins come first; a value is taken after = alone."""
    own = by_run(["--strict", "--shapes", "train.py"], folder)
    said, _, named = own.stderr.partition("train.py, line 10, in step")
    assert "    err = p - y               # 8,8  5 times\n" in said
    assert "def step(X, y, w):            # X 8,3; y 8,1; w 3  5 times\n" in said
    assert "p         (1)    8\ny           8    1\n" in named


def test_a_mended_program_is_silent(folder: Path) -> None:
    """With what a `try` line says nothing is named, and the status is the program's."""
    (folder / "train.py").write_text(TRAIN.replace("p - y", "p - y.squeeze(1)"), "utf-8")
    own = by_run(["--strict", "train.py"], folder)
    assert (own.returncode, own.stderr) == (0, "")


def test_own_functions_are_no_library_s(folder: Path) -> None:
    """A function or method of the program's own is looked at within, whatever its name."""
    own = "class M:\n    def mul(m, a, b): return a[:, 0] * b\ndef where(a, b): return a.T[0] - b\n"
    calls = "where(y, p)\nM().mul(y, p)\nnp.multiply(y, p)\ny.clip(p)\n"
    text = f"import numpy as np\n{own}y, p = np.ones((8, 1)), np.ones(8)\n{calls}"
    (folder / "train.py").write_text(text, "utf-8")
    said = by_run(["--strict", "train.py"], folder).stderr
    assert [line for line in said.splitlines() if line.startswith("train.py")] == [
        "train.py, line 8: np.multiply(y, p)",
        "train.py, line 9: y.clip(p)",
    ]


def test_a_file_and_json(folder: Path) -> None:
    """`=FILE` writes the file with its margins, and `--json` an object for each place."""
    own = by_run(["--shapes=out.py", "train.py"], folder)
    assert (own.returncode, own.stderr) == (0, "")
    lines = (folder / "out.py").read_text("utf-8").splitlines()
    assert [line.partition("  # ")[0].rstrip() for line in lines] == TRAIN.splitlines()
    own = by_run(["--json", "--strict=all", "--shapes", "train.py"], folder)
    *shapes, named = map(json.loads, own.stderr.splitlines())
    assert (named["result"], named["times"], named["where"]["line"]) == ([8, 8], 5, 10)
    assert {"file", "line", "function"} == shapes[0]["where"].keys()


def test_a_cell_shows_no_more() -> None:
    """IPython shows the value of a cell's last statement if it is an expression, and no other."""
    for cell, is_shown in (("x = f()", False), ("x = f()\nx", True)):
        changed = Watched("cell", operations=False, assignments=True).visit(ast.parse(cell))
        assert isinstance(changed.body[-1], ast.Expr) is is_shown


def test_where_it_fails(folder: Path) -> None:
    """The margins end at the line that raised, above the explanation."""
    text = TRAIN.replace("return (err", "err + np.ones(3)\n    return (err")
    (folder / "train.py").write_text(text, "utf-8")
    said = by_run(["--shapes", "train.py"], folder).stderr
    assert said.index("# 8,8\n    err + np.ones(3)") < said.index("# ValueError")
    assert said.index("# ValueError") < said.index("mismatch: err has 8")
    assert "return (err" not in said


def test_a_file_that_is_left(folder: Path) -> None:
    """A file that cannot be changed, or traces its calls, runs as it is; a line says so."""
    (folder / "deep.py").write_text(f"x = 1\ny = {' + '.join(['x'] * 500)}\n", "utf-8")
    traced = "import sys, deep\nsys.settrace(None)\nprint(deep.y)\n"
    (folder / "traced.py").write_text(traced, "utf-8")
    own = by_run(["--strict", "traced.py"], folder)
    assert (own.returncode, own.stdout) == (0, "500\n")
    assert own.stderr.splitlines() == [
        "bcastcli: traced.py was not watched: it traces its own calls",
        "bcastcli: deep.py was not watched: RecursionError",
    ]
