"""The commands, one module for each kind; each is loaded when it is asked for."""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

import typer

from bcastcli.cli.help_text import Command
from bcastcli.cli.options import VERSION

HELP_NAMES = {"help_option_names": ["-h", "--help"]}
EXAMPLE = "2,3,4,5 4,5"


def built(name: str, command: Callable[..., int | None], **texts: str) -> typer.Typer:
    """An app of one command, with the texts of its help."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=HELP_NAMES)
    app.command(name, cls=Command, **texts)(command)  # type: ignore[arg-type]  # they are texts
    return app


def taking(answer: Callable[..., int], *parameters: Parameter) -> Callable[..., int]:
    """A command of these parameters, and --version, with whose values it calls `answer`."""

    def command(version: bool, **values: Any) -> int:
        return answer(**values)

    command.__signature__ = Signature([*parameters, VERSION])  # type: ignore[attr-defined]  # inspect reads it
    return command
