"""Reads the values of parameters, for which Typer would load pydantic.

From 0.29 on Typer reads every value with pydantic: 0.2 s of processor time instead of 0.1 for
`bcastcli 2,3 3`. Our parameters are texts, flags, numbers, choices, or have a parser of their own:
these are read here, with the same errors as under 0.28, or shorter ones.
"""

from collections.abc import Sequence
from enum import EnumType
from typing import Any

import typer


def without_pydantic(parameters: list[Any]) -> list[Any]:
    """Return parameters with values that are read here; under Typer 0.28 nothing changes."""
    for each in parameters:
        each._runtime_param = _Reading()
    return parameters


def choices_of(parameter: Any) -> Sequence[Any]:
    """Return the values that a parameter takes; empty if it takes any text."""
    kind = getattr(parameter, "type", None) or parameter.type_descriptor
    return getattr(kind, "choices", None) or ()


class _Reading:
    """The type by which Typer reads a parameter."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a value as the program takes it; raise BadParameter if it takes no such value."""
        is_list = param.multiple or param.nargs == -1
        if value is None:
            return () if is_list else None
        kind, declared = param.type_descriptor.annotation, param.type_descriptor.parameter_info
        given = value if is_list else [value]
        if declared.parser:
            read = [declared.parser(each) for each in given]
        elif isinstance(kind, type) and isinstance(value, kind):
            return value
        elif isinstance(kind, EnumType):
            if value not in {*kind}:
                choices = ", ".join(repr(str(each)) for each in choices_of(param))
                raise typer.BadParameter(f"{value!r} is not one of {choices}.", ctx, param)
            return kind(value)
        else:
            try:
                number = int(value)
            except ValueError as error:
                raise typer.BadParameter(f"{value!r} is not a whole number.", ctx, param) from error
            low, high = declared.min, declared.max  # all have a least one
            if number < low or (high is not None and number > high):
                span = f"x>={low}" if high is None else f"{low}<=x<={high}"
                raise typer.BadParameter(f"{number} is not in the range {span}.", ctx, param)
            return number
        return read if is_list else read[0]
