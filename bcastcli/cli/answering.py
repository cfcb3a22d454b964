"""The steps common to commands that answer questions from arguments or lines."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bcastcli.cli.console import (
    Color,
    interruptible,
    is_terminal,
    pieces,
    print_error,
    print_notation_error,
    terminal,
    write,
)
from bcastcli.core.answer import Answer
from bcastcli.notation.text import NotationError, as_line
from bcastcli.render import Format, Terminal
from bcastcli.reports import Report
from bcastcli.reports import write as text_of
from bcastcli.reports.answers import InvalidInput

if TYPE_CHECKING:
    from bcastcli.notation.questions import Tags
    from bcastcli.stream.batch import AnyAnswer
    from bcastcli.stream.columns import Columns

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3
STATUS = {True: YES, False: NO, None: DEPENDS}
EPILOG = "Exit status: 0 compatible, 1 incompatible, 2 invalid input, 3 it depends."
EXAMPLE = "2,3,4,5 4,5"
NO_QUESTION = "no question: type shapes, or pipe in one question per line"
_SINGLE = "these are {} shapes with one axis each; {}"
_BRACES = "braces, as in {4,1}, need quotes"
_MAX_HINTS = 20
"""The most hints in a stream: each takes about as long as ten answers."""

Answered = TypeVar("Answered", bound="AnyAnswer")


class Writing(NamedTuple):
    """How answers are written."""

    output: Format
    color: Color = Color.AUTO
    quiet: bool = False
    """Whether the status alone is the answer."""

    @property
    def terminal(self) -> Terminal:
        """The capabilities of standard output, with the colors that the user chose."""
        return terminal(self.color)


def write_report(
    report: Report, output: Format, terminal: Terminal, tags: "Tags | None" = None
) -> None:
    """Write a report in a format."""
    write(text_of(report, output, terminal, tags or {}))


def answer_one(
    ask: Callable[[str], Answered],
    report: Callable[[Answered], Report],
    arguments: Sequence[str],
    writing: Writing,
) -> int:
    """Answer the question in arguments, and return the exit status.

    Raises NotationError if it is not a question.
    """
    question = as_line(arguments)
    numbers = question.split()
    is_split = 1 < len(arguments) < len(numbers)
    if (is_split or len(arguments) > 3) and "".join(numbers).isdigit():
        meant = " ".join([",".join(argument.split()) for argument in arguments])
        print_error(_SINGLE.format(len(numbers), f"did you mean {meant}?" if is_split else _BRACES))
    tags: Tags = {}
    if "#" in question or '"id"' in question:
        from bcastcli.notation.questions import split_label  # rarely needed

        question, tags = split_label(question)
    try:
        answer = ask(question)
    except NotationError as error:
        if writing.output is Format.JSON and not writing.quiet:
            invalid = InvalidInput(error.text, error.message, error.span[0] + 1)
            write_report(invalid, writing.output, writing.terminal, tags)
        raise
    if not writing.quiet:
        write_report(report(answer), writing.output, writing.terminal, tags)
    elif isinstance(answer, Answer) and len(answer.question.inputs) == 1:
        # A shell variable that should hold the other shapes may be empty.
        print_error("got one shape; broadcasting needs at least two")
    return STATUS[answer.ok]


def answer_lines(
    ask: Callable[[str], Answered],
    report: Callable[[Answered], Report],
    writing: Writing,
    *,
    allow_empty: bool,
    columns: "Columns | None" = None,
    piped: Iterator[bytes] | None = None,
) -> int:
    """Answer the questions on the lines of standard input, and return the exit status.

    `columns` is passed to the stream; `piped` is the input if part of it is already read.
    Raises UsageError if the input cannot be read.
    """
    from bcastcli.stream.batch import Stream  # not for a single question

    output = Format.PLAIN if writing.quiet else writing.output
    stream = Stream(ask, report, output, writing.terminal, columns)
    answers = stream.answers(piped or pieces())
    finishing: AbstractContextManager[None] = nullcontext()
    if is_terminal(sys.stderr) and not is_terminal(sys.stdout):
        from bcastcli.stream.progress import watched

        answers, finishing = watched(answers), interruptible()
    hints = _MAX_HINTS
    with finishing:
        for written in answers:
            if not writing.quiet:
                write(written.text)
            for number, error in written.failures:
                print_notation_error(error, f"line {number}: ", hinted=hints > 0)
                hints -= 1
    if stream.failed:
        return MALFORMED
    if not stream.verdicts and not allow_empty:
        print_error(NO_QUESTION)
        return MALFORMED
    return next((STATUS[verdict] for verdict in (False, None) if verdict in stream.verdicts), YES)
