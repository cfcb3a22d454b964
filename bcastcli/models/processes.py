"""Processes of their own for the packages that read models, with limits on what they may use.

These packages are C++, and a damaged model may end their process: the command lives on. The first
half is for the command, the second one for the process that it starts.
"""

import json  # noqa: TID253  # this module is loaded only where such a process is
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bcastcli.models.nodes import ModelError

SMALL_FILE = 1 << 20
"""Bytes, without the weights."""
NO_PACKAGE, NO_MEMORY = 3, 4
"""The exit statuses if the package is not installed, and if memory runs out."""
_FAILED = "shape inference failed on this file"
_OUT_OF_TIME = 24
"""The signal of a process that has used up its processor time, SIGXCPU."""
_PATIENCE = 6
"""How many times its processor time a process may take: others run as well."""
_SAYS_NO_MEMORY = re.compile(rb"bad_alloc|allocat|MemoryError")


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

    It has its time so many times. Raise ModelError if it fails, with the sentence `without` where
    it lacks its package.
    """
    import subprocess

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
        done = subprocess.run(  # noqa: S603  # our own module
            command,
            input=request,
            capture_output=True,
            timeout=patience,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ModelError(f"{_FAILED}: it took more than {patience} seconds") from error
    if done.returncode == NO_PACKAGE:
        raise ModelError(without)
    if done.returncode == -_OUT_OF_TIME:
        raise ModelError(f"{_FAILED}: it took more than {seconds} seconds")
    if done.returncode == NO_MEMORY or (done.returncode and _SAYS_NO_MEMORY.search(done.stderr)):
        raise ModelError(f"{_FAILED}: it took more than {mebibytes:,} MiB of memory")
    if done.returncode or not done.stdout:
        raise ModelError(_FAILED)
    return [json.loads(line) for line in done.stdout.splitlines()]


# Within the process


def limit(**limits: int) -> None:
    """Limit what this process may use, by the names of its resources."""
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
