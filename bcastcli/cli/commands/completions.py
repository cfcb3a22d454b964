"""The command that prints a shell's completion script, and what answers the script at TAB."""

from contextlib import suppress
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from bcastcli.cli.commands import HELP_NAMES, typer_app, without_pydantic
from bcastcli.cli.console import UsageError, write
from bcastcli.cli.early import command_of
from bcastcli.cli.options import Group
from bcastcli.cli.parser import COMMANDS, built
from bcastcli.rules import completed

SUMMARY = "Set up completion with the TAB key"
_HELP = """Print a script that makes the TAB key complete commands, options and values.

Examples:
  eval "$(bcastcli completions bash)"
  bcastcli completions fish > ~/.config/fish/completions/bcastcli.fish"""
_EPILOG = "Exit status: 0, or 2 if there is no script for the shell."


Shell = StrEnum("Shell", ["BASH", "ZSH", "FISH"])
"""The shells that have a script."""
FILES = {Shell.BASH: "bcastcli.bash", Shell.ZSH: "_bcastcli", Shell.FISH: "bcastcli.fish"}


class Chosen(Group):
    """The shell."""

    shell: Shell | None = typer.Argument(None, metavar="SHELL", help="bash, zsh or fish.")


def build() -> typer.Typer:
    """The command."""
    return typer_app(
        "completions", _completions, Chosen, help=_HELP, short_help=SUMMARY, epilog=_EPILOG
    )


def _completions(chosen: Chosen) -> None:
    if chosen.shell is None:
        raise UsageError(f"a shell is missing: bcastcli completions {'|'.join(Shell)}")
    write(script(chosen.shell))


def script(shell: Shell) -> str:
    """A shell's completion script."""
    package = Path(__file__).parents[2]
    # A wheel has the scripts inside the package, a source tree next to it.
    folders = (package / "_completions", package.parent / "completions")
    folder = next(folder for folder in folders if folder.is_dir())
    return (folder / FILES[shell]).read_text("utf-8")


class Commands(TyperGroup):
    """The commands, as Typer completes them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return self.listed

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command; raise LookupError if there is none, of which files are completed."""
        command = built(cmd_name)
        if command is None:
            raise LookupError(cmd_name)
        return command

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Find the command of a line, which may still be missing where TAB was pressed."""
        without_pydantic(self.get_params(ctx), {})
        is_to_come = all(word[:1] == "-" for word in args)
        name, others = command_of(args)
        left: list[str] = super().parse_args(ctx, [] if is_to_come else [name, *others])
        return left

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """The commands and options with this prefix, or else the names of frameworks."""
        commands = [name for name in COMMANDS if name.startswith(incomplete)]
        self.listed = commands or completed(incomplete)
        return super().shell_complete(ctx, incomplete)


@cache
def group() -> Any:
    """The group of all commands."""
    return Commands(name="bcastcli", invoke_without_command=True, context_settings=HELP_NAMES)


def complete() -> int:
    """Print what may follow the line that a shell's completion script passes, as Typer does.

    It ends the process itself. Only after an error, which nobody could read while typing, it
    returns: the status with which the shell completes files.
    """
    with suppress(Exception):
        from typer.completion import completion_init  # type: ignore[attr-defined]  # it has it

        completion_init()
        group().main([], prog_name="bcastcli", complete_var="_BCASTCLI_COMPLETE")
    return 1
