"""The command line: answers it, reports invalid usage, returns the exit status."""

import sys
from collections.abc import Sequence

from bcastcli import __version__
from bcastcli.cli import answering, early
from bcastcli.cli.console import UsageError, print_error, print_notation_error, silence, write
from bcastcli.notation.text import MAX_DIGITS, NotationError


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one command line (by default the process's own), and return the exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    # Sizes may have as many digits as the notation allows, whatever the environment sets.
    sys.set_int_max_str_digits(MAX_DIGITS)
    try:
        return _status(arguments)
    except NotationError as error:
        print_notation_error(error)
    except UsageError as error:
        print_error(error.message, error.below)
    except OSError as error:  # from standard output: all other input and output has its own errors
        silence(sys.stdout)
        print_error(f"cannot write: {error.strerror}")
    return answering.MALFORMED


def _status(arguments: list[str]) -> int:
    if arguments[:1] in (["-V"], ["--version"]):
        write(f"bcastcli {__version__}\n")
        return answering.YES
    name, others = early.command_of(arguments)
    request = early.read(name, others)
    if request is not None:
        return answering.answer(request)
    from bcastcli.cli.parser import run  # it imports Typer, which takes longer than an answer

    return run(name, others)
