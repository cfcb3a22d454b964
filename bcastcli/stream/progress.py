"""A bar on standard error, for input that takes longer than a moment."""

import os
import stat
import sys
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING

from bcastcli.stream.batch import Chunk

if TYPE_CHECKING:
    from rich.progress import Progress

MOMENT = 0.5
"""Seconds after which the bar appears."""


def watched(pieces: Iterator[Chunk]) -> Iterator[Chunk]:
    """Yield the pieces while a progress bar counts their lines."""
    total = _size_of_input()
    started = monotonic()
    lines = 0
    bar: Progress | None = None
    try:
        for written in pieces:
            yield written
            lines += written.lines
            if bar is None and monotonic() - started > MOMENT:
                bar = _bar(total)
            if bar is not None:
                done = os.lseek(sys.stdin.fileno(), 0, os.SEEK_CUR) if total else lines
                bar.update(bar.task_ids[0], completed=done, lines=lines)
    finally:
        if bar is not None:
            bar.stop()


def _bar(total: int | None) -> "Progress":
    """A bar that has begun; most input ends before one is needed and Rich is loaded."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        BarColumn(),
        TextColumn("{task.fields[lines]:,} lines"),
        *([TimeRemainingColumn()] if total else []),
        console=Console(stderr=True, highlight=False),
        transient=True,
        redirect_stdout=False,
    )
    bar.add_task("", total=total, lines=0)
    bar.start()
    return bar


def _size_of_input() -> int | None:
    """The size of standard input in bytes; None if it is not a file, or empty."""
    status = os.fstat(sys.stdin.fileno())
    return status.st_size or None if stat.S_ISREG(status.st_mode) else None
