"""`pytest --broadcast-strict`: the files that are watched, and what other processes saw."""

import os
from collections.abc import Iterable
from fnmatch import fnmatch
from importlib.util import decode_source
from pathlib import Path
from typing import Any

from bcastcli.raising import loading, silent, watching
from bcastcli.raising.rewriting import sources
from bcastcli.raising.watching import Grown, Site


def watch(config: Any) -> None:
    """Watch the files below rootdir, but for test modules and each conftest."""
    root = f"{config.rootpath}{os.sep}"
    patterns = ["conftest.py", *config.getini("python_files")]

    def is_wanted(file: str) -> bool:
        is_test = any(fnmatch(Path(file).name, each) for each in patterns)
        return file.startswith(root) and not is_test

    what = loading.Loading(operations=True, assignments=False, is_wanted=is_wanted)
    loading.install(what, "")


def sent() -> list[Any]:
    """What this process saw, for another one."""
    pairs = [(watching.sites[number], found) for number, found in watching.grown.items()]
    return [[[*site], vars(found)] for site, found in pairs]


def receive(seen: Iterable[Any]) -> None:
    """Add what another process saw to what this one did."""
    known = {watching.sites[number]: found for number, found in watching.grown.items()}
    for (file, line, function, place, names, is_in_place), fields in seen:
        site = Site(file, line, function, tuple(place), tuple(names), is_in_place)
        if site in known:
            known[site].times += fields["times"]
            continue
        found = Grown(fields["shapes"], fields["result"], fields["places"], fields["framework"])
        found.times = fields["times"]
        watching.sites.append(site)
        watching.grown[len(watching.sites) - 1] = known[site] = found
        sources.setdefault(file, decode_source(Path(file).read_bytes()))


def text() -> str:
    """The lines that are named, or that there are none."""
    return silent.text("table", None) or "no line where shapes grew without a word\n"
