"""A bar on standard error, for input that takes longer than a moment."""

import os
import stat
import sys
from collections.abc import Iterator
from time import monotonic

from bcastcli.batch import Written

MOMENT = 0.5
"""Seconds after which the bar appears."""


def watched(pieces: Iterator[Written]) -> Iterator[Written]:
    """The same pieces, with a bar that tells how many lines they had."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    total = _size_of_input()
    progress = Progress(
        BarColumn(),
        TextColumn("{task.fields[lines]:,} lines"),
        *([TimeRemainingColumn()] if total else []),
        console=Console(stderr=True, highlight=False),
        transient=True,
        redirect_stdout=False,
    )
    task = progress.add_task("", total=total, lines=0)
    started = monotonic()
    lines = 0
    try:
        for written in pieces:
            yield written
            lines += written.lines
            if monotonic() - started > MOMENT:
                progress.start()
            done = os.lseek(sys.stdin.fileno(), 0, os.SEEK_CUR) if total else lines
            progress.update(task, completed=done, lines=lines)
    finally:
        progress.stop()


def _size_of_input() -> int | None:
    """The size of standard input in bytes; None if it is no file, or empty."""
    status = os.fstat(sys.stdin.fileno())
    return status.st_size or None if stat.S_ISREG(status.st_mode) else None
