"""The command that compares rules."""

from functools import partial
from typing import Any

import typer

from bcastcli import notation
from bcastcli.answers import Rule
from bcastcli.commands import EXAMPLE, built, taking
from bcastcli.commands.asking import Wanted, are_lines, reply, reply_to_lines
from bcastcli.options import OF_COMPARE, ON_EVERY_COMMAND, SHAPES

SUMMARY = "The rules side by side, on the same arrays"
_HELP = """What each rule makes of the same arrays, and whether the rules agree.

Two shapes or more, outermost axis first under every rule, ncnn too. Rules agree where all of them
refuse; or where they give the same result, and each operand lies on the same axes of it, those of
size 1 aside: with equal shapes on other axes, the values are other ones.

What counts is each rule but none, pdpd with its default axis; the other axes that pdpd accepts are
shown. With --rules, the rules named count, and no other is asked; with --axis, that axis counts.
On a line of standard input, axis=K sets the axis. Rules of two operands are left out of three.
A size that is not known is taken to be at least 1, unless a 0 is among the sizes.

\b
Examples:
  bcastcli compare 3,3 3
  bcastcli compare 2,3,4,5 3,4 --axis 1
  bcastcli compare --rules numpy,ncnn N,3 3"""
_EPILOG = """\b
Exit status: 0 the rules agree, 1 they differ, 2 the question is malformed,
3 it depends on sizes that are not known."""


def build() -> typer.Typer:
    """The command."""
    command = taking(_answer, SHAPES, *OF_COMPARE, *ON_EVERY_COMMAND)
    return built("compare", command, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _answer(
    *,
    shapes: list[str] | None,
    rules: list[Rule] | None,
    axis: int | None,
    **asked: Any,
) -> int:
    """Compare what the arguments ask for, and return the exit status."""
    from bcastcli import compare  # not for the help
    from bcastcli.render import comparisons

    wanted = Wanted(**asked)
    arguments = shapes or []
    ask = partial(compare.ask, chosen=rules, axis=axis)
    missing = f"shapes are missing: bcastcli compare {EXAMPLE} (--help tells more)"
    if are_lines(arguments, missing):
        return reply_to_lines(ask, comparisons.writer, wanted, may_be_none=bool(arguments))
    return reply(ask, comparisons.writer, notation.joined(arguments), wanted)
