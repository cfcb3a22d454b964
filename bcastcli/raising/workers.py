"""Adds the note to an error in a worker process, where its frames are: they do not leave it.

PyTorch's DataLoader, `multiprocessing.Pool` and `concurrent.futures` turn an error into text there,
each by a private class.
"""

import operator
import os
import sys
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

_TEXTS = {
    "torch._utils": "ExceptionWrapper",
    "multiprocessing.pool": "ExceptionWithTraceback",
    "concurrent.futures.process": "_ExceptionWithTraceback",
}
_STARTS = ("--multiprocessing-fork", "multiprocessing.forkserver")
"""Words among the arguments of a process that is started, not forked."""


def install(add_note: Callable[[BaseException], str]) -> None:
    """Have each worker process add notes, once the modules that write its errors are loaded."""

    def prepare() -> None:
        for module, name in _TEXTS.items():
            kind: Any = getattr(sys.modules.get(module), name, None)
            if kind is not None and not hasattr(kind.__init__, "__wrapped__"):
                kind.__init__ = _noting(kind.__init__, add_note)

    os.register_at_fork(after_in_child=prepare)
    if any(word in argument for word in _STARTS for argument in sys.orig_argv):
        from multiprocessing.process import BaseProcess

        own: Any = BaseProcess
        start = own._bootstrap

        @wraps(start)
        def started(*given: Any, **named: Any) -> Any:
            prepare()  # it has loaded its program by now
            return start(*given, **named)

        own._bootstrap = started


def helpers(watch: Any, called: Any, seen: Any, ended: Any) -> dict[str, Any]:
    """What rewritten programs call, by its name in `builtins`.

    Each is there by itself: PyTorch's compiler takes functions there, but no module.
    """
    own = {"watch": watch, "called": called, "seen": seen, "ended": ended}
    own |= {each.__name__: each for each in (type, float, int, SystemExit)}
    own |= {name: getattr(operator, name) for name in operator.__all__}
    return {f"__bcastcli_{name}__": value for name, value in own.items()}


def passing() -> dict[str, Any]:
    """What looks at nothing: for code that other processes rewrote, and when a program has ended.

    It uses no name of a module, since Python empties these.
    """
    ready, is_callable = partial, callable

    def called(_: int, function: Any, /, *given: Any, **named: Any) -> Any:
        return ready(function, *given, **named) if is_callable(function) else function

    return helpers(lambda *given: given[:2], called, lambda value, _: value, lambda: None)


def _noting(write: Callable[..., None], add_note: Callable[[BaseException], str]) -> Any:
    """A constructor that writes the text of an error with its note."""

    @wraps(write)
    def written(*given: Any, **named: Any) -> None:
        error = sys.exception()
        note = add_note(error) if error else ""
        write(*given, **named)
        if error and note:  # it is in the text: once is enough
            error.__notes__.remove(note)

    return written
