"""Tries a command line before a hint proposes it."""

import sys
from collections.abc import Callable, Sequence
from io import BytesIO, TextIOWrapper

_NOT_TRIED = ("model", "deck", "quiz", "run")
"""Commands that may take long, write a file, ask for input, or not return."""
command_lines: list[Callable[[Sequence[str]], int]] = []
"""Functions that return the exit status of a command line: `main`, which imports this module."""


def works(arguments: Sequence[str]) -> bool:
    """Return whether a command line is valid without standard input; False for those not tried."""
    if arguments[0] in _NOT_TRIED:
        return False
    own = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = None, TextIOWrapper(BytesIO()), None
    try:
        return all(answer(arguments) != 2 for answer in command_lines)
    finally:
        sys.stdin, sys.stdout, sys.stderr = own
