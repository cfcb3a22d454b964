"""Lines to answers, as they come: one question per line, one answer per question, in order.

Each read takes the input that is available, up to a limit, and the whole lines in it are answered
together. So slow lines are answered promptly, and fast ones with few writes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from sys import getsizeof
from typing import Generic, NamedTuple, Protocol, TypeVar, cast

from bcastcli import render, reports
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.notation.questions import Tags, split_label
from bcastcli.notation.text import NotationError
from bcastcli.render import Format, Terminal
from bcastcli.reports import Report
from bcastcli.reports.answers import InvalidInput
from bcastcli.stream.columns import Columns
from bcastcli.stream.signatures import BY_TEXT, ShapeSignatures, Signatures
from bcastcli.stream.templates import Growing, Templates

MAX_LINE_BYTES = 1 << 20
"""The most bytes of a line; a longer one is invalid, and is not held in memory."""
# Answers to this many lines, each of at most this many characters, are kept in case lines repeat.
_MAX_KEPT = 1 << 14
_MAX_KEPT_LENGTH = 200
_MAX_KEPT_BYTES = 1 << 23
"""The limit for all these lines and answers, except those of the last piece."""
# Lines of a piece that are checked for repeats.
_SAMPLE = 128


class Failure(NamedTuple):
    """An invalid line."""

    number: int
    """Counted from 1, over all lines."""
    error: NotationError


class Chunk(NamedTuple):
    """The output for a piece of the input."""

    text: str
    """For standard output."""
    failures: list[Failure]
    lines: int


class AnyAnswer(Protocol):
    """An answer of any kind; the exit status needs only its verdict."""

    @property
    def ok(self) -> bool | None:
        """Yes, no, or None: it depends."""


Answered = TypeVar("Answered", bound=AnyAnswer)


class Stream(Generic[Answered]):
    """The answers to lines of questions."""

    def __init__(
        self,
        ask: Callable[[str], Answered],
        report: Callable[[Answered], Report],
        output: Format,
        terminal: Terminal,
        *,
        alike: bool = False,
        rule: Rule | None = None,
    ) -> None:
        """Take the function that answers a line, and how answers are written.

        `alike` allows answers from templates; `rule` is the rule that answers shapes, if any.
        """
        self._ask_rule = ask
        self._report = report
        self._output = output
        self._write = reports.writer(output)
        self._numbered = render.line_numbering(output)
        self._terminal = terminal
        has_templates = alike and not output.is_for_people
        self._templates = Templates(self._ask, self._reply) if has_templates else None
        self._signatures = ShapeSignatures(ask, rule)
        has_columns = self._signatures.by_axis and output is Format.PLAIN
        self._columns = Columns(ask, self._signatures, self._text) if has_columns else None
        self._kept: dict[str, str | NotationError] = {}
        self._kept_bytes = 0
        self.verdicts: set[bool | None] = set()
        """The verdicts so far, as far as they affect the overall status."""
        self.failed = False
        """Whether any line was invalid."""

    def answers(self, pieces: Iterable[bytes]) -> Iterator[Chunk]:
        """Answer the lines of the input, one piece of it at a time."""
        first = 1
        for lines in lines_of(pieces):
            yield self._written(lines, first)
            first += len(lines)

    def _written(self, lines: list[str], first: int) -> Chunk:
        texts = self._labelled(lines)
        failures = [
            Failure(number, text)
            for number, text in enumerate(texts if self.failed else (), first)
            if isinstance(text, NotationError)
        ]
        for number, _ in failures:
            texts[number - first] = ""
        written = self._numbered(cast("list[str]", texts), first)
        for number, error in failures:
            written[number - first] = self._failed(error, number)
        return Chunk("".join(written), failures, len(lines))

    def _failed(self, error: NotationError, number: int) -> str:
        """Return the replacement for the answer of an invalid line."""
        report = InvalidInput(error.text, error.message, error.span[0] + 1, number)
        tags = split_label(error.text)[1]
        text = self._write(report, self._terminal)
        return render.with_tags(text, self._output, tags) if tags else text

    def _labelled(self, lines: list[str]) -> list[str | NotationError]:
        """The answer to each line, with its label; an empty text for a blank line or a comment."""
        kept = self._kept
        if lines[0] in kept and lines[-1] in kept:
            recalled = [*map(kept.get, lines)]
            if None not in recalled:
                return cast("list[str | NotationError]", recalled)
        together = "".join(lines)
        has_ids = '"id"' in together
        if "#" not in together and not has_ids:
            return self.texts(lines)
        read = [
            (line, {}) if isinstance(line, _OverlongLine) else split_label(line) for line in lines
        ]
        # A line with an id is not kept: the id is part of the question but not of its answer.
        texts = self.texts([question for question, _ in read], keep=not has_ids)
        return [
            self._tagged(text, line, tags)
            for text, line, (_, tags) in zip(texts, lines, read, strict=True)
        ]

    def _tagged(self, text: str | NotationError, line: str, tags: Tags) -> str | NotationError:
        """The answer to a line with its label; for an invalid line, all of the line."""
        if isinstance(text, NotationError):
            return NotationError(text.message, line, text.span)
        return render.with_tags(text, self._output, tags) if tags and text else text

    def texts(self, lines: Sequence[str], *, keep: bool = True) -> list[str | NotationError]:
        """Return the answers to lines without labels; an empty text for one without a question."""
        if max(map(len, lines)) > _MAX_KEPT_LENGTH:
            return [
                self._ask(line) if len(line) > _MAX_KEPT_LENGTH else self._alike([line], BY_TEXT)[0]
                for line in lines
            ]
        if not keep:
            return self._fresh(lines)
        kept = self._kept
        if len(kept) > _MAX_KEPT or self._kept_bytes > _MAX_KEPT_BYTES:
            if sum(line in kept for line in lines[:_SAMPLE]) < _SAMPLE // 2:
                return self._fresh(lines)  # few of them repeat
            kept.clear()
            self._kept_bytes = 0
        todo = list(set(lines).difference(kept))
        texts = self._fresh(todo)
        kept.update(zip(todo, texts, strict=True))
        self._kept_bytes += sum(map(getsizeof, [*todo, *map(str, texts)]))
        return [kept[line] for line in lines]

    def _fresh(self, lines: Sequence[str]) -> list[str | NotationError]:
        """The answers to lines that are not kept."""
        signatures = self._signatures if self._signatures.recur(lines[: _SAMPLE // 4]) else BY_TEXT
        if self._columns is None or signatures is BY_TEXT:
            return self._alike(lines, signatures)
        texts = self._columns.answers(lines)
        self.verdicts |= self._columns.verdicts
        left = [line for line, text in zip(lines, texts, strict=True) if text is None]
        rest = iter(self._alike(left, signatures))
        return [next(rest) if text is None else text for text in texts]

    def _alike(self, lines: Sequence[str], signatures: Signatures) -> list[str | NotationError]:
        """The answers to lines, many of which may have similar answers."""
        if self._templates is None:
            return [self._ask(line) for line in lines]
        return self._templates.answers(lines, signatures)

    def _ask(self, line: str) -> str | NotationError:
        """Answer the question on a line."""
        if asks_nothing(line):
            return ""
        try:
            refuse_overlong(line)
            answer = self._ask_rule(line)
        except NotationError as error:
            self.failed = True
            # The raised exception would keep its whole traceback alive.
            return NotationError(error.message, error.text, error.span)
        self.verdicts.add(answer.ok)
        return self._text(answer)

    def _reply(self, line: str) -> tuple[str, Growing | None]:
        """Answer a question; also return the shapes, if the answer may mention their growth."""
        answer = self._ask_rule(line)
        if isinstance(answer, Answer) and answer.question.depends_on_magnitudes:
            return "", None  # no template
        return self._text(answer), answer.growth_shapes if isinstance(answer, Answer) else None

    def _text(self, answer: Answered) -> str:
        return self._write(self._report(answer), self._terminal)


class _OverlongLine(str):
    """The start of an overlong line."""

    __slots__ = ()


def asks_nothing(line: str) -> bool:
    """Return whether a line is blank, or a comment."""
    return line.lstrip(" \t")[:1] in ("", "#") and not isinstance(line, _OverlongLine)


def refuse_overlong(line: str) -> None:
    """Raise NotationError for the start of an overlong line."""
    if isinstance(line, _OverlongLine):
        raise NotationError(f"a line has at most {MAX_LINE_BYTES} bytes", line, (0, 1))


def lines_of(pieces: Iterable[bytes]) -> Iterator[list[str]]:
    """Yield the lines of the input, without their ends, in lists of those available."""
    held = bytearray()  # an unfinished line, or the beginning of an overlong one
    mark = b"\xef\xbb\xbf"  # some editors write it first
    for piece in with_newlines(pieces):
        whole, newline, rest = piece.rpartition(b"\n")
        beginning, following, more = (whole if newline else rest).partition(b"\n")
        if len(held) <= MAX_LINE_BYTES:
            held += beginning
        if newline:
            yield _split((bytes(held) + following + more).removeprefix(mark))
            mark = b""
            held = bytearray(rest)
    if held:
        yield _split(bytes(held).removeprefix(mark))


def with_newlines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    r"""Yield the pieces with \n for each end of a line: \r\n, or \r alone."""
    cut = False  # between \r and perhaps \n
    for piece in pieces:
        whole = piece.removeprefix(b"\n") if cut else piece
        cut = piece.endswith(b"\r")
        yield whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in whole else whole


def _split(data: bytes) -> list[str]:
    """Whole lines as text, without the end of the last; bytes that are not UTF-8 are escaped."""
    if len(data) <= MAX_LINE_BYTES:
        return data.decode("utf-8", "backslashreplace").split("\n")
    return [
        line.decode("utf-8", "backslashreplace")
        if len(line) <= MAX_LINE_BYTES
        # Too long for the cache of answers: a character has at most four bytes.
        else _OverlongLine(line[: 4 * (_MAX_KEPT_LENGTH + 1)].decode("utf-8", "backslashreplace"))
        for line in data.split(b"\n")
    ]
