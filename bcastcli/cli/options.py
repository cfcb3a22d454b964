"""The groups of arguments and options that several commands share.

A group's annotated fields are what Typer reads; a command gets each group as a value. (To define a
named tuple takes ten times as long, and each command loads several groups.)
"""

import re
from collections.abc import Callable
from functools import cache
from inspect import get_annotations
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bcastcli import __version__
from bcastcli.cli.console import Color, UsageError, terminal
from bcastcli.core.option import parse_axis
from bcastcli.core.rule import Rule
from bcastcli.render import Format, Terminal
from bcastcli.rules import RULES, named

if TYPE_CHECKING:
    from bcastcli.core.limits import Limit


def _show_version(given: bool) -> None:
    if given:
        typer.echo(f"bcastcli {__version__}")
        raise typer.Exit


# An argument such as -1,3 is a shape, and no option. The mark keeps the option parser off it; no
# argument of a process can contain it.
MARK = "\0"


def unprotect(argument: str) -> str:
    """Return an argument as it was typed."""
    return argument.removeprefix(MARK)


def read_axis(text: str | int) -> int:
    """Return the axis that a text stands for; raise BadParameter if it is not one."""
    return int(parse_value(parse_axis, text))


def parse_value(parse: Callable[[str], int | str], text: str | int) -> int | str:
    """Return the value of an option; raise BadParameter if the text is not one."""
    try:
        return parse(str(text))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


_SUFFIXES = {"k": 10**3, "M": 10**6, "G": 10**9}


def read_elements(text: str | int) -> int:
    """Return the number that a text stands for; raise BadParameter if it is not one."""
    matched = re.fullmatch(r"([0-9]{1,18})([kKMG]?)", str(text))
    if not matched:
        raise typer.BadParameter(
            "expected a whole number of at most 18 digits, optionally with k, M or G (500k)"
        )
    number, suffix = matched.groups()
    return int(number) * _SUFFIXES.get(suffix.replace("K", "k"), 1)


def names_of_rules() -> list[str]:
    """Return the completions of a rule's name."""
    return list(RULES)


def named_rule(text: str | Rule) -> Rule:
    """Return the rule of a name, its own or a framework's; raise BadParameter if there is none."""
    try:
        return named(str(text))
    except LookupError as error:
        raise typer.BadParameter(str(error)) from error


class Group(SimpleNamespace):
    """Arguments and options, with a value for each."""

    @classmethod
    @cache
    def fields(cls) -> dict[str, Any]:
        """Return what is annotated here and in the groups that this one extends, its own first."""
        found: dict[str, Any] = {}
        for base in cls.__mro__:
            found |= {k: v for k, v in get_annotations(base).items() if k not in found}
        return found

    @property
    def options_given(self) -> set[str]:
        """The options whose values are not the defaults, each named as its field is."""
        return {
            f"--{name.replace('_', '-')}"
            for name in self.fields()
            if getattr(self, name) != getattr(type(self), name, None)
        }


class Shapes(Group):
    """The shapes of a question, or - for lines."""

    shapes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SHAPE...",
            parser=unprotect,
            help="2,3,4 or 'torch.Size([2, 3])' or N,3 or '()'; "
            "- reads questions from standard input, one a line.",
            show_default=False,
        ),
    ] = None


VersionFlag = Annotated[
    bool,
    typer.Option(
        "--version", "-V", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
]


class Form(Group):
    """The format of what is shown, and its colors."""

    output: Annotated[
        Format | None,
        typer.Option(
            "--format", "-f", help="The format; default: table, or plain for lines of questions."
        ),
    ] = None
    json: Annotated[bool, typer.Option("--json", help="Short for --format json.")] = False
    plain: Annotated[bool, typer.Option("--plain", "-p", help="Short for --format plain.")] = False
    color: Annotated[Color, typer.Option("--color", help="When to use color.")] = Color.AUTO

    def format(self, default: Format) -> Format:
        """Return the format asked for; raise UsageError if more than one is."""
        asked = {
            **({"--json": Format.JSON} if self.json else {}),
            **({"--plain": Format.PLAIN} if self.plain else {}),
            **({f"--format {self.output}": self.output} if self.output else {}),
        }
        if len({*asked.values()}) > 1:
            raise UsageError(f"{' and '.join(asked)} cannot be combined")
        return next(iter(asked.values()), default)

    @property
    def terminal(self) -> Terminal:
        """The abilities of standard output, with the colors that the user chose."""
        return terminal(self.color)


class Output(Form):
    """The format of an answer, or its status alone."""

    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing; only set the exit status.")
    ] = False


class Limits(Group):
    """Results that are treated as a mismatch though the rule allows them."""

    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Treat it as a mismatch when every operand stretches (64,1 with 64).",
        ),
    ] = False
    max_elements: Annotated[
        int | None,
        typer.Option(
            "--max-elements",
            parser=read_elements,
            metavar="N",
            help="Treat a larger result as a mismatch; N may end in k, M or G.",
            show_default=False,
        ),
    ] = None

    def limits(self) -> "list[Limit]":
        """Return the limits to impose on an answer."""
        if not self.strict and self.max_elements is None:
            return []
        from bcastcli.core import limits  # rarely asked for

        strict = [limits.no_outer_product] if self.strict else []
        most = [] if self.max_elements is None else [limits.max_elements(self.max_elements)]
        return [*strict, *most]


OPTIONS_WITH_VALUE = (
    "--axis",
    "--color",
    "--count",
    "--dtype",
    "--format",
    "-f",
    "--key",
    "--level",
    "--max-elements",
    "--op",
    "--opset",
    "--order",
    "--output",
    "-o",
    "--rule",
    "--rules",
    "--seed",
    "--theme",
    "--title",
    "--until",
)
"""The options whose value is the next argument."""
