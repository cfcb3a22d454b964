"""The command of a rule."""

from enum import StrEnum
from functools import partial
from typing import Any

import typer

from bcastcli.cli.answering import EPILOG, Asked, answer, asks_for_lines
from bcastcli.cli.commands import typer_app
from bcastcli.cli.options import LINES, QUESTION, Group, Shapes, Strict, option
from bcastcli.cli.shown import Shown
from bcastcli.core.rule import Option, Rule
from bcastcli.rules import RULES


def build(name: str, framework: str = "") -> typer.Typer:
    """Return the command, which answers in the syntax of a framework if one is named."""
    rule = RULES[name]
    own_answer = partial(_answer, rule, framework)
    texts = {
        "help": _help(rule),
        "short_help": rule.summary,
        "epilog": f"{EPILOG}\n\nThe rule in full: bcastcli rules {rule.name}",
    }
    return typer_app(rule.name, own_answer, Shapes, _own(rule), Strict, Shown, **texts)


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
    """The text of `-h`: the rule's summary, and examples to type."""
    lines = (f"  bcastcli {rule.name} {' '.join(shapes)}\n" for shapes, _ in rule.examples[:3])
    return f"{rule.summary}.\n\nExamples:\n{''.join(lines)}".rstrip()


def _answer(
    rule: Rule, framework: str, shapes: Shapes, own: Any, limited: Strict, shown: Shown
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
