"""Ctrl-C kills the process, as it does other filters; here a block gets to finish before that."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def raised() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in a block, which cleans up; then the signal kills.

    Nothing changes where the signal is ignored, or where another program handles it.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
