"""The commands, one module for each kind, loaded when it is needed.

This module builds a command from its options.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import EnumType
from functools import partial
from inspect import Parameter, Signature
from itertools import pairwise
from typing import Any, get_args

import typer
from typer.core import TyperCommand

from bcastcli.cli.early import HELP
from bcastcli.cli.options import MARK
from bcastcli.cli.page import help_of
from bcastcli.render import Format

try:
    from bcastcli.picture.command import Shown
except ModuleNotFoundError:  # that feature is not installed
    from bcastcli.cli.options import Shown  # type: ignore[assignment]

__all__ = ["Shown"]
HELP_NAMES = {"help_option_names": HELP}
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

    fields = []
    readers = {}
    for group in groups:
        for field, annotation in group.fields().items():
            declared = getattr(group, field)
            fields.append(
                Parameter(field, Parameter.KEYWORD_ONLY, default=declared, annotation=annotation)
            )
            readers[field] = declared.parser or _choice_of(annotation)
    command.__signature__ = Signature(fields)  # type: ignore[attr-defined]  # inspect reads it
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    settings = {**HELP_NAMES, "obj": readers}
    register = app.command(name, cls=Command, context_settings=settings, **texts)  # type: ignore[arg-type]  # they are texts
    register(command)
    return app


def _choice_of(annotation: Any) -> Callable[[str], object]:
    """The function that reads one of the choices of an annotation; any text where it has none."""
    kinds = [each for each in (annotation, *get_args(annotation)) if isinstance(each, EnumType)]
    if not kinds:
        return str
    kind: Any = kinds[0]

    def read(text: str) -> object:
        try:
            return kind(text)
        except ValueError:
            choices = ", ".join(repr(str(each)) for each in kind)
            raise typer.BadParameter(f"{text!r} is not one of {choices}") from None

    return read


class Command(TyperCommand):
    """A command with our page as its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, as Typer is to see them."""
        without_pydantic(self.get_params(ctx), ctx.obj)
        if self.name == "run":
            args = program_apart(self.params, args)
        left: list[str] = super().parse_args(ctx, for_typer(self.params, args))
        return left

    def get_help(self, ctx: Any) -> str:
        """The page of `-h`."""
        return help_of(self, f"bcastcli {ctx.info_name}")


def _flags(params: Sequence[Any]) -> dict[str, bool]:
    """The options by each of their names, and whether they are flags, which take no value."""
    options = [each for each in params if each.param_type_name == "option"]
    return {name: each.is_flag for each in options for name in each.opts}


def for_typer(params: Sequence[Any], arguments: Sequence[str]) -> list[str]:
    """The arguments with -p and --json as --format, and a mark on shapes such as -1,3.

    So the last format counts, and no shape is an option.
    """
    flags = _flags(params)
    words: list[str] = []
    for before, word in pairwise(["", *arguments]):
        # Also -2,3: it is not an option, and the notation reports why it is not a shape either.
        # An item of a list, as pasted from a document, begins with "- ".
        is_shape = word[:1] == "-" and (word[1:2].isdigit() or word[1:2] == " ")
        if not flags.get(before, True) or "--" in words:
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


def program_apart(params: Sequence[Any], arguments: list[str]) -> list[str]:
    """The arguments of `run` with the program, whose options are its own, after --."""
    flags = {**_flags(params), **dict.fromkeys(HELP, True)}
    place = 0
    while place < len(arguments) and arguments[place].partition("=")[0] in flags:
        if arguments[place] in _WITH_OWN_VALUE:
            arguments[place] += "=-"
        place += 1 if flags.get(arguments[place], True) else 2
    program = arguments[place:]
    return [*arguments[:place], "--", *program[program[:1] == ["--"] :]]


def without_pydantic(
    parameters: Sequence[Any], readers: Mapping[str, Callable[[str], object]]
) -> None:
    """Have the values of parameters read by functions, each by its parameter's name.

    From 0.29 on Typer reads every value with pydantic, which takes longer to load than all the
    rest. Another Typer does not ask for this, and nothing changes.
    """
    for parameter in parameters:
        parameter.get_runtime_param = partial(_Reading, readers.get(parameter.name, str))


class _Reading:
    """How Typer reads a parameter."""

    def __init__(self, read: Callable[[str], object]) -> None:
        """Take the function that reads a text."""
        self.read = read

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """A value as the program takes it; raise BadParameter if it takes no such value."""
        if param.nargs == -1:
            return [self.read(each) for each in value or ()]
        return None if value is None else self.read(value)
