"""Take a line of JSON and a model from standard input, and write lines of JSON.

    python -m bcastcli.models.inference SECONDS MEBIBYTES

The first line is about the model, or says why it is not read; each further one is a node.
"""

import json  # noqa: TID253  # a process of its own
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from bcastcli.models.inference import NO_MEMORY, NO_ONNX, Limits


def main() -> None:
    """Answer one request."""
    limits = Limits(*map(int, sys.argv[1:]))
    _limit(RLIMIT_CPU=limits.seconds, RLIMIT_CORE=0)
    try:
        # All at once: from then on no file is opened, whatever paths the model holds.
        from bcastcli.models.inference import listing, model, rounds  # noqa: F401
    except ImportError:
        sys.exit(NO_ONNX)
    _limit(RLIMIT_AS=_reserved() + (limits.mebibytes << 20), RLIMIT_NOFILE=0)
    try:
        for line in answer(sys.stdin.buffer.read()):
            if "opset" in line:  # a model, perhaps the next combination of sizes
                _limit(RLIMIT_CPU=int(process_time()) + limits.seconds)
            sys.stdout.write(f"{json.dumps(line)}\n")
        sys.stdout.flush()
    except MemoryError:
        sys.exit(NO_MEMORY)


def _reserved() -> int:
    """Return the bytes of address space without memory behind them: libraries, mostly."""
    try:
        from resource import getpagesize

        size, resident, *_ = Path("/proc/self/statm").read_text("ascii").split()
    except (ImportError, OSError):
        return 0
    return (int(size) - int(resident)) * getpagesize()


def answer(request: bytes) -> Iterator[dict[str, Any]]:
    """Yield the lines about a model, given the line of JSON and the model behind it."""
    from bcastcli.models.inference import listing, model, rounds

    asked, _, data = request.partition(b"\n")
    options = json.loads(asked)
    try:
        read = model.read(data, options["given"])
    except model.Refusal as refusal:
        yield refusal.line
        return
    for prepared in read.combinations():
        yield from listing.lines(prepared, rounds.infer(prepared), frozenset(options["operators"]))


def _limit(**limits: int) -> None:
    """Limit what this process may use."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    for name, most in limits.items():
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, hard))


if __name__ == "__main__":
    main()
