"""`pytest --broadcast-strict`: the files that are watched, and what other processes saw."""

import os
import pickle
from fnmatch import fnmatch
from importlib.util import decode_source
from pathlib import Path
from typing import Any

from bcastcli.raising import loading, silent, watching
from bcastcli.raising.rewriting import sources


def watch(config: Any) -> None:
    """Watch the files below rootdir, but for test modules and each conftest."""
    root = f"{config.rootpath}{os.sep}"
    patterns = ["conftest.py", *config.getini("python_files")]

    def is_wanted(file: str) -> bool:
        is_test = any(fnmatch(Path(file).name, each) for each in patterns)
        return file.startswith(root) and not is_test

    what = loading.Loading(operations=True, assignments=False, is_wanted=is_wanted)
    loading.install(what, "")


def sent() -> bytes:
    """What this process saw, for another one."""
    return pickle.dumps((watching.grown, watching.times))


def receive(seen: bytes) -> None:
    """Add what another process saw to what this one did."""
    grown, times = pickle.loads(seen)  # noqa: S301  # from a worker of our own
    watching.grown |= grown
    watching.times += times
    for site in grown:
        sources[site.file] = decode_source(Path(site.file).read_bytes())


def text() -> str:
    """The lines that are named, or that there are none."""
    return silent.text("table", None) or "no line where shapes silently grew\n"
