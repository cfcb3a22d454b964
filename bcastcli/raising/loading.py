"""Has Python load the user's files rewritten: what it imports, and the script itself.

Python asks a loader for `get_code`, which is looked up each time: only where a file can be
rewritten is it another. Nothing is written to `__pycache__`.
"""

import builtins
import os
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec, SourceFileLoader
from os.path import realpath
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from bcastcli.raising import watching
from bcastcli.raising.places import is_library
from bcastcli.raising.rewriting import LeftError, rewritten
from bcastcli.raising.workers import helpers, passing

_OWN = f"{Path(__file__).parents[1]}{os.sep}"
_get_code: Any = SourceFileLoader.get_code
left: dict[str, str] = {}
"""The files that run as they are, with the reason."""


class Loading(NamedTuple):
    """What is rewritten, and of which files: it stands for `get_code` of Python's loaders."""

    operations: bool
    assignments: bool
    main: tuple[str, ...] = ()
    """The names of the module that is the program, if it is one."""
    is_wanted: Callable[[str], bool] = lambda _: True

    def __get__(self, loader: SourceFileLoader | None, owner: type) -> Any:
        """What gives the code of a file: Python's own, or that of the rewritten file."""
        code = None
        if type(loader) is SourceFileLoader:
            if loader.name == "torch._dynamo":
                watching.know_torch()
            code = self.code(loader, "module" if loader.name in self.main else "")
        return (lambda *_: code) if code else _get_code.__get__(loader, owner)

    def code(self, loader: SourceFileLoader, main: str) -> CodeType | None:
        """The rewritten code of a file; None where the file runs as it is."""
        file = loader.path
        is_own = not is_library(file) and not file.startswith(_OWN) and self.is_wanted(file)
        if not (is_own or main):
            return None
        operations, assignments = self.operations and is_own, self.assignments and is_own
        try:
            data = loader.get_data(file)
            return rewritten(data, file, operations=operations, assignments=assignments, main=main)
        except (SyntaxError, OSError):  # Python says so itself
            return None
        except Exception as error:  # such as for an expression that is nested too deeply
            left[file] = str(error) if isinstance(error, LeftError) else type(error).__name__
            if main and isinstance(error, LeftError):  # it would trace our calls in other files
                SourceFileLoader.get_code = _get_code  # type: ignore[method-assign]
            return None


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
        self._loader.get_code = lambda *_: code  # type: ignore[method-assign]
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
        self._builtins, self._helpers = vars(builtins), passing()

    def __del__(self) -> None:
        self._builtins.update(self._helpers)


def use_helpers() -> None:
    """Have rewritten code find what it calls."""
    own = helpers(watching.watch, watching.called, watching.seen, watching.ended)
    vars(builtins).setdefault("__bcastcli_kept__", _Kept())
    vars(builtins).update(own)  # last, since a second of what is kept goes at once


def install(loading: Loading, script: str) -> None:
    """Load the files that follow rewritten, the script first."""
    use_helpers()
    SourceFileLoader.get_code = loading  # type: ignore[assignment, method-assign]
    if script:
        file = os.path.join(os.getcwd(), script)  # noqa: PTH109, PTH118  # as Python joins them
        sys.path_hooks.append(Script(loading, file))
