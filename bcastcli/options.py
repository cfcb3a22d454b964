"""What the commands can be told: their arguments and options, each stated once."""

from enum import StrEnum
from inspect import Parameter
from typing import Annotated, Any

import typer

from bcastcli import __version__, notation
from bcastcli.render import Format


class Color(StrEnum):
    """When to write in colors."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Order(StrEnum):
    """How the shapes under ncnn are read and written."""

    NCNN = "ncnn"
    NUMPY = "numpy"


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bcastcli {__version__}")
        raise typer.Exit


# An argument such as -1,3 is a shape, and no option. The mark keeps the option parser off it; no
# argument of a process can contain it.
MARK = "\0"


def _unmarked(argument: str) -> str:
    return argument.removeprefix(MARK)


def _axis(text: str | int) -> int:
    axis = notation.axis_number(str(text))
    if axis is None:
        raise typer.BadParameter(notation.WHAT_AN_AXIS_IS)
    return axis


def _parameter(name: str, kind: Any, default: object, spec: object) -> Parameter:
    return Parameter(
        name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, spec]
    )


SHAPES = _parameter(
    "shapes",
    list[str] | None,
    None,
    typer.Argument(
        metavar="SHAPE...",
        parser=_unmarked,
        help="Such as 2,3,4 or 'torch.Size([2, 3])' or N,3 or ().",
        show_default=False,
    ),
)
VersionFlag = Annotated[
    bool,
    typer.Option(
        "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
]
VERSION = Parameter("version", Parameter.KEYWORD_ONLY, default=False, annotation=VersionFlag)
ON_EVERY_RULE = (
    _parameter(
        "output",
        Format | None,
        None,
        typer.Option("--format", "-f", help="How to write the answer; default: table."),
    ),
    _parameter("json", bool, False, typer.Option("--json", help="Short for --format json.")),
    _parameter(
        "quiet",
        bool,
        False,
        typer.Option("--quiet", "-q", help="Write no answer: the exit status is the answer."),
    ),
    _parameter(
        "color", Color, Color.AUTO, typer.Option("--color", help="When to color the table.")
    ),
)
OF_A_RULE = {
    "axis": _parameter(
        "axis",
        int,
        -1,
        typer.Option(
            "--axis",
            parser=_axis,
            metavar="K",
            help="The axis of A on which B starts; -1: rank(A) - rank(B).",
        ),
    ),
    "order": _parameter(
        "order",
        Order,
        Order.NCNN,
        typer.Option("--order", help="How shapes are read and written: w first, or as in NumPy."),
    ),
}

TAKE_A_VALUE = ("--axis", "--color", "--format", "-f", "--order")
"""The options whose value is the next argument."""
