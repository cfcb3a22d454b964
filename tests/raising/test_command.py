"""`bcastcli run`: Python itself runs the program, and the explanation comes below."""

import json
import os
import posix
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import rich

import bcastcli
from tests.effort import in_turn, slow
from tests.in_memory import run
from tests.rows import each_row

PACKAGE = str(Path(bcastcli.__file__).parents[1])
FAILS = "import numpy as np\nq, v = np.zeros((3, 4)), np.zeros(3)\nq * v\n"
REASON = "mismatch: q has 4 and v has 3 on axis 1 (-1), and neither is 1"
SHOWS = """
import os, pickle, sys
class Held: pass
print(sys.argv, __name__, __file__, sys.path[:2], sys.flags.optimize, sys.stdin.read())
print(__spec__, pickle.dumps(Held()), sorted(globals()), __builtins__)
print(sys.orig_argv[1:], sys.executable, os.getcwd())
"""
LACKS = """
import atexit, sys
class Lacks:
    def find_spec(self, name, *_):
        if name == "bcastcli": raise ImportError(name)
sys.meta_path.insert(0, Lacks())
atexit.register(lambda: print(*(getattr(each, "__name__", "") for each in sys.modules.values())))
"""


def environment(**more: str) -> dict[str, str]:
    """Return an environment in which this Python is `python`, and finds this package."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": PACKAGE, "NO_COLOR": "1", **more}


def ran(
    command: Sequence[str],
    folder: Path,
    text: str = "",
    start: Callable[[], None] | None = None,
    **more: str,
) -> "subprocess.CompletedProcess[str]":
    """Return what came of a process; `start` is called in it first."""
    return subprocess.run(
        command,
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        env=environment(**more),
        check=False,
        timeout=300,
        preexec_fn=start,
    )


def by_run(
    arguments: Sequence[str], folder: Path, text: str = "", **more: str
) -> "subprocess.CompletedProcess[str]":
    """Return what came of a program that `bcastcli run` runs: this process reads its arguments."""
    calls: list[tuple[str, list[str], dict[str, str]]] = []
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr("os.execve", lambda *given: calls.append(given))
        ended = run(["run", *arguments], environment=environment(**more))
    [(python, words, variables)] = calls

    def start() -> None:
        posix.execve(python, words, {**variables, "BCASTCLI_PROCESS": str(os.getpid())})

    own = ran(words, folder, text, start, **more)
    own.stderr = ended.err + own.stderr
    return own


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with programs."""
    for name, text in {
        "fails.py": FAILS,
        "shows.py": SHOWS,
        "exits.py": "import sys\nprint('out')\nsys.exit(3)\n",
        "exits_by_text.py": "import sys\nsys.exit('bad')\n",
        "other.py": "print('x')\n{}['key']\n",
        "interrupted.py": "raise KeyboardInterrupt\n",
        "piped.py": "for _ in range(100_000): print('line')\n",
        "spawned.py": "import multiprocessing as mp\n"
        "def work(x):\n    return x\n"
        "if __name__ == '__main__':\n"
        "    with mp.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(work, [1, 2]))\n",
        "module/__init__.py": "",
        "module/__main__.py": "import sys\nprint(sys.argv[1:], __name__, __package__)\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    in_turn(
        [
            ["shows.py", "-x", "--json", "-h"],
            ["-O", "shows.py"],
            ["-W", "error", "-X", "dev", "shows.py"],
            ["-c", SHOWS.replace("__file__", "0").replace("print(__spec__", "print(0"), "a"],
            ["-", "a"],
            ["-m", "module", "-c", "b"],
            ["exits.py"],
            ["exits_by_text.py"],
            ["other.py"],
            ["interrupted.py"],
            ["spawned.py"],
            ["nowhere.py"],
            ["-m", "nowhere"],
        ],
        2,
    ),
    ids=" ".join,
)
def test_as_python(arguments: list[str], folder: Path) -> None:
    """The status, the output and the errors of a program are those that Python gives, all bytes."""
    text = "print(1, __name__)\n" if arguments[0] == "-" else "typed\n"
    own, others = by_run(arguments, folder, text), ran(["python", *arguments], folder, text)
    assert (own.returncode, own.stdout) == (others.returncode, others.stdout)
    assert own.stderr == others.stderr


def test_explained(folder: Path) -> None:
    """The explanation stands below Python's own traceback, on standard error."""
    own, others = by_run(["fails.py"], folder), ran(["python", "fails.py"], folder)
    assert (own.returncode, own.stdout) == (1, "")
    assert own.stderr.startswith(others.stderr)
    lines = own.stderr.removeprefix(others.stderr).splitlines()
    assert lines[:2] == ["", "fails.py, line 3: q * v"]
    assert lines[-1] == REASON


def test_json(folder: Path) -> None:
    """With -f json the last line of standard error is an object."""
    last = json.loads(by_run(["-f", "json", "fails.py"], folder).stderr.splitlines()[-1])
    assert last["arrays"] == [{"name": "q", "shape": [3, 4]}, {"name": "v", "shape": [3]}]
    assert (last["command"], last["status"], last["where"]["line"]) == ("run", "no", 3)
    assert f"mismatch: {last['reason']}" == REASON


@pytest.mark.parametrize("option", ["-I", "-sE", "-S"])
def test_where_python_does_not_load_it(option: str, folder: Path) -> None:
    """Such an option is named in one line, and the program runs as it does without."""
    own = by_run([option, "exits.py"], folder)
    assert (own.returncode, own.stdout) == (3, "out\n")
    [line] = own.stderr.splitlines()
    assert line == f"bcastcli: python -{option[-1]} disables bcastcli; errors will not be explained"


@each_row(
    ("off", "lines"),
    [
        ("-E", "-E x.py"),
        ("-I", "-Bsu -vI x.py; --version -BI"),
        ("-S", "-X dev -W ignore --check-hash-based-pycs never -S x.py; -Xdev -Wignore -bS"),
        ("", "-cI; -c I; -mIE; -XI -WE -O x.py -I; -X -I x.py; --check-hash-based-pycs -I x.py"),
        ("", "- -I; -m x -I; -c x -I; -cx -S; -bcx -I; -bmx -E; x.py -I; -X; -bX -I x.py"),
    ],
)
def test_options_of_python(off: str, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that keep Python from loading it are found, and no value or argument is."""
    calls: list[Any] = []
    monkeypatch.setattr("os.execve", lambda *given: calls.append(given))
    for line in lines.split("; "):
        warning = run(["run", "--", *line.split()]).err
        _, (_, *arguments), variables = calls.pop()
        assert arguments == line.split()
        assert ("startup" in variables.get("PYTHONPATH", "")) is (not off)
        assert ("BCASTCLI_LIBRARIES" in variables) is (not off)
        expected = f"bcastcli: python {off} disables bcastcli; errors will not be explained\n"
        assert warning == expected * bool(off)


@each_row(
    ("line", "expected"),
    [
        ("x.py --strict", {"SCRIPT": "x.py"}),
        ("--strict -O x.py", {"SCRIPT": "x.py", "STRICT": "-"}),
        (
            "--strict=all --shapes=o.py --json -Xdev x",
            {"SCRIPT": "x", "STRICT": "all", "SHAPES": "o.py", "RAISE_FORMAT": "json"},
        ),
        ("--shapes -f json -m own x.py", {"MODULE": "own", "SHAPES": "-", "RAISE_FORMAT": "json"}),
        ("-- -Bmown x.py", {"MODULE": "own"}),
        ("-- -c 1 x.py", {}),
        ("-", {}),
    ],
)
def test_settings(line: str, expected: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What the hooks are told: the program, and what is shown of it."""
    calls: list[Any] = []
    monkeypatch.setattr("os.execve", lambda *given: calls.append(given))
    assert run(["run", *line.split()]).err == ""
    [(python, [name, *_], variables)] = calls
    assert (python, name) == (which("python"), "python")
    usual = dict.fromkeys(("STRICT", "SHAPES", "SCRIPT", "MODULE"), "")
    usual |= {"RAISE_FORMAT": "table", "PROCESS": str(os.getpid())}
    usual |= {"LIBRARIES": str(Path(rich.__file__).parents[1])}
    assert {name: variables[f"BCASTCLI_{name}"] for name in usual} == usual | expected


@slow
def test_hidden_package(folder: Path) -> None:
    """A `sitecustomize` that is a package runs as one."""
    site = folder / "site" / "sitecustomize"
    site.mkdir(parents=True)
    (site / "__init__.py").write_text("from sitecustomize import own\n", "utf-8")
    (site / "own.py").write_text("print('own', __package__)\n", "utf-8")
    own = by_run(["exits.py"], folder, PYTHONPATH=os.pathsep.join([PACKAGE, str(site.parent)]))
    assert own.stdout == "own sitecustomize\nout\n"


@slow
def test_hidden_sitecustomize(folder: Path) -> None:
    """The environment's own runs under its name; where its hook shows an error, ours is last."""
    site = folder / "site"
    site.mkdir()
    text = (
        "import sys\nprint('own', __name__, __file__)\nsys.excepthook = lambda *_: print('hook')\n"
    )
    (site / "sitecustomize.py").write_text(text, "utf-8")
    own = by_run(["fails.py"], folder, PYTHONPATH=os.pathsep.join([PACKAGE, str(site)]))
    assert own.stdout == f"own sitecustomize {site / 'sitecustomize.py'}\nhook\n"
    assert own.stderr.splitlines()[-1] == REASON


@pytest.mark.parametrize("stream", ["sys.stderr", "None"], ids=["open", "closed"])
def test_an_older_python(stream: str, folder: Path) -> None:
    """It says so in one sentence on standard error, if that is open, and runs the program."""
    start = str(Path(PACKAGE, "bcastcli", "raising", "startup"))
    code = (
        f"import os, sys; sys.version_info, sys.stderr, sys.path[0] = (3, 10), {stream}, {start!r}"
    )
    code += "; os.environ['BCASTCLI_PROCESS'] = str(os.getpid())"
    code += (
        "\ntry: import sitecustomize\nexcept ImportError: pass  # as `site` does: none is hidden"
    )
    code += "\nprint('runs', sys.excepthook is not sys.__excepthook__)"
    own = ran([sys.executable, "-S", "-c", code], folder)
    assert (own.returncode, own.stdout) == (0, "runs False\n")
    warning = "bcastcli: bcastcli run needs Python 3.11 or later; errors will not be explained\n"
    assert own.stderr == (warning if stream == "sys.stderr" else "")


@slow
def test_without_the_package(folder: Path) -> None:
    """A Python without bcastcli explains errors by the Rich of bcastcli, and loads no Typer."""
    (folder / "fails.py").write_text(LACKS + FAILS, "utf-8")
    code = f"import sys; sys.path.insert(0, {PACKAGE!r}); from bcastcli.__main__ import run; run()"
    own = ran([sys.executable, "-c", code, "run", "fails.py"], folder, PYTHONPATH="")
    assert own.stderr.splitlines()[-1] == REASON
    assert {"typer", "rich", "bcastcli"} & {*own.stdout.split()} == {"bcastcli", "rich"}


@slow
@pytest.mark.parametrize("how", ["closed pipe", "Ctrl-C"])
def test_signals(how: str, folder: Path) -> None:
    """A closed pipe and a signal end the program as they end it under Python."""
    program = ["piped.py"] if how == "closed pipe" else ["-c", "print(1, flush=True); input()"]
    process = subprocess.Popen(
        [sys.executable, "-m", "bcastcli", "run", *program],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    if how == "closed pipe":
        process.stdout.close()
    else:
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    status, word = (
        (1, b"BrokenPipeError") if program == ["piped.py"] else (-2, b"KeyboardInterrupt")
    )
    assert (process.returncode, word in errors) == (status, True)


WORKERS = """
import multiprocessing as mp, concurrent.futures as cf
class A:
    shape = (3,)
    def __add__(self, other): raise ValueError("the shape is wrong")
def work(size):
    a = b = A()
    return a + b
if __name__ == "__main__":
    for start in ("fork", "spawn", "forkserver"):
        context = mp.get_context(start)
        with context.Pool(1) as pool, cf.ProcessPoolExecutor(1, mp_context=context) as executor:
            for run in (pool.map, lambda *a: list(executor.map(*a))):
                try: run(work, [4])
                except ValueError as error: text, notes = str(error.__cause__), vars(error)
                print(text.count("a  3"), text.count("shapes, by bcastcli:\\nworkers.py, line 8"))
                print(notes.get("__notes__", []))
"""


@slow
def test_workers(folder: Path) -> None:
    """An error in a worker process has the shapes in its text, once."""
    (folder / "workers.py").write_text(WORKERS, "utf-8")
    own = by_run(["workers.py"], folder)
    assert (own.returncode, own.stderr, own.stdout) == (0, "", "1 1\n[]\n" * 6)


def test_a_python_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named with the reason, and the status is 126; without one on PATH it is our own."""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.execve", refuse)
    bin_folder = str(Path(sys.executable).parent)
    for path, python in (("", sys.executable), (bin_folder, f"{bin_folder}/python")):
        own = run(["run", "fails.py"], environment={"PATH": path})
        assert own == (126, "", f"bcastcli: cannot run {python}: Permission denied\n")
