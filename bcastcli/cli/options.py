"""The groups of arguments and options that several commands share, and which go together.

Typer reads a group's fields: each has a type, and a declaration in place of its default. A
command gets each group as a value. (Defining a named tuple takes ten times as long, and each
command loads several groups.)
"""

from collections.abc import Callable
from functools import cache, partial
from inspect import get_annotations
from types import SimpleNamespace
from typing import Any

import typer

from bcastcli.cli.answering import Writing
from bcastcli.cli.console import Color, UsageError, terminal
from bcastcli.core.answer import Answer
from bcastcli.render import FOR_PEOPLE, Format, Terminal
from bcastcli.reports import Report
from bcastcli.reports.answers import SingleAnswerReport

# An argument such as -1,3 is a shape, not an option. The mark keeps the option parser off it; no
# argument of a process can contain it.
MARK = "\0"


def unprotect(argument: str) -> str:
    """An argument as it was typed."""
    return argument.removeprefix(MARK)


def option(
    names: str,
    text: str,
    metavar: str | None = None,
    parse: Callable[[str], object] | None = None,
    default: object = None,
    **more: Any,
) -> Any:
    """The declaration of an option: its names, its help, and how its value is read.

    `parse` raises ValueError or LookupError for an invalid value, with the expected form.
    """
    parser = partial(_parsed, parse) if parse else None
    return typer.Option(default, *names.split(), help=text, metavar=metavar, parser=parser, **more)


def flag(names: str, text: str, **more: Any) -> Any:
    """The declaration of an option that takes no value."""
    return option(names, text, default=False, **more)


def argument(metavar: str, text: str, default: object = None, **more: Any) -> Any:
    """The declaration of an argument, which is optional unless it has another default."""
    return typer.Argument(default, metavar=metavar, parser=unprotect, help=text, **more)


def whole_number(least: int, most: int = 10**18) -> Callable[[str], int]:
    """The function that reads a whole number between two bounds."""

    def read(text: str) -> int:
        if not (text.isdecimal() and least <= int(text) <= most):
            bounds = f"from {least} up" if most == 10**18 else f"from {least} to {most}"
            raise ValueError(f"{text!r} is not a whole number {bounds}")
        return int(text)

    return read


def _parsed(parse: Callable[[str], object], text: object) -> object:
    """The value of an option; raise BadParameter if the text is not one."""
    if not isinstance(text, str):  # a default, or already read
        return text
    try:
        return parse(text)
    except (ValueError, LookupError) as error:
        raise typer.BadParameter(str(error)) from error


class Group(SimpleNamespace):
    """Arguments and options, with a value for each."""

    @classmethod
    @cache
    def fields(cls) -> dict[str, Any]:
        """The annotations here and in the groups that this one extends, its own first."""
        fields: dict[str, Any] = {}
        for base in cls.__mro__:
            fields |= {k: v for k, v in get_annotations(base).items() if k not in fields}
        return fields

    @property
    def options_given(self) -> set[str]:
        """The options with values other than the defaults, each by the name of its field."""
        return {
            f"--{name.replace('_', '-')}"
            for name in self.fields()
            if getattr(self, name) != getattr(type(self), name).default
        }


def _options_after_shapes(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """What may follow shapes where TAB is pressed: the options, each with its help."""
    if incomplete:  # a shape, of which nothing is known
        return []
    params: list[Any] = ctx.command.params
    return [(each.opts[0], each.help) for each in params if each.param_type_name == "option"]


class Shapes(Group):
    """The shapes of a question, or - for lines."""

    shapes: list[str] | None = argument(
        "SHAPE...",
        "2,3 or 'torch.Size([2, 3])' or N,3; - reads lines.",
        autocompletion=_options_after_shapes,
    )


class Form(Group):
    """The format and the colors of the output."""

    output: Format | None = option("--format -f", "table, plain (-p) or json (--json).", "FORMAT")
    json: bool = flag("--json", "")
    plain: bool = flag("--plain -p", "")
    """These two are read as `--format` (`for_typer`)."""
    color: Color = option("--color", "auto, always or never.", "WHEN", default=Color.AUTO)

    @property
    def terminal(self) -> Terminal:
        """The capabilities of standard output, with the colors that the user chose."""
        return terminal(self.color)


class Output(Form):
    """The format of an answer, or only its status."""

    quiet: bool = flag("--quiet -q", "Print nothing; only set the exit status.")

    def writing(self, asking: "Asking") -> Writing:
        """How answers are written; raise UsageError for an option that does not fit the others."""
        return Writing(check(self, asking), self.color, self.quiet)


class Shown(Output):
    """How a single answer is shown; `picture` has more options."""

    def drawing(self) -> dict[str, Any]:
        """The options of steps and pictures, as reports take them."""
        return {}

    def report(self, answer: Answer, sign: str | None = "+") -> Report:
        """The report of a single answer.

        `sign` stands between operands in a picture; None for an operation without a sign.
        """
        return SingleAnswerReport(answer)


class Strict(Group):
    """Whether results are mismatches that the rule allows."""

    strict: bool = flag("--strict", "Count it as a mismatch if every operand stretches.")


Asking = tuple[Format, str]
"""The format by default, and why there are no steps and pictures; empty where there are."""
QUESTION: Asking = (Format.TABLE, "")
LINES: Asking = (Format.PLAIN, "works for one question, not for lines")
LIST: Asking = (Format.TABLE, "needs shapes")


def check(form: Form, asking: Asking) -> Format:
    """The format to write; raise UsageError for an option that does not fit the others."""
    usual, why_not = asking
    output, given = form.output or usual, form.options_given
    for option in sorted({"--picture", "--step", "--steps"} & given):
        fitting = FOR_PEOPLE if option == "--picture" else (Format.TABLE,)
        if why_not:
            raise UsageError(f"{option} {why_not}")
        if output not in fitting:
            raise UsageError(f"{option} needs --format {' or '.join(fitting)}")
    if output is Format.SVG and "--picture" not in given:
        raise UsageError("--format svg works only where --picture does")
    if "--op" in given and "--picture" not in given:
        raise UsageError("--op only works with --picture or --step")
    return output
