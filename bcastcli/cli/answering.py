"""How commands answer questions, from arguments or lines, and the requests to rules.

`early` fills `Request` for common command lines, and the option parser for all.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bcastcli.cli import console
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Options, Rule
from bcastcli.notation.questions import Tags, answer_line, split_label
from bcastcli.notation.text import NotationError, as_line
from bcastcli.render import Format, Terminal
from bcastcli.reports import Report
from bcastcli.reports import write as text_of
from bcastcli.reports.answers import AnswerReport, InvalidInput, SingleAnswerReport

if TYPE_CHECKING:
    from bcastcli.stream.columns import Columns

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3
STATUS = {True: YES, False: NO, None: DEPENDS}
EPILOG = "Exit status: 0 compatible, 1 incompatible, 2 invalid input, 3 depends on unknown sizes."
_LAST_HINTED = 20
"""The last line of a stream with a hint, which takes about as long as ten answers."""
NO_QUESTION = "no question: type shapes, or pipe in one question per line"


class Writing(NamedTuple):
    """How answers are written."""

    output: Format
    color: console.Color
    quiet: bool
    """Whether the status alone is the answer."""

    @property
    def terminal(self) -> Terminal:
        """The capabilities of standard output, with the colors that the user chose."""
        return console.terminal(self.color)


def write_report(
    report: Report, output: Format, terminal: Terminal, tags: Tags | None = None
) -> None:
    """Write a report in a format."""
    console.write(text_of(report, output, terminal, tags or {}))


def answer_one(
    ask: Callable[[str], Any],
    report: Callable[[Any], Report],
    arguments: Sequence[str],
    writing: Writing,
) -> int:
    """Answer the question in arguments, and return the exit status.

    Raises NotationError if it is not a question.
    """
    question, tags = split_label(as_line(arguments))
    try:
        answer = ask(question)
    except NotationError as error:
        if writing.output is Format.JSON and not writing.quiet:
            invalid = InvalidInput(error.text, error.message, error.span[0] + 1)
            write_report(invalid, writing.output, writing.terminal, tags)
        raise
    if not writing.quiet:
        write_report(report(answer), writing.output, writing.terminal, tags)
    return STATUS[answer.ok]


def answer_lines(
    ask: Callable[[str], Any],
    report: Callable[[Any], Report],
    writing: Writing,
    *,
    allow_empty: bool,
    columns: "Columns | None" = None,
    lines: Iterator[list[str]] | None = None,
) -> int:
    """Answer the questions on the lines of standard input, and return the exit status.

    `columns` is passed to the stream; `lines` are those of the input if a command changes them.
    Raises UsageError if the input cannot be read.
    """
    from bcastcli.stream.batch import Stream, lines_of  # not for a single question

    output = Format.PLAIN if writing.quiet else writing.output
    stream = Stream(ask, report, output, writing.terminal, columns)
    available = lines_of(console.pieces()) if lines is None else lines
    for written in stream.answers(available):
        if not writing.quiet:
            console.write(written.text)
        for number, error in written.failures:
            console.print_notation_error(error, f"line {number}: ", hinted=number <= _LAST_HINTED)
    if stream.failed:
        return MALFORMED
    if not stream.verdicts and not allow_empty:
        console.print_error(NO_QUESTION)
        return MALFORMED
    for verdict in (False, None):
        if verdict in stream.verdicts:
            return STATUS[verdict]
    return YES


class Request(NamedTuple):
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
        from bcastcli.core.limits import LimitedAnswer, no_outer_product  # rarely needed

        return LimitedAnswer(answer, no_outer_product)

    def ask_arguments(self, line: str) -> Answer:
        """The answer to the line that the arguments are; NotationError for one shape alone."""
        answer = self.ask(line)
        if len(answer.operands) == 1:
            message = "got one shape; broadcasting needs at least two"
            raise NotationError(message, line, (len(line), len(line) + 1))
        return answer


def answer(request: Request) -> int:
    """Write the answers, and return the exit status.

    Raises NotationError if the arguments are not a question, and UsageError for closed streams.
    """
    if not request.reads_lines:
        return answer_one(request.ask_arguments, request.report, request.shapes, request.writing)
    from bcastcli.stream.columns import Columns  # not for a single question

    columns = None if request.strict else Columns(request.rule, request.options, request.framework)
    return answer_lines(
        request.ask,
        AnswerReport,
        request.writing,
        allow_empty=bool(request.shapes),
        columns=columns,
    )


def asks_for_lines(rule: Rule, shapes: Sequence[str]) -> bool:
    """Whether arguments ask to read lines of standard input; UsageError if it cannot be read."""
    if shapes:
        return console.reads_input(shapes, None)
    example = " ".join(rule.examples[0][0])
    return console.reads_input(
        [], f"a shape is missing: bcastcli {rule.name} {example} (-h shows more)"
    )
