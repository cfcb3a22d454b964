"""The command that prints a shell's completion script."""

from typing import Annotated

import typer

from bcastcli.cli.commands import typer_app
from bcastcli.cli.completions import Shell, script
from bcastcli.cli.console import UsageError, write
from bcastcli.cli.options import VersionFlag

SUMMARY = "Print the completion script of a shell: bash, zsh or fish"
_HELP = """Print the script with which TAB completes commands, options and values.

\b
Examples:
  eval "$(bcastcli completions bash)"
  bcastcli completions fish > ~/.config/fish/completions/bcastcli.fish"""

_EPILOG = "Exit status: 0, or 2 where there is no script for the shell."


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("completions", _completions, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _completions(
    shell: Annotated[
        Shell | None,
        typer.Argument(metavar="SHELL", help="bash, zsh or fish.", show_default=False),
    ] = None,
    version: VersionFlag = False,
) -> None:
    if shell is None:
        raise UsageError(f"a shell is missing: bcastcli completions {'|'.join(Shell)}")
    write(script(shell))
