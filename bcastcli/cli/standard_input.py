"""Standard input, as every command reads it."""

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain

from bcastcli.cli.console import UsageError

_PIECE = 1 << 15


def is_asked_for(arguments: Sequence[str], missing: str | None, others: str = "shapes") -> bool:
    """Return whether to read questions from standard input: there are no arguments, or a dash.

    Raises UsageError if standard input is closed, or a dash comes with `others`; and with the text
    `missing`, unless that is None, if standard input is a terminal and there is no dash.
    """
    if arguments and "-" not in arguments:
        return False
    if len(arguments) > 1:
        raise UsageError(f"use - alone, not together with {others}")
    if missing and not arguments and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError(missing)
    refuse_closed()
    return True


def refuse_closed() -> None:
    """Raise UsageError if standard input is closed."""
    if sys.stdin is None:
        raise UsageError("cannot read: standard input is closed")


def pieces(size: int = _PIECE) -> Iterator[bytes]:
    """Yield standard input as it arrives, in pieces of at most `size` bytes.

    Raises UsageError if it cannot be read.
    """
    while True:
        piece = _read(size)
        if not piece:
            return
        yield piece


def pieces_of_pipe() -> Iterator[bytes] | None:
    """Return the pieces of standard input if it is a pipe or a file that is not empty; else None.

    Waits until the first piece is there. Raises UsageError if it cannot be read.
    """
    if sys.stdin is None or _is_device():
        return None
    following = pieces()
    first = next(following, None)
    return None if first is None else chain([first], following)


def read_line(size: int) -> bytes:
    """Return the next line, or its first `size` bytes; nothing at the end of standard input.

    Raises UsageError if it cannot be read.
    """
    try:
        line: bytes = sys.stdin.buffer.readline(size)
    except OSError as error:
        raise UsageError(f"cannot read: {error.strerror}") from error
    return line


def _read(size: int) -> bytes:
    """Return the available bytes, at most `size`; nothing at the end."""
    try:
        piece: bytes = sys.stdin.buffer.read1(size)  # type: ignore[union-attr]  # it is buffered
        if not piece and _does_not_wait():
            _wait()
            piece = sys.stdin.buffer.read1(size)  # type: ignore[union-attr]  # it is buffered
    except OSError as error:
        raise UsageError(f"cannot read: {error.strerror}") from error
    return piece


def _does_not_wait() -> bool:
    """Return whether an empty read may mean that nothing is available yet, not the end."""
    try:
        return not os.get_blocking(sys.stdin.fileno())
    except (OSError, AttributeError):  # no file, or a system that cannot tell
        return False


def _wait() -> None:
    """Wait until data or the end arrives."""
    from select import select  # rarely needed

    with suppress(OSError, ValueError, TypeError):  # no file, or a system that cannot tell
        select([sys.stdin], [], [])


def _is_device() -> bool:
    """Return whether standard input is a device: a terminal, /dev/null."""
    try:
        return sys.stdin.isatty() or stat.S_ISCHR(os.fstat(sys.stdin.fileno()).st_mode)
    except OSError:  # no file
        return False
