"""The commands, one module for each kind; each is loaded when it is asked for."""

from collections.abc import Callable

import typer

HELP_NAMES = {"help_option_names": ["-h", "--help"]}
EXAMPLE = "2,3,4,5 4,5"


def built(name: str, command: Callable[..., int | None], **texts: str) -> typer.Typer:
    """A command of its own, before Typer has read its parameters."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=HELP_NAMES)
    app.command(name, **texts)(command)  # type: ignore[arg-type]  # they are texts
    return app
