"""A text as it comes, in pieces of any length, and what its messages say.

Memory does not grow with the text: text that can no longer contain a message is dropped. Time is in
proportion to it: plain substrings decide whether a piece is looked at, and a message's words where.
"""

import codecs
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from io import IncrementalNewlineDecoder
from typing import NamedTuple

from bcastcli.messages import unknown
from bcastcli.messages.catalogue import catalogue
from bcastcli.messages.cleaning import NormalizedText, normalized, without_escapes
from bcastcli.messages.reading import MAX_CONTEXT, MAX_REMEMBERED, Fault, Message, Reading

CHUNK = 64 * 1024
MAX_TRIES = 3
"""How often a message's origin is looked for, where it repeats itself."""
MAX_TRACEBACK = 16 * 1024
"""The characters before a message in which the user's own code is looked for."""
KEPT = 8 * 1024
"""The characters at the end of a chunk that wait for the next one: a message may go on there."""


_PUNCTUATION = " .,;:)'\""


class _Hit(NamedTuple):
    """A reading of a message, and its place in the text."""

    start: int
    end: int
    message: Message
    value: Reading | Fault | None
    """None: it is only counted."""
    is_refused: bool
    """Whether it is no such message after all."""


class Reader:
    """Reads a text piece by piece."""

    def __init__(self) -> None:
        self._decoder: IncrementalNewlineDecoder | None = None
        self._mark = b""
        """The first two bytes, which tell the encoding."""
        self._before = ""
        """The end of what was read."""
        self._text = ""
        self._line = 1
        self.known: set[str] | None = None
        """The messages still to be read in full, others being counted; None: all are."""
        self.counted = 0
        self.lines = 0
        """The number of lines, once the end was reached."""
        self._answered = 0
        """The end of the normalized text that was answered already."""
        self._tries: dict[str, int] = {}
        """How often the origin of each message was looked for."""
        self._has_known = False
        """Whether a known message was found, even one of which nothing is said."""
        self._last_resort: Reading | None = None
        """The first line that may be a message that is not known."""

    def feed(self, piece: bytes) -> Iterator[Reading | Fault]:
        """Take a piece of the text, and yield the readings of messages that are complete."""
        self._text += self._decoded(piece)
        while len(self._text) >= CHUNK + KEPT:
            rest, self._text = self._text[CHUNK + KEPT :], self._text[: CHUNK + KEPT]
            yield from self._read(_break(self._text, CHUNK))
            self._text += rest

    def pause(self) -> Iterator[Reading | Fault]:
        """Yield the readings of messages whose last line has ended."""
        yield from self._read(self._text.rfind("\n") + 1, is_paused=True)

    def end(self) -> Iterator[Reading | Fault]:
        """Yield the readings of the rest of the text."""
        self._text += self._decoded(b"", is_last=True)
        is_open = self._text[-1:] not in ("", "\n")
        yield from self._read(len(self._text))
        if self._last_resort and not self._has_known:
            yield self._last_resort
        self.lines = self._line - 1 + is_open

    def _decoded(self, piece: bytes, *, is_last: bool = False) -> str:
        """Return a piece as text: UTF-8, or UTF-16 if its mark comes first (PowerShell)."""
        if self._decoder is None:
            piece = self._mark = self._mark + piece
            if len(piece) < 2 and not is_last:
                return ""
            is_wide = piece.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
            decoder = codecs.getincrementaldecoder("utf-16" if is_wide else "utf-8")
            self._decoder = IncrementalNewlineDecoder(decoder("replace"), translate=True)
        return self._decoder.decode(piece, final=is_last)

    def _read(self, limit: int, *, is_paused: bool = False) -> Iterator[Reading | Fault]:
        """Read what starts before `limit`, and discard the text before `limit`."""
        lowered = without_escapes(self._text).lower()
        if not any(words in lowered for words in catalogue().screen):
            self._discard(limit, 0)
            return
        before = normalized(self._before).text + "\n"
        head, tail = normalized(self._text[:limit]), normalized(self._text[limit:])
        first, last = len(before), len(before) + len(head.text)
        answered = first + self._answered
        text = f"{before}{head.text}\n{tail.text}"
        matches = _matches(text, answered, last, self.known)
        if matches:
            self._has_known = True
        elif not (self._has_known or self._last_resort):
            self._last_resort = _last_resort(head, self._line)
        for said in _longest(matches):
            place = said.start - first
            rest = head.text[said.end - first :]
            goes_on = said.message.goes_on and not rest.strip(_PUNCTUATION)
            if is_paused and (said.end > last or goes_on):
                kept = _start_of(head.line(place), self._text)
                self._discard(kept, answered - first - head.start(place))
                return
            answered = said.end
            if said.value is None:
                self.counted += 1
                continue
            yield self._placed(said.value, head.line(place))
        self._discard(limit, answered - last - 1)

    def _placed(self, said: Reading | Fault, line: int) -> Reading | Fault:
        """Return what a message says with its line, and the first time with its origin."""
        said = said._replace(line=self._line + line)
        tries = 0 if isinstance(said, Fault) else self._tries.get(said.message, 0)
        if isinstance(said, Fault) or tries == MAX_TRIES or len(self._tries) > MAX_REMEMBERED:
            return said
        before = self._before + self._text[: _start_of(line, self._text)]
        before = before[-MAX_TRACEBACK:]
        if not any(words in before for words in ("File ", "--> ", " in <")):
            return said
        from bcastcli.messages.origin import origin  # loads ast, which takes a while

        place = origin(said, before)
        self._tries[said.message] = MAX_TRIES if place else tries + 1
        return said._replace(origin=place)

    def _discard(self, limit: int, answered: int) -> None:
        """Forget the text before `limit`, except for what may name a message's node."""
        gone, self._text = self._text[:limit], self._text[limit:]
        self._line += gone.count("\n")
        self._before = (self._before + gone)[-MAX_CONTEXT:]
        self._answered = max(0, answered)


def _matches(text: str, start: int, end: int, known: set[str] | None) -> list[_Hit]:
    """Return the matches of messages that begin between `start` and `end`, in their order.

    With `known`, the others are only counted.
    """
    flat = text.replace("\n", " ")
    lowered = flat.lower()
    found = []
    words = {*lowered.split()}
    for message in catalogue().messages:
        if not message.inner_words <= words:
            continue
        place = lowered.find(message.words, start)
        while 0 <= place < end:
            match = message.find(text, flat, place)
            if match:
                is_counted = known is not None and match.shown not in known
                is_read = not (is_counted and message.is_certain)
                value = message.read(match) if is_read else None
                is_refused = is_read and value is None
                value = None if is_counted else value
                found.append(_Hit(match.start, match.match.end(), message, value, is_refused))
            place = lowered.find(message.words, place + len(message.words))
    return sorted(found, key=lambda said: (said.start, -said.end))


def _longest(found: Iterable[_Hit]) -> Iterator[_Hit]:
    """Yield the matches that say something; of those that overlap, the longest."""
    kept: _Hit | None = None
    for said in found:
        if said.is_refused:
            continue
        if kept and said.start < kept.end:
            if said.end - said.start > kept.end - kept.start:
                kept = said
            continue
        if kept:
            yield kept
        kept = said
    if kept:
        yield kept


def _last_resort(head: NormalizedText, line: int) -> Reading | None:
    """Return the first line that reads like a message that is not known."""
    for number, text in zip(head.lines, head.text.split("\n"), strict=False):
        said = unknown.reading(text)
        if said:
            return said._replace(line=line + number)
    return None


def _break(text: str, limit: int) -> int:
    """Return where the last line before `limit` ends, or else the last word."""
    for end in ("\n", " "):
        place = text.rfind(end, limit // 2, limit)
        if place >= 0:
            return place + 1
    return limit


def _start_of(line: int, text: str) -> int:
    """Return where a line starts, counted from 0."""
    place = 0
    for _ in range(line):
        place = text.index("\n", place) + 1
    return place
