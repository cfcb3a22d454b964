"""The command that explains error messages."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial

import typer

from bcastcli.cli.commands import typer_app
from bcastcli.cli.commands.answering import MALFORMED, STATUS
from bcastcli.cli.console import (
    UsageError,
    is_terminal,
    print_error,
    terminal,
    write,
    write_bytes,
    write_note,
)
from bcastcli.cli.option_table import COMPARISON, check
from bcastcli.cli.options import Output, argument, flag
from bcastcli.cli.standard_input import is_asked_for, pieces
from bcastcli.render import Format, Terminal
from bcastcli.render.user_text import escaped
from bcastcli.reports import Report, header, writer
from bcastcli.why.explained import Explanation, explain
from bcastcli.why.messages import Fault, Reading
from bcastcli.why.messages.reader import CHUNK, Reader
from bcastcli.why.messages.tally import Tally
from bcastcli.why.report import FaultReport, ReadingReport, placed

SUMMARY = "Explain a pasted error or a log: which operands clash, on which axis, and why"
_HELP = """Find what NumPy, PyTorch, JAX, TensorFlow, Keras, ONNX Runtime, OpenVINO and other
frameworks print when shapes do not broadcast, and explain it as the rule's own command does.

The arguments are read as one text. Without them, or with -, standard input is read; at a terminal,
paste the message and press Ctrl-D (on Windows Ctrl-Z and Enter).

\b
Examples:
  bcastcli why
  bcastcli why 'operands could not be broadcast together with shapes (2,3) (4,)'
  python train.py 2>&1 | bcastcli why
  python train.py 2>&1 | bcastcli why --tee
  bcastcli why --json < train.log"""
_EPILOG = """Exit status: 1 a mismatch was found, 3 it depends on unknown sizes or on text
that was cut off, 0 the shapes broadcast after all (with --tee also: nothing to explain), 2 nothing
to explain, only the kind of a fault, or invalid usage."""
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
        "--tee", "Copy standard input to standard output as it comes; explain on standard error."
    )
    steps: bool = flag("--steps", "Show each step of the rule.")
    picture: bool = flag("--picture", "Draw the operands and the result.")


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("why", _why, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _why(asked: Asked) -> int:
    """Explain a text, and return the exit status."""
    text, tee, steps, picture = asked.text, asked.tee, asked.steps, asked.picture
    output = check(asked, COMPARISON)
    is_whole = steps or picture or output.is_page
    if tee and text and text != ["-"]:
        raise UsageError("--tee copies standard input: leave out the text")
    report = partial(ReadingReport, steps=steps, picture=picture, has_title=output.is_page)
    put = _nowhere if asked.quiet else write_note if tee else write
    put_fault = _nowhere if asked.quiet and tee else print_error
    shown_on = terminal(asked.color, sys.stderr if tee else sys.stdout)
    explanations = _Explanations(report, output, shown_on, put, put_fault)
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


def _nothing(asked: Asked, explanations: "_Explanations", lines: int) -> int:
    """Report that nothing was found, and return the exit status."""
    if asked.tee:
        return STATUS[True]
    given = [] if asked.text == ["-"] else asked.text or []
    if not explanations.has_bare:
        reason = "the text is empty" if given or is_terminal(sys.stdin) else _EMPTY
        if lines:
            reason = _in_text(" ".join(given), lines)
        print_error(f"nothing to explain: {reason}")
    return MALFORMED


def _in_text(text: str, lines: int) -> str:
    """Return the error for lines without a message, and suggest the command that was meant."""
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


def _is_bare(said: Reading | Fault) -> bool:
    """Return whether only the kind of the fault is known."""
    return isinstance(said, Fault) and not said.is_final


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
        """Count the findings."""
        for each in said:
            self.tally.add(each)

    def read(self, reader: Reader, piece: bytes) -> None:
        """Count the readings of a piece of text; an empty one: nothing comes for a while."""
        self.add(reader.feed(piece) if piece else reader.pause())
        if self.tally.is_full:
            reader.known = {said.message for said in self.tally.findings}

    def write_whole(self) -> None:
        """Write the readings that are final."""
        for place, said in enumerate(self.tally.findings):
            if said.is_final:
                self._write(place)

    def only_one(self, option: str) -> None:
        """Raise UsageError if there are several answers, or one without a rule's shapes."""
        answers = [said for said in self.tally.findings if not _is_bare(said)]
        drawn = [said for said in answers if isinstance(said, Reading) and explain(said).answer]
        if answers and (len(answers) > 1 or not drawn):
            raise UsageError(f"{option} shows one message whose shapes are known")

    @property
    def has_bare(self) -> bool:
        """Return whether there is a fault of which only the kind is known."""
        return any(map(_is_bare, self.tally.findings))

    def finish(self) -> int | None:
        """Write the rest, and return the exit status; None where nothing was explained."""
        found = self.tally.findings
        for place in sorted(range(len(found)), key=lambda place: found[place].line):
            self._write(place)
        if self._output.is_for_people and not self._output.is_page:
            self._put("".join(f"{line}\n" for line in self._closing()))
        told = (False, None) if self.has_bare else (False, None, True)
        return next((STATUS[ok] for ok in told if ok in self._oks), None)

    def _write(self, place: int) -> None:
        """Write the finding at a place, unless it has been written."""
        if place in self._written:
            return
        said = self.tally.findings[place]
        self._written[place] = 1 if isinstance(said, Fault) else said.times
        said = said._replace(message=escaped(said.message))
        if isinstance(said, Fault):
            self._write_fault(said._replace(text=escaped(said.text)))
            return
        node = None if said.node is None else escaped(said.node)
        names = tuple(map(escaped, said.names))
        origin = None if said.origin is None else said.origin.escaped(escaped)
        each = explain(said._replace(node=node, names=names, origin=origin))
        self._put_answer(self._report(each), each.ok)

    def _write_fault(self, said: Fault) -> None:
        """Write the sentence on a fault, or else its kind."""
        if said.is_final:
            self._put_answer(FaultReport(said), ok=False)
            return
        self._put_fault(placed(said))
        if self._output is Format.JSON:
            self._put(writer(self._output)(FaultReport(said), self._terminal))

    def _put_answer(self, report: Report, ok: bool | None) -> None:
        """Write an answer, apart from the one before it."""
        between = "\n" if self._output.is_for_people else ""
        before = between if self._oks else ""
        self._oks.append(ok)
        self._put(before + writer(self._output)(report, self._terminal))

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
