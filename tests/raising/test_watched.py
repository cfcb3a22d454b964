"""raising/session.py: what `run --strict` and `run --shapes` say, of the same program."""

import ast
import json
from pathlib import Path

import pytest

from bcastcli.raising.rewriting import Watched
from tests.effort import in_turn, slow
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


@pytest.mark.parametrize(
    "how",
    ["", *(pytest.param(how, marks=slow) for how in ("exit", "raise", "fail", "interrupt"))],
)
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


@slow
def test_a_mended_program_is_silent(folder: Path) -> None:
    """With what a `try` line says nothing is named, and the status is the program's."""
    (folder / "train.py").write_text(TRAIN.replace("p - y", "p - y.squeeze(1)"), "utf-8")
    own = by_run(["--strict", "train.py"], folder)
    assert (own.returncode, own.stderr) == (0, "")


@slow
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


@slow
def test_a_file_that_is_left(folder: Path) -> None:
    """A file that cannot be changed, or traces its calls, runs as it is; a line says so."""
    (folder / "deep.py").write_text(f"x = 1\ny = {' + '.join(['x'] * 500)}\n", "utf-8")
    traced = "import sys, deep\nsys.settrace(None)\nprint(deep.y)\n"
    (folder / "traced.py").write_text(traced, "utf-8")
    (folder / "whole.py").write_text("import deep\nprint(deep.y)\n", "utf-8")
    for program, said in (
        ("traced.py", "bcastcli: traced.py was not watched: it traces its own calls\n"),
        ("whole.py", "bcastcli: deep.py was not watched: RecursionError\n"),
    ):
        own = by_run(["--strict", program], folder)
        assert (own.returncode, own.stdout, own.stderr) == (0, "500\n", said)


HARD = {
    "a child": "import os\nif os.fork() == 0: [] - x\nelse: print(os.WEXITSTATUS(os.wait()[1]))",
    "an error of that name": "class KeyboardInterrupt(Exception): pass\nraise KeyboardInterrupt",
    "an own method": "class E(Exception):\n    def with_traceback(self, tb): print(9)\nraise E",
    "the traced": "import sys, own\nsys.settrace(lambda f, *_: print(f.f_lineno))\nown.f(x, x)\n"
    "sys.settrace(None)",
    "an own torch": "import torch\nx = y = torch.Tensor()\nprint(x - y, [] == [x], x - x)",
    "an object for a status": "import sys\nclass S:\n    def __del__(self): print('let go')\n"
    "    def __bool__(self): print('asked')\n    def __str__(self): return 's'\n"
    "g = np.ones((2, 1)) - x\nsys.exit(S())",
    "a property for a status": "class S(SystemExit):\n    @property\n    def code(self):\n"
    "        print('read')\n        return 3\nraise S",
}


@slow
@pytest.mark.parametrize("title", in_turn([*HARD], 2))
def test_hard_programs(title: str, tmp_path: Path) -> None:
    """What ends a program, and what it calls, is its own also where it is odd."""
    (tmp_path / "own.py").write_text("def f(x, y): return x == y\n", "utf-8")
    tensor = "class Tensor:\n    def __sub__(self, other): return 5\n"
    (tmp_path / "torch.py").write_text(tensor, "utf-8")
    text = f"import numpy as np\nx = np.ones(2)\n{HARD[title]}\n"
    (tmp_path / "program.py").write_text(text, "utf-8")
    plain = ran(["python", "program.py"], tmp_path)
    own = by_run(["--strict", "program.py"], tmp_path)
    assert (own.returncode, own.stdout) == (plain.returncode, plain.stdout)
    assert own.stderr.startswith(plain.stderr)


@slow
def test_lines_end_where_python_s_do(tmp_path: Path) -> None:
    """The line that is named is the file's, whatever other separators its texts have."""
    text = "import numpy as np\n\x0c\ns = '\x1c \u2028'\nc = np.ones((3, 1)) - np.ones(3)\n"
    (tmp_path / "program.py").write_text(text, "utf-8")
    own = by_run(["--strict", "program.py"], tmp_path)
    assert own.stderr.startswith("program.py, line 4: c = np.ones((3, 1)) - np.ones(3)\n")
