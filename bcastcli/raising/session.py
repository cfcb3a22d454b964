"""Watches a program from its start to its end: `bcastcli run --strict` and `--shapes`."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from bcastcli.raising import hooks, loading, watching


class Session:
    """What is watched in a program, and whether its margins were written already."""

    def __init__(self, strict: str, shapes: str, output: str) -> None:
        self._strict, self._shapes, self._output = strict, shapes, output
        self._process = os.getpid()

    def margins(self, error: BaseException | None = None) -> str:
        """The margins, once, for standard error; those of an error end where it was raised."""
        shapes = self._shapes if os.getpid() == self._process else ""
        self._shapes = ""
        if not shapes:
            return ""
        from bcastcli.raising import margins
        from bcastcli.raising.frames import last_of_user

        if shapes != "-":
            return _written_to(Path(shapes), margins.of_files())
        if self._output == "json":
            from bcastcli.render.json import write

            return write(margins.records())
        stop = None
        if error is not None and (trace := last_of_user(error)):
            code = trace.tb_frame.f_code
            stop = margins.Stop(code.co_filename, trace.tb_lineno, type(error).__name__)
        return margins.of_functions(stop)

    def end(self) -> None:
        """Write what is left to say, and make the status 1 if it were 0 and a line is named."""
        if os.getpid() != self._process or sys.stderr is None:
            return
        parts = [self.margins()]
        if self._strict:
            from bcastcli.raising.silent import text

            parts.append(text(self._output, sys.stderr))
        between = "" if self._output == "json" else "\n"
        sys.stderr.write(between.join(filter(None, parts)))
        sys.stderr.flush()
        last: Any = sys
        if hooks.ended == ["KeyboardInterrupt"]:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            last.__bcastcli_last__ = _Last(partial(os.kill, self._process, signal.SIGINT))
        elif watching.grown and watching.settings["status"] in (0, False) and not hooks.ended:
            last.__bcastcli_last__ = _Last(partial(os._exit, 1))


class _Last:
    """What Python lets go of last, after all else of a program has ended: it sets the status."""

    def __init__(self, leave: Callable[[], None]) -> None:
        self._leave = leave
        self._streams = [each for each in (sys.__stdout__, sys.__stderr__) if each is not None]

    def __del__(self) -> None:
        for each in self._streams:
            with suppress(Exception):  # it is closed
                each.flush()
        self._leave()


def _written_to(path: Path, text: str) -> str:
    """Write a file; return why it could not be written."""
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        return f"bcastcli: cannot write {path}: {error.strerror}\n"
    return ""


def start() -> None:
    """Start as the environment says that `bcastcli run` has set."""
    strict, shapes, output, script, main = [
        os.environ.get(f"BCASTCLI_{name}", "")
        for name in ("STRICT", "SHAPES", "RAISE_FORMAT", "SCRIPT", "MODULE")
    ]
    own = Session(strict, shapes, output)
    watching.settings["all"] = strict == "all"
    what = loading.Loading(operations=bool(strict), assignments=bool(shapes), main=main)
    loading.install(what, script)
    hooks.is_script = Path(script).is_file()
    hooks.above.append(own.margins)
    hooks.at_end.append(own.end)
