"""Removes the decorations that terminals, loggers, boxes and notebooks add to a message."""

import re
from bisect import bisect_right
from typing import NamedTuple

from bcastcli.render import escaped

MAX_PREFIXES = 4
_MARKS = "│┃║|"

_RAW_ESCAPES = re.compile(
    r"\x1b(?:\[[0-9:;<=>?]{0,60}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|[@-Z\\^_])"
)
_WRITTEN_ESCAPES = re.compile(
    r"\\{1,4}(?:x1[bB]|u001[bB]|033|e)(?:\[[0-9:;]{0,60}[A-Za-z]"
    r"|\][^\\\n]{0,400}\\{1,4}(?:x07|u0007|007|a))"
)
_WRITTEN_ENDS = re.compile(r"\\{1,4}[nrt]")
_DAY = r"\d{4}[-/]\d\d[-/]\d\d"
_TIME = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_LOGGER = (
    r"(?:- [\w.:-]{1,60} ){1,3}- |(?:stdout|stderr) [FP] |\| [A-Z]{4,8} {1,5}\| [\w.:<>-]{1,90} - "
)
_PREFIX = re.compile(
    rf"[\s>❱{_MARKS}]+|E {{2,}}|(?:#+|//|\*) "
    r"|\[(?:rank)?\d{1,6}(?:,\d{1,6})?\](?:<\w{1,9}>)?: ?"
    rf"|{_DAY}[T ]{_TIME}(?:Z|[+-]\d\d:?\d\d)? ?(?:{_LOGGER})?"
    r"|\((?:[\w.-]{1,60} )?pid=\d{1,9}[^)\n]{0,50}\) "
    r"|[A-Z]{4,8} \d\d-\d\d \d\d:\d\d:\d\d \[[\w./]{1,80}:\d{1,6}\] "
    rf"|\[{_DAY}[T ]{_TIME}[^\]\n]{{0,12}}\](?:\[[\w.]{{1,60}}\]){{0,3}}(?: -)? ?"
)
_SERVICE = re.compile(r"[A-Za-z][\w.-]{0,63} {0,20}\| ")


class NormalizedText(NamedTuple):
    """A text's lines without decorations, with single spaces between words."""

    text: str
    starts: list[int]
    """Where each line that was kept starts in it."""
    lines: list[int]
    """The places of these lines in the original."""

    def line(self, position: int) -> int:
        """The line of the original in which a position is, counted from 0."""
        place = bisect_right(self.starts, position) - 1
        return self.lines[place] if place >= 0 else 0


def without_raw_escapes(text: str) -> str:
    """The text without the sequences that color it on a terminal."""
    return _RAW_ESCAPES.sub("", text) if "\x1b" in text else text


def without_escapes(text: str) -> str:
    r"""The text without the sequences that color and link it, raw or written out.

    >>> without_escapes("\x1b[31mred\x1b[0m"), without_escapes(r"\u001b[31mred")
    ('red', 'red')
    """
    text = without_raw_escapes(text)
    if "\\" in text:
        text = _WRITTEN_ESCAPES.sub("", text)
        text = _WRITTEN_ENDS.sub("\v", text)
    return text


def normalized(text: str) -> NormalizedText:
    r"""The lines of a text, each without prefixes and with single spaces.

    >>> normalized("E   could  not\nE     broadcast").text
    'could not\nbroadcast'
    """
    # U+0130 alone has another length in lower case.
    text = without_escapes(text).replace("\u0130", "I")
    kept: list[str] = []
    starts, lines = [], []
    position = 0
    for number, line in enumerate(text.split("\n")):
        words = escaped(" ".join(bare(line)[1].split())) if line else ""
        if words:
            kept.append(words)
            starts.append(position)
            lines.append(number)
            position += len(words) + 1
    return NormalizedText("\n".join(kept), starts, lines)


def bare(line: str) -> tuple[int, str]:
    """Where a line starts, and the line without the marks of loggers and boxes."""
    start = 0
    service = _SERVICE.match(line) if "| " in line else None
    if service:
        start = service.end()
    for _ in range(MAX_PREFIXES):
        prefix = _PREFIX.match(line, start)
        if not prefix:
            break
        start = prefix.end()
    end = line.rstrip(" │┃║") if line[-1:] in " │┃║" else line
    return start, end[start:]
