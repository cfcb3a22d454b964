"""The command that describes the rules."""

from functools import partial
from typing import TYPE_CHECKING

import typer

from bcastcli.cli.answering import YES, write_report
from bcastcli.cli.commands import typer_app
from bcastcli.cli.options import QUESTION, Form, Group, argument, check
from bcastcli.core.rule import Rule
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES, completed, named
from bcastcli.rules.frameworks import REMARKS, WITHOUT_A_RULE, words_of

if TYPE_CHECKING:
    from bcastcli.reports import Report

SUMMARY = "Explain a rule"
_HELP = """List the rules; or show one: its text, source, examples, and how it differs from numpy.

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
    """Return the command."""
    return typer_app("rules", _describe, Name, Form, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _describe(asked: Name, form: Form) -> int:
    """Write the chosen rules, and return the exit status; NotationError for an unknown one."""
    output = check(form, QUESTION)
    write_report(report(asked.name), output, form.terminal)
    return YES


def report(name: str | None) -> "Report":
    """Return the report of a rule, or of all; raise NotationError for an unknown name."""
    from bcastcli.reports.rules import Found, RuleReport, RulesReport  # not for the help

    def found(rule: Rule, remark: str = "") -> Found:
        answer = partial(answer_line, rule, options={})
        return Found(rule, answer, words_of(rule.name), remark)

    if name is None:
        return RulesReport(list(map(found, RULES.values())), WITHOUT_A_RULE)
    word = name.strip()
    try:
        return RuleReport(found(named(word), REMARKS.get(word.lower(), "")))
    except LookupError as error:
        raise NotationError(str(error), name, (0, max(len(name), 1))) from error
