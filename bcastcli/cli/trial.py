"""Command lines that are tried before a hint names them."""

import sys
from collections.abc import Callable, Sequence
from io import BytesIO, TextIOWrapper

_NOT_TRIED = ("model", "deck", "quiz")
"""Commands that may take long, write a file, or ask back."""
command_lines: list[Callable[[Sequence[str]], int]] = []
"""What returns the exit status of a command line: `main` puts itself here, since it gives hints."""


def works(arguments: Sequence[str]) -> bool:
    """Return whether a command line is answered, without standard input; some are not tried."""
    if arguments[0] in _NOT_TRIED or "--run" in arguments:
        return False
    own = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = None, TextIOWrapper(BytesIO()), None
    try:
        return all(answer(arguments) != 2 for answer in command_lines)
    finally:
        sys.stdin, sys.stdout, sys.stderr = own
