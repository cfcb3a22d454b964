"""The command that checks questions in files against the expected answers."""

import os
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

import typer

from bcastcli.check import SUMMARY
from bcastcli.cli import console
from bcastcli.cli.answering import DEPENDS, MALFORMED, NO, YES, write_report
from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import UsageError
from bcastcli.cli.options import Output, argument, flag, option
from bcastcli.render import Format, github, json

_HELP = """Check that the shapes in files broadcast as they should, and show those that do not.

A line is a question, optionally with -> and the expected answer: a shape, mismatch or depends.
Without ->, the shapes must broadcast. In Markdown, only blocks fenced by ```bcastcli are read.

Examples:
  bcastcli check README.md docs -f github
  echo 'torch 3,4 3 -> mismatch' | bcastcli check
  echo 'compare 3,3 3 --rules numpy,ncnn -> differ' | bcastcli check"""
_EPILOG = "Exit status: 0 all as expected, 1 a line failed, 2 invalid or empty, 3 it depends."
_MISSING = "a file is missing: bcastcli check FILE, or pipe lines into it (-h shows more)"
_ONLY_BLOCKS = "in Markdown, only blocks fenced by ```bcastcli are read"
_NO_QUESTION = f"no questions found ({_ONLY_BLOCKS}); --allow-empty accepts that"
FORMATS = StrEnum("FORMATS", ["PLAIN", "JSON", "GITHUB"])
_MARKDOWN = (".md", ".markdown", ".qmd", ".rmd")
_LEFT_OUT = ("node_modules", "__pycache__")
"""The folders, beside hidden ones, that hold no pages of the project."""
_STATUS = {"invalid": MALFORMED, "no": NO, "depends": DEPENDS, "yes": YES}
"""The exit statuses; the first that occurs is the status of the whole."""


class CheckOptions(Output):
    """The files, and how failures are written."""

    files: list[str] | None = argument(
        "[FILE...]", "Files, or folders of Markdown; - reads standard input."
    )
    allow_empty: bool = flag("--allow-empty", "Accept files without questions.")
    markdown: bool = flag("--markdown", "Read every file as Markdown.")
    output: FORMATS | None = option(  # type: ignore[assignment]  # no table, but GITHUB
        "--format -f", "plain, json (--json) or github (for GitHub Actions).", "FORMAT"
    )


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("check", _check, CheckOptions, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _check(options: CheckOptions) -> int:
    """Check the lines of files, and return the exit status."""
    if not options.files:
        console.reads_input([], _MISSING)
    from bcastcli.check.lines import Checked  # not for the help

    checked, output = Checked(), options.output or FORMATS.PLAIN
    statuses = {"yes"}
    for file in _listed(options.files or ["-"]):
        is_page = options.markdown or _is_page(file)
        for failure in checked.failures(file, _pieces(file), markdown=is_page):
            statuses.add(failure.status)
            if output is FORMATS.GITHUB and not options.quiet:
                console.write(github.write([failure.annotation()]))
            elif not options.quiet:
                write_report(failure, Format(output), options.terminal)
    if not (checked.questions or options.allow_empty):
        console.print_error(_NO_QUESTION)
        statuses.add("invalid")
    status = next(each for each in _STATUS if each in statuses)
    if output is FORMATS.JSON and not options.quiet:
        console.write(json.write([{"command": "check", "status": status, **vars(checked)}]))
    elif not options.quiet:
        noun = "question" if checked.questions == 1 else "questions"
        unread = f", {checked.unread:,} not read" if checked.unread else ""
        console.write_note(f"{checked.questions:,} {noun}, {checked.failed:,} failed{unread}\n")
    return _STATUS[status]


def _listed(names: Sequence[str]) -> Iterator[str]:
    """The files, and the pages in the folders and in those below, but for hidden ones."""
    for name in names:
        if not os.path.isdir(name):  # noqa: PTH112  # Path raises for a name that is too long
            yield name
            continue
        for folder, folders, files in os.walk(name):
            folders[:] = sorted(sub for sub in folders if sub[0] != "." and sub not in _LEFT_OUT)
            yield from (str(Path(folder, file)) for file in sorted(files) if _is_page(file))


def _is_page(file: str) -> bool:
    return Path(file).suffix.lower() in _MARKDOWN


def _pieces(file: str) -> Iterable[bytes]:
    """The content of a file in pieces; UsageError if it cannot be read."""
    if file == "-":
        console.refuse_closed()
        return console.pieces()
    if file.endswith(".ipynb"):
        raise UsageError(f"cannot read {file}: it is a notebook; run jupytext --to md {file}")
    try:
        return [Path(file).read_bytes()]
    except OSError as error:
        raise UsageError(f"cannot read {file or repr(file)}: {error.strerror}") from error
