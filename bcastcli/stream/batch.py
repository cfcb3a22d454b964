"""Lines to answers, as they come: one question per line, one answer per question, in order.

Each read takes the input that is available, up to a limit, and the whole lines in it are answered
together. So slow lines are answered promptly, and fast ones with few writes.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from bcastcli import render, reports
from bcastcli.notation.questions import Tags, split_label
from bcastcli.notation.text import NotationError
from bcastcli.render import Format, Terminal
from bcastcli.reports import Report
from bcastcli.reports.answers import InvalidInput
from bcastcli.stream.columns import MAX_LENGTH, Columns

MAX_LINE_BYTES = 1 << 20
"""The most bytes of a line; a longer one is invalid, and is not held in memory."""
_START_BYTES = 1 << 10
"""What is kept of an overlong line, to be shown with the error."""
_MAX_KEPT = 1 << 11
"""The most short lines whose answers are kept in case they repeat."""


class Chunk(NamedTuple):
    """The output for a piece of the input."""

    text: str
    """For standard output."""
    failures: list[tuple[int, NotationError]]
    """The invalid lines, by their numbers from 1 over all lines."""


class Stream:
    """The answers to lines of questions."""

    def __init__(
        self,
        ask: Callable[[str], Any],
        report: Callable[[Any], Report],
        output: Format,
        terminal: Terminal,
        columns: Columns | None = None,
    ) -> None:
        """Take the function that answers a line, and how answers are written.

        `columns` decides lines of numbers.
        """
        self._ask = ask
        self._report = report
        self._output = output
        self._terminal = terminal
        self._columns = columns
        self._begin = reports.opening(output)
        self._end = render.ending(output)
        self._kept = lru_cache(_MAX_KEPT)(self._answer)
        self.verdicts: set[bool | None] = set()
        """The verdicts so far."""
        self.failed = False
        """Whether any line was invalid."""

    def answers(self, available: Iterable[list[str]]) -> Iterator[Chunk]:
        """The answers to the lines of each list, in which a skipped one is empty."""
        first = 1
        for lines in available:
            yield self._chunk(lines, first)
            first += len(lines)

    def _chunk(self, lines: list[str], first: int) -> Chunk:
        """The answers to some lines; blank ones and comments have none."""
        together = "".join(lines)
        if "#" in together or '"id"' in together:
            questions, tags = map(list, zip(*map(_without_tags, lines), strict=True))
        else:
            questions, tags = lines, [{}] * len(lines)
        texts = [
            self._kept(line) if len(line) <= MAX_LENGTH else self._answer(line)
            for line in questions
        ]
        if questions is lines and self._output is Format.PLAIN and not self.failed:
            answers = [*filter(None, texts), ""]
            return Chunk("\n".join(answers), [])  # type: ignore[arg-type]  # none failed
        written: list[str] = []
        failures: list[tuple[int, NotationError]] = []
        for number, (line, text, own) in enumerate(zip(lines, texts, tags, strict=True), first):
            if isinstance(text, NotationError):
                error = NotationError(text.message, line, text.span)
                failures.append((number, error))
                invalid = InvalidInput(line, error.message, error.span[0] + 1, number)
                written.append(self._begin(invalid, self._terminal) + self._end(own))
            elif text:
                written.append(text + self._end(own, number))
        return Chunk("".join(written), failures)

    def _answer(self, line: str) -> str | NotationError:
        """The answer to a line without its label, not yet ended; empty if it asks nothing."""
        if self._columns is not None and self._output is Format.PLAIN:
            decided = self._columns.answer(line)
            if decided:
                ok, text = decided
                self.verdicts.add(ok)
                return text
        if asks_nothing(line):
            return ""
        try:
            refuse_overlong(line)
            answer = self._ask(line)
        except NotationError as error:
            self.failed = True
            # The raised exception would keep its whole traceback alive.
            return NotationError(error.message, error.text, error.span)
        self.verdicts.add(answer.ok)
        return self._begin(self._report(answer), self._terminal)


def _without_tags(line: str) -> tuple[str, Tags]:
    return (line, {}) if isinstance(line, OverlongLine) else split_label(line)


def asks_nothing(line: str) -> bool:
    """Whether a line is blank, or a comment."""
    return line.lstrip(" \t")[:1] in ("", "#") and not isinstance(line, OverlongLine)


def refuse_overlong(line: str) -> None:
    """Raise NotationError for the start of an overlong line."""
    if isinstance(line, OverlongLine):
        raise NotationError(f"a line has at most {MAX_LINE_BYTES} bytes", line, (0, 1))


class OverlongLine(str):
    """The start of an overlong line."""

    __slots__ = ()


def lines_of(pieces: Iterable[bytes]) -> Iterator[list[str]]:
    """The lines of the input, without their ends, in lists of those available."""
    held = bytearray()  # an unfinished line, or the beginning of an overlong one
    mark = b"\xef\xbb\xbf"  # some editors write it first
    for piece in pieces:
        whole, newline, rest = piece.rpartition(b"\n")
        if newline:
            yield _split((bytes(held) + whole).removeprefix(mark))
            mark = b""
            held = bytearray(rest)
        elif len(held) <= MAX_LINE_BYTES:
            held += rest
    if held:
        yield _split(bytes(held).removeprefix(mark))


def _split(data: bytes) -> list[str]:
    """The whole lines in the data; bytes that are not UTF-8 are escaped."""
    data = data.replace(b"\r\n", b"\n").removesuffix(b"\r")
    if len(data) <= MAX_LINE_BYTES:
        return data.decode("utf-8", "backslashreplace").split("\n")
    return [_decoded(each) for each in data.split(b"\n")]


def _decoded(data: bytes) -> str:
    if len(data) <= MAX_LINE_BYTES:
        return data.decode("utf-8", "backslashreplace")
    return OverlongLine(data[:_START_BYTES].decode("utf-8", "backslashreplace"))
