"""The commands, one module for each kind, loaded when it is needed.

This module builds a command from its options, with help that fits the terminal.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import EnumType
from inspect import Parameter, Signature
from shutil import get_terminal_size
from typing import Any

import typer
from typer.core import TyperCommand

from bcastcli.cli.console import Color, terminal
from bcastcli.cli.options import VERSION
from bcastcli.render import Format

_SHORT = ("json", "plain")
"""The formats whose name is an option too, which the parser reads as the format (`Command`)."""
HELP_NAMES = {"help_option_names": ["-h", "--help"]}


def typer_app(
    name: str, answer: Callable[..., int | None], *groups: Any, **texts: str
) -> typer.Typer:
    """Return an app of one command, with the fields of the groups as options, and --version.

    It calls `answer` with a value of each group, in order; `texts` are the texts of its help.
    `-f svg` and `--step` are `--picture` too.
    """

    # Typer takes each annotated parameter for an option, and `_values` is not one.
    def command(version: bool, **_values: Any) -> int | None:
        for short in _SHORT:
            if _values.get(short):
                _values["output"] = Format(short)
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
    version = Parameter("version", Parameter.KEYWORD_ONLY, default=VERSION, annotation=bool)
    command.__signature__ = Signature([*fields, version])  # type: ignore[attr-defined]  # inspect reads it
    app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=HELP_NAMES)
    app.command(name, cls=Command, **texts)(command)  # type: ignore[arg-type]  # they are texts
    return app


def _filled(group: Any, values: Mapping[str, Any]) -> Any:
    """A group with its fields' values, of those of all groups."""
    return group(**{field: values[field] for field in group.fields()})


_ADDED = r"^\[(\[.*\])\](?:\.\.\.)?$|^(\[.*\])\.\.\.$"
_MAX_WIDTH, _MIN_WIDTH = 100, 20
_MIN_COLUMN, _COLUMN = 16, 4
"""The first column of a list takes at most a quarter of the width."""
_PICTURES = ("--picture", "--op ")
"""The options for pictures, which the help only lists by name."""
_HEADING = re.compile("^ *(Usage|Examples|Arguments|Options|Rules|Tools):( +Tools:)?", re.MULTILINE)


class Helpful:
    """A command whose help is as wide as the terminal and has bold headings on it."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, including the option for help."""
        return without_pydantic(super().get_params(ctx))  # type: ignore[misc]  # as below

    def get_help(self, ctx: Any) -> str:
        """Return the help, with bold headings where standard output shows them."""
        text = self.plain_help(ctx)
        if not terminal(Color.AUTO).color:
            return text
        return _HEADING.sub(lambda heading: typer.style(heading[0], bold=True), text)

    def plain_help(self, ctx: Any) -> str:
        """Return the help as lines of text."""
        formatter = ctx.make_formatter()
        formatter.width = max(_MIN_WIDTH, min(get_terminal_size().columns, _MAX_WIDTH))
        write_list = formatter.write_dl

        def write_narrow_list(rows: Any) -> None:
            has_pictures = any(names == _PICTURES[0] for names, _ in rows)
            own = [row for row in rows if not (has_pictures and row[0].startswith(_PICTURES))]
            write_list(own, col_max=max(formatter.width // _COLUMN, _MIN_COLUMN), col_spacing=2)
            if has_pictures:
                _, *names = map(str.strip, _PICTURES)
                shown = ", ".join(["--picture (as a slide: -f svg)", *names])
                formatter.write_text(f"Pictures: {shown}; see bcastcli help teaching")

        formatter.write_dl = write_narrow_list
        self.format_help(ctx, formatter)  # type: ignore[attr-defined]  # Typer's commands have it
        # On a narrow terminal the usage line is wrapped, which leaves a space at its end.
        return re.sub(" +$", "", formatter.getvalue(), flags=re.MULTILINE).rstrip("\n")


class Command(Helpful, TyperCommand):
    """A command with such help; the last of several formats counts."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the arguments, without the brackets and dots that Typer adds from 0.29 on."""
        pieces = super().collect_usage_pieces(ctx)
        return [re.sub(_ADDED, r"\1\2", piece) for piece in pieces]

    def make_parser(self, ctx: Any) -> Any:
        """Return the parser, to which `--json` is another way to write `--format json`."""
        parser = super().make_parser(ctx)
        if ctx.resilient_parsing:  # TAB: as typed
            return parser
        by_name = getattr(parser, "_long_opt", {})  # Typer's own; without it, --json counts anyway
        for name in _SHORT:
            short = by_name.get(f"--{name}")
            if short:
                short.dest, short.const = "output", name
        return parser


def without_pydantic(parameters: list[Any]) -> list[Any]:
    """Return parameters with values that are read here.

    Under Typer 0.28, and where Typer's own names for this are others, nothing changes.
    """
    for each in parameters:
        described = getattr(each, "type_descriptor", None)
        if hasattr(described, "annotation") and hasattr(described, "parameter_info"):
            each._runtime_param = _Reading()
    return parameters


def choices_of(parameter: Any) -> Sequence[Any]:
    """Return the values that a parameter takes; empty if it takes any text."""
    kind = getattr(parameter, "type", None) or getattr(parameter, "type_descriptor", None)
    return getattr(kind, "choices", None) or ()


class _Reading:
    """The type by which Typer reads a parameter, with the errors of 0.28 or shorter ones.

    From 0.29 on Typer itself reads every value with pydantic, which takes longer to load than all
    the rest. Our parameters are texts, flags, numbers, choices, or have a parser of their own.
    """

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
            return _chosen(kind, value, param, ctx)
        else:
            return _number(value, param, ctx)
        return read if is_list else read[0]


def _chosen(kind: EnumType, value: Any, param: Any, ctx: Any) -> Any:
    """A choice by its text; BadParameter for another text."""
    if value not in {*kind}:
        choices = ", ".join(repr(str(each)) for each in choices_of(param))
        raise typer.BadParameter(f"{value!r} is not one of {choices}.", ctx, param)
    return kind(value)


def _number(value: Any, param: Any, ctx: Any) -> int:
    """A whole number within the bounds of a parameter; BadParameter for another value."""
    try:
        number = int(value)
    except ValueError as error:
        raise typer.BadParameter(f"{value!r} is not a whole number.", ctx, param) from error
    declared = param.type_descriptor.parameter_info
    low, high = declared.min, declared.max  # all have a least one
    if number < low or (high is not None and number > high):
        span = f"x>={low}" if high is None else f"{low}<=x<={high}"
        raise typer.BadParameter(f"{number} is not in the range {span}.", ctx, param)
    return number
