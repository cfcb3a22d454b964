"""The doors for programs: the hooks, the notes, what they load, and that they never fail."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from multiprocessing.process import BaseProcess
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import bcastcli
from bcastcli.raising import hooks, report, workers
from tests.raising.programs import Z
from tests.raising.test_answers import failed
from tests.raising.test_command import PACKAGE, environment

LOADS = """
import sys
before = {*sys.modules}
import bcastcli
bcastcli.install()
print(*sorted({*sys.modules} - before))
"""


@pytest.fixture
def installed() -> Iterator[None]:
    """The hooks, for one test."""
    bcastcli.install()
    yield
    bcastcli.uninstall()


def printed(code: str) -> "subprocess.CompletedProcess[str]":
    """Return what came of a program."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=False
    )


def test_loads_nothing() -> None:
    """`install` loads its own module and next to nothing else."""
    loaded = printed(LOADS).stdout.split()
    own = [name for name in loaded if name.startswith("bcastcli")]
    assert own == ["bcastcli", "bcastcli.raising", "bcastcli.raising.hooks"]
    assert not {*loaded} & {"typing", "ast", "inspect", "re", "collections", "threading", "rich"}


def test_an_error_loads_no_framework() -> None:
    """An explanation loads neither Typer nor a framework that the program lacks."""
    code = "import bcastcli, sys, atexit\nbcastcli.install()\n"
    code += "atexit.register(lambda: print(*sys.modules))\n"
    code += (
        "class A:\n    shape = (2, 3)\n    def __add__(self, other): raise ValueError('shape')\n"
    )
    ended = printed(f"{code}a, b = A(), A()\na + b")
    assert "b  2,3" in ended.stderr
    assert not {"typer", "numpy", "torch", "jax", "pydantic"} & {*ended.stdout.split()}


@pytest.mark.usefixtures("installed")
def test_threads(capsys: pytest.CaptureFixture[str]) -> None:
    """An error that ends a thread is explained below its traceback."""
    before = hooks._before[hooks._thread_hook]
    hooks._before[hooks._thread_hook] = (*before[:2], threading.__excepthook__)
    thread = threading.Thread(target=lambda: Z(3) + np.ones(4))
    thread.start()
    thread.join()
    hooks._before[hooks._thread_hook] = before
    err = capsys.readouterr().err
    assert err.index("Traceback") < err.index("mismatch: Z(3) has 3 and np.ones(4) has 4")


def test_install_and_uninstall(capsys: pytest.CaptureFixture[str]) -> None:
    """Hooks are set once, and what there was comes back; one that wraps ours stays."""
    first, error = sys.excepthook, failed(lambda: Z(3) + Z(4))
    bcastcli.install()
    bcastcli.install()
    own = sys.excepthook
    sys.excepthook = lambda *given: own(*given)  # noqa: PLW0108  # another function
    wrapped = sys.excepthook
    bcastcli.uninstall()
    assert sys.excepthook is wrapped
    own(ValueError, error, None)
    assert "mismatch: " not in capsys.readouterr().err
    bcastcli.install()
    assert sys.excepthook is wrapped
    sys.audit("sys.excepthook", wrapped, ValueError, error, None)
    assert "mismatch: " in "".join(hooks._late)
    assert hooks.ended == "error"
    own(ValueError, error, None)
    assert hooks._late == []
    sys.audit("sys.excepthook", wrapped, KeyboardInterrupt, KeyboardInterrupt(), None)
    assert (hooks.ended, hooks._late) == ("interrupt", [])
    assert capsys.readouterr().err.count("mismatch: ") == 1
    sys.excepthook = own
    bcastcli.uninstall()
    assert sys.excepthook is first


def test_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """In IPython an error is explained at once below its cell, in what the stream can write."""
    extension: Any = bcastcli  # as `%load_ext` finds it
    shown: list[Any] = []
    shell = SimpleNamespace(showtraceback=lambda *given, **named: shown.append((given, named)))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(sys, "stderr", TextIOWrapper(out := BytesIO(), "ascii"))
    magics: dict[str, Any] = {}
    extension.load_ipython_extension(
        SimpleNamespace(register_magic_function=lambda own, _: magics.update({own.__name__: own}))
    )
    assert {*magics} == {"strict", "shapes"}
    try:
        Z(3) + Z(4)
    except ValueError:
        shell.showtraceback(running_compiled_code=True)
    assert b"mismatch: Z(3) has 3" in out.getvalue()
    extension.unload_ipython_extension(None)
    shell.showtraceback()
    assert shown == [((None,), {"running_compiled_code": True}), ((), {})]
    assert out.getvalue().count(b"mismatch") == 1


def test_notes() -> None:
    """`shapes` adds one note, as a context manager and as a decorator, and the error stays."""

    @bcastcli.shapes
    def outer(x: object) -> object:
        with bcastcli.shapes():
            return x + Z(4)  # type: ignore[operator]  # it fails

    for _ in range(2):
        with pytest.raises(ValueError, match="broadcast") as raised:
            outer(Z(3))
        [note] = raised.value.__notes__
        assert note.startswith("shapes, by bcastcli:\n")
        assert note.endswith("mismatch: x has 3 and Z(4) has 4 on axis 0 (-1), and neither is 1")
    assert outer.__name__ == "outer"


def test_notes_in_a_loop() -> None:
    """In a loop that goes on, the names are those of the round that failed."""
    notes = []
    for size in (3, 4, 5):
        row = np.ones(size)
        try:
            with bcastcli.shapes():
                row + Z(3)
        except ValueError as error:
            notes += error.__notes__
    assert [note.splitlines()[-1][:25] for note in notes] == [
        "mismatch: row has 4 and Z",
        "mismatch: row has 5 and Z",
    ]


def test_nothing_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong in an explanation, nothing is raised, and nothing is said."""

    def broken(*_: object) -> None:
        raise RecursionError

    with pytest.raises(ValueError, match="broadcast") as raised:
        Z(3) + Z(4)
    assert hooks.explained(raised.value)
    monkeypatch.setattr("bcastcli.raising.report.at_the_raise", broken)
    assert hooks.explained(raised.value) == ""
    monkeypatch.setattr("bcastcli.raising.answers._at_the_raise", broken)
    assert bcastcli.explain(raised.value) is not None  # by its text


def test_where_rich_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich is loaded from where `bcastcli run` says, or else from beside this package."""
    paths: list[str] = []
    monkeypatch.setattr(report, "import_module", lambda _: paths.append(sys.path[0]))
    for folder in ("/libraries", ""):
        monkeypatch.setenv("BCASTCLI_LIBRARIES", folder)
        report._load_tables()
    assert paths == ["/libraries", PACKAGE]
    assert "/libraries" not in sys.path


def test_workers_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that a worker forks does not add the note a second time."""
    text = type("Text", (), {"__init__": lambda _: None})
    monkeypatch.setattr(f"{__name__}.Text", text, raising=False)
    monkeypatch.setattr(workers, "_TEXTS", {__name__: "Text"})
    monkeypatch.setattr("os.register_at_fork", lambda after_in_child: after_in_child())
    workers.install(str)
    monkeypatch.setattr(BaseProcess, "_bootstrap", lambda *given, **named: (given, named))
    monkeypatch.setattr(sys, "orig_argv", ["python", "--multiprocessing-fork"])
    workers.install(str)
    start: Any = BaseProcess._bootstrap  # type: ignore[attr-defined]
    assert start(1, parent_sentinel=2) == ((1,), {"parent_sentinel": 2})
    assert not hasattr(vars(text)["__init__"].__wrapped__, "__wrapped__")
    try:
        next(iter(()))  # its error has no text, and so no note here
    except StopIteration:
        assert text()
