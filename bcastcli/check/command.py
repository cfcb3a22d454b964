"""The command that checks questions in files against the expected answers."""

import os
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

import typer

from bcastcli.check import SUMMARY
from bcastcli.check.report import Failure
from bcastcli.cli import console
from bcastcli.cli.answering import DEPENDS, MALFORMED, NO, YES, write_report
from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import UsageError
from bcastcli.cli.options import Output, argument, flag, option
from bcastcli.core.rule import Rule
from bcastcli.render import Format, Terminal, github, json
from bcastcli.rules import USUAL, completed, named

_HELP = """Check that the shapes in files broadcast as they should, and show those that do not.

A line is a question, perhaps with -> and the expected answer: a shape, mismatch or depends. Without
it, the shapes must broadcast. In Markdown, only blocks fenced by ```bcastcli are read.

Examples:
  bcastcli check README.md docs -f github
  echo 'torch 3,4 3 -> mismatch' | bcastcli check
  echo 'compare 3,3 3 --rules numpy,ncnn -> differ' | bcastcli check"""
_EPILOG = "Exit status: 0 all as expected, 1 a line failed, 2 invalid or empty, 3 it depends."
_MISSING = "a file is missing: bcastcli check FILE, or pipe lines into it (-h shows more)"
_NO_QUESTION = (
    "no questions found (in Markdown, only blocks fenced by ```bcastcli are read); "
    "--allow-empty accepts that"
)
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
        "The rule for lines that name none; default: numpy.",
        "RULE",
        named,
        USUAL,
        autocompletion=completed,
    )
    allow_empty: bool = flag("--allow-empty", "Accept files without questions.")
    markdown: bool = flag("--markdown", "Read every file as Markdown.")
    output: FORMATS | None = option(  # type: ignore[assignment]  # no table, but GITHUB
        "--format -f", "plain, json (--json) or github (for GitHub Actions).", "FORMAT"
    )


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("check", _check, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _check(asked: Asked) -> int:
    """Check the lines of files, and return the exit status."""
    if not asked.files:
        console.is_asked_for([], _MISSING)
    from bcastcli.check.lines import Checked  # not for the help

    checked, output = Checked(asked.rule), asked.output or FORMATS.PLAIN
    statuses, unreadable = {"yes"}, 0
    for file in _listed(asked.files or ["-"]):
        is_page = asked.markdown or _is_page(file)
        try:
            for failure in checked.failures(file, _pieces(file), markdown=is_page):
                statuses.add(failure.status)
                if not asked.quiet:
                    _show(failure, output, asked.terminal)
        except UsageError as error:
            unreadable += 1
            console.print_error(error.message)
    has_questions = checked.questions or asked.allow_empty
    if not (has_questions or unreadable):
        console.print_error(_NO_QUESTION)
    if unreadable or not has_questions:
        statuses.add("invalid")
    status = next(each for each in _STATUS if each in statuses)
    counts = {"questions": checked.questions, "failed": checked.failed, "unread": checked.unread}
    if not asked.quiet:
        _summarize(status, counts, unreadable, output)
    return _STATUS[status]


def _summarize(status: str, counts: dict[str, int], unreadable: int, output: FORMATS) -> None:
    """Write how much was read, and how much of it failed."""
    if output is FORMATS.JSON:
        record = {"command": "check", "status": status, **counts, "unreadable": unreadable}
        console.write(json.write([record]))
        return
    questions, failed, unread = counts.values()
    noun = "question" if questions == 1 else "questions"
    more = f", {unread:,} not read" if unread else ""
    console.write_note(f"{questions:,} {noun}, {failed:,} failed{more}\n")


def _show(failure: Failure, output: FORMATS, terminal: Terminal) -> None:
    if output is FORMATS.GITHUB:
        console.write(github.write([failure.annotation()]))
    else:
        write_report(failure, Format(output), terminal)


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


def _pieces(file: str) -> Iterable[bytes]:
    """The content of a file in pieces; UsageError if it cannot be read."""
    if file == "-":
        console.refuse_closed()
        return console.pieces()
    if file.endswith(".ipynb"):
        raise UsageError(f"cannot read {file}: it is a notebook; jupytext --to md {file}")
    try:
        content = Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {file or repr(file)}: {error.strerror}") from error
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise UsageError(f"cannot read {file}: it is UTF-16; save it as UTF-8")
    return [content]
