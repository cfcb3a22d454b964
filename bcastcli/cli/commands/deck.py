"""The command that makes slides of questions."""

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bcastcli.cli.commands import typer_app
from bcastcli.cli.commands.answer_options import Theme
from bcastcli.cli.commands.answering import MALFORMED, YES
from bcastcli.cli.console import (
    UsageError,
    interruptible,
    print_error,
    print_notation_error,
    write,
)
from bcastcli.cli.options import Group, argument, flag, option
from bcastcli.cli.standard_input import refuse_closed
from bcastcli.core.rule import Rule
from bcastcli.notation import labels
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.render import DoesNotFit, Terminal
from bcastcli.render.user_text import escaped
from bcastcli.reports import Report
from bcastcli.rules import RULES, USUAL, find
from bcastcli.stream.batch import with_newlines

if TYPE_CHECKING:
    from bcastcli.analysis.comparison import Comparison
    from bcastcli.render.picture.figure import Step

SUMMARY = "Make slides: one question per line in, one HTML file with pictures out"
_HELP = """Turn FILE into slides, as one HTML file that loads no external files. Arrow keys move
between slides; printed, each is a page.

Each line is a question: shapes, with compare or a rule in front (numpy if there is none). With
compare, rules=RULE,... chooses the rules. Text after " #" is the title of the slide. A line that
begins with # is a slide with only that heading.
With --build, a slide for each step: align, compare, stretch and result. With --steps, the shapes
beside each picture, and on a further slide what follows: the gradient, the size, notes.

\b
Examples:
  bcastcli deck lesson.txt -o lesson.html
  bcastcli deck lesson.txt --build --theme dark > lesson.html

\b
A line of each kind:
  # Broadcasting
  4,1 3                     # Both stretch
  pdpd 3,4 3 axis=0
  compare 3,3 3             # The same shape, other values
  compare 3,3 3 rules=numpy,ncnn"""
_EPILOG = "Exit status: 0, or 2 if a line is not a question; the other slides are still made."
_MAX_BYTES = 1 << 20
_MAX_SLIDES = 2_000


class Asked(Group):
    """The questions, and how their slides are made."""

    file: str = argument("FILE", "The questions, one per line; - for standard input.", ...)
    output: str | None = option(
        "--output -o", "Where to write the slides; default: standard output.", "FILE"
    )
    build: bool = flag("--build", "Build up each picture step by step, in up to four slides.")
    steps: bool = flag("--steps", "Show the steps beside each picture, and then what follows.")
    theme: Theme = option(
        "--theme",
        "The colors of the slides; transparent is for light backgrounds.",
        default=Theme.LIGHT,
    )


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("deck", _deck, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _deck(asked: Asked) -> int:
    """Write the slides of a file, and return the exit status."""
    from bcastcli.render import deck

    _refuse_overwriting(asked.file, asked.output)
    lines = _lines(asked.file)
    terminal = Terminal(theme=asked.theme.value)
    slides: list[str] = []
    status = YES
    too_many = UsageError(f"{asked.file} makes more than {_MAX_SLIDES:,} slides: split it")
    if sum(not line.isspace() for line in lines if line) > _MAX_SLIDES:  # each makes one, or more
        raise too_many
    for number, line in enumerate(lines, 1):
        try:
            slides += _slides(line.strip(), terminal, asked)
        except DoesNotFit as error:
            print_error(f"line {number}: {error}")
            status = MALFORMED
        except NotationError as error:
            print_notation_error(error, f"line {number}: ")
            status = MALFORMED
        if len(slides) > _MAX_SLIDES:
            raise too_many
    if not slides:
        what = "contains no questions" if status == YES else "makes no slides"
        raise UsageError(f"{asked.file} {what}")
    headings = (line.lstrip("# ") for line in lines if line.startswith("#"))
    name = "slides" if asked.file == "-" else Path(asked.file).stem
    text = deck.document(slides, next(headings, name), terminal)
    if asked.output is None:
        write(text)
        return status
    try:
        with interruptible():
            _write_file(text, Path(asked.output))
    except OSError as error:
        raise UsageError(f"cannot write {asked.output}: {error.strerror}") from error
    return status


def _lines(file: str) -> list[str]:
    """Return the lines of a file; raise UsageError where it cannot be read, or is too large."""
    try:
        if file == "-":
            refuse_closed()
            data = sys.stdin.buffer.read(_MAX_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                data = opened.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:  # perhaps it has no end
            raise UsageError(f"{file} is larger than 1 MiB: split it")
        [data] = with_newlines([data])
        return data.decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"cannot read {file}: {reason}") from error


def _refuse_overwriting(file: str, output: str | None) -> None:
    """Raise UsageError where the slides would be written over the questions."""
    with suppress(OSError, AttributeError):  # nothing is there yet, or it is closed, or no file
        own = Path(file).stat()
        written = os.fstat(sys.stdout.fileno()) if output is None else Path(output).stat()
        if stat.S_ISREG(own.st_mode) and os.path.samestat(own, written):
            raise UsageError(f"{output or file} holds the questions: write the slides elsewhere")


def _write_file(text: str, file: Path) -> None:
    """Write a file as a whole or not at all; a device or a pipe is written to as it is."""
    if file.exists() and not file.is_file():
        file.write_text(text, "utf-8")
        return
    file = file.resolve()  # a link stays, and leads to the new file
    if file.exists() and not os.access(file, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    beside = file.with_name(f".bcastcli-{os.getpid()}")
    try:
        beside.write_text(text, "utf-8")
        if file.exists():
            beside.chmod(stat.S_IMODE(file.stat().st_mode))
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def _slides(line: str, terminal: Terminal, asked: Asked) -> Iterator[str]:
    """Yield the slides of a line: none of an empty one."""
    from bcastcli.render import deck, svg
    from bcastcli.render.picture.figure import Step

    if not line:
        return
    if line.startswith("#"):
        yield deck.heading(escaped(line.lstrip("# ")), terminal)
        return
    question, tags = labels.split_label(line)
    titled = terminal._replace(title=escaped(str(tags.get("label", ""))))
    sheets = [
        _report(question, step, with_steps=asked.steps).sheet()
        for step in (Step if asked.build else (Step.RESULT,))
    ]
    ends = next(n for n, sheet in enumerate(sheets, 1) if not sheet.hidden)
    # A step that changes nothing has no slide of its own.
    yield from dict.fromkeys(chain(*(svg.slides(sheet, titled) for sheet in sheets[:ends])))


def _report(question: str, until: "Step", *, with_steps: bool) -> Report:
    """Return the report of a question, whose rule may come before its shapes."""
    from bcastcli.reports.rows import PictureOptions
    from bcastcli.reports.steps import StepOptions

    steps = StepOptions(until=until) if with_steps else None
    picture = PictureOptions(until=until)
    word, _, rest = question.partition(" ")
    if word == "compare":
        from bcastcli.reports.comparisons import SingleComparisonReport

        return SingleComparisonReport(_comparison(rest), steps=steps, picture=picture)
    from bcastcli.reports.answers import SingleAnswerReport

    rule = find(word)
    ask: Any = partial(answer_line, rule) if rule else partial(answer_line, RULES[USUAL])
    return SingleAnswerReport(ask(rest if rule else question, {}), steps=steps, picture=picture)


def _comparison(line: str) -> "Comparison":
    """Return the comparison for a line, of the rules that it names; else raise NotationError."""
    from bcastcli.cli.commands import compare

    rest, chosen = line, list[Rule]()
    for setting in re.finditer(r"(?<!\S)rules=(\S*)", line):
        if chosen:
            raise NotationError("rules is given twice", line, setting.span())
        try:
            chosen = compare.rules_of(setting[1])
        except LookupError as error:
            raise NotationError(str(error), line, setting.span()) from None
        rest = line[: setting.start()] + " " * len(setting[0]) + line[setting.end() :]
    return compare.ask(rest, compare.in_order(chosen))
