"""The commands, one module for each kind; each is loaded when it is asked for."""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

import typer

from bcastcli.cli.help_text import Command
from bcastcli.cli.options import VERSION

HELP_NAMES = {"help_option_names": ["-h", "--help"]}
EXAMPLE = "2,3,4,5 4,5"


def typer_app(
    name: str, answer: Callable[..., int | None], *groups: Any, **texts: str
) -> typer.Typer:
    """Return an app of one command, whose options are the fields of the groups, and --version.

    It calls `answer` with a value of each group, in their order; `texts` are those of its help.
    """

    # Typer takes the hints of its parameters for those of options: none is named like the second.
    def command(version: bool, **_values: Any) -> int | None:
        own = ({name: _values[name] for name in group.fields()} for group in groups)
        return answer(*(group(**fields) for group, fields in zip(groups, own, strict=True)))

    fields = [
        Parameter(
            field, Parameter.KEYWORD_ONLY, default=getattr(group, field), annotation=annotation
        )
        for group in groups
        for field, annotation in group.fields().items()
    ]
    version = Parameter("version", Parameter.KEYWORD_ONLY, default=VERSION, annotation=bool)
    command.__signature__ = Signature([*fields, version])  # type: ignore[attr-defined]  # inspect reads it
    app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=HELP_NAMES)
    app.command(name, cls=Command, **texts)(command)  # type: ignore[arg-type]  # they are texts
    return app
