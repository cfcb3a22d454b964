"""The command of a rule."""

from enum import StrEnum
from functools import partial
from typing import Any

import typer

from bcastcli.cli.answering import EPILOG
from bcastcli.cli.asked import Asked, answer, asks_for_lines
from bcastcli.cli.commands import typer_app
from bcastcli.cli.options import LINES, QUESTION, Group, Shapes, Strict, option
from bcastcli.cli.shown import Shown
from bcastcli.core.rule import Option, Rule
from bcastcli.rules import RULES


def build(name: str, framework: str = "") -> typer.Typer:
    """Return the command, which answers in the syntax of a framework if one is named."""
    rule = RULES[name]
    own_answer = partial(_answer, rule, framework)
    texts = {"help": _help(rule), "short_help": rule.summary, "epilog": EPILOG}
    return typer_app(rule.name, own_answer, Shapes, Shown, Strict, _own(rule), **texts)


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
    typed = shapes.shapes or []
    reads_lines = asks_for_lines(rule, typed)
    asked = Asked(
        rule=rule,
        framework=framework,
        options=vars(own),
        strict=limited.strict,
        shapes=typed,
        reads_lines=reads_lines,
        writing=shown.writing(LINES if reads_lines else QUESTION),
        report=shown.report,
    )
    return answer(asked)
