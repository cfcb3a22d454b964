"""Take a line of JSON and a model from standard input, and write lines of JSON.

    python -m bcastcli.models.inference SECONDS MEBIBYTES

The first line is about the model, or says why it is not read; each further one is a node.
"""

import json  # noqa: TID253  # a process of its own
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

from bcastcli.models.processes import NO_MEMORY, NO_PACKAGE, Limits, limit, reserved


def main() -> None:
    """Answer one request."""
    limits = Limits(*map(int, sys.argv[1:]))
    limit(RLIMIT_CPU=limits.seconds, RLIMIT_CORE=0)
    try:
        # All at once: from then on no file is opened, whatever paths the model holds.
        from bcastcli.models.inference import listing, model, rounds  # noqa: F401
    except ImportError:
        sys.exit(NO_PACKAGE)
    limit(RLIMIT_AS=reserved() + (limits.mebibytes << 20), RLIMIT_NOFILE=0)
    try:
        for line in answer(sys.stdin.buffer.read()):
            if "opset" in line:  # a model, perhaps the next combination of sizes
                limit(RLIMIT_CPU=int(process_time()) + limits.seconds)
            sys.stdout.write(f"{json.dumps(line)}\n")
        sys.stdout.flush()
    except MemoryError:
        sys.exit(NO_MEMORY)


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


if __name__ == "__main__":
    main()
