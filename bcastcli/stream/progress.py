"""A bar on standard error, for input that takes longer than a moment."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from time import monotonic
from typing import TYPE_CHECKING

from bcastcli.stream.batch import Chunk

if TYPE_CHECKING:
    from rich.progress import Progress

MOMENT = 0.5
"""Seconds after which the bar appears."""


def watched(pieces: Iterator[Chunk]) -> Iterator[Chunk]:
    """The pieces while a progress bar counts their lines."""
    started = monotonic()
    lines = 0
    bar: Progress | None = None
    with ExitStack() as shown:
        for written in pieces:
            yield written
            lines += written.lines
            if bar is None and monotonic() - started > MOMENT:
                bar = shown.enter_context(_bar())
            if bar is not None:
                is_file = sys.stdin.seekable()
                done = os.lseek(sys.stdin.fileno(), 0, os.SEEK_CUR) if is_file else lines
                bar.update(bar.task_ids[0], completed=done, lines=lines)


def _bar() -> "Progress":
    """The bar; most input ends before one is needed and Rich is loaded."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = BarColumn(), TextColumn("{task.fields[lines]:,} lines"), TimeRemainingColumn()
    console = Console(stderr=True, highlight=False)
    bar = Progress(*columns, console=console, transient=True, redirect_stdout=False)
    size = os.fstat(sys.stdin.fileno()).st_size if sys.stdin.seekable() else None
    bar.add_task("", total=size, lines=0)
    return bar
