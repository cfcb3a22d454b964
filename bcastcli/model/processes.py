"""Separate processes for the packages that read models, with limits on time and memory.

These packages are C++, and a damaged model may crash their process; the command survives. The first
half is for the command, the second one for the process that it starts.
"""

import json  # noqa: TID253  # this module is loaded only where such a process is
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bcastcli.model.nodes import ModelError

SMALL_FILE = 1 << 20
"""The largest small file, in bytes without the weights."""
NO_MEMORY = 4
"""The exit status if memory runs out."""
_FAILED = "shape inference failed on this file"
_OUT_OF_TIME = 24
"""The signal of a process that has used up its processor time, SIGXCPU."""
_PATIENCE = 6
"""Wall time as a multiple of processor time: the machine may be busy."""
_SAYS_NO_MEMORY = re.compile(rb"bad_alloc|allocat|map segment|MemoryError")
_SAYS_NO_PACKAGE = re.compile(rb"^(?:ModuleNotFound|Import)Error", re.MULTILINE)


class Failure(ModelError):  # noqa: N818  # it is the process that failed
    """A process that ended early, with the lines that it wrote before."""

    def __init__(self, message: str, lines: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.lines = lines


class Limits(NamedTuple):
    """The limits of a process."""

    seconds: int
    """Of processor time."""
    mebibytes: int


def limits(size: int) -> Limits:
    """Return the limits for a model of this many bytes without its weights."""
    return Limits(10, 300) if size < SMALL_FILE else Limits(60, 2048)


def run(
    module: str, arguments: Sequence[str], request: bytes, limited: Limits, without: str, times: int
) -> list[Mapping[str, Any]]:
    """Return the lines of JSON that a module of ours writes for a request.

    The time limit is multiplied by `times`. Raise Failure if it fails, with the sentence `without`
    where it lacks its package.
    """
    import subprocess
    from tempfile import TemporaryFile

    seconds, mebibytes = limited
    patience = _PATIENCE * seconds * times
    # -P: no module is taken from the current directory, where the model may be.
    command = [sys.executable, "-P", "-m", module, *map(str, limited), *arguments]
    home = str(Path(__file__).parents[2])
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH")))),
        "OPENBLAS_NUM_THREADS": "1",  # each thread would claim memory
    }
    try:
        with TemporaryFile() as given:  # a pipe breaks if the process ends before it has read all
            given.write(request)
            given.seek(0)
            done = subprocess.run(  # noqa: S603  # our own module
                command,
                stdin=given,
                capture_output=True,
                timeout=patience,
                env=environment,
                check=False,
            )
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{_FAILED}: it took more than {patience} seconds") from error
    whole, _, _ = done.stdout.rpartition(b"\n")
    lines = [json.loads(line) for line in whole.splitlines()]
    if done.returncode == -_OUT_OF_TIME:
        raise Failure(f"{_FAILED}: it took more than {seconds} seconds", lines)
    if done.returncode == NO_MEMORY or (done.returncode and _SAYS_NO_MEMORY.search(done.stderr)):
        raise Failure(f"{_FAILED}: it ran out of memory (at most {mebibytes:,} MiB)", lines)
    if _SAYS_NO_PACKAGE.search(done.stderr):
        raise Failure(without)
    if done.returncode or not lines:
        raise Failure(_FAILED, lines)
    return lines


# Within the process


def limit(**limits: int) -> None:
    """Limit the resources of this process, by their names."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    for name, most in limits.items():
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, hard))


def reserved() -> int:
    """Return the bytes of address space without memory behind them: libraries, mostly."""
    try:
        from resource import getpagesize

        size, resident, *_ = Path("/proc/self/statm").read_text("ascii").split()
    except (ImportError, OSError):
        return 0
    return (int(size) - int(resident)) * getpagesize()
