"""Has Python load the user's files rewritten: what it imports, and the script itself.

Python asks a loader for `get_code`, which is looked up each time: only where a file can be
rewritten is it another. Nothing is written to `__pycache__`.
"""

import builtins
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from os.path import realpath
from pathlib import Path
from types import CodeType
from typing import Any

from bcastcli.raising import watching
from bcastcli.raising.places import is_library
from bcastcli.raising.rewriting import LeftError, rewritten
from bcastcli.raising.workers import helpers

_OWN = f"{Path(__file__).parents[1]}{os.sep}"
_get_code: Any = SourceFileLoader.get_code
left: dict[str, str] = {}
"""The files that run as they are, with the reason."""


class Loading:
    """What is rewritten, and of which files: it stands for `get_code` of Python's loaders."""

    def __init__(
        self,
        *,
        operations: bool,
        assignments: bool,
        main: str = "",
        is_wanted: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._what = {"operations": operations, "assignments": assignments}
        self._main = {main, f"{main}.__main__"} if main else set()
        """The names of the module that is the program, if it is one."""
        self._is_wanted = is_wanted

    def __get__(self, loader: SourceFileLoader | None, owner: type) -> Any:
        """What gives the code of a file: Python's own, or that of the rewritten file."""
        if loader is None:
            return _get_code
        if loader.name == "torch._dynamo":
            watching.know_torch()
        code = None
        if type(loader) is SourceFileLoader:
            code = self.code(loader, "module" if loader.name in self._main else "")
        return partial(_given, code) if code else _get_code.__get__(loader)

    def code(self, loader: SourceFileLoader, main: str) -> CodeType | None:
        """The rewritten code of a file; None where the file runs as it is."""
        file = loader.path
        is_own = not is_library(file) and not file.startswith(_OWN) and self._is_wanted(file)
        if not (is_own or main):
            return None
        what = self._what if is_own else dict.fromkeys(self._what, False)
        try:
            return rewritten(loader.get_data(file), file, main=main, **what)
        except (SyntaxError, OSError):  # Python says so itself
            return None
        except Exception as error:  # such as for an expression that is nested too deeply
            left[file] = str(error) if isinstance(error, LeftError) else type(error).__name__
            return None


def _given(code: CodeType, _: str = "") -> CodeType:
    return code


class Script:
    """The finder for a script: Python asks `sys.path_hooks` whether a file holds a `__main__`."""

    def __init__(self, loading: Loading, file: str) -> None:
        self._loading, self._file = loading, file
        self._loader = SourceFileLoader("__main__", file)

    def __call__(self, path: str) -> "Script":
        """The finder for the script alone, and once."""
        if path != self._file:
            raise ImportError
        sys.path_hooks.remove(self)
        code = self._loading.code(self._loader, "script")
        if code is None:
            raise ImportError
        self._loader.get_code = partial(_given, code)  # type: ignore[method-assign]
        return self

    def find_spec(self, name: str, target: Any = None) -> ModuleSpec:
        """The spec of `__main__`, after which `sys.path` is as for any script."""
        del sys.path_importer_cache[self._file]
        if sys.flags.safe_path:
            del sys.path[0]
        else:
            sys.path[0] = str(Path(realpath(self._file)).parent)
        return ModuleSpec(name, self._loader, origin=self._file)


class _Kept:
    """Keeps what rewritten code calls: Python empties `builtins` before the last `__del__`."""

    def __init__(self) -> None:
        self._builtins = vars(builtins)
        self._helpers = helpers(
            lambda left, right, _: (left, right),
            lambda _, function, /, *given, **named: lambda: function(*given, **named),
            lambda value, _: value,
            lambda: None,
        )

    def __del__(self) -> None:
        self._builtins.update(self._helpers)


def use_helpers() -> None:
    """Have rewritten code find what it calls."""
    own = helpers(watching.watch, watching.called, watching.seen, watching.ended)
    vars(builtins).update(own)
    if not hasattr(builtins, "__bcastcli_kept__"):  # another one would go at once
        vars(builtins)["__bcastcli_kept__"] = _Kept()


def install(loading: Loading, script: str) -> None:
    """Load the files that follow rewritten, the script first."""
    use_helpers()
    SourceFileLoader.get_code = loading  # type: ignore[assignment, method-assign]
    if script:
        file = os.path.join(os.getcwd(), script)  # noqa: PTH109, PTH118  # as Python joins them
        sys.path_hooks.append(Script(loading, file))
