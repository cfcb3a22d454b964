"""Run by Python first under `bcastcli run`: it sets the hooks, then runs what it hides.

Children of the program may be any Python, from 2.7 on.
"""

import os
import sys


def _start():
    # type: () -> None
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or os.curdir) != here]
    is_first = os.environ.get("BCASTCLI_PROCESS") == str(os.getpid())
    if sys.version_info >= (3, 11):
        _hook(here.rsplit(os.sep, 3)[0], is_first)
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
    sys.path.insert(0, folder)  # this environment may lack bcastcli
    try:
        from bcastcli.raising import hooks, workers
    finally:
        sys.path.remove(folder)
    hooks.install()
    workers.install(hooks.add_note)
    if os.environ.get("BCASTCLI_STRICT") or os.environ.get("BCASTCLI_SHAPES"):
        if is_first:
            from bcastcli.raising import session

            session.start()
        else:
            import builtins

            vars(builtins).update(workers.passing())


_start()
