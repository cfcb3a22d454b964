"""The arguments and options that several commands share; those of one stand in its module."""

from enum import StrEnum
from inspect import Parameter
from typing import Annotated, Any

import typer

from bcastcli import __version__
from bcastcli.core.rule import Rule
from bcastcli.notation import text as notation
from bcastcli.render import Format
from bcastcli.rules import RULES, named


class Color(StrEnum):
    """When to write in colors."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bcastcli {__version__}")
        raise typer.Exit


# An argument such as -1,3 is a shape, and no option. The mark keeps the option parser off it; no
# argument of a process can contain it.
MARK = "\0"


def unmarked(argument: str) -> str:
    """An argument as it was typed."""
    return argument.removeprefix(MARK)


def read_axis(text: str | int) -> int:
    """The axis that a text stands for."""
    number = notation.axis_number(str(text))
    if number is None:
        raise typer.BadParameter(notation.WHAT_AN_AXIS_IS)
    return number


def names_of_rules() -> list[str]:
    """What TAB offers for a rule's name."""
    return list(RULES)


def named_rule(text: str | Rule) -> Rule:
    """The rule of a name, its own or a framework's."""
    try:
        return named(str(text))
    except LookupError as error:
        raise typer.BadParameter(str(error)) from error


def parameter(name: str, kind: Any, default: object, spec: object) -> Parameter:
    """A parameter of a command, by its name there, with what Typer reads of it."""
    return Parameter(
        name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, spec]
    )


SHAPES = parameter(
    "shapes",
    list[str] | None,
    None,
    typer.Argument(
        metavar="SHAPE...",
        parser=unmarked,
        help="2,3,4 or 'torch.Size([2, 3])' or N,3 or '()'; - reads questions from standard input, "
        "one a line.",
        show_default=False,
    ),
)
VersionFlag = Annotated[
    bool,
    typer.Option(
        "--version", "-V", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
]
VERSION = Parameter("version", Parameter.KEYWORD_ONLY, default=False, annotation=VersionFlag)
HOW_TO_ANSWER = (
    parameter(
        "output",
        Format | None,
        None,
        typer.Option(
            "--format", "-f", help="The format of the answer; default: table, for lines plain."
        ),
    ),
    parameter("json", bool, False, typer.Option("--json", help="Short for --format json.")),
    parameter(
        "plain", bool, False, typer.Option("--plain", "-p", help="Short for --format plain.")
    ),
    parameter(
        "quiet",
        bool,
        False,
        typer.Option("--quiet", "-q", help="Print nothing; only set the exit status."),
    ),
    parameter("color", Color, Color.AUTO, typer.Option("--color", help="When to use color.")),
)
"""How the answer is wanted: `Wanted` holds their values."""
TAKE_A_VALUE = (
    "--axis",
    "--color",
    "--count",
    "--dtype",
    "--format",
    "-f",
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
