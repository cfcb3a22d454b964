"""The command that asks a rule."""

from functools import partial
from inspect import Signature
from typing import Any

import typer

from bcastcli import notation
from bcastcli.answers import Rule
from bcastcli.commands import EXAMPLE, built
from bcastcli.commands.asking import STATUSES, Wanted, are_lines, reply, reply_to_lines
from bcastcli.options import OF_A_RULE, ON_EVERY_RULE, SHAPES, VERSION, Color
from bcastcli.questions import ask
from bcastcli.render import Format, renderer


def build(rule: Rule) -> typer.Typer:
    """The command."""

    def command(version: bool, **asked: Any) -> int:
        return _answer(rule, **asked)

    options = [OF_A_RULE[name] for name in rule.options]
    command.__signature__ = Signature([SHAPES, *options, *ON_EVERY_RULE, VERSION])  # type: ignore[attr-defined]  # inspect reads it
    return built(rule.name, command, help=_help(rule), short_help=rule.summary, epilog=STATUSES)


def _help(rule: Rule) -> str:
    """A rule's docstring for --help, with its examples as they are typed."""
    examples = "\n".join(
        f"  bcastcli {rule.name} {' '.join(arguments)}" for arguments, _ in rule.examples
    )
    # Without the mark \b, the lines of a list would be filled to one paragraph.
    statement = rule.statement.replace("\n\n1. ", "\n\n\b\n1. ")
    return f"{statement}\n\n\b\nExamples:\n{examples}"


def _answer(
    rule: Rule,
    *,
    shapes: list[str] | None,
    output: Format | None,
    json: bool,
    quiet: bool,
    color: Color,
    **options: int | str,
) -> int:
    """Answer what the arguments ask, and return the exit status."""
    wanted = Wanted(output, json, quiet, color)
    arguments = shapes or []
    answer = partial(ask, rule, options=options)
    missing = f"a shape is missing: bcastcli {rule.name} {EXAMPLE} (--help tells more)"
    if not are_lines(arguments, missing):
        return reply(answer, renderer, notation.joined(arguments), wanted)
    from bcastcli.recall import memory_for  # not for a single question

    memory = partial(memory_for, rule)
    return reply_to_lines(answer, renderer, wanted, may_be_none=bool(arguments), memory=memory)
