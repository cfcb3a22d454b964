"""The command of a rule."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any

import typer

from bcastcli.cli.commands import EXAMPLE, typer_app
from bcastcli.cli.commands.answering import EPILOG, answer_lines, answer_one
from bcastcli.cli.console import is_asked_for
from bcastcli.cli.options import Group, Shapes, Strict, option
from bcastcli.cli.shown import Shown
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Option, Rule
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.reports.answers import AnswerReport
from bcastcli.rules import RULES


def build(name: str, framework: str = "") -> typer.Typer:
    """Return the command, which answers in the syntax of a framework if one is named."""
    rule = RULES[name]
    answer = partial(_answer, rule, framework)
    texts = {"help": _help(rule), "short_help": rule.summary, "epilog": EPILOG}
    return typer_app(rule.name, answer, Shapes, Shown, Strict, _own(rule), **texts)


def _own(rule: Rule) -> Any:
    """Return the group of the options that the rule declares."""
    fields = {name: _field(f"--{name}", option) for name, option in rule.options.items()}
    annotations = {name: annotation for name, (annotation, _) in fields.items()}
    declared = {name: declaration for name, (_, declaration) in fields.items()}
    return type("Own", (Group,), {"__annotations__": annotations, **declared})


def _field(name: str, own: Option) -> tuple[Any, Any]:
    """Return the type of an option, and its declaration."""
    if not own.choices:
        declared = option(name, own.help, own.metavar, own.parse, own.default)
        return (Any if own.default is None else type(own.default)), declared
    make: Any = StrEnum  # Typer offers the members of an enum
    choice = make("Choice", {word.upper(): word for word in own.choices})
    return choice, option(name, own.help, default=choice(own.default))


def _help(rule: Rule) -> str:
    """Return a rule's text for --help: its summary, and examples to type."""
    lines = (f"  bcastcli {rule.name} {' '.join(shapes)}\n" for shapes, _ in rule.examples[:3])
    more = f"The rule in full: bcastcli rules {rule.name}"
    return f"{rule.summary}\n\n\b\nExamples:\n{''.join(lines)}\n{more}"


def _answer(
    rule: Rule, framework: str, shapes: Shapes, shown: Shown, limited: Strict, own: Any
) -> int:
    """Answer the arguments' question, or lines of them, and return the exit status."""

    def answer(line: str) -> Answer:
        return answer_line(rule, line, vars(own), framework)

    def strict_answer(line: str) -> Answer:
        from bcastcli.core.limits import strictly  # rarely asked for

        return strictly(answer(line))

    arguments = shapes.shapes or []
    asked = strict_answer if limited.strict else answer
    needs_option = any(each.default is None for each in rule.options.values())
    example = " ".join(rule.examples[0][0]) if needs_option else EXAMPLE
    missing = f"a shape is missing: bcastcli {rule.name} {example} (--help shows more)"
    if is_asked_for(arguments, missing):
        from bcastcli.stream.columns import Columns  # not for a single question

        columns = None if limited.strict else Columns(rule, vars(own), framework)
        empty = bool(arguments)
        return answer_lines(asked, AnswerReport, shown, allow_empty=empty, columns=columns)
    return answer_one(partial(_several, asked), shown.report, arguments, shown)


def _several(asked: Callable[[str], Answer], line: str) -> Answer:
    """Answer a line of two shapes or more; raise NotationError for one."""
    answer = asked(line)
    if len(answer.operands) == 1:
        message = "got one shape; broadcasting needs at least two"
        raise NotationError(message, line, (len(line), len(line) + 1))
    return answer
