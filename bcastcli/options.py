"""What the commands can be told: their arguments and options, each stated once."""

import re
from enum import StrEnum
from inspect import Parameter
from typing import Annotated, Any

import typer

from bcastcli import __version__, notation
from bcastcli.answers import Rule
from bcastcli.render import Format
from bcastcli.rules import RULES, named


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


def names_of_rules() -> list[str]:
    """What TAB offers for a rule's name."""
    return list(RULES)


def _any_axis(text: str | int) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", str(text)):
        raise typer.BadParameter("an axis is a whole number of at most 18 digits")
    return int(text)


def _opset(text: str | int) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", str(text)) or int(text) == 0:
        raise typer.BadParameter("an opset is a whole number from 1 on")
    return int(text)


def _operators() -> list[str]:
    from bcastcli.operators import table  # rarely asked for

    return list(table())


class Dtype(StrEnum):
    """The types of elements, by the names that frameworks share."""

    BOOL = "bool"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    UINT64 = "uint64"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    COMPLEX64 = "complex64"
    COMPLEX128 = "complex128"

    @property
    def size(self) -> int:
        """Bytes that an element takes."""
        bits = self.lstrip("abcdefghijklmnopqrstuvwxyz")
        return int(bits) // 8 if bits else 1


_SUFFIXES = {"k": 10**3, "M": 10**6, "G": 10**9}


def _elements(text: str | int) -> int:
    matched = re.fullmatch(r"([0-9]{1,18})([kKMG]?)", str(text))
    if not matched:
        raise typer.BadParameter(
            "so many elements are a whole number of at most 18 digits, as it is or in k, M or G"
        )
    number, suffix = matched.groups()
    return int(number) * _SUFFIXES.get(suffix.replace("K", "k"), 1)


def named_rule(text: str | Rule) -> Rule:
    """The rule of a name, its own or a framework's."""
    try:
        return named(str(text))
    except LookupError as error:
        raise typer.BadParameter(str(error)) from error


def _rules(text: str | list[Rule]) -> list[Rule]:
    """The rules of a list of names, in the order of the registry."""
    if not isinstance(text, str):
        return text
    chosen = [named_rule(word.strip()) for word in text.split(",")]
    return [rule for rule in RULES.values() if rule in chosen]


def _complete_rules(incomplete: str) -> list[str]:
    """The lists that have one more rule than what is typed so far."""
    *chosen, _ = incomplete.split(",")
    before = "".join(f"{name}," for name in chosen)
    return [before + name for name in RULES if name not in chosen]


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
RULE_NAME = _parameter(
    "name",
    str | None,
    None,
    typer.Argument(
        metavar="RULE",
        parser=_unmarked,
        autocompletion=names_of_rules,
        help="A rule, or a framework that follows it.",
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
ON_EVERY_COMMAND = (
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
OF_EVERY_RULE = (
    *ON_EVERY_COMMAND,
    _parameter("steps", bool, False, typer.Option("--steps", help="Show why, step by step.")),
    _parameter(
        "picture", bool, False, typer.Option("--picture", help="Draw the operands and the result.")
    ),
    _parameter(
        "dtype",
        Dtype,
        Dtype.FLOAT32,
        typer.Option("--dtype", help="The type of the elements that --steps counts in bytes."),
    ),
    _parameter(
        "strict",
        bool,
        False,
        typer.Option("--strict", help="Answer no where every operand stretches."),
    ),
    _parameter(
        "max_elements",
        int | None,
        None,
        typer.Option(
            "--max-elements",
            parser=_elements,
            metavar="N",
            help="Answer no where the result holds more; N may end in k, M or G.",
            show_default=False,
        ),
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

OF_COMPARE = (
    _parameter(
        "rules",
        object,
        None,
        typer.Option(
            "--rules",
            parser=_rules,
            autocompletion=_complete_rules,
            metavar="RULE,...",
            help="The rules that are compared, such as numpy,ncnn; default: all.",
            show_default=False,
        ),
    ),
    _parameter(
        "axis",
        int | None,
        None,
        typer.Option(
            "--axis",
            parser=_axis,
            metavar="K",
            help="The axis for pdpd; default: rank(A) - rank(B), and all others are shown.",
            show_default=False,
        ),
    ),
)

OPERATOR = _parameter(
    "name",
    str | None,
    None,
    typer.Argument(
        metavar="[NAME]",
        parser=_unmarked,
        help="The operator, in any case: Gemm, add.",
        autocompletion=_operators,
        show_default=False,
    ),
)
OF_AN_OPERATOR = (
    _parameter(
        "opset",
        int | None,
        None,
        typer.Option(
            "--opset",
            parser=_opset,
            metavar="N",
            help="The opset whose version counts; default: the newest.",
            show_default=False,
        ),
    ),
    _parameter(
        "axis",
        int | None,
        None,
        typer.Option(
            "--axis",
            parser=_any_axis,
            metavar="K",
            help="Before opset 7 the axis of A on which B starts; of a normalization its axis.",
            show_default=False,
        ),
    ),
    _parameter(
        "trans_a",
        bool,
        False,
        typer.Option("--trans-a", help="Gemm: take A transposed."),
    ),
    _parameter(
        "trans_b",
        bool,
        False,
        typer.Option("--trans-b", help="Gemm: take B transposed."),
    ),
)

TAKE_A_VALUE = (
    "--axis",
    "--color",
    "--count",
    "--dtype",
    "--format",
    "-f",
    "--level",
    "--max-elements",
    "--opset",
    "--order",
    "--rule",
    "--rules",
    "--seed",
)
"""The options whose value is the next argument."""
