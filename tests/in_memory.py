"""The command line in this process, with its streams in memory."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from typing import Any, NamedTuple
from unittest.mock import patch

from bcastcli.cli.main import main

SETTINGS = (
    *("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "PYTHONIOENCODING"),
    *("PAGER", "MANPAGER"),
)
"""Variables of the environment that change what is written."""


class Ended(NamedTuple):
    status: int
    out: str
    err: str


class _Stream(TextIOWrapper):
    """A standard stream; unlike a process's own, it may be a terminal that is none."""

    terminal = False

    def isatty(self) -> bool:
        return self.terminal


def run(
    arguments: Sequence[str],
    data: bytes = b"",
    *,
    environment: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    terminal: bool = False,
    typing: bool = False,
) -> Ended:
    """Answer a command line; `terminal` says whether standard output is one, `typing` input."""
    stdin = _Stream(BytesIO(data))
    stdout, stderr = (_Stream(BytesIO(), encoding, newline="") for _ in "oe")
    stdout.terminal = terminal
    stdin.terminal = typing
    with _swapped(stdin=stdin, stdout=stdout, stderr=stderr), patch.dict(os.environ):
        for name in SETTINGS:
            os.environ.pop(name, None)
        os.environ.update(environment or {})
        status = main(arguments)
    return Ended(status, _written(stdout), _written(stderr))


@contextmanager
def _swapped(**streams: Any) -> Iterator[None]:
    own = {name: getattr(sys, name) for name in streams}
    vars(sys).update(streams)
    try:
        yield
    finally:
        vars(sys).update(own)


def _written(stream: TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()
