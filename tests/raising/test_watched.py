"""raising/session.py: what `run --strict` and `--shapes` print of the programs in watched.txt."""

import ast
import builtins
import io
import re
import runpy
import signal
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bcastcli.raising import hooks, loading, rewriting, session, watching
from bcastcli.raising.notebook import register
from tests.effort import in_turn, slow
from tests.raising.test_command import by_run, ran
from tests.raising.test_printed import ELSEWHERE

FILE = Path(__file__).with_name("watched.txt")
SECTIONS = re.split(r"(?m)^(?=# )", FILE.read_text("utf-8"))[1:]

SHOWN_ONCE = re.compile(r"(?m)^(note  (both|all) operands stretch: .*)?\n")
"""What the first section shows, beside its tables."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a program that is watched; afterwards nothing is watched."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.register_at_fork", lambda **_: None)
    monkeypatch.setattr(SourceFileLoader, "get_code", loading._get_code)
    monkeypatch.setattr(watching, "torch", None)
    monkeypatch.setattr(hooks, "session", None)
    monkeypatch.setattr(hooks, "ended", "")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in [name for name in vars(builtins) if name.startswith("__bcastcli_")]:
        monkeypatch.delattr(builtins, name)
    before = {*sys.modules}
    yield tmp_path
    for name in {*sys.modules} - before:
        module = sys.modules[name]
        if module.__spec__ is None or str(module.__spec__.origin).startswith(str(tmp_path)):
            del sys.modules[name]


def watched(source: str, folder: Path, patches: pytest.MonkeyPatch, *options: str) -> str:
    """What is printed of a program that runs in this process as one of its own; last its status."""
    given = dict(each.removeprefix("--").partition("=")[::2] for each in options)
    main = folder / ("own/__main__.py" if "-m" in options else "program.py")
    settings = {"MODULE": "own"} if "-m" in options else {"SCRIPT": "program.py"}
    settings |= {"RAISE_FORMAT": "json" if "json" in given else "table"}
    settings |= {name.upper(): given[name] or "-" for name in ("strict", "shapes") if name in given}
    for name in ("STRICT", "SHAPES", "SCRIPT", "MODULE", "RAISE_FORMAT"):
        patches.setenv(f"BCASTCLI_{name}", settings.get(name, ""))
    status: list[int] = []
    patches.setattr(session, "_Last", lambda leave: status.extend(leave.args[-1:]))
    patches.setattr(sys, "stderr", out := io.StringIO())
    patches.setattr(sys, "stdout", out)
    signals = {"SIGINT": signal.SIGINT, "SIG_DFL": signal.SIG_DFL}
    patches.setattr(session, "signal", SimpleNamespace(signal=print, **signals))
    watching.settings.update(status=0)
    watching.forget()
    rewriting.sources.clear()
    loading.left.clear()
    main.parent.mkdir(exist_ok=True)
    main.write_text(source, "utf-8")
    hooks.ended = ""
    session.start()
    try:
        if "-m" in options:
            runpy.run_module("own", run_name="__main__")
        else:
            runpy.run_path(str(main), run_name="__main__")
    except SystemExit:
        pass
    except KeyboardInterrupt:
        hooks.ended = "interrupt"
    except Exception as error:
        hooks.ended = "error"
        trace = hooks.session.trace(error.__traceback__ and error.__traceback__.tb_next)
        assert (trace.tb_frame.f_globals["__name__"] == "runpy") is ("-m" in options)
        hooks.write(hooks._text(error))
    hooks._end()
    if (folder / "out.py").exists():
        out.write((folder / "out.py").read_text("utf-8"))
        (folder / "out.py").unlink()
    return out.getvalue() + "".join(f"status {each}\n" for each in status)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda each: each.partition("\n")[0][2:])
def test_printed(
    section: str, folder: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: Any
) -> None:
    """What stands below a program is printed of it; `--update` writes it."""
    title, *programs = section.rstrip().split("\n\n")
    options = re.findall(r"--?[\w=./]+", title.rpartition("(")[2])
    written = f"{title}\n\n"
    for each in programs:
        source = re.sub(r"(?m)^\|.*\n?", "", f"{each}\n")
        own = watched(source, folder, monkeypatch, *options)
        if section is not SECTIONS[0]:
            own = SHOWN_ONCE.sub("", ELSEWHERE.sub("", own)).replace(f"{folder}/", "")
        written += source + "".join(f"| {line}".rstrip() + "\n" for line in own.splitlines()) + "\n"
    if pytestconfig.option.update:
        FILE.write_text(FILE.read_text("utf-8").replace(section, written), "utf-8")
    assert written == section, "pytest --update writes what is printed now"


class Shell:
    """What the magics use of IPython."""

    def __init__(self) -> None:
        self.magics: dict[str, Any] = {}
        self.ast_transformers: list[Any] = []
        self.names: dict[str, Any] = {"np": np}

    def register_magic_function(self, magic: Any, kind: str) -> None:
        """Take a magic of cells."""
        assert kind == "cell"
        self.magics[magic.__name__] = magic

    def transform_cell(self, cell: str) -> str:
        """A cell without what is no Python."""
        return cell.replace("!ls", "pass")

    def run_cell(self, cell: str) -> None:
        """Run a cell; its last statement is shown if it is an expression."""
        tree = ast.parse(self.transform_cell(cell))
        for each in self.ast_transformers:
            tree = each.visit(tree)
        self.names["is_shown"] = isinstance(tree.body[-1], ast.Expr)
        exec(compile(tree, "<cell>", "exec"), self.names)


def test_cells(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A cell is named and shown by itself, and another cell is as ever."""
    register(shell := Shell())
    grows, own = "!ls\na, b = np.ones((3, 1)), np.ones(3)\na - b\nc = a - b[:2]\n", shell.magics
    own["strict"]("", grows)
    printed = capsys.readouterr().err
    assert printed.startswith("the cell, line 3: a - b\naxis")
    assert printed.endswith("1 line where shapes silently grew\n")
    own["strict"](" all ", grows)
    assert capsys.readouterr().err.endswith("2 lines where shapes silently grew\n")
    own["shapes"]("", "a, b = np.ones((3, 1)), np.ones(3)\nc = a - b[:2]\na")
    assert shell.names["is_shown"]
    assert capsys.readouterr().err == (
        "the cell\na, b = np.ones((3, 1)), np.ones(3)  # a 3,1; b 3\n"
        "c = a - b[:2]                       # 3,2\n"
    )
    own["shapes"]("", "d = a")
    assert not shell.names["is_shown"]
    assert capsys.readouterr().err == "the cell\nd = a  # 3,1\n"
    with pytest.raises(ZeroDivisionError):
        own["strict"]("", "a - b; 1 / 0")
    own["strict"]("", "a = 3")
    assert (capsys.readouterr().err, shell.ast_transformers) == ("", [])


def test_how_many_lines_are_remembered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more than the most lines the first are named, and how often each of them ran."""
    monkeypatch.setattr(watching, "MOST_LINES", 1)
    lines = ("for n in 1, 2:", "    a = np.ones((2, 1)) - np.ones(3)", "    b = a[:, :1] - a[0]")
    source = "\n".join(["import numpy as np", *lines])
    printed = watched(source, folder, monkeypatch, "--strict=all", "--shapes")
    assert printed.startswith(
        "program.py\nfor n in 1, 2:\n    a = np.ones((2, 1)) - np.ones(3)  # 2,3  2 times\n"
        "    b = a[:, :1] - a[0]\n\n"
        "program.py, line 3: a = np.ones((2, 1)) - np.ones(3)   (2 times)\n"
    )
    assert printed.endswith("1 line where shapes silently grew\nstatus 1\n")


def test_the_last_of_a_process(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """What is printed is written out before a process gets its status; a child has nothing."""
    calls: list[str] = []
    stream = SimpleNamespace(flush=lambda: calls.append("written"))
    monkeypatch.setattr(sys, "__stdout__", None)
    monkeypatch.setattr(sys, "__stderr__", stream)
    session._Last(lambda: calls.append("left"))
    assert calls == ["written", "left"]
    watching.forget()
    watching.margins[0] = {(((3,), None),): 1}
    monkeypatch.setattr(watching, "sites", [watching.Site("own.py", (1, 0, 1, 1), "")])
    monkeypatch.setitem(rewriting.sources, "own.py", "x = y\n")
    own = session.Session("", "-", "-", "table")
    assert own.margins() == "own.py\nx = y  # 3\n"
    assert own.margins() == ""
    own = session.Session("", "-", "-", "table")
    own.leave()
    own.end()
    assert capsys.readouterr() == ("", "")


TRAIN = """
import sys
import numpy as np

class Ends:
    def __del__(held, n=2.0): print("let go", n * n)

ends = Ends()
p, y = np.ones(8), np.ones((8, 1))
for n in range(5): loss = p - y
print(loss.shape, sorted(globals()), __spec__ and __spec__.name, __package__, __file__)
print(sys.path[0], sys.argv)
how = sys.argv[1:] and sys.argv[1]
if how == "exit": sys.exit(3)
if how == "fail": loss + undefined
if how == "interrupt": raise KeyboardInterrupt
"""


@pytest.mark.parametrize("how", in_turn(["", "exit", "-P", "fail", "interrupt", "module"], 3))
def test_the_program_is_the_same(how: str, tmp_path: Path) -> None:
    """Output, status and traceback are Python's, but the status is 1 where it would be 0."""
    file = tmp_path / ("train/__main__.py" if how == "module" else "train.py")
    file.parent.mkdir(exist_ok=True)
    file.write_text(TRAIN, "utf-8")
    command = {"module": ["-m", "train"], "-P": ["-P", "train.py"]}.get(how, ["train.py", how])
    own, others = by_run(["--strict", *command], tmp_path), ran(["python", *command], tmp_path)
    assert own.stdout == others.stdout
    assert own.returncode == (others.returncode or 1)
    assert own.stderr.startswith(others.stderr)
    assert (
        f"{file.relative_to(tmp_path)}, line 10: for n in range(5): loss = p - y   (5 times)"
        in own.stderr
    )
    assert own.stderr.endswith("1 line where shapes silently grew\n")


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
@pytest.mark.parametrize("title", in_turn([*HARD], 3))
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
