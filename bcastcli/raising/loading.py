"""Has Python load the user's files rewritten: a finder for imports, and one for the script itself.

A loader is Python's own, with another `get_code`. Nothing is written to `__pycache__`.
"""

import builtins
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from os.path import realpath
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from bcastcli.raising import watching
from bcastcli.raising.places import is_library
from bcastcli.raising.rewriting import LeftError, rewritten
from bcastcli.raising.workers import helpers

_OWN = f"{Path(__file__).parents[1]}{os.sep}"
left: dict[str, str] = {}
"""The files that run as they are, with the reason."""


class Loading:
    """What is rewritten, and of which files."""

    def __init__(
        self,
        *,
        operations: bool,
        assignments: bool,
        main: str = "",
        is_wanted: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._what = {"operations": operations, "assignments": assignments}
        self._main = main
        """The name of the module that is the program, if it is one."""
        self._is_wanted = is_wanted
        self._asked: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What the finders after this one find; a file of the user's is loaded rewritten."""
        if name in self._asked:  # by another finder that asks all
            return None
        if name == "torch._dynamo":
            watching.know_torch()
        self._asked.add(name)
        try:
            others = [each for each in sys.meta_path if each is not self]
            found = (find(name, path, target) for each in others if (find := _finder(each)))
            spec = next((each for each in found if each is not None), None)
        finally:
            self._asked.discard(name)
        loader = spec and spec.loader
        if type(loader) is SourceFileLoader and "get_code" not in vars(loader):
            is_main = name in (self._main, f"{self._main}.__main__")
            self.rewrite(loader, "module" if self._main and is_main else "")
        return spec

    def rewrite(self, loader: SourceFileLoader, main: str) -> bool:
        """Have a loader give the rewritten code of a file, if that can be changed."""
        file = loader.path
        is_own = not is_library(file) and not file.startswith(_OWN) and self._is_wanted(file)
        if not (is_own or main):
            return False
        what = self._what if is_own else dict.fromkeys(self._what, False)
        try:
            code = rewritten(loader.get_data(file), file, main=main, **what)
        except (SyntaxError, OSError):  # Python says so itself
            return False
        except Exception as error:  # such as for an expression that is nested too deeply
            left[file] = str(error) if isinstance(error, LeftError) else type(error).__name__
            return False
        loader.get_code = partial(_once, loader, code)  # type: ignore[method-assign]
        return True


def _finder(each: Any) -> Any:
    return getattr(each, "find_spec", None)


def _once(loader: SourceFileLoader, code: CodeType, _: str = "") -> CodeType:
    """The rewritten code; the loader is Python's own again."""
    del loader.get_code
    return code


class Script:
    """The finder for a script: Python asks `sys.path_hooks` whether a file holds a `__main__`."""

    def __init__(self, loading: Loading, file: str) -> None:
        self._loading, self._file = loading, file
        self._loader = SourceFileLoader("__main__", file)

    def __call__(self, path: str) -> "Script":
        """The finder for the script alone, and once."""
        if path != self._file or not Path(path).is_file():
            raise ImportError
        sys.path_hooks.remove(self)
        if not self._loading.rewrite(self._loader, "script"):
            raise ImportError
        return self

    def find_spec(self, name: str, target: ModuleType | None = None) -> ModuleSpec:
        """The spec of `__main__`, after which `sys.path` is as for any script."""
        del sys.path_importer_cache[self._file]
        if sys.flags.safe_path:
            del sys.path[0]
        else:
            sys.path[0] = str(Path(realpath(self._file)).parent)
        return ModuleSpec(name, self._loader, origin=self._file)


def use_helpers() -> None:
    """Have rewritten code find what it calls."""
    own = helpers(watching.watch, watching.called, watching.seen, watching.ended)
    vars(builtins).update(own)


def install(loading: Loading, script: str) -> None:
    """Load the files that follow rewritten, the script first."""
    use_helpers()
    sys.meta_path.insert(0, loading)
    if script:
        file = os.path.join(os.getcwd(), script)  # noqa: PTH109, PTH118  # as Python joins them
        sys.path_hooks.append(Script(loading, file))
