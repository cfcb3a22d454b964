"""Take a line of JSON and a model from standard input, and write lines of JSON.

The first line is about the model, or says why it is not read; each further one is a node.
"""

import json  # noqa: TID253  # a process of its own
import sys

from bcastcli.models.inference import MAX_MEMORY, MAX_SECONDS, NO_ONNX


def main() -> None:
    """Answer one request."""
    _limit(RLIMIT_AS=MAX_MEMORY, RLIMIT_CPU=MAX_SECONDS, RLIMIT_CORE=0)
    try:
        from bcastcli.models.inference import listing, model, rounds
    except ImportError:
        sys.exit(NO_ONNX)
    # From here on no file is opened, whatever paths the model holds.
    _limit(RLIMIT_NOFILE=0)
    request = json.loads(sys.stdin.buffer.readline())
    try:
        prepared = model.prepare(sys.stdin.buffer.read(), request["given"])
        lines = listing.lines(prepared, rounds.infer(prepared), frozenset(request["operators"]))
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
    except model.Refusal as refusal:
        text = f"{json.dumps(refusal.line)}\n"
    sys.stdout.write(text)
    sys.stdout.flush()


def _limit(**limits: int) -> None:
    """Limit what this process may use."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    for name, most in limits.items():
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(
            kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
        )


if __name__ == "__main__":
    main()
