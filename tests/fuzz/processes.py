"""Hostile command lines in processes of their own, on pipes and on terminals."""

import os
import pty
import re
import subprocess
import sys
import termios
from contextlib import suppress
from random import Random
from tempfile import TemporaryFile
from threading import Timer
from typing import IO, NamedTuple

from tests.fuzz import cases
from tests.fuzz.cases import Case
from tests.fuzz.check import MAX_SECONDS, wrong
from tests.in_memory import Ended

# What draws the bar for long input, which is there for whoever has only errors on a terminal.
_BAR = re.compile(r"\x1b\[\??[0-9]{0,3}(;[0-9]{1,3})*[A-Za-z]|\r")
_END_OF_INPUT = b"\x04"
_MAX_LENGTH = 32_000
"""Of an argument, in characters of at most 4 bytes each: Linux takes less than 128 KiB."""


class Process(NamedTuple):
    """A command line, and where its streams lead."""

    case: Case
    stdin: str
    """A pipe, nothing or a terminal."""
    stderr_on_terminal: bool


def process(seed: int, number: int) -> Process:
    """A command line whose streams lead anywhere."""
    random = Random(f"process {seed} {number}")
    make = random.choice((cases.command_line, cases.lines))
    case = make(seed, number)._replace(terminal=random.random() < 0.5)
    case = case._replace(arguments=[argument[:_MAX_LENGTH] for argument in case.arguments])
    stdin = random.choice(("a pipe", "a pipe", "nothing", "a terminal"))
    return Process(case, stdin, random.random() < 0.5)


def failure(process: Process) -> str | None:
    """What is wrong with what a process does; None if nothing is."""
    case, stdin, stderr_on_terminal = process
    terminal, other_end = pty.openpty()
    modes = termios.tcgetattr(other_end)
    modes[3] &= ~termios.ECHO  # what is read is not shown
    termios.tcsetattr(other_end, termios.TCSANOW, modes)
    os.write(terminal, _END_OF_INPUT)
    with TemporaryFile() as data, TemporaryFile() as out, TemporaryFile() as err:
        data.write(case.data)
        data.seek(0)
        inputs: dict[str, IO[bytes] | int] = {
            "a pipe": data,
            "nothing": subprocess.DEVNULL,
            "a terminal": other_end,
        }
        started = subprocess.Popen(
            [sys.executable, "-m", "bcastcli", *map(os.fsencode, case.arguments)],
            stdin=inputs[stdin],
            stdout=other_end if case.terminal else out,
            stderr=other_end if stderr_on_terminal else err,
            env={**os.environ, "PYTHONIOENCODING": case.encoding, **(case.environment or {})},
        )
        os.close(other_end)
        watchdog = Timer(MAX_SECONDS, started.kill)
        watchdog.start()
        shown = _screen(terminal)
        status = started.wait()
        watchdog.cancel()
        written = []
        for file in (out, err):
            file.seek(0)
            written.append(file.read().decode(case.encoding))
    text = shown.decode(case.encoding).replace("\r\n", "\n")
    if case.terminal:
        written[0] = text
    else:
        written[1] += _BAR.sub("", text)
    return wrong(case, Ended(status, *written))


def _screen(terminal: int) -> bytes:
    """All that is written to a terminal until nobody has it open any more."""
    written = b""
    with suppress(OSError):  # Linux says so at the end
        while piece := os.read(terminal, 1 << 16):
            written += piece
    os.close(terminal)
    return written
