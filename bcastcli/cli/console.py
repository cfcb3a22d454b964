"""Standard input, output and error, as every command uses them, and Ctrl-C."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TextIO

from bcastcli import render
from bcastcli.notation.text import NotationError
from bcastcli.render import Color, encoding, is_terminal, shown, terminal

__all__ = ["Color", "encoding", "is_terminal", "shown", "terminal"]  # re-exported


class UsageError(Exception):
    """A usage error: one sentence on the mistake, optionally with help below."""

    def __init__(self, message: str, below: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.below = below


def write(text: str) -> None:
    """Write to standard output and flush it; raise UsageError if it is closed."""
    if sys.stdout is None:
        raise UsageError("cannot write: standard output is closed")
    sys.stdout.write(shown(text, sys.stdout))
    sys.stdout.flush()


def print_error(sentence: str, below: str = "") -> None:
    """Write an error to standard error: a sentence, and lines below it."""
    if sys.stderr is None:
        return
    text = f"bcastcli: {render.escaped(sentence, encoding(sys.stderr))}"
    width = render.size(sys.stderr).columns
    if width:
        from textwrap import fill  # Typer has loaded it

        text = fill(
            text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
    try:
        sys.stderr.write(shown(f"{text}\n{below}", sys.stderr))
    except OSError:  # the status is the answer
        silence(sys.stderr)


def write_note(text: str) -> None:
    """Write a message to standard error, if it is open; the end of a line flushes it."""
    if sys.stderr is not None:
        sys.stderr.write(shown(text, sys.stderr))


def print_notation_error(error: NotationError, where: str = "", *, hinted: bool = True) -> None:
    """Write the error of a question, with carets under the place, and the command that is meant."""
    from bcastcli.cli.words import command_for  # most questions are valid

    place = render.with_carets(error.text, error.span, encoding(sys.stderr))
    meant = command_for(error) if hinted else ""
    print_error(f"{where}{error.message}", f"{place}\n{hint(meant)}")


def hint(meant: str) -> str:
    """The line below an error that shows the command line that is meant; empty without one."""
    return f"  did you mean: {render.escaped(meant, encoding(sys.stderr))}\n" if meant else ""


def silence(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that flushing at exit cannot fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in a block, which cleans up; then the signal kills.

    Elsewhere it kills the process immediately, as it does other filters. Nothing changes where the
    signal is ignored, or where another program handles it.
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


_PIECE = 1 << 15


def reads_input(arguments: Sequence[str], missing: str | None, others: str = "shapes") -> bool:
    """Whether to read questions from standard input: there are no arguments, or a dash.

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


def pieces() -> Iterator[bytes]:
    """Standard input as it arrives, in pieces; raise UsageError if it cannot be read."""
    buffer: Any = sys.stdin.buffer
    return iter(partial(_read, buffer.read1, _PIECE), b"")


def read_line(size: int) -> bytes:
    """The next line, or its first `size` bytes; nothing at the end of standard input.

    Raises UsageError if it cannot be read.
    """
    return _read(sys.stdin.buffer.readline, size)


def _read(read: Callable[[int], bytes], size: int) -> bytes:
    try:
        return read(size)
    except OSError as error:
        raise UsageError(f"cannot read: {error.strerror}") from error
