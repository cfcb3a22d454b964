"""The command that makes slides of questions."""

import os
import re
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import BinaryIO

import typer

from bcastcli.cli.answering import MALFORMED, YES
from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import UsageError, print_notation_error, refuse_closed, write
from bcastcli.cli.options import Group, argument, flag, option
from bcastcli.deck import SUMMARY
from bcastcli.notation.text import NotationError

_HELP = """Turn questions, one per line, into slides in one HTML file.

Each line is a slide; text after " #" is its title:
  # Broadcasting
  3 scalar op=*             # NumPy's first figure
  compare 3,3 3 rules=numpy,ncnn
Example:
  bcastcli deck lesson.txt --build -o lesson.html"""
_EPILOG = "Exit status: 0, or 2 if a line is not a question."
_MAX_BYTES = 1 << 20
_MAX_SLIDES = 2_000


class Lesson(Group):
    """The questions, and how their slides are made."""

    file: str = argument("FILE", "The questions; - reads standard input.", ...)
    output: str = option(
        "--output -o", "Where to write; default: standard output.", "FILE", default="-"
    )
    build: bool = flag("--build", "Build up each picture in up to four slides.")


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("deck", _deck, Lesson, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _deck(lesson: Lesson) -> int:
    """Write the slides of a file, and return the exit status."""
    from bcastcli.deck import page  # not for the help
    from bcastcli.picture import pages

    lines = list(map(str.strip, _lines(lesson)))
    slides: page.Slides = []
    status = YES
    for number, line in enumerate(lines, 1):
        try:
            slides += page.slides(line, in_steps=lesson.build) if line else ()
        except NotationError as error:
            status = MALFORMED
            print_notation_error(error, f"line {number}: ")
        if len(slides) > _MAX_SLIDES:
            raise UsageError(f"{lesson.file} makes more than {_MAX_SLIDES:,} slides: split it")
    if not slides:
        raise UsageError(f"{lesson.file} {'makes no slides' if status else 'has no questions'}")
    name = "slides" if lesson.file == "-" else Path(lesson.file).stem
    headings = (line.lstrip("# ") for line in lines if line.startswith("#"))
    numbered = (slide.written(number=n) for n, slide in enumerate(slides, 1))
    text = pages.slides(next(headings, name), numbered)
    if lesson.output == "-":
        write(text)
        return status
    try:
        Path(lesson.output).write_bytes(text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {lesson.output or repr('')}: {error.strerror}") from error
    return status


def _lines(lesson: Lesson) -> list[str]:
    """Return the lines of the file; raise UsageError where it cannot be read, or is too large.

    Raise it also where the slides would be written over the questions.
    """
    file = lesson.file
    if file == "-":
        refuse_closed()
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as opened:
            if lesson.output != "-" and _is_file(opened, Path(lesson.output)):
                raise UsageError(f"{lesson.output} holds the questions: write the slides elsewhere")
            data = opened.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:  # it may be endless
            raise UsageError(f"{file} is larger than 1 MiB: split it")
        return re.split(r"\r\n?|\n", data.decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"cannot read {file}: {reason}") from error


def _is_file(opened: BinaryIO, output: Path) -> bool:
    """Return whether the opened file is the output, and a regular file."""
    with suppress(OSError):  # it is not a file, or does not exist yet
        return os.path.samestat(os.fstat(opened.fileno()), output.stat()) and output.is_file()
    return False
