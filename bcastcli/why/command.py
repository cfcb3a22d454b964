"""The command that explains error messages."""

import os
import re
import sys

import typer

from bcastcli.cli.answering import MALFORMED, STATUS
from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import (
    hint,
    is_terminal,
    pieces,
    print_error,
    reads_input,
    terminal,
    write,
    write_note,
)
from bcastcli.cli.options import LIST, Output, argument, check
from bcastcli.render import FOR_PEOPLE
from bcastcli.reports import Report
from bcastcli.reports import write as text_of
from bcastcli.why import SUMMARY
from bcastcli.why.explained import explain
from bcastcli.why.messages import Fault, Reading
from bcastcli.why.messages.reader import Text, read
from bcastcli.why.report import FaultReport, ReadingReport

_HELP = """Explain what NumPy, PyTorch, JAX, TensorFlow, ONNX Runtime and others print when shapes
do not fit.

Examples:
  bcastcli why 'mat1 and mat2 shapes cannot be multiplied (6x4 and 5x6)'
  python train.py 2>&1 | bcastcli why

Without TEXT, standard input is read. At a terminal, paste the message and press Ctrl-D (on Windows
Ctrl-Z and Enter)."""
_EPILOG = "Exit status: 0 compatible, 1 incompatible, 2 no shape error found, 3 unknown."
_PROMPT = f"paste the message, then {'Ctrl-Z and Enter' if os.name == 'nt' else 'Ctrl-D'}\n"
_EMPTY = "standard input was empty; to include standard error, add 2>&1 before the |"
_MEANT = {
    re.compile(r"\S+\.(?:log|txt|out|err|json|ipynb)"): "bcastcli why < {}",
    re.compile(r"(?:\S+/)?\S+\.py(?: .*)?"): "python {} 2>&1 | bcastcli why",
    re.compile(r"(?:python|pytest|torchrun|uv|bash|\./)\S*(?: .*)?"): "{} 2>&1 | bcastcli why",
}
"""What looks like a file or a command, and what was meant with it."""
_MAX_BYTES = 10_000_000
"""The most of standard input that is read: its end, where a program's error stands."""


class Options(Output):
    """The text, and how its explanation is shown."""

    text: list[str] | None = argument("[TEXT...]", "The text; - reads standard input.")


def build() -> typer.Typer:
    """The command."""
    return typer_app("why", _why, Options, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _why(options: Options) -> int:
    """Explain a text, and return the exit status."""
    output = check(options, LIST)
    arguments = options.text or []
    text = read(_data(arguments))
    answers = [_answer(finding) for finding in text.findings]
    if not options.quiet:
        shown_on = terminal(options.color)
        between = "\n" if output in FOR_PEOPLE else ""
        write(between.join([text_of(report, output, shown_on) for report, _ in answers]))
        if output in FOR_PEOPLE and len(answers) > 1:
            more = f", and {text.more} more" if text.more else ""
            write(f"\n{len(answers)} messages explained{more}\n")
    oks = [ok for _, ok in answers]
    for ok in (False, None, True):
        if ok in oks:
            return STATUS[ok]
    print_error(*_reason(arguments, text))
    return MALFORMED


def _data(text: list[str]) -> bytes:
    """The text to explain: the arguments, or standard input."""
    if not reads_input(text, None, "a text"):
        return os.fsencode(" ".join(text))
    if is_terminal(sys.stdin):
        write_note(_PROMPT)
    return b"".join(pieces())[-_MAX_BYTES:]


def _answer(finding: Reading | Fault) -> tuple[Report, bool | None]:
    """The report of what a message says, and whether the shapes broadcast."""
    if isinstance(finding, Fault):
        return FaultReport(finding), False
    each = explain(finding)
    return ReadingReport(each), each.ok


def _reason(given: list[str], text: Text) -> tuple[str, str]:
    """Why there is nothing to explain, and the line below it with the command that may be meant."""
    typed = "" if given == ["-"] else " ".join(given)
    if not text.lines:
        return "the text is empty" if given or is_terminal(sys.stdin) else _EMPTY, ""
    meant = [line for pattern, line in _MEANT.items() if pattern.fullmatch(typed)]
    count = "this line" if text.lines == 1 else f"these {text.lines:,} lines"
    return f"no shape error found in {count}", hint(meant[0].format(typed) if meant else "")
