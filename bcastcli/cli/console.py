"""Standard output and standard error, their styles, and Ctrl-C."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import typer

from bcastcli.notation.text import NotationError
from bcastcli.render.streams import Color, encoding, is_terminal, shown, size, terminal

__all__ = ["Color", "encoding", "is_terminal", "shown", "terminal"]  # re-exported


class UsageError(typer.TyperException):
    """A usage error: one sentence on the mistake, optionally with help below."""

    def __init__(self, message: str, below: str = "") -> None:
        super().__init__(message)
        self.below = below


def write(text: str) -> None:
    """Write to standard output and flush it; raise UsageError if it is closed."""
    _refuse_closed()
    sys.stdout.write(shown(text, sys.stdout))
    sys.stdout.flush()


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output and flush it; raise UsageError if it is closed."""
    _refuse_closed()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def _refuse_closed() -> None:
    if sys.stdout is None:
        raise UsageError("cannot write: standard output is closed")


def print_error(sentence: str, below: str = "") -> None:
    """Write an error to standard error: a sentence, and lines below it."""
    from bcastcli.render.user_text import escaped  # most questions are valid

    if sys.stderr is None:
        return
    text = _wrapped(f"bcastcli: {escaped(sentence, encoding(sys.stderr))}")
    try:
        sys.stderr.write(shown(f"{text}\n{below}", sys.stderr))
    except OSError:  # the status is the answer
        silence(sys.stderr)


def write_note(text: str) -> None:
    """Write a message to standard error, if it is open; the end of a line flushes it."""
    if sys.stderr is not None:
        sys.stderr.write(shown(text, sys.stderr))


def _wrapped(sentence: str) -> str:
    """Return a sentence in lines no wider than the terminal, wrapped between words."""
    width = size(sys.stderr).columns
    if not width:
        return sentence
    from textwrap import fill  # Typer has loaded it

    return fill(
        sentence, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def print_notation_error(error: NotationError, where: str = "", *, hinted: bool = True) -> None:
    """Write the error of a question, with carets under the place, and the command that is meant."""
    from bcastcli.cli.words import command_for  # most questions are valid
    from bcastcli.render.user_text import escaped, with_carets

    if sys.stderr is None:
        return
    name = encoding(sys.stderr)
    place = with_carets(error.text, error.span, name)
    meant = command_for(error) if hinted else ""
    hint = f"  did you mean: {escaped(meant, name)}\n" if meant else ""
    print_error(f"{where}{error.message}", f"{place}\n{hint}")


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
