"""Watches a program from its start to its end: `bcastcli run --strict` and `--shapes`."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from bcastcli.raising import hooks, loading, watching


class Session:
    """What is watched in a program, and whether its margins were written already."""

    def __init__(self, script: str, strict: str, shapes: str, output: str) -> None:
        self._is_script = bool(script)
        self._strict, self._shapes, self._output = strict, shapes, output

    def trace(self, trace: TracebackType | None) -> TracebackType | None:
        """A traceback without the frames of `runpy`, which starts a rewritten script."""
        while self._is_script and trace and trace.tb_frame.f_globals.get("__name__") == "runpy":
            trace = trace.tb_next
        return trace

    def leave(self) -> None:
        """Report nothing, as in a child process; it still has the tracebacks of the program."""
        self._strict = self._shapes = ""

    def margins(self, error: BaseException | None = None) -> str:
        """The margins, once, for standard error; those of an error end where it was raised."""
        shapes, self._shapes = self._shapes, ""
        if not shapes:
            return ""
        from bcastcli.raising import margins

        if shapes != "-":
            try:
                Path(shapes).write_text(margins.of_files(), "utf-8")
            except OSError as problem:
                return f"bcastcli: cannot write {shapes}: {problem.strerror}\n"
            return ""
        if self._output == "json":
            from bcastcli.render.json import write

            return write(margins.records())
        return margins.of_functions(error)

    def end(self) -> None:
        """Write what is left to say, and make the status 1 if it were 0 and a line is named."""
        parts = [self.margins()]
        if self._strict:
            from bcastcli.raising.silent import text

            parts.append(text(self._output, sys.stderr))
        between = "" if self._output == "json" else "\n"
        hooks.write(between.join(filter(None, parts)))
        is_named, kept_by = self._strict and watching.grown, cast("Any", sys)
        if hooks.ended == "interrupt":
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            kept_by.__bcastcli_last__ = _Last(partial(os.kill, os.getpid(), signal.SIGINT))
        elif is_named and not (watching.settings["status"] or hooks.ended):
            kept_by.__bcastcli_last__ = _Last(partial(os._exit, 1))


class _Last:
    """What Python lets go of last, after all else of a program has ended: it sets the status."""

    def __init__(self, leave: Callable[[], None]) -> None:
        self._leave, self._streams = leave, (sys.__stdout__, sys.__stderr__)

    def __del__(self) -> None:
        for each in self._streams:
            with suppress(Exception):  # it is closed
                each.flush()  # type: ignore[union-attr]
        self._leave()


def start() -> None:
    """Start as the environment says that `bcastcli run` has set."""
    names = ("SCRIPT", "STRICT", "SHAPES", "RAISE_FORMAT", "MODULE")
    script, strict, shapes, output, main = [os.environ[f"BCASTCLI_{name}"] for name in names]
    watching.settings["all"] = strict == "all"
    programs = (main, f"{main}.__main__")
    loading.install(loading.Loading(bool(strict), bool(shapes), programs), script)
    hooks.session = Session(script if Path(script).is_file() else "", strict, shapes, output)
    os.register_at_fork(after_in_child=hooks.session.leave)
