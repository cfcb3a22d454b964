"""The hooks for programs and notebooks, which explain an error below its traceback or in a note.

Almost nothing is imported before an error, and the hooks never raise one themselves. This module
also works without its package, whose path it knows: `bcastcli run` loads it where bcastcli is not
installed.
"""

import os
import sys

TYPE_CHECKING = False  # as in typing, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType
    from typing import Any

HEAD = "shapes, by bcastcli:"
"""The first line of a note."""
_MOST_CAUSES = 9
_before: "dict[str, Callable[..., Any]]" = {}
"""The hooks that ours call first."""
_installed: set[str] = set()
above: "list[Callable[[BaseException], str]]" = []
"""What else is written of an error, above its explanation."""
at_end: "list[Callable[[], None]]" = []
"""What is done when the program has ended."""
ended: "list[str]" = []
"""The class of the error that ends the program."""
_audited: "list[bool]" = []
_late: "list[str]" = []
"""What is written at the end, since another hook shows the error."""
is_script = False
"""Whether the script is run by Python's `runpy`, which has two frames."""


def is_off() -> bool:
    """Return whether the environment turns everything off."""
    return os.environ.get("BCASTCLI_RAISE") == "0"


def explained(error: BaseException, output: str = "table", *, for_stderr: bool = False) -> str:
    """Return the explanation of an error; empty if there is none, or if a note has it."""
    try:
        if is_off() or _has_note(error):
            return ""
        find_package()
        from bcastcli.raising.report import text

        return text(error, output, sys.stderr if for_stderr else None)
    except BaseException:  # never a second error, whatever the first one holds
        return ""


def _has_note(error: BaseException | None) -> bool:
    """Return whether the explanation is in a note, or in the text that a worker sent."""
    for _ in range(_MOST_CAUSES):  # an error may be its own cause
        if error is None:
            break
        notes = object.__getattribute__(error, "__dict__").get("__notes__", ())
        texts = [*error.args, *(notes if type(notes) is list else ())]
        if any(type(each) is str and HEAD in each for each in texts):
            return True
        error = error.__cause__
    return False


def find_package() -> None:
    """Import the package from where this file is, unless it is there already."""
    if "bcastcli" not in sys.modules:
        from importlib.util import module_from_spec, spec_from_file_location
        from pathlib import Path

        spec = spec_from_file_location("bcastcli", Path(__file__).parents[1] / "__init__.py")
        if spec and spec.loader:
            sys.modules["bcastcli"] = module_from_spec(spec)
            spec.loader.exec_module(sys.modules["bcastcli"])


def _print(error: BaseException | None) -> None:
    """Write the explanation of an error to standard error."""
    # Python ends by the signal after Ctrl-C, unless a hook has evaluated any text.
    is_error = isinstance(error, Exception | BaseExceptionGroup)
    if error is not None and is_error and _installed and sys.stderr is not None:
        _write(_text(error))


def _text(error: BaseException) -> str:
    """All that is written of an error, on standard error."""
    output = os.environ.get("BCASTCLI_RAISE_FORMAT", "table")
    said = explained(error, output, for_stderr=True)
    parts = [*[each(error) for each in above], said]
    return "".join(f"\n{each}" if each and output == "table" else each for each in parts)


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except Exception:  # noqa: S110  # the stream is closed
        pass


def _hook(kind: type[BaseException], error: BaseException, trace: "TracebackType | None") -> None:
    _late.clear()
    if is_script:
        trace = _without_runpy(trace)
        error = error.with_traceback(trace)
    _before["sys"](kind, error, trace)
    _print(error)


def _without_runpy(trace: "TracebackType | None") -> "TracebackType | None":
    """A traceback without the frames that start a rewritten script."""
    while trace is not None and trace.tb_frame.f_globals.get("__name__") == "runpy":
        trace = trace.tb_next
    return trace


def _audit(event: str, given: "tuple[Any, ...]") -> None:
    """See the error that ends the program, though another hook shows it, as Typer's and Rich's."""
    if event == "sys.excepthook" and _installed and not hasattr(sys, "ps1"):
        hook, kind, error, _ = given
        ended.append(kind.__name__)
        if hook is not _hook and isinstance(error, Exception | BaseExceptionGroup):
            _late[:] = [_text(error)]


def _end() -> None:
    if _late:
        _write("".join(_late))
    for each in at_end:
        try:  # noqa: SIM105  # contextlib is not loaded yet
            each()
        except Exception:  # noqa: S110  # never a second error
            pass


def _thread_hook(thrown: "Any") -> None:
    _before["threading"](thrown)
    _print(thrown.exc_value)


def _show(given: "Any" = None, *more: "Any", **named: "Any") -> None:
    """What shows the traceback of a cell in IPython, of `%run` and of `%%time`."""
    error = (given or sys.exc_info())[1]
    _before["shell"](given, *more, **named)
    _print(error)


def _shell() -> "Any":
    """The shell of IPython, where it runs."""
    module = sys.modules.get("IPython")
    return module and module.get_ipython()


def _threading() -> "tuple[Any, str]":
    """Return the module that has the hook of threads, and its name: `threading` loads slowly."""
    import _thread

    module = sys.modules.get("threading")
    return (module, "excepthook") if module else (_thread, "_excepthook")


def install() -> None:
    """Explain each error that ends the program, a thread or a cell, below its traceback."""
    if _installed or is_off():
        return
    if not _audited:
        import atexit

        _audited.append(True)
        sys.addaudithook(_audit)
        atexit.register(_end)
    if not _before:  # else another hook still calls ours
        _before.update(sys=sys.excepthook, threading=getattr(*_threading()))
        sys.excepthook = _hook
        setattr(*_threading(), _thread_hook)
    shell = _shell()
    if shell and "shell" not in _before:
        _before["shell"] = shell.showtraceback
        shell.showtraceback = _show
    _installed.add("hooks")


def uninstall() -> None:
    """Undo `install`."""
    if not _installed:
        return
    shell = _shell()
    if shell and shell.showtraceback is _show:
        shell.showtraceback = _before.pop("shell")
    if sys.excepthook is _hook and getattr(*_threading()) is _thread_hook:
        sys.excepthook = _before["sys"]
        setattr(*_threading(), _before["threading"])
        _before.clear()
    _installed.clear()


def load_ipython_extension(shell: "Any") -> None:
    """Explain the errors of cells, and know `%%strict` and `%%shapes`: `%load_ext bcastcli`."""
    install()
    from bcastcli.raising.notebook import register

    register(shell)


def unload_ipython_extension(_shell: "Any") -> None:
    """Undo it: `%unload_ext bcastcli`."""
    uninstall()


def add_note(error: BaseException) -> str:
    """Add the explanation of an error to it as a note, once; return the note."""
    note = f"{HEAD}\n{said.rstrip()}" if (said := explained(error)) else ""
    if note:
        BaseException.add_note(error, note)
    return note


def shapes(function: "Any" = None) -> "Any":
    """Add the explanation as a note to an error that passes.

    It is a context manager, `with shapes():`, and a decorator, `@shapes`.
    """
    from contextlib import contextmanager

    @contextmanager
    def noting() -> "Iterator[None]":
        try:
            yield
        except BaseException as error:
            add_note(error)
            raise

    return noting() if function is None else noting()(function)
