"""The steps common to commands that answer questions from arguments or lines."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, TypeVar

from bcastcli.cli.console import (
    interruptible,
    is_terminal,
    pieces,
    print_error,
    print_notation_error,
    write,
)
from bcastcli.cli.options import LINES, QUESTION, Asking, Output, check
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
EPILOG = """Exit status: 0 compatible, 1 incompatible, 2 invalid input or usage,
3 depends on unknown sizes."""
NO_QUESTION = "no question: type shapes, or pipe in one question per line"
_SINGLE = "these are {} shapes with one axis each; {}"
_BRACES = "braces, as in {4,1}, need quotes"
_MAX_HINTS = 20
"""The most hints in a stream: each takes about as long as ten answers."""

Answered = TypeVar("Answered", bound="AnyAnswer")


def write_report(
    report: Report, output: Format, terminal: Terminal, tags: "Tags | None" = None
) -> None:
    """Write a report in a format."""
    write(text_of(report, output, terminal, tags or {}))


def answer_one(
    ask: Callable[[str], Answered],
    report: Callable[[Answered], Report],
    arguments: Sequence[str],
    shown: Output,
    asking: Asking = QUESTION,
) -> int:
    """Answer the question in arguments, and return the exit status.

    Raises NotationError if it is not a question, and UsageError for options that conflict.
    """
    output = check(shown, asking)
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
        if output is Format.JSON and not shown.quiet:
            invalid = InvalidInput(error.text, error.message, error.span[0] + 1)
            write_report(invalid, output, shown.terminal, tags)
        raise
    if not shown.quiet:
        write_report(report(answer), output, shown.terminal, tags)
    elif isinstance(answer, Answer) and len(answer.question.inputs) == 1:
        # A shell variable that should hold the other shapes may be empty.
        print_error("got one shape; broadcasting needs at least two")
    return STATUS[answer.ok]


def answer_lines(
    ask: Callable[[str], Answered],
    report: Callable[[Answered], Report],
    shown: Output,
    asking: Asking = LINES,
    *,
    allow_empty: bool,
    columns: "Columns | None" = None,
    piped: Iterator[bytes] | None = None,
) -> int:
    """Answer the questions on the lines of standard input, and return the exit status.

    `columns` is passed to the stream; `piped` is the input if part of it is already read.
    Raises UsageError for options that do not work with lines, and if the input cannot be read.
    """
    from bcastcli.stream.batch import Stream  # not for a single question

    output = check(shown, asking)
    if shown.quiet:
        output = Format.PLAIN
    stream = Stream(ask, report, output, shown.terminal, columns)
    answers = stream.answers(piped or pieces())
    finishing: AbstractContextManager[None] = nullcontext()
    if is_terminal(sys.stderr) and not is_terminal(sys.stdout):
        from bcastcli.stream.progress import watched

        answers, finishing = watched(answers), interruptible()
    hints = _MAX_HINTS
    with finishing:
        for written in answers:
            if not shown.quiet:
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
