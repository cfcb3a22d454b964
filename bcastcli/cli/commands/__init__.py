"""The commands, one module for each kind, loaded when it is needed.

This module builds a command from its options.
"""

import re
from collections.abc import Callable, Sequence
from enum import EnumType
from inspect import Parameter, Signature
from itertools import pairwise
from typing import Any

import typer
from typer.core import TyperCommand

from bcastcli.cli.options import MARK
from bcastcli.cli.page import help_of
from bcastcli.render import Format

try:
    from bcastcli.picture.command import Shown
except ModuleNotFoundError:  # that feature is not installed
    from bcastcli.cli.options import Shown  # type: ignore[assignment]

__all__ = ["Shown"]
HELP_NAMES = {"help_option_names": ["-h", "--help"]}
_WITH_OWN_VALUE = ("--strict", "--shapes")
"""The options of run that take a value only after `=`."""


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
        return answer(
            *(group(**{field: _values[field] for field in group.fields()}) for group in groups)
        )

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


class Command(TyperCommand):
    """A command with our page as its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, as Typer is to see them."""
        without_pydantic(self.get_params(ctx))
        if self.name == "run":
            args = _without_program(self.params, args)
        left: list[str] = super().parse_args(ctx, for_typer(self.params, args))
        return left

    def get_help(self, ctx: Any) -> str:
        """The page of `-h`."""
        return help_of(self, ctx.command_path)


def _options(params: Sequence[Any], *, takes_value: bool) -> set[str]:
    """The names of options with a value, or of flags."""
    options = [each for each in params if each.param_type_name == "option"]
    return {name for each in options if each.is_flag != takes_value for name in each.opts}


def for_typer(params: Sequence[Any], arguments: Sequence[str]) -> list[str]:
    """The arguments with -p and --json as --format, and a mark on shapes such as -1,3.

    So the last format counts, and no shape is an option.
    """
    with_value, flags = _options(params, takes_value=True), _options(params, takes_value=False)
    words: list[str] = []
    for before, word in pairwise(["", *arguments]):
        # Also -2,3: it is not an option, and the notation reports why it is not a shape either.
        # An item of a list, as pasted from a document, begins with "- ".
        is_shape = word[:1] == "-" and (word[1:2].isdigit() or word[1:2] == " ")
        if before in with_value or "--" in words:
            words.append(word)
        elif is_shape:
            words.append(MARK + word)
        elif "--plain" in flags and re.fullmatch("--plain|-[pq]*p[pq]*", word):
            words += ["--format=plain", *(["-q"] if "q" in word else [])]
        elif word == "--json" and word in flags:
            words.append("--format=json")
        else:
            words.append(word)
    return words


def _without_program(params: Sequence[Any], arguments: list[str]) -> list[str]:
    """The arguments of `run` with the program, whose options are its own, after --."""
    with_value = _options(params, takes_value=True)
    ours = {*with_value, *_options(params, takes_value=False), *HELP_NAMES["help_option_names"]}
    place = 0
    while arguments[place : place + 1] and arguments[place].partition("=")[0] in ours:
        if arguments[place] in _WITH_OWN_VALUE:
            arguments[place] += "=-"
        place += 2 if arguments[place] in with_value else 1
    program = arguments[place:]
    return [*arguments[:place], "--", *program[program[:1] == ["--"] :]]


def without_pydantic(parameters: Sequence[Any]) -> None:
    """Have the values of parameters, that of help among them, read here.

    Under Typer 0.28, and where Typer's own names for this are others, nothing changes.
    """
    for parameter in parameters:
        described = getattr(parameter, "type_descriptor", None)
        if hasattr(described, "annotation") and hasattr(described, "parameter_info"):
            parameter._runtime_param = _Reading()


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
        kind: Any = param.type_descriptor.annotation
        declared = param.type_descriptor.parameter_info
        if declared.parser:
            return [declared.parser(each) for each in value] if is_list else declared.parser(value)
        if not isinstance(kind, EnumType):
            return value
        known: list[str] = list(kind)
        if value not in known:
            choices = ", ".join(repr(str(each)) for each in known)
            raise typer.BadParameter(f"{value!r} is not one of {choices}.", ctx, param)
        return kind(value)
