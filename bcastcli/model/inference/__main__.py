"""Take a line of JSON and a model from standard input; write lines of JSON.

    python -m bcastcli.model.inference SECONDS MEBIBYTES

Each line has a model with a combination of its sizes; or a line explains why it cannot be read.
"""

import gc
import json  # noqa: TID253  # a process of its own
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

from bcastcli.model.inference import known, reading, walk
from bcastcli.model.nodes import ModelError
from bcastcli.operators import questions, table


def main() -> None:
    """Answer one request."""
    gc.disable()  # messages hold no cycles, and the search for them takes 5 % of the time
    seconds, mebibytes = map(int, sys.argv[1:])
    limit(RLIMIT_CPU=seconds, RLIMIT_CORE=0)
    known.table()  # which read their files
    table.operators()
    table.signatures()
    questions.ask("Einsum 2,3 3 equation=ij,j->i")  # whatever is imported by a question
    limit(RLIMIT_DATA=mebibytes << 20, RLIMIT_NOFILE=0)  # without the mapped libraries
    for line in answer(sys.stdin.buffer.read()):
        limit(RLIMIT_CPU=int(process_time()) + seconds)  # for the next combination
        sys.stdout.write(f"{json.dumps(line, default=plain)}\n")


def answer(request: bytes) -> Iterator[dict[str, Any]]:
    """A line for each model, given the line of JSON and the file behind it."""
    given, _, data = request.partition(b"\n")
    try:
        for proto, model in reading.read(data, json.loads(given)):
            yield {"model": walk.Walk(proto, model).model()}
    except ModelError as error:
        yield {"error": str(error)}


def plain(value: Any) -> str | list[Any]:
    """A value as JSON has it; in a damaged file a name may be bytes."""
    return value.decode(errors="replace") if isinstance(value, bytes) else list(value)


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


if __name__ == "__main__":
    main()
