"""The command that checks questions in files against what is expected of them."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path

import typer

from bcastcli.cli.commands import typer_app
from bcastcli.cli.commands.answering import (
    DEPENDS,
    MALFORMED,
    NO,
    NO_QUESTION,
    YES,
    write_report,
)
from bcastcli.cli.console import UsageError, print_error, write, write_note
from bcastcli.cli.options import Output, argument, option
from bcastcli.cli.standard_input import is_asked_for, pieces, refuse_closed
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.notation.labels import Tags, split_label
from bcastcli.render import Format, github
from bcastcli.render.plain import mark
from bcastcli.reports.checks import Failure, FailureReport, SummaryReport
from bcastcli.rules import USUAL, completed, named
from bcastcli.stream import checks

SUMMARY = "Check shapes in files: questions, also in Markdown, and what is expected of them"
_HELP = """Check that the shapes in files broadcast as they should, and show those that do not.

Each line is a question, perhaps with a rule, a framework or an ONNX operator in front and, after
->, what is expected: a shape, mismatch, depends, or the answer as -f plain writes it. A line
without -> must broadcast. In a file named .md or .markdown, only blocks fenced by ```bcastcli are
read. Without a file, or for -, standard input is read.

\b
Examples:
  bcastcli check shapes.txt
  bcastcli check README.md docs/*.md -f github
  echo 'Gemm 8,64 64,10 10 -> 8,10' | bcastcli check

\b
Lines:
  8,1,6,1 7,1,5 -> 8,7,6,5
  torch 3,4 3 -> mismatch
  N,4 3,4 -> depends
  pdpd 2,3,4,5 3,4 axis=1      # must broadcast"""
_EPILOG = """Exit status: 0 nothing failed, 1 a line is not as expected or does not broadcast, 2 a
line is invalid or a file cannot be read, 3 all that failed depends on unknown sizes."""
_MISSING = "a file is missing: bcastcli check FILE, or pipe lines into it (--help shows more)"
FORMATS = StrEnum("FORMATS", ["PLAIN", "JSON", "GITHUB"])
_MARKDOWN = (".md", ".markdown")
_PIECE = 1 << 16
_STATUS = {"invalid": MALFORMED, "no": NO, "depends": DEPENDS, "yes": YES}
"""The exit statuses; the first that anything has is that of the whole."""


class Asked(Output):
    """The files, and how what fails is written."""

    files: list[str] | None = argument("[FILE...]", "Files with questions; - is standard input.")
    rule: Rule = option(
        "--rule",
        "The rule for lines that name none, or a framework's name.",
        "RULE",
        named,
        default=USUAL,
        autocompletion=completed,
    )
    max_fail: int | None = option("--max-fail", "Stop after N failures.", "N", min=1)
    output: FORMATS | None = option(  # type: ignore[assignment]  # no table, but GITHUB
        "--format -f", "The format; github is for its Actions. Default: plain."
    )


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("check", _check, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _check(asked: Asked) -> int:
    """Check the lines of files, and return the exit status."""
    output, files = asked.format(Format.PLAIN), asked.files or []
    if not files:
        is_asked_for(files, _MISSING)
    from bcastcli.operators.lines import ask  # not for the help

    checking = _Checking(partial(ask, usual=asked.rule))
    statuses = {"yes"}
    failed = 0
    for failure, tags in islice(checking.failures(files or ["-"]), asked.max_fail):
        failed += 1
        statuses.add(failure.status)
        if asked.quiet:
            continue
        report = FailureReport(failure)
        if output == FORMATS.GITHUB.value:
            write(github.write([report.annotation(mark(tags))]))
        else:
            write_report(report, Format(output), asked.terminal, tags)
    if checking.unreadable:
        statuses.add("invalid")
    if not (files or checking.questions):
        print_error(NO_QUESTION)
        return MALFORMED
    status = next(each for each in _STATUS if each in statuses)
    if asked.quiet:
        return _STATUS[status]
    summary = SummaryReport(status, checking.questions, failed, checking.unreadable)
    if output == Format.JSON:
        write_report(summary, Format.JSON, asked.terminal)
    else:
        write_note(f"{summary.lines()[0]}\n")
    return _STATUS[status]


class _Checking:
    """The questions in files, of which some fail."""

    def __init__(self, ask: Callable[[str], Answer]) -> None:
        self._ask = ask
        self.questions = 0
        """How many were read so far."""
        self.unreadable = 0
        """How many files could not be read."""

    def failures(self, files: Sequence[str]) -> Iterator[tuple[Failure, Tags]]:
        """Yield what fails, in order, each with the label and the id of its line."""
        for file in files:
            is_markdown = Path(file).suffix.lower() in _MARKDOWN
            try:
                for number, line in checks.questions(_pieces(file), markdown=is_markdown):
                    self.questions += 1
                    question, tags = split_label(line)
                    failure = checks.failure(file, number, line, question, self._ask)
                    if failure:
                        yield failure, tags
            except UsageError as error:
                self.unreadable += 1
                print_error(error.message)


def _pieces(file: str) -> Iterator[bytes]:
    """Yield a file as it comes; raise UsageError where it cannot be read."""
    if file == "-":
        refuse_closed()
        yield from pieces()
        return
    try:
        with open(file, "rb") as opened:  # noqa: PTH123  # Path reads an empty name as a folder
            piece = opened.read(_PIECE)
            if piece.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):  # no block would be found in it
                raise UsageError(f"cannot read {file}: it is UTF-16, and UTF-8 is read")
            while piece:
                yield piece
                piece = opened.read(_PIECE)
    except OSError as error:
        raise UsageError(f"cannot read {file or repr(file)}: {error.strerror}") from error
