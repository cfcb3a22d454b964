"""The steps common to commands that answer questions from arguments or lines."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, TypeVar

from bcastcli.cli.console import (
    UsageError,
    interruptible,
    is_terminal,
    print_error,
    print_notation_error,
    write,
    write_bytes,
)
from bcastcli.cli.option_table import LINES, QUESTION, Asking, check
from bcastcli.cli.options import Output
from bcastcli.cli.standard_input import pieces
from bcastcli.core.answer import Answer
from bcastcli.notation.text import NotationError
from bcastcli.render import DoesNotFit, Format, Terminal, with_tags
from bcastcli.reports import Report, ReportClass, header
from bcastcli.reports import write as text_of
from bcastcli.reports.answers import InvalidInput

if TYPE_CHECKING:
    from bcastcli.notation.labels import Tags
    from bcastcli.stream.batch import AnyAnswer

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3
STATUS = {True: YES, False: NO, None: DEPENDS}
EPILOG = """Exit status: 0 it broadcasts, 1 it does not, 2 invalid input or usage,
3 it depends on unknown sizes."""
NO_QUESTION = "no question: type shapes, or pipe in one question per line"
_SCROLLS = "-f html makes a page that scrolls"
_SEVERAL = "bcastcli deck --steps makes several slides, and "
_MAX_HINTS = 20
"""The most hints to a stream: each takes about as long as ten answers."""

Answered = TypeVar("Answered", bound="AnyAnswer")


def write_report(
    report: Report, output: Format, terminal: Terminal, tags: "Tags | None" = None
) -> None:
    """Write a report in a format; raise UsageError if a slide has no room for it.

    Raise it also if nothing can convert SVG to PNG or PDF.
    """
    try:
        text = text_of(report, output if output.is_text else Format.SVG, terminal)
    except DoesNotFit as error:
        several = _SEVERAL if error.figures > 1 else ""
        raise UsageError(f"{error}: {several}{_SCROLLS}") from error
    if not output.is_text:
        from bcastcli.render.converter import ConverterError, converted

        try:
            data = converted(text, output)
        except ConverterError as error:
            raise UsageError(str(error)) from error
        if is_terminal(sys.stdout):
            binary = "this format is binary: write it to a file"
            raise UsageError(f"{binary}, with > picture.{output}")
        write_bytes(data)
        return
    if tags:
        text = with_tags(text, output, tags)
    write(text)


def answer_one(
    ask: Callable[[str], Answered],
    report: Callable[[Answered], Report],
    question: str,
    shown: Output,
    asking: Asking = QUESTION,
) -> int:
    """Answer one question, and return the exit status.

    Raises NotationError if it is not a question, and UsageError for options that conflict.
    """
    output = check(shown, asking)
    tags: Tags = {}
    if "#" in question or '"id"' in question:
        from bcastcli.notation.labels import split_label  # rarely needed

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
        # Perhaps a variable that was to hold others is empty.
        print_error("only one shape: there is nothing to broadcast it with")
    return STATUS[answer.ok]


def answer_lines(
    ask: Callable[[str], Answered],
    report: ReportClass[Answered],
    shown: Output,
    asking: Asking = LINES,
    *,
    allow_empty: bool,
    alike: bool = True,
    by_axis: Callable[[str], Answer] | None = None,
    from_first: bool = False,
    piped: Iterator[bytes] | None = None,
) -> int:
    """Answer the questions on the lines of standard input, and return the exit status.

    `alike`, `by_axis` and `from_first` are those of a stream; `piped` is the input where its
    reading has begun.
    Raises UsageError for options that do not fit lines, and where the input cannot be read.
    """
    from bcastcli.stream.batch import Stream  # not for a single question

    output = check(shown, asking)
    if shown.quiet:
        output = Format.PLAIN
    stream = Stream(
        ask, report, output, shown.terminal, alike=alike, by_axis=by_axis, from_first=from_first
    )
    if not shown.quiet:
        write(header(report.HEADS, output))
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
