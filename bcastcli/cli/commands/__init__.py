"""The commands, one module for each kind, loaded when it is needed.

This module builds a command from its options.
"""

from collections.abc import Callable, Mapping
from enum import EnumType
from inspect import Parameter, Signature
from typing import Any

import typer
from typer.core import TyperCommand

from bcastcli.cli.page import choices_of, help_of
from bcastcli.render import Format

HELP_NAMES = {"help_option_names": ["-h", "--help"]}


def typer_app(
    name: str, answer: Callable[..., int | None], *groups: Any, **texts: str
) -> typer.Typer:
    """An app of one command, with the fields of the groups as options.

    It calls `answer` with a value of each group, in order; `texts` are the texts of its help.
    `-f svg` and `--step` are `--picture` too.
    """

    # Typer takes each annotated parameter for an option, and `_values` is not one.
    def command(**_values: Any) -> int | None:
        if "picture" in _values and (_values["step"] or _values["output"] is Format.SVG):
            _values["picture"] = True
        return answer(*(_filled(group, _values) for group in groups))

    fields = [
        Parameter(
            field, Parameter.KEYWORD_ONLY, default=getattr(group, field), annotation=annotation
        )
        for group in groups
        for field, annotation in group.fields().items()
    ]
    command.__signature__ = Signature(fields)  # type: ignore[attr-defined]  # inspect reads it
    app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=HELP_NAMES)
    app.command(name, cls=Command, **texts)(command)  # type: ignore[arg-type]  # they are texts
    return app


def _filled(group: Any, values: Mapping[str, Any]) -> Any:
    """A group with its fields' values, of those of all groups."""
    return group(**{field: values[field] for field in group.fields()})


class Command(TyperCommand):
    """A command with our page as its help."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, including the option for help."""
        return without_pydantic(super().get_params(ctx))

    def get_help(self, ctx: Any) -> str:
        """The page of `-h`."""
        return help_of(self, ctx.command_path)


def without_pydantic(parameters: list[Any]) -> list[Any]:
    """Parameters with values that are read here.

    Under Typer 0.28, and where Typer's own names for this are others, nothing changes.
    """
    for each in parameters:
        described = getattr(each, "type_descriptor", None)
        if hasattr(described, "annotation") and hasattr(described, "parameter_info"):
            each._runtime_param = _Reading()
    return parameters


class _Reading:
    """The type by which Typer reads a parameter, with the errors of 0.28 or shorter ones.

    From 0.29 on Typer itself reads every value with pydantic, which takes longer to load than all
    the rest. Our parameters are texts, flags, choices, or have a parser of their own.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """A value as the program takes it; raise BadParameter if it takes no such value."""
        is_list = param.multiple or param.nargs == -1
        if value is None:
            return () if is_list else None
        kind, declared = param.type_descriptor.annotation, param.type_descriptor.parameter_info
        if declared.parser:
            return [declared.parser(each) for each in value] if is_list else declared.parser(value)
        if not isinstance(kind, EnumType):
            return value
        if value not in {*kind}:
            choices = ", ".join(repr(str(each)) for each in choices_of(param))
            raise typer.BadParameter(f"{value!r} is not one of {choices}.", ctx, param)
        return kind(value)
