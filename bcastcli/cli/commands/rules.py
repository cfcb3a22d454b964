"""The command that describes the rules."""

from functools import partial
from typing import TYPE_CHECKING

import typer

from bcastcli.cli.commands import typer_app
from bcastcli.cli.commands.answering import YES, write_report
from bcastcli.cli.options import Form, Group, argument
from bcastcli.core.rule import Rule
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.render import Format
from bcastcli.rules import RULES, completed, named
from bcastcli.rules.frameworks import REMARKS, WITHOUT_A_RULE, words_of

if TYPE_CHECKING:
    from bcastcli.reports import Report
    from bcastcli.reports.rules import Found

SUMMARY = "Read a rule: its text, source, examples, and how it differs from numpy; or list all"
_HELP = """List the rules; or show one: its text, source, worked examples, and how it differs
from numpy. The name of a framework finds its rule.

\b
Examples:
  bcastcli rules
  bcastcli rules ncnn
  bcastcli rules torch --json"""

_EPILOG = "Exit status: 0, or 2 if there is no rule of that name."


class Name(Group):
    """The rule."""

    name: str | None = argument(
        "RULE", "A rule, or a framework that follows it.", autocompletion=completed
    )


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("rules", _describe, Name, Form, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _describe(asked: Name, form: Form) -> int:
    """Write the chosen rules, and return the exit status; raise NotationError if there is none."""
    from bcastcli.reports.rules import RuleReport, RulesReport  # not for the help

    report: Report
    if asked.name is None:
        report = RulesReport(list(map(_found, RULES.values())), WITHOUT_A_RULE)
    else:
        report = RuleReport(_named(asked.name))
    write_report(report, form.format(Format.TABLE), form.terminal)
    return YES


def _found(rule: Rule) -> "Found":
    from bcastcli.reports.rules import Found

    return Found(rule, partial(answer_line, rule, options={}), words_of(rule.name))


def _named(text: str) -> "Found":
    """Return the rule of a name; raise NotationError if there is none."""
    name = text.strip()
    try:
        return _found(named(name))._replace(remark=REMARKS.get(name.lower(), ""))
    except LookupError as error:
        from bcastcli.operators.legacy import RULES as OF_OPERATORS  # rarely asked for

        if name.lower() in OF_OPERATORS:
            return _found(OF_OPERATORS[name.lower()])
        raise NotationError(str(error), text, (0, max(len(text), 1))) from error
