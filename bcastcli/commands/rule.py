"""The command that asks a rule."""

from collections.abc import Callable
from functools import partial
from inspect import Signature
from typing import Any

import typer

from bcastcli import notation
from bcastcli.answers import Answer, Demand, Rule
from bcastcli.commands import EXAMPLE, built
from bcastcli.commands.asking import STATUSES, Wanted, are_lines, reply, reply_to_lines
from bcastcli.console import UsageError
from bcastcli.options import OF_A_RULE, OF_EVERY_RULE, SHAPES, VERSION, Color, Dtype
from bcastcli.questions import ask
from bcastcli.render import Form, Format, writer


def build(rule: Rule) -> typer.Typer:
    """The command."""

    def command(version: bool, **asked: Any) -> int:
        return _answer(rule, **asked)

    options = [OF_A_RULE[name] for name in rule.options]
    command.__signature__ = Signature([SHAPES, *options, *OF_EVERY_RULE, VERSION])  # type: ignore[attr-defined]  # inspect reads it
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
    steps: bool,
    picture: bool,
    dtype: Dtype,
    strict: bool,
    max_elements: int | None,
    **options: int | str,
) -> int:
    """Answer what the arguments ask, and return the exit status."""
    wanted = Wanted(output, json, quiet, color)
    arguments = shapes or []
    answer = partial(ask, rule, options=options, demands=_demands(strict, max_elements))
    missing = f"a shape is missing: bcastcli {rule.name} {EXAMPLE} (--help tells more)"
    if not are_lines(arguments, missing):
        writing = _teacher(steps, picture, dtype) if steps or picture else writer
        return reply(answer, writing, notation.joined(arguments), wanted)
    if steps or picture:
        raise UsageError(f"--{'steps' if steps else 'picture'} answers one question, not lines")
    from bcastcli.recall import memory_for  # not for a single question

    memory = partial(memory_for, rule) if not answer.keywords["demands"] else None
    return reply_to_lines(answer, writer, wanted, may_be_none=bool(arguments), memory=memory)


def _demands(strict: bool, max_elements: int | None) -> list[Demand]:
    """What is asked of the result besides the rule."""
    if not strict and max_elements is None:
        return []
    from bcastcli import demands  # rarely asked for

    wanted: list[Demand] = [demands.some_operand_keeps_its_shape] if strict else []
    return wanted if max_elements is None else [*wanted, demands.at_most(max_elements)]


def _teacher(steps: bool, picture: bool, dtype: Dtype) -> Callable[[Format], Form[Answer]]:
    """What writes steps and pictures, in the formats that have room for them."""

    def teaching_writer(output: Format) -> Form[Answer]:
        from bcastcli.render import teaching

        if not output.is_for_people:
            option = "steps" if steps else "picture"
            raise UsageError(f"--{option} goes with the formats table, markdown, svg and html")
        return teaching.writer(output, steps=steps, picture=picture, dtype=dtype)

    return teaching_writer
