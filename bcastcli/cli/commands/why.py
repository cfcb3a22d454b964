"""The command that explains error messages."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial

import typer

from bcastcli.analysis.explained import Explanation, explain, is_explained
from bcastcli.cli.commands import typer_app
from bcastcli.cli.commands.answering import MALFORMED, STATUS
from bcastcli.cli.console import (
    UsageError,
    copied,
    is_terminal,
    print_error,
    terminal,
    write,
    write_bytes,
    write_note,
)
from bcastcli.cli.option_table import MESSAGES, check
from bcastcli.cli.options import Output, argument, flag
from bcastcli.cli.standard_input import is_asked_for, pieces
from bcastcli.messages import Fault, Reading
from bcastcli.messages.reader import CHUNK, Reader
from bcastcli.messages.tally import Tally
from bcastcli.render import Format, Terminal
from bcastcli.render.user_text import escaped
from bcastcli.reports import Report, header, writer
from bcastcli.reports.readings import FaultReport, ReadingReport

SUMMARY = "Explain a pasted error or a log: which operands clash, on which axis, and why"
_HELP = """Find what NumPy, PyTorch, JAX, TensorFlow, Keras, ONNX Runtime, OpenVINO and other
frameworks print when shapes do not broadcast, and explain it as the rule's own command does.

The arguments are read as one text. Without them, or with -, standard input is read; at a terminal,
paste the message and press Ctrl-D (on Windows Ctrl-Z and Enter).

\b
Examples:
  bcastcli why
  bcastcli why --run python train.py
  bcastcli why 'operands could not be broadcast together with shapes (2,3) (4,)'
  python train.py 2>&1 | bcastcli why
  python train.py 2>&1 | bcastcli why --tee
  bcastcli why --json < train.log"""
_EPILOG = """Exit status: 1 a mismatch was found, 3 it depends on unknown sizes or on text
that was cut off, 0 the shapes broadcast after all (with --tee also: nothing to explain), 2 nothing
to explain, or invalid usage. With --run it is the command's own: 128+n if signal n killed it, 127
if it was not found, 126 if it could not be run."""
_PROMPT = f"paste the message, then {'Ctrl-Z and Enter' if os.name == 'nt' else 'Ctrl-D'}\n"
_EMPTY = "standard input was empty; errors go to standard error: add 2>&1 before the |"
_NO_MESSAGE = "no message about shapes that do not broadcast in {}"
_COMMAND = re.compile(
    r"(?:\S+/)?(?:python|pypy|pytest|torchrun|accelerate|deepspeed|uv|poetry|conda|mpirun|bash|sh|make)"
    r"[\d.]*(?:\s|$)|\./\S"
)
_SCRIPT = re.compile(r"\S+\.py(?:\s|$)")
_FILE = re.compile(r"\S+\.(?:log|txt|out|err|json|ipynb)")
_PATIENCE = 0.1
"""The seconds without input after which the findings are written."""


class Asked(Output):
    """The text, and how its explanation is shown."""

    text: list[str] | None = argument(
        "[TEXT...]", "An error message, a traceback or a log; - reads standard input."
    )
    tee: bool = flag(
        "--tee",
        "Copy standard input to standard output as it comes; explain on standard error.",
    )
    run: bool = flag(
        "--run", "Run all that follows as a command; explain on standard error what it prints."
    )
    steps: bool = flag("--steps", "Show each step of the rule.")
    picture: bool = flag("--picture", "Draw the operands and the result.")


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("why", _why, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _why(asked: Asked) -> int:
    """Explain a text, and return the exit status."""
    text, tee, steps, picture = asked.text, asked.tee, asked.steps, asked.picture
    output = check(asked, MESSAGES)
    is_whole = steps or picture or output.is_page
    if asked.run and not text:
        raise UsageError("a command is missing: bcastcli why --run python train.py")
    if asked.run and tee:
        raise UsageError("--run copies what the command prints: leave out --tee")
    if tee and text and text != ["-"]:
        raise UsageError("--tee copies standard input: leave out the text")
    report = partial(ReadingReport, steps=steps, picture=picture, has_title=output.is_page)
    is_beside = tee or asked.run
    put = _nowhere if asked.quiet else write_note if is_beside else write
    put_fault = _nowhere if asked.quiet and is_beside else print_error
    shown_on = terminal(asked.color, sys.stderr if is_beside else sys.stdout)
    explanations = _Explanations(report, output, shown_on, put, put_fault)
    if asked.run:
        return _run(text or [], explanations)
    reader = Reader()
    for piece in _pieces(text or [], tee=tee):
        explanations.read(reader, piece)
        if not (piece or tee or is_whole):
            explanations.write_whole()
    explanations.add(reader.end())
    if is_whole:
        explanations.only_one(f"--format {output}" if output.is_page else "--steps or --picture")
    explanations.tally.more += reader.counted
    status = explanations.finish()
    return status if status is not None else _nothing(asked, explanations, reader.lines)


def _run(command: list[str], explanations: "_Explanations") -> int:
    """Run a command, explain what it printed, and return its status."""
    from bcastcli.cli import child  # few ask for it

    readers = {number: Reader() for number in child.OUTPUTS}

    def copy(number: int, piece: bytes) -> bool:
        is_copied = copied(number, piece)
        explanations.read(readers[number], piece)
        return is_copied

    try:
        status = child.run(command, copy)
    except child.CannotRunError as error:
        print_error(str(error))
        return error.status
    for reader in readers.values():
        explanations.add(reader.end())
        explanations.tally.more += reader.counted
    explanations.finish()
    return status


def _nothing(asked: Asked, explanations: "_Explanations", lines: int) -> int:
    """Explain that there is nothing to explain, and return the exit status."""
    if asked.tee:
        return STATUS[True]
    given = [] if asked.text == ["-"] else asked.text or []
    if not explanations.has_faults:
        reason = "the text is empty" if given or is_terminal(sys.stdin) else _EMPTY
        if lines:
            reason = _in_text(" ".join(given), lines)
        print_error(f"nothing to explain: {reason}")
    return MALFORMED


def _in_text(text: str, lines: int) -> str:
    """Return that lines have no message, and what the text in the arguments may have meant."""
    meant = None
    if _COMMAND.match(text):
        meant = f"{text} 2>&1 | bcastcli why"
    elif _SCRIPT.match(text):
        meant = f"python {text} 2>&1 | bcastcli why"
    elif _FILE.fullmatch(text):
        meant = f"bcastcli why < {text}"
    count = "1 line" if lines == 1 else f"{lines:,} lines"
    hint = f"; did you mean: {escaped(meant)}" if meant else ""
    return _NO_MESSAGE.format(count) + hint


def _pieces(text: list[str], *, tee: bool) -> Iterator[bytes]:
    """Yield the text as it comes; an empty piece where nothing comes for a while."""
    if not is_asked_for(text, None, "a text"):
        yield os.fsencode(" ".join(text))
        return
    if is_terminal(sys.stdin):
        write_note(_PROMPT)
    for piece in pieces(CHUNK, _PATIENCE):
        if tee and piece:
            write_bytes(piece)
        yield piece


def _nowhere(text: str) -> None:
    """Write nothing."""


class _Explanations:
    """The explanations of a text, written as soon as they are known, or all at its end."""

    def __init__(
        self,
        report: Callable[[Explanation], Report],
        output: Format,
        terminal: Terminal,
        put: Callable[[str], None],
        put_fault: Callable[[str], None],
    ) -> None:
        self._report = report
        self._output = output
        self._terminal = terminal
        self._put = put
        self._put_fault = put_fault
        self.tally = Tally()
        self._written: dict[int, int] = {}
        """The count of each reading, by its place, at the time it was written."""
        self._oks: list[bool | None] = []

    def add(self, said: Iterator[Reading | Fault]) -> None:
        """Count what was said."""
        for each in said:
            self.tally.add(each)

    def read(self, reader: Reader, piece: bytes) -> None:
        """Count what a piece of a text says; an empty one: nothing comes for a while."""
        self.add(reader.feed(piece) if piece else reader.pause())
        if self.tally.is_full:
            reader.known = {said.message for said in self.tally.findings}

    def write_whole(self) -> None:
        """Write the readings that are final."""
        for place, said in enumerate(self.tally.findings):
            if isinstance(said, Reading) and said.is_whole and not said.precedes_better_message:
                self._write(place)

    def only_one(self, option: str) -> None:
        """Raise UsageError unless there is one reading, and it has shapes."""
        readings = [said for said in self.tally.findings if isinstance(said, Reading)]
        if readings and (len(readings) > 1 or readings[0].shapes is None):
            raise UsageError(f"{option} shows one message whose shapes are known")

    @property
    def has_faults(self) -> bool:
        """Return whether there is a fault of another kind."""
        return any(isinstance(said, Fault) for said in self.tally.findings)

    def finish(self) -> int | None:
        """Write the rest, and return the exit status; None where no reading was found."""
        told = self.tally.findings
        for place in sorted(range(len(told)), key=lambda place: told[place].line):
            self._write(place)
        if self._output.is_for_people and not self._output.is_page:
            self._put("".join(f"{line}\n" for line in self._closing()))
        if not self._oks:
            return None
        return next((STATUS[ok] for ok in (False, None) if ok in self._oks), STATUS[True])

    def _write(self, place: int) -> None:
        """Write what was said there, unless that was done."""
        if place in self._written:
            return
        said = self.tally.findings[place]
        self._written[place] = 1 if isinstance(said, Fault) else said.times
        said = said._replace(message=escaped(said.message))
        if isinstance(said, Fault):
            fault = FaultReport(said)
            for line in fault.lines():
                self._put_fault(line)
            if self._output is Format.JSON:
                self._put(writer(self._output)(fault, self._terminal))
            return
        node = None if said.node is None else escaped(said.node)
        names = tuple(map(escaped, said.names))
        origin = None if said.origin is None else said.origin.escaped(escaped)
        each = explain(said._replace(node=node, names=names, origin=origin))
        if not is_explained(each):
            return
        between = "\n" if self._output.is_for_people else ""
        before = between if self._oks else header(ReadingReport.HEADS, self._output)
        self._oks.append(each.ok)
        self._put(before + writer(self._output)(self._report(each), self._terminal))

    def _closing(self) -> Iterator[str]:
        """Yield the lines after all answers: repeated findings, and the number of messages."""
        told = self.tally.findings
        for place, said in enumerate(told):
            if isinstance(said, Reading) and said.times != self._written[place]:
                yield f"line {said.line}: seen {said.times} times in total"
        if len(self._oks) > 1:
            more = f", and {self.tally.more} more" if self.tally.more else ""
            yield ""
            yield f"{len(self._oks)} messages explained{more}"
