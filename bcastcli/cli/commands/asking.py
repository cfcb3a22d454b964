"""The steps common to commands that answer questions from arguments or lines."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from bcastcli import render
from bcastcli.cli.console import (
    UsageError,
    complain_of,
    is_terminal,
    print_error,
    read,
    write,
    write_bytes,
)
from bcastcli.cli.options import Output
from bcastcli.render import Format, Kind, Report, Terminal

if TYPE_CHECKING:
    from bcastcli.core.answer import Answer
    from bcastcli.notation.labels import Tags
    from bcastcli.stream.batch import AnyAnswer

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3
STATUS = {True: YES, False: NO, None: DEPENDS}
EPILOG = """Exit status: 0 it broadcasts, 1 it does not, 2 invalid input or usage,
3 it depends on unknown sizes."""


Answered = TypeVar("Answered", bound="AnyAnswer")


def are_lines(arguments: Sequence[str], missing: str) -> bool:
    """Whether the questions are the lines of standard input.

    Raises UsageError, with `missing`, where there would be nothing to wait for.
    """
    if arguments and "-" not in arguments:
        return False
    if len(arguments) > 1:
        raise UsageError("use - alone, not together with shapes")
    if sys.stdin is None or (not arguments and sys.stdin.isatty()):
        raise UsageError(missing)
    return True


def write_report(
    report: Report, output: Format, terminal: Terminal, tags: "Tags | None" = None
) -> None:
    """Write a report in a format; PNG and PDF are what a converter makes of SVG."""
    if not output.is_text:
        from bcastcli.render.converter import ConverterError, converted

        try:
            slide = render.write(report, Format.SVG, terminal)
            write_bytes(converted(slide, output), output)
        except ConverterError as error:
            raise UsageError(str(error)) from error
        return
    text = render.write(report, output, terminal)
    if tags:
        from bcastcli.stream.batch import tagged

        text = tagged(text, output, tags)
    write(text)


def reply(
    ask: Callable[[str], Answered],
    report: Callable[[Answered], Report],
    question: str,
    asked: Output,
    terminal: Terminal | None = None,
) -> int:
    """Answer one question, and return the exit status; `terminal` is by default standard output."""
    output = asked.format(Format.TABLE)
    tags: Tags = {}
    if "#" in question or '"id"' in question:
        from bcastcli.notation.labels import apart  # rarely needed

        question, tags = apart(question)
    answer = ask(question)
    if not asked.quiet:
        write_report(report(answer), output, terminal or asked.terminal, tags)
    return STATUS[answer.ok]


def reply_to_lines(
    ask: Callable[[str], Answered],
    report: Kind[Answered],
    asked: Output,
    *,
    may_be_none: bool,
    alike: bool = True,
    by_axis: Callable[[str], "Answer"] | None = None,
) -> int:
    """Answer the questions on the lines of standard input, and return the exit status.

    `alike` and `by_axis` are those of a stream.
    """
    from bcastcli.stream.batch import Stream  # not for a single question

    output = asked.format(Format.PLAIN)
    if output.is_page:
        raise UsageError(f"--format {output} answers one question, not lines")
    if asked.quiet:
        output = Format.PLAIN
    stream = Stream(ask, report, output, asked.terminal, alike=alike, by_axis=by_axis)
    if not asked.quiet:
        write(render.header(report.HEADS, output))
    pieces = stream.answers(read)
    if is_terminal(sys.stderr) and not is_terminal(sys.stdout):
        from bcastcli.stream.progress import watched

        pieces = watched(pieces)
    for written in pieces:
        if not asked.quiet:
            write(written.text)
        for number, error in written.failures:
            complain_of(error, f"line {number}: ")
    if stream.failed:
        return MALFORMED
    if not stream.verdicts and not may_be_none:
        print_error("no question: type shapes, or pipe one question a line")
        return MALFORMED
    return next((STATUS[verdict] for verdict in (False, None) if verdict in stream.verdicts), YES)
