"""Run by Python first under `bcastcli run`: it sets the hooks, then runs what it hides."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _start() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or os.curdir) != here]
    if sys.version_info >= (3, 11):
        hooks, workers = (_loaded(os.path.dirname(here), name) for name in ("hooks", "workers"))
        hooks.install()
        workers.install(hooks.add_note)
        if os.environ.get("BCASTCLI_PROCESS"):
            _watch(hooks, workers)
    elif sys.stderr is not None:
        sys.stderr.write(
            "bcastcli: this is Python %d.%d, and 3.11 is the first with positions in errors:"
            " the program runs, and nothing is explained\n" % sys.version_info[:2]
        )
    hidden = sys.meta_path[-1].find_spec(__name__, sys.path)
    if hidden is not None and hidden.loader is not None:
        module = sys.modules[__name__]
        module.__spec__, module.__file__, module.__loader__ = hidden, hidden.origin, hidden.loader
        hidden.loader.exec_module(module)


def _watch(hooks: "Any", workers: "Any") -> None:
    """Watch shapes in the process that `bcastcli run` was; what others call lets all pass."""
    if os.environ["BCASTCLI_PROCESS"] == str(os.getpid()):
        hooks.find_package()
        sys.modules["bcastcli.raising.hooks"] = hooks
        from bcastcli.raising import session

        session.start()
    else:
        workers.let_all_pass()


def _loaded(folder: str, name: str) -> "Any":
    """Return a module of bcastcli, which this environment may lack."""
    kind = type(__spec__.loader)  # type: "Any"
    module = type(sys)("_bcastcli_" + name)
    module.__file__ = os.path.join(folder, name + ".py")
    kind(module.__name__, module.__file__).exec_module(module)
    return module


_start()
