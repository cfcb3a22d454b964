"""Take a line of JSON and a model from standard input, and write lines of JSON.

    python -m bcastcli.models.inference SECONDS MEBIBYTES

The first line is about the model, or says why it is not read; each further one is a node.
"""

import json  # noqa: TID253  # a process of its own
import sys
from pathlib import Path
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
        lines = answer(sys.stdin.buffer.read())
    except MemoryError:
        sys.exit(NO_MEMORY)
    sys.stdout.write("".join(f"{json.dumps(line)}\n" for line in lines))
    sys.stdout.flush()


def _reserved() -> int:
    """Return the bytes of address space without memory behind them: libraries, mostly."""
    try:
        from resource import getpagesize

        size, resident, *_ = Path("/proc/self/statm").read_text("ascii").split()
    except (ImportError, OSError):
        return 0
    return (int(size) - int(resident)) * getpagesize()


def answer(request: bytes) -> list[dict[str, Any]]:
    """Return the lines about a model, given the line of JSON and the model behind it."""
    from bcastcli.models.inference import listing, model, rounds

    asked, _, data = request.partition(b"\n")
    options = json.loads(asked)
    try:
        prepared = model.prepare(data, options["given"])
        return [*listing.lines(prepared, rounds.infer(prepared), frozenset(options["operators"]))]
    except model.Refusal as refusal:
        return [refusal.line]


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
