"""The command that tells of the rules."""

from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from bcastcli.cli.commands import built, taking
from bcastcli.cli.commands.asking import YES, Wanted, reply, reply_to_lines, write_report
from bcastcli.cli.options import HOW_TO_ANSWER, names_of_rules, parameter, unmarked
from bcastcli.core.rule import Rule
from bcastcli.notation.questions import ask
from bcastcli.notation.text import NotationError, printable
from bcastcli.render import Format
from bcastcli.rules import RULES, named

if TYPE_CHECKING:
    from bcastcli.reports.rules import Found

SUMMARY = "The rules; or one rule: its text, examples, and how it differs from numpy"
_HELP = """List the rules; or tell of one: its text, source, worked examples, and how it differs
from numpy. A rule is found by its framework's name too. With -, each line of standard input is a
name.

\b
Examples:
  bcastcli rules
  bcastcli rules ncnn
  bcastcli rules torch --json"""

_EPILOG = "Exit status: 0, or 2 where there is no rule of that name."

_NAME = parameter(
    "name",
    str | None,
    None,
    typer.Argument(
        metavar="RULE",
        parser=unmarked,
        autocompletion=names_of_rules,
        help="A rule, or a framework that follows it.",
        show_default=False,
    ),
)


def build() -> typer.Typer:
    """The command."""
    command = taking(_tell, _NAME, *HOW_TO_ANSWER)
    return built("rules", command, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _tell(name: str | None, **asked: Any) -> int:
    """Show the rules that were asked about, and return the exit status."""
    from bcastcli.reports.rules import RuleReport, RulesReport  # not for the help

    wanted = Wanted(**asked)
    if name == "-":
        return reply_to_lines(_named, RuleReport, wanted, may_be_none=True)
    if name is not None:
        return reply(_named, RuleReport, name, wanted)
    output = wanted.format(Format.TABLE)
    if not wanted.quiet:
        write_report(RulesReport(list(map(_found, RULES.values()))), output, wanted)
    return YES


def _found(rule: Rule) -> "Found":
    from bcastcli.reports.rules import Found

    return Found(rule, partial(ask, rule, options={}))


def _named(line: str) -> "Found":
    """Return the rule of a name; raise NotationError if there is none."""
    try:
        return _found(named(printable(line.strip())))
    except LookupError as error:
        raise NotationError(str(error), line, (0, max(len(line), 1))) from error
