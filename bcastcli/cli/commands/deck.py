"""The command that makes slides of questions."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bcastcli.cli.commands import built, grouped
from bcastcli.cli.commands.answering import MALFORMED, YES
from bcastcli.cli.commands.picture_options import Theme
from bcastcli.cli.console import UsageError, print_notation_error, write
from bcastcli.cli.options import unmarked
from bcastcli.notation import labels
from bcastcli.notation import text as notation
from bcastcli.notation.questions import ask
from bcastcli.render import Report, Terminal
from bcastcli.rules import RULES, by_any_name

if TYPE_CHECKING:
    from bcastcli.reports.figure import Look

SUMMARY = "Slides with pictures, one question a line, as one HTML file"
_HELP = """Turn FILE into slides, as one HTML file that loads no external files. Arrow keys move
between slides; printed, each is a page.

Each line is a question: shapes, with compare or a rule in front (numpy if there is none). Text
after " #" is the title of the slide. A line that begins with # is a slide with only that heading.
With --build, each question gets four slides: align, compare, stretch and result.

\b
Examples:
  bcastcli deck lesson.txt -o lesson.html
  bcastcli deck lesson.txt --build --theme dark > lesson.html

\b
A line of each kind:
  # Broadcasting
  4,1 3                     # Both stretch
  pdpd 3,4 3 axis=0
  compare 3,3 3             # The same shape, other values"""
_EPILOG = "Exit status: 0, or 2 if a line is not a question; the other slides are still made."


class Asked(SimpleNamespace):
    """The questions, and how their slides are made."""

    file: Annotated[
        str, typer.Argument(metavar="FILE", parser=unmarked, help="The questions, one a line.")
    ]
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write the slides; default: standard output.",
            show_default=False,
        ),
    ] = None
    build: Annotated[
        bool, typer.Option("--build", help="Build up each picture in four slides.")
    ] = False
    theme: Annotated[Theme, typer.Option("--theme", help="The colors of the slides.")] = Theme.LIGHT


def build() -> typer.Typer:
    """Return the command."""
    return built("deck", grouped(_deck, Asked), help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _deck(asked: Asked) -> int:
    """Write the slides of a file, and return the exit status."""
    from bcastcli.render import deck

    file = asked.file
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"cannot read {notation.printable(file)}: {reason}") from error
    slides: list[str] = []
    status = YES
    for number, line in enumerate(lines, 1):
        try:
            slides += _slides(line.strip(), Terminal(theme=asked.theme.value), build=asked.build)
        except notation.NotationError as error:
            print_notation_error(error, f"line {number}: ")
            status = MALFORMED
    if not slides:
        raise UsageError(f"{notation.printable(file)} has no question")
    title = next((line.lstrip("# ") for line in lines if line.startswith("#")), Path(file).stem)
    _put(deck.document(slides, title), asked.output)
    return status


def _put(text: str, output: str | None) -> None:
    if output is None:
        write(text)
        return
    try:
        Path(output).write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {notation.printable(output)}: {error.strerror}") from error


def _slides(line: str, terminal: Terminal, *, build: bool) -> Iterator[str]:
    """Yield the slides of a line: none of an empty one."""
    from bcastcli.render import deck, svg
    from bcastcli.render.picture.figure import Step
    from bcastcli.reports.figure import Look

    if not line:
        return
    if line.startswith("#"):
        yield deck.heading(line.lstrip("# "), terminal)
        return
    question, tags = labels.apart(line)
    titled = terminal._replace(title=str(tags.get("label", "")))
    for step in Step if build else (Step.RESULT,):
        yield svg.write(_report(question, Look(until=step)), titled)


def _report(question: str, look: "Look") -> Report:
    """Return the report of a question, whose rule may stand before its shapes."""
    word, _, rest = question.partition(" ")
    if word == "compare":
        from bcastcli.cli.commands import compare
        from bcastcli.reports.comparisons import SingleComparisonReport

        return SingleComparisonReport(compare.ask(rest), picture=look)
    from bcastcli.reports.answers import SingleAnswerReport

    rule = RULES.get(word) or by_any_name().get(word.lower())
    asked: Any = partial(ask, rule) if rule else partial(ask, RULES["numpy"])
    return SingleAnswerReport(asked(rest if rule else question, {}), picture=look)
