"""Watches a program from its start to its end: `bcastcli run --strict` and `--shapes`."""

import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bcastcli.raising import hooks, loading, watching


class Session:
    """What is watched in a program, and what was written of it already."""

    def __init__(self, strict: str, shapes: str, output: str) -> None:
        self._strict, self._shapes, self._output = strict, shapes, output
        self._process = os.getpid()
        self._is_shown = False

    def start(self, script: str, module: str) -> None:
        """Watch the files that are loaded from now on."""
        watching.settings["all"] = self._strict == "all"
        what = loading.Loading(
            operations=bool(self._strict), assignments=bool(self._shapes), main=module
        )
        loading.install(what, script)
        hooks.is_script = bool(script)
        hooks.above.append(self.margins)
        hooks.at_end.append(self.end)

    def margins(self, error: BaseException | None = None) -> str:
        """The margins, once, for standard error; those of an error end where it was raised."""
        if not self._shapes or self._is_shown or os.getpid() != self._process:
            return ""
        self._is_shown = True
        from bcastcli.raising import margins
        from bcastcli.raising.frames import last_of_user

        if self._shapes != "-":
            _write_file(self._shapes, margins.of_files())
            return ""
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
        parts = [self.margins(), self._of_lines()]
        between = "" if self._output == "json" else "\n"
        sys.stderr.write(between.join(filter(None, parts)))
        sys.stderr.flush()
        last = None
        if hooks.ended == ["KeyboardInterrupt"]:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            last = _Last(partial(os.kill, self._process), signal.SIGINT)
        elif watching.grown and watching.settings["status"] in (0, False) and not hooks.ended:
            last = _Last(os._exit, 1)
        if last:
            sys.__bcastcli_last__ = last  # type: ignore[attr-defined]

    def _of_lines(self) -> str:
        """The lines where shapes grew, and the files that were not watched."""
        if not self._strict:
            return ""
        from bcastcli.raising.silent import text

        return text(self._output, sys.stderr)


class _Last:
    """What Python lets go of last, after all else of a program has ended: it sets the status."""

    def __init__(self, leave: Callable[[int], None], status: int) -> None:
        self._leave, self._status = leave, status
        self._streams = [each for each in (sys.__stdout__, sys.__stderr__) if each is not None]

    def __del__(self) -> None:
        status = self._status
        for each in self._streams:
            try:
                each.flush()
            except Exception:  # closed: as Python has it
                status = 120
        self._leave(status)


def _write_file(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, "utf-8")
    except OSError as error:
        sys.stderr.write(f"bcastcli: cannot write {name}: {error.strerror}\n")


def start() -> None:
    """Start as the environment says that `bcastcli run` has set."""
    given = os.environ
    output = given.get("BCASTCLI_RAISE_FORMAT", "table")
    own = Session(given.get("BCASTCLI_STRICT", ""), given.get("BCASTCLI_SHAPES", ""), output)
    own.start(given.get("BCASTCLI_SCRIPT", ""), given.get("BCASTCLI_MODULE", ""))
