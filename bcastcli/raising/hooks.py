"""The hooks for programs and notebooks, which explain an error below its traceback or in a note.

Almost nothing is imported before an error, and the hooks never raise one themselves.
"""

import os
import sys

TYPE_CHECKING = False  # as in typing, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Any

HEAD = "shapes, by bcastcli:"
"""The first line of a note."""
_MOST_CAUSES = 9
_before: "dict[Any, tuple[Any, str, Any]]" = {}
"""For each of our hooks where it is, and the one that it calls first."""
_state: "set[str]" = set()
"""`on` while errors are explained, and `audited` from the first time on."""
session: "Any" = None
"""What `bcastcli run` watches under `--strict` and `--shapes`."""
ended = ""
"""`interrupt` or `error`, where one ends the program."""
_late: "list[str]" = []
"""What is written at the end, since another hook shows the error."""


def is_off() -> bool:
    """Whether the environment turns everything off."""
    return os.environ.get("BCASTCLI_RAISE") == "0"


def explained(error: BaseException, output: str = "table", stream: "Any" = None) -> str:
    """The explanation of an error, for a stream; empty if there is none, or if a note has it."""
    try:
        if is_off() or _has_note(error):
            return ""
        from bcastcli.raising.report import text

        return text(error, output, stream)
    except BaseException:  # never a second error, whatever the first one holds
        return ""


def _has_note(error: BaseException | None) -> bool:
    """Whether the explanation is in a note, or in the text that a worker sent."""
    for _ in range(_MOST_CAUSES):  # an error may be its own cause
        if error is None:
            break
        notes = object.__getattribute__(error, "__dict__").get("__notes__")
        texts = [*error.args, *(notes if type(notes) is list else ())]
        if any(type(each) is str and HEAD in each for each in texts):
            return True
        error = error.__cause__
    return False


def _print(error: BaseException | None) -> None:
    """Write the explanation of an error to standard error."""
    # Python ends by the signal after Ctrl-C, unless a hook has evaluated any text.
    if "on" in _state and isinstance(error, Exception | BaseExceptionGroup):
        write(_text(error))


def _text(error: BaseException) -> str:
    """All that is written of an error, on standard error."""
    output = os.environ.get("BCASTCLI_RAISE_FORMAT", "table")
    parts = [session.margins(error) if session else "", explained(error, output, sys.stderr)]
    return "".join(f"\n{part}" if part and output == "table" else part for part in parts)


def write(text: str) -> None:
    """Write to standard error, unless that is closed."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except Exception:  # noqa: S110  # contextlib is not loaded yet
        pass


def _hook(kind: type[BaseException], error: BaseException, trace: "TracebackType | None") -> None:
    _late.clear()
    if session:
        trace = session.trace(trace)
        BaseException.with_traceback(error, trace)  # none of the program's own
    _before[_hook][2](kind, error, trace)
    _print(error)


def _audit(event: str, given: "tuple[Any, ...]") -> None:
    """See the error that ends the program, though another hook shows it, as Typer's and Rich's."""
    global ended  # noqa: PLW0603
    if event == "sys.excepthook" and "on" in _state and not hasattr(sys, "ps1"):
        hook, kind, error, _ = given
        ended = "interrupt" if kind is KeyboardInterrupt else "error"
        if hook is not _hook and isinstance(error, Exception | BaseExceptionGroup):
            _late[:] = [_text(error)]


def _end() -> None:
    write("".join(_late))
    try:
        if session:
            session.end()
    except Exception:  # noqa: S110  # never a second error
        pass


def _thread_hook(thrown: "Any") -> None:
    _before[_thread_hook][2](thrown)
    _print(thrown.exc_value)


def _show(given: "Any" = None, *more: "Any", **named: "Any") -> None:
    """What shows the traceback of a cell in IPython, of `%run` and of `%%time`."""
    error = (given or sys.exc_info())[1]
    _before[_show][2](given, *more, **named)
    _print(error)


def install() -> None:
    """Explain each error that ends the program, a thread or a cell, below its traceback."""
    if is_off():
        return
    import _thread
    import atexit

    if "audited" not in _state:
        sys.addaudithook(_audit)
        atexit.register(_end)
    _state.update(("audited", "on"))
    _put(sys, "excepthook", _hook)
    threads = sys.modules.get("threading")  # it loads slowly, and takes what `_thread` has
    _put(threads or _thread, "excepthook" if threads else "_excepthook", _thread_hook)
    shell = "IPython" in sys.modules and sys.modules["IPython"].get_ipython()
    if shell:
        _put(shell, "showtraceback", _show)


def _put(owner: "Any", name: str, hook: "Any") -> None:
    """Put our hook before another one, unless that one still calls ours."""
    if hook not in _before:
        _before[hook] = owner, name, getattr(owner, name)
        setattr(owner, name, hook)


def uninstall() -> None:
    """Undo `install`."""
    _state.discard("on")
    for hook, (owner, name, before) in [*_before.items()]:
        if getattr(owner, name) is hook:
            setattr(owner, name, before)
            del _before[hook]


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
    explanation = explained(error).rstrip()
    if not explanation:
        return ""
    note = f"{HEAD}\n{explanation}"
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
