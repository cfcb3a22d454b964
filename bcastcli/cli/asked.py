"""What a command line asks a rule, and the answer to it.

Two readers fill the record: `early` for common command lines, and the option parser for all.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bcastcli.cli.answering import EXAMPLE, Writing, answer_lines, answer_one
from bcastcli.cli.console import is_asked_for
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Options, Rule
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.reports import Report
from bcastcli.reports.answers import AnswerReport, SingleAnswerReport


class Asked(NamedTuple):
    """A question to a rule, or lines of them, and how to write the answers."""

    rule: Rule
    framework: str
    """The name that was typed for the rule: its own, or a framework's."""
    options: Options
    """A value for each of the rule's own options."""
    strict: bool
    """Whether it is a mismatch when every operand stretches."""
    shapes: Sequence[str]
    """The arguments."""
    reads_lines: bool
    """Whether the questions are lines of standard input."""
    writing: Writing
    report: Callable[[Answer], Report] = SingleAnswerReport
    """Makes the report of a single answer."""

    def ask(self, line: str) -> Answer:
        """The answer to a line."""
        answer = answer_line(self.rule, line, self.options, self.framework)
        if not self.strict:
            return answer
        from bcastcli.core.limits import strictly  # rarely asked for

        return strictly(answer)

    def ask_arguments(self, line: str) -> Answer:
        """The answer to the line that the arguments are; NotationError for one shape alone."""
        answer = self.ask(line)
        if len(answer.operands) == 1:
            message = "got one shape; broadcasting needs at least two"
            raise NotationError(message, line, (len(line), len(line) + 1))
        return answer


def answer(asked: Asked) -> int:
    """Write the answers, and return the exit status.

    Raises NotationError if the arguments are not a question, and UsageError for closed streams.
    """
    if not asked.reads_lines:
        return answer_one(asked.ask_arguments, asked.report, asked.shapes, asked.writing)
    from bcastcli.stream.columns import Columns  # not for a single question

    columns = None if asked.strict else Columns(asked.rule, asked.options, asked.framework)
    return answer_lines(
        asked.ask, AnswerReport, asked.writing, allow_empty=bool(asked.shapes), columns=columns
    )


def asks_for_lines(rule: Rule, shapes: Sequence[str]) -> bool:
    """Whether arguments ask to read lines of standard input; UsageError if it cannot be read."""
    return is_asked_for(shapes, "" if shapes else _missing(rule))


def _missing(rule: Rule) -> str:
    needs_option = any(each.default is None for each in rule.options.values())
    example = " ".join(rule.examples[0][0]) if needs_option else EXAMPLE
    return f"a shape is missing: bcastcli {rule.name} {example} (--help shows more)"
