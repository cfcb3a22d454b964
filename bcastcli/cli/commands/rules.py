"""The commands of the rules, and the one that describes them."""

from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from bcastcli.cli.answering import EPILOG, YES, Request, answer, asks_for_lines, write_report
from bcastcli.cli.commands import Shown, typer_app
from bcastcli.cli.options import (
    LINES,
    QUESTION,
    Form,
    Group,
    Shapes,
    Strict,
    argument,
    check,
    option,
)
from bcastcli.core.rule import Rule, parse_setting
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES, completed, named
from bcastcli.rules.frameworks import REMARKS, WITHOUT_A_RULE, words_of

if TYPE_CHECKING:
    from bcastcli.reports import Report

SUMMARY = "List the rules, or explain one"
_HELP = """List the rules, or explain one, with its source, examples, and how it differs from numpy.

Examples:
  bcastcli rules
  bcastcli rules ncnn
  bcastcli rules torch --json"""

_EPILOG = "Exit status: 0, or 2 if there is no rule of that name."


class Name(Group):
    """The rule."""

    name: str | None = argument(
        "[RULE]", "A rule, or a framework that follows it.", autocompletion=completed
    )


def build() -> typer.Typer:
    """The command."""
    return typer_app("rules", _describe, Name, Form, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _describe(chosen: Name, form: Form) -> int:
    """Write the chosen rules, and return the exit status; NotationError for an unknown one."""
    output = check(form, QUESTION)
    write_report(report(chosen.name), output, form.terminal)
    return YES


def report(name: str | None) -> "Report":
    """The report of a rule, or of all; raise NotationError for an unknown name."""
    from bcastcli.reports.rules import Found, RuleReport, RulesReport  # not for the help

    def described(rule: Rule, remark: str = "") -> Found:
        answer = partial(answer_line, rule, options={})
        return Found(rule, answer, words_of(rule.name), remark)

    if name is None:
        return RulesReport(list(map(described, RULES.values())), WITHOUT_A_RULE)
    word = name.strip()
    try:
        return RuleReport(described(named(word), REMARKS.get(word.lower(), "")))
    except LookupError as error:
        raise NotationError(str(error), name, (0, max(len(name), 1))) from error


def build_rule(name: str, framework: str) -> typer.Typer:
    """The command, which answers in the syntax of the framework that was typed for the rule."""
    rule = RULES[name]
    own_answer = partial(_answer, rule, framework)
    texts = {
        "help": _text(rule),
        "short_help": rule.summary,
        "epilog": f"{EPILOG}\n\nThe rule in full: bcastcli rules {rule.name}",
    }
    return typer_app(rule.name, own_answer, Shapes, _own(rule), Strict, Shown, **texts)


def _own(rule: Rule) -> Any:
    """The group of the options that the rule declares."""
    declared = {
        name: option(f"--{name}", own.help, own.metavar, partial(parse_setting, name), own.default)
        for name, own in rule.options.items()
    }
    return type("Own", (Group,), {"__annotations__": dict.fromkeys(declared, Any), **declared})


def _text(rule: Rule) -> str:
    """The text of `-h`: the rule's summary, and examples to type."""
    lines = (f"  bcastcli {rule.name} {' '.join(shapes)}\n" for shapes, _ in rule.examples[:3])
    return f"{rule.summary}.\n\nExamples:\n{''.join(lines)}".rstrip()


def _answer(
    rule: Rule, framework: str, shapes: Shapes, own: Any, limited: Strict, shown: Shown
) -> int:
    """Answer the arguments' question, or lines of them, and return the exit status."""
    typed = shapes.shapes or []
    reads_lines = asks_for_lines(rule, typed)
    request = Request(
        rule=rule,
        framework=framework,
        options=vars(own),
        strict=limited.strict,
        shapes=typed,
        reads_lines=reads_lines,
        writing=shown.writing(LINES if reads_lines else QUESTION),
        report=shown.report,
    )
    return answer(request)
