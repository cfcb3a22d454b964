"""Run by Python first under `bcastcli run`: it sets the hooks, then runs what it hides.

Children of the program may be any Python, from 2.7 on.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any  # noqa: F401  # in comments


def _start():
    # type: () -> None
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or os.curdir) != here]
    is_first = os.environ.get("BCASTCLI_PROCESS") == str(os.getpid())
    if sys.version_info >= (3, 11):
        _hook(os.path.dirname(here), is_first)
    elif is_first and sys.stderr is not None:
        sys.stderr.write(
            "bcastcli: bcastcli run needs Python 3.11 or later; errors will not be explained\n"
        )
    own = sys.modules.pop(__name__)
    try:
        __import__(__name__)  # what this one hides; `site` knows that there may be none
    finally:
        sys.modules.setdefault(__name__, own)


def _hook(folder, is_first):
    # type: (str, bool) -> None
    """Set the hooks; shapes are watched in the process that `bcastcli run` was."""
    hooks, workers = [_loaded(folder, name) for name in ("hooks", "workers")]
    hooks.install()
    workers.install(hooks.add_note)
    if not (os.environ.get("BCASTCLI_STRICT") or os.environ.get("BCASTCLI_SHAPES")):
        return
    if is_first:
        hooks.find_package()
        sys.modules["bcastcli.raising.hooks"] = hooks
        from bcastcli.raising import session

        session.start()
    else:
        vars(workers.builtins).update(workers.passing())


def _loaded(folder, name):
    # type: (str, str) -> Any
    """Return a module of bcastcli, which this environment may lack."""
    kind = type(__spec__.loader)  # type: Any
    module = type(sys)("_bcastcli_" + name)
    module.__file__ = os.path.join(folder, name + ".py")
    kind(module.__name__, module.__file__).exec_module(module)
    return module


_start()
