"""Reads the values of parameters, for which Typer would load pydantic.

From 0.29 on Typer reads every value with pydantic: 0.2 s of processor time instead of 0.1 for
`bcastcli 2,3 3`. Our parameters are texts, flags, numbers, choices, or have a parser of their own:
these are read here, with the same errors as under 0.28. Typer reads all other values.
"""

import re
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
        """Return a value as the program takes it, or as Typer reads it."""
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
        elif kind is int and re.fullmatch(r"-?[0-9]{1,18}", value):
            wrong = _out_of_range(int(value), declared.min, declared.max)
            if wrong:
                raise typer.BadParameter(wrong, ctx, param)
            return int(value)
        else:
            param._runtime_param = None
            return param.get_runtime_param().coerce(value, param=param, ctx=ctx)
        return read if is_list else read[0]


def _out_of_range(number: int, low: int | None, high: int | None) -> str:
    if (low is None or low <= number) and (high is None or number <= high):
        return ""
    span = f"x>={low}" if high is None else f"x<={high}" if low is None else f"{low}<=x<={high}"
    return f"{number} is not in the range {span}."
