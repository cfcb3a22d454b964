"""A text as it comes, in pieces of any length, and the readings of its messages.

Memory does not grow with the text: text that can no longer contain a message is dropped. Time is in
proportion to it: plain substrings decide whether a piece is looked at, and a message's words where.
"""

import codecs
import re
from bisect import bisect
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from io import IncrementalNewlineDecoder
from typing import NamedTuple

from bcastcli.why.messages.catalogue import catalogue
from bcastcli.why.messages.cleaning import WIDTHS, NormalizedText, normalized, without_escapes
from bcastcli.why.messages.reading import MAX_CONTEXT, MAX_REMEMBERED, Fault, Message, Reading

CHUNK = 64 * 1024
MAX_TRIES = 3
"""How often a message's origin is looked for, where it repeats itself."""
MAX_TRACEBACK = 16 * 1024
"""The characters before a message in which the user's own code is looked for."""
KEPT = 8 * 1024
"""The characters at the end of a chunk that wait for the next one: a message may go on there."""


_IN_A_DIFF = re.compile(r"[+-](?:.{0,200}\braise\b|\s*\w{0,2}['\"])")
"""The start of a line of a diff that changes the code which raises an error."""
_IN_CODE = re.compile(
    r"(?:raise(?:s\(| [\w.]{1,80}\()[^'\"]{0,80}|[fFrR]{1,2})['\"][^'\"]{0,200}\Z"
)
"""Text right before the words of a message in a line of code that raises it."""
_MAX_CODE = 400
"""The characters before a message in which such a line begins."""
_FILLED = re.compile(
    rf"^(?:{'|'.join(f'.{{{width - 1}}}' for width in WIDTHS)})[^\s\d]\n[^\s\d]", re.MULTILINE
)
"""A line that fills a console, and may go on in the next one."""
_FRAME = re.compile("File |--> |in <")
"""A part of each frame of a traceback."""
_PUNCTUATION = " .,;:)'\""


class _Hit(NamedTuple):
    """A reading of a message, and its place in the text."""

    start: int
    end: int
    message: Message
    value: Reading | Fault | None
    """None: the message is only counted."""
    is_refused: bool
    """Whether it turned out not to be such a message."""


class _Seen(NamedTuple):
    """A text that was searched, preceded by the end of the text before it."""

    head: NormalizedText
    first: int
    """Where the head begins in the text."""
    text: str
    matches: list[_Hit]


class _Above:
    """A text as it came, preceded by the end of the text before it: gives the text above a line."""

    def __init__(self, before: str, text: str) -> None:
        self._text = before + text
        ends = re.compile("\n").finditer(self._text, len(before))
        self.starts = [len(before), *(end.end() for end in ends)]
        self._frames = [found.start() for found in _FRAME.finditer(self._text)]

    def traceback(self, line: int) -> str:
        """Return the text above a line, counted from 0; nothing where it shows no frame."""
        start = self.starts[line]
        first = max(0, start - MAX_TRACEBACK)
        is_shown = bisect(self._frames, first) < bisect(self._frames, start)
        return self._text[first:start] if is_shown else ""


class Reader:
    """Reads a text piece by piece."""

    def __init__(self) -> None:
        self._decoder: IncrementalNewlineDecoder | None = None
        self._mark = b""
        """The first two bytes, which tell the encoding."""
        self._before = ""
        """The end of the text that was read."""
        self._text = ""
        self._line = 1
        self.known: set[str] | None = None
        """The messages still to be read in full, others being counted; None: all are."""
        self.counted = 0
        self.lines = 0
        """The number of lines, once the end was reached."""
        self._answered = 0
        """The end of the normalized text that was answered already."""
        self._tries: Counter[tuple[str, str]] = Counter()
        """How often the origin of each message, and the shapes around it, were looked for."""

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
        """Read the messages that start before `limit`, and discard the text before `limit`."""
        lowered = without_escapes(self._text).lower()
        is_filled = _FILLED.search(lowered) is not None
        lowered += lowered.replace("\n", "") if is_filled else ""
        if not any(words in lowered for words in catalogue().screen):
            self._discard(limit, 0)
            return
        seen = self._seen(limit, is_console=False)
        if is_filled:
            seen = max(seen, self._seen(limit, is_console=True), key=_found)
        head, first, _, matches = seen
        last, answered = first + len(head.text), first + self._answered
        above = _Above(self._before, self._text if matches else "")
        for said in _longest(matches):
            place = said.start - first
            if is_paused and (said.end > last or _goes_on(said, head.text[said.end - first :])):
                kept = above.starts[head.line(place)] - len(self._before)
                self._discard(kept, answered - first - head.start(place))
                return
            answered = said.end
            if said.value is None:
                self.counted += 1
                continue
            value, line = said.value, head.line(place)
            if isinstance(value, Reading):
                value = self._with_origin(value, above, line)
            yield value._replace(line=self._line + line)
        self._discard(limit, answered - last - 1)

    def _seen(self, limit: int, *, is_console: bool) -> _Seen:
        """Return the text with the matches that begin before `limit`."""
        before = normalized(self._before).text + "\n"
        head = normalized(self._text[:limit], is_console=is_console)
        tail = normalized(self._text[limit:], is_console=is_console)
        first, last = len(before), len(before) + len(head.text)
        text = f"{before}{head.text}\n{tail.text}"
        matches = _matches(text, first + self._answered, last, self.known)
        return _Seen(head, first, text, matches)

    def _with_origin(self, said: Reading, above: "_Above", line: int) -> Reading:
        """Return a reading with the user's line, given the text above the message."""
        before = above.traceback(line)
        if not before or not self._may_try("origin", said):
            return said
        from bcastcli.why.messages.origin import origin  # loads ast, which takes a while

        said = said._replace(origin=origin(said, before))
        self._tries["origin", said.message] += MAX_TRIES if said.origin else 0
        return said

    def _may_try(self, what: str, said: Reading) -> bool:
        """Return whether something is still looked for around a message, and count it."""
        key = what, said.message
        if self._tries[key] >= MAX_TRIES or len(self._tries) > 2 * MAX_REMEMBERED:
            return False
        self._tries[key] += 1
        return True

    def _discard(self, limit: int, answered: int) -> None:
        """Forget the text before `limit`, except for the part that may name a message's node."""
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
    places = cache(lambda words: [*_places(lowered, words, start, end)])  # many share their words
    for message in catalogue().messages:
        if not message.inner_words <= words:
            continue
        for match in message.found(text, flat, places(message.words)):
            if _IN_A_DIFF.match(line := _line_before(text, match.match.start())):
                continue
            is_counted = known is not None and match.shown not in known
            is_read = not (is_counted and message.is_certain)
            value = message.read(match) if is_read else None
            is_refused = is_read and (value is None or _is_code(value, line))
            value = None if is_counted else value
            found.append(_Hit(match.start, match.match.end(), message, value, is_refused))
    return sorted(found, key=lambda said: (said.start, -said.end))


def _places(text: str, words: str, start: int, end: int) -> Iterator[int]:
    """Yield where words begin between `start` and `end`."""
    place = text.find(words, start)
    while 0 <= place < end:
        yield place
        place = text.find(words, place + len(words))


def _goes_on(said: _Hit, rest: str) -> bool:
    """Return whether a message may continue in what comes after the rest of a text."""
    return said.message.goes_on and not rest.strip(_PUNCTUATION)


def _line_before(text: str, place: int) -> str:
    """Return the line before a place, or its end if it is long."""
    first = max(0, place - _MAX_CODE)
    return text[max(first, text.rfind("\n", first, place) + 1) : place]


def _is_code(said: Reading | Fault, before: str) -> bool:
    """Return whether a message without figures is in a line of code, rather than in its output."""
    figures = said.figures if isinstance(said, Fault) else (said.shapes or said.sizes)
    return not figures and _IN_CODE.match(before, max(0, before.rfind("raise"))) is not None


def _longest(found: Iterable[_Hit]) -> Sequence[_Hit]:
    """Return the matches that say something; of those that overlap, the longest."""
    kept: list[_Hit] = []
    for said in found:
        if said.is_refused:
            continue
        if kept and said.start < kept[-1].end:
            kept[-1] = max(kept[-1], said, key=_length)
        else:
            kept.append(said)
    return kept


def _length(said: _Hit) -> int:
    return said.end - said.start


def _found(seen: _Seen) -> int:
    """Return how much of a text is messages."""
    return sum(map(_length, _longest(seen.matches)))


def _break(text: str, limit: int) -> int:
    """Return where the last line before `limit` ends, or else the last word."""
    for end in ("\n", " "):
        place = text.rfind(end, limit // 2, limit)
        if place >= 0:
            return place + 1
    return limit
