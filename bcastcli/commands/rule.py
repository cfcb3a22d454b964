"""The command that asks a rule."""

from collections.abc import Callable
from functools import partial

import typer

from bcastcli import notation
from bcastcli.answers import Answer, Demand, Rule
from bcastcli.commands import EXAMPLE, built, taking
from bcastcli.commands.asking import EPILOG, Wanted, are_lines, reply, reply_to_lines
from bcastcli.console import UsageError
from bcastcli.options import OF_A_RULE, OF_EVERY_RULE, SHAPES, Color, Dtype
from bcastcli.questions import ask
from bcastcli.render import Form, Format, writer
from bcastcli.rules.wording import listed


def build(rule: Rule) -> typer.Typer:
    """The command."""
    options = [OF_A_RULE[name] for name in rule.options]
    command = taking(partial(_answer, rule), SHAPES, *options, *OF_EVERY_RULE)
    return built(rule.name, command, help=_help(rule), short_help=rule.summary, epilog=EPILOG)


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
            formats = listed([each for each in Format if each.is_for_people])
            raise UsageError(f"--{option} goes with the formats {formats}")
        return teaching.writer(output, steps=steps, picture=picture, dtype=dtype)

    return teaching_writer
