"""The command that checks questions in files against the expected answers."""

import os
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bcastcli.check import SUMMARY
from bcastcli.check.report import Failure, Summary
from bcastcli.cli.answering import DEPENDS, MALFORMED, NO, YES, write_report
from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import (
    UsageError,
    is_asked_for,
    pieces,
    print_error,
    refuse_closed,
    write,
    write_note,
)
from bcastcli.cli.options import Output, argument, flag, option
from bcastcli.core.rule import Rule
from bcastcli.render import Format, github
from bcastcli.rules import USUAL, completed, named

if TYPE_CHECKING:
    from bcastcli.check.lines import Checked

_HELP = """Check that the shapes in files broadcast as they should, and show those that do not.

A line is a question, perhaps with -> and the expected answer: a shape, mismatch or depends. Without
it, the shapes must broadcast. In Markdown, only blocks fenced by ```bcastcli are read.

Examples:
  bcastcli check README.md docs -f github
  echo 'torch 3,4 3 -> mismatch' | bcastcli check
  echo 'compare 3,3 3 --rules numpy,ncnn -> differ' | bcastcli check"""
_EPILOG = "Exit status: 0 all as expected, 1 a line failed, 2 invalid or empty, 3 it depends."
_MISSING = "a file is missing: bcastcli check FILE, or pipe lines into it (--help shows more)"
_NO_QUESTION = "no questions found{}; --allow-empty accepts that"
_OF_MARKDOWN = ": in Markdown, only blocks fenced by ```bcastcli are read"
FORMATS = StrEnum("FORMATS", ["PLAIN", "JSON", "GITHUB"])
_LEFT_OUT = ("node_modules", "__pycache__")
_MARKDOWN = (".md", ".markdown", ".qmd", ".rmd")
_STATUS = {"invalid": MALFORMED, "no": NO, "depends": DEPENDS, "yes": YES}
"""The exit statuses; the first that occurs is the status of the whole."""


class Asked(Output):
    """The files, and how failures are written."""

    files: list[str] | None = argument(
        "[FILE...]", "Files, or folders of Markdown; - reads standard input."
    )
    rule: Rule = option(
        "--rule",
        "The rule of lines that name none; default: numpy.",
        "RULE",
        named,
        USUAL,
        autocompletion=completed,
    )
    allow_empty: bool = flag("--allow-empty", "Accept files without questions.")
    markdown: bool = flag("--markdown", "Read every file as Markdown.")
    max_fail: int | None = option("--max-fail", "Stop after N failures.", "N", min=1)
    output: FORMATS | None = option(  # type: ignore[assignment]  # no table, but GITHUB
        "--format -f", "plain, json (--json) or github (for GitHub Actions).", "FORMAT"
    )


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("check", _check, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _check(asked: Asked) -> int:
    """Check the lines of files, and return the exit status."""
    if not asked.files:
        is_asked_for([], _MISSING)
    from bcastcli.check.lines import Checked  # not for the help

    checked, output = Checked(asked.rule), asked.output or FORMATS.PLAIN
    statuses = {"yes"}
    unreadable = 0
    for failure in islice(_failures(checked, asked), asked.max_fail):
        statuses.add(failure.status)
        if failure.line is None:
            if failure.file:
                unreadable += 1
            print_error(failure.text)
        if asked.quiet:
            continue
        if output is FORMATS.GITHUB:
            write(github.write([failure.annotation()]))
        elif failure.line:
            write_report(failure, Format(output), asked.terminal)
    status = next(each for each in _STATUS if each in statuses)
    counts = {"questions": checked.questions, "failed": checked.failed, "unread": checked.unread}
    summary = Summary(status, **counts, unreadable=unreadable)
    if output is FORMATS.JSON and not asked.quiet:
        write_report(summary, Format.JSON, asked.terminal)
    elif not asked.quiet:
        write_note(f"{summary.lines()[0]}\n")
    return _STATUS[status]


def _failures(checked: "Checked", asked: Asked) -> Iterator[Failure]:
    """The failures in the files, in order; last, one if there are no questions at all."""
    refused = has_pages = False
    for file in _listed(asked.files or ["-"]):
        is_page = asked.markdown or _is_page(file)
        has_pages |= is_page
        try:
            yield from checked.failures(file, _pieces(file), markdown=is_page)
        except UsageError as error:
            refused = True
            yield Failure(file, None, None, "invalid", error.message)
    if not (checked.questions or asked.allow_empty or refused):
        where = _OF_MARKDOWN if has_pages else ""
        yield Failure("", None, None, "invalid", _NO_QUESTION.format(where))


def _listed(names: Sequence[str]) -> Iterator[str]:
    """The files, and the pages in the folders and in those below, but for hidden ones."""
    for name in names:
        if not os.path.isdir(name):  # noqa: PTH112  # Path raises for a name that is too long
            yield name
            continue
        for folder, folders, files in os.walk(name):
            folders[:] = sorted(
                each for each in folders if each[0] != "." and each not in _LEFT_OUT
            )
            yield from (str(Path(folder, file)) for file in sorted(files) if _is_page(file))


def _is_page(file: str) -> bool:
    return Path(file).suffix.lower() in _MARKDOWN


def _pieces(file: str) -> Iterator[bytes]:
    """A file piece by piece; UsageError if it cannot be read."""
    if file == "-":
        refuse_closed()
        yield from pieces()
        return
    if file.endswith(".ipynb"):
        raise UsageError(f"cannot read {file}: it is a notebook; jupytext --to md {file}")
    try:
        with open(file, "rb") as opened:  # noqa: PTH123  # Path reads an empty name as a folder
            for number, piece in enumerate(iter(lambda: opened.read(1 << 16), b"")):
                if not number and piece.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
                    raise UsageError(f"cannot read {file}: it is UTF-16; save it as UTF-8")
                yield piece
    except OSError as error:
        raise UsageError(f"cannot read {file or repr(file)}: {error.strerror}") from error
