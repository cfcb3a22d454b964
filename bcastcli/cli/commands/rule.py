"""The command that asks a rule."""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from bcastcli.cli.commands import EXAMPLE, built, taking
from bcastcli.cli.commands.asking import EPILOG, Wanted, are_lines, reply, reply_to_lines
from bcastcli.cli.commands.picturing import PICTURE, taken
from bcastcli.cli.console import UsageError
from bcastcli.cli.options import HOW_TO_ANSWER, SHAPES, parameter, read_axis
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.core.wording import listed
from bcastcli.notation import text as notation
from bcastcli.notation.questions import ask
from bcastcli.render import Format, Report
from bcastcli.reports.answers import AnswerReport, SingleAnswerReport

if TYPE_CHECKING:
    from bcastcli.core.limits import Limit
    from bcastcli.reports.figure import Look


class Order(StrEnum):
    """How the shapes under ncnn are read and written."""

    NCNN = "ncnn"
    NUMPY = "numpy"


_DTYPE = "float32"
_SUFFIXES = {"k": 10**3, "M": 10**6, "G": 10**9}


def read_elements(text: str | int) -> int:
    matched = re.fullmatch(r"([0-9]{1,18})([kKMG]?)", str(text))
    if not matched:
        raise typer.BadParameter(
            "expected a whole number of at most 18 digits, optionally with k, M or G (500k)"
        )
    number, suffix = matched.groups()
    return int(number) * _SUFFIXES.get(suffix.replace("K", "k"), 1)


def _dtypes() -> list[str]:
    from bcastcli.core.amounts import Dtype  # only for steps: to build its many names takes a while

    return [*Dtype]


def _dtype(text: str) -> str:
    if text != _DTYPE and text not in _dtypes():
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(_dtypes())}")
    return text


_OF_EVERY_RULE = (
    *HOW_TO_ANSWER,
    parameter("steps", bool, False, typer.Option("--steps", help="Show each step of the rule.")),
    *PICTURE,
    parameter(
        "dtype",
        str,
        _DTYPE,
        typer.Option(
            "--dtype",
            parser=_dtype,
            autocompletion=_dtypes,
            metavar="DTYPE",
            help="The type of the elements that --steps counts in bytes, such as int8.",
        ),
    ),
    parameter(
        "strict",
        bool,
        False,
        typer.Option(
            "--strict",
            help="Treat it as a mismatch when every operand stretches (64,1 with 64).",
        ),
    ),
    parameter(
        "max_elements",
        int | None,
        None,
        typer.Option(
            "--max-elements",
            parser=read_elements,
            metavar="N",
            help="Treat a larger result as a mismatch; N may end in k, M or G.",
            show_default=False,
        ),
    ),
)
_OF_A_RULE = {
    "axis": parameter(
        "axis",
        int,
        -1,
        typer.Option(
            "--axis",
            parser=read_axis,
            metavar="K",
            help="The axis of A on which B starts; -1: rank(A) - rank(B).",
        ),
    ),
    "order": parameter(
        "order",
        Order,
        Order.NCNN,
        typer.Option("--order", help="How shapes are read and written: w first, or as in NumPy."),
    ),
}


def build(rule: Rule) -> typer.Typer:
    """The command."""
    options = [_OF_A_RULE[name] for name in rule.options]
    command = taking(partial(_answer, rule), SHAPES, *options, *_OF_EVERY_RULE)
    return built(rule.name, command, help=_help(rule), short_help=rule.summary, epilog=EPILOG)


def _help(rule: Rule) -> str:
    """Return a rule's text for --help: its summary, examples to type, and its statement."""
    examples = "\n".join(
        f"  bcastcli {rule.name} {' '.join(arguments)}" for arguments, _ in rule.examples
    )
    # Without the mark \b, the lines of a list would be filled to one paragraph.
    statement = rule.statement.replace("\n\n1. ", "\n\n\b\n1. ")
    summary, _, text = statement.partition("\n\n")
    return f"{summary}\n\n\b\nExamples:\n{examples}\n\n{text}"


def _answer(
    rule: Rule,
    *,
    shapes: list[str] | None,
    steps: bool,
    dtype: str,
    strict: bool,
    max_elements: int | None,
    **asked: Any,
) -> int:
    """Answer what the arguments ask, and return the exit status."""
    options = {name: asked.pop(name) for name in rule.options}
    picturing = taken(asked)
    wanted = Wanted(**asked, theme=picturing.theme or "", title=picturing.title or "")
    arguments = shapes or []
    limits = limits_of(strict, max_elements)
    answer: Callable[[str], Answer] = partial(ask, rule, options=options)
    if limits:
        answer = _within(limits, answer)
    missing = f"a shape is missing: bcastcli {rule.name} {EXAMPLE} (--help tells more)"
    if not are_lines(arguments, missing):
        picturing.refuse(wanted.format(Format.TABLE))
        report = _report(steps, picturing.look(), dtype, wanted)
        return reply(answer, report, notation.joined(arguments), wanted)
    picturing.refuse_lines(wanted.format(Format.PLAIN))
    if steps:
        raise UsageError("--steps answers one question, not lines")
    return reply_to_lines(
        answer,
        AnswerReport,
        wanted,
        may_be_none=bool(arguments),
        alike=max_elements is None,
        reason_kind=_reason_kind if rule.axis_by_axis and not limits else None,
    )


def _reason_kind(answer: Answer) -> str | None:
    return answer.reason.kind if answer.reason else None


def limits_of(strict: bool, max_elements: int | None) -> "list[Limit]":
    """What is asked of the result besides the rule."""
    if not strict and max_elements is None:
        return []
    from bcastcli.core import limits  # rarely asked for

    wanted: list[Limit] = [limits.some_operand_keeps_its_shape] if strict else []
    return wanted if max_elements is None else [*wanted, limits.at_most(max_elements)]


def _within(limits: Sequence["Limit"], answer: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """Return what answers a line under limits."""
    from bcastcli.core.limits import impose  # rarely asked for

    return lambda line: impose(limits, answer(line))


def _report(
    steps: bool, look: "Look | None", dtype: str, wanted: Wanted
) -> Callable[[Answer], Report]:
    """Return what reports an answer, with its steps or its picture if they are asked for."""
    if not steps and look is None:
        return SingleAnswerReport
    from bcastcli.core.amounts import Dtype

    output = wanted.format(Format.TABLE)
    if steps and not (output.is_for_people or output is Format.JSON):
        formats = listed([each for each in Format if each.is_for_people or each is Format.JSON])
        raise UsageError(f"--steps goes with the formats {formats}")
    return partial(SingleAnswerReport, steps=Dtype(dtype) if steps else None, picture=look)
