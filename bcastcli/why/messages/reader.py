"""A text, and what its messages say.

Time is in proportion to the text: plain substrings decide whether it is searched at all, and the
words with which a message begins where its pattern is tried.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, cast

from bcastcli.core.shapes import Shape, written
from bcastcli.why.messages.catalogue import catalogue
from bcastcli.why.messages.cleaning import normalized, without_escapes
from bcastcli.why.messages.reading import Fault, Figure, Found, Message, Reading

_WEIGHTS = "weights"
"""The kind of fault of which there may be hundreds."""
MAX_READINGS = 20
"""The most findings that are kept."""
MAX_TRIES = 3
"""How often a message's origin is looked for, where it repeats itself."""
MAX_ORIGINS = 100
"""How often origins are looked for in a text."""
MAX_TRACEBACK = 16 * 1024
"""The characters before a message in which the user's own code is looked for."""

_IN_A_DIFF = re.compile(r"[+-](?:.{0,200}\braise\b|\s*\w{0,2}['\"])")
"""The start of a line of a diff that changes the code which raises an error."""
_IN_CODE = re.compile(
    r"(?:raise(?:s\(| [\w.]{1,80}\()[^'\"]{0,80}|[fFrR]{1,2})['\"][^'\"]{0,200}\Z"
)
"""Text right before the words of a message in a line of code that raises it."""
_MAX_CODE = 400
"""The characters before a message in which such a line begins."""
_FRAME = re.compile("File |--> |in <")
"""A part of each frame of a traceback."""
_SAME_HEAD = 4
"""The most weights that are named one by one."""


class Text(NamedTuple):
    """A text that was read."""

    findings: Sequence[Reading | Fault]
    """What its messages say, in its order, equal ones once."""
    more: int
    """How many further messages there are."""
    lines: int


class _Hit(NamedTuple):
    """A match of a message, and its place in the text."""

    start: int
    end: int
    value: Reading | Fault


def read(data: bytes) -> Text:
    """What a text says: in UTF-8, or in UTF-16 if its mark comes first (PowerShell)."""
    is_wide = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    text = data.decode("utf-16" if is_wide else "utf-8", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    tally = _Tally()
    for finding in _readings(text):
        tally.add(finding)
    lines = text.count("\n") + (text[-1:] not in ("", "\n"))
    return Text(tally.all(), tally.more, lines)


def _readings(text: str) -> Iterator[Reading | Fault]:
    """What each message of a text says."""
    lowered = without_escapes(text).lower()
    if not any(words in lowered for words in catalogue().screen):
        return
    plain = normalized(text)
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    tries: Counter[str] = Counter()
    for hit in _longest(_matches(plain.text)):
        finding, line = hit.value, plain.line(hit.start)
        if tries[finding.message] < MAX_TRIES and tries.total() < MAX_ORIGINS:
            tries[finding.message] += 1
            start = starts[line]
            finding = _with_origin(finding, text[max(0, start - MAX_TRACEBACK) : start])
        yield finding._replace(line=line + 1)


def _with_origin(finding: Reading | Fault, before: str) -> Reading | Fault:
    """What a message says with the user's line, given the traceback above it."""
    if not _FRAME.search(before):
        return finding
    from bcastcli.why.messages import origin  # loads ast, which takes a while

    if isinstance(finding, Fault):
        return origin.of_fault(finding, before)
    return origin.of_reading(finding, before)


def _matches(text: str) -> list[_Hit]:
    """The matches of messages, in their order."""
    flat = text.replace("\n", " ")
    lowered = flat.lower()
    hits = []
    words = {*lowered.split()}
    places = cache(lambda words: [each.start() for each in re.finditer(re.escape(words), lowered)])
    for message in catalogue().messages:
        if message.inner_words <= words:
            for match in message.found(text, flat, places(message.words)):
                place = match.match.start()
                line = text[max(0, place - _MAX_CODE) : place].rpartition("\n")[2]
                if not _IN_A_DIFF.match(line):
                    value = _value(message, match, line)
                    if value is not None:
                        hits.append(_Hit(match.start, match.match.end(), value))
    return sorted(hits, key=lambda hit: (hit.start, -hit.end))


def _value(message: Message, match: Found, before: str) -> Reading | Fault | None:
    """What a match says; None for a message without figures in a line of code."""
    finding = message.read(match)
    if finding is None:
        return None
    figures = finding.figures if isinstance(finding, Fault) else (finding.shapes or finding.sizes)
    is_code = _IN_CODE.match(before, max(0, before.rfind("raise"))) is not None
    return None if is_code and not figures else finding


def _longest(hits: Iterable[_Hit]) -> Sequence[_Hit]:
    """The matches; of those that overlap, the longest."""
    kept: list[_Hit] = []
    for hit in hits:
        if kept and hit.start < kept[-1].end:
            kept[-1] = max(kept[-1], hit, key=lambda each: each.end - each.start)
        else:
            kept.append(hit)
    return kept


# Equal findings count once


class _Tally:
    """Gathers what messages say, in the order of the text."""

    def __init__(self) -> None:
        self.findings: list[Reading | Fault] = []
        self._weights: list[Fault] = []
        """The faults of weights, which are reported as one."""
        self.more = 0
        """How many findings were not kept because there were too many."""

    def add(self, finding: Reading | Fault) -> None:
        """Count what a message says."""
        if isinstance(finding, Fault) and finding.kind == _WEIGHTS:
            self._weights.append(finding)
            return
        for place, earlier in enumerate(self.findings):
            both = _joined(earlier, finding)
            if both is not None:
                self.findings[place] = both
                return
        if len(self.findings) < MAX_READINGS:
            self.findings.append(finding)
        else:
            self.more += 1

    def all(self) -> Sequence[Reading | Fault]:
        """All findings, in the order of the text."""
        weights = [_joined_weights(self._weights)] if self._weights else []
        return sorted([*self.findings, *weights], key=lambda finding: finding.line)


def _joined(earlier: Reading | Fault, later: Reading | Fault) -> Reading | Fault | None:
    """Two findings as one, if they are about the same mismatch; else None."""
    if isinstance(earlier, Reading) and isinstance(later, Reading):
        return _joined_readings(earlier, later) if _are_same(earlier, later) else None
    if isinstance(earlier, Reading) or isinstance(later, Reading):
        return None
    if (earlier.kind, earlier.message) != (later.kind, later.message):
        return None
    return later._replace(line=earlier.line) if later.origin and not earlier.origin else earlier


def _are_same(one: Reading, other: Reading) -> bool:
    """Whether two readings agree on all that both have, and only a cut one lacks some."""
    if (one.framework, one.rule) != (other.framework, other.rule):
        return False
    for a, b in ((one.operation, other.operation), (one.node, other.node)):
        if a and b and a != b:
            return False
    return _figures(one) == _figures(other) or not (one.is_whole and other.is_whole)


def _figures(reading: Reading) -> tuple[object, ...]:
    """The figures of a reading, its shapes with leading ones: JAX's causes have them."""
    shapes = reading.shapes or ()
    rank = max(map(len, shapes), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return padded, reading.sizes, reading.axis


def _joined_readings(earlier: Reading, later: Reading) -> Reading:
    """The better one of two readings, with what the other one adds."""
    best, other = (later, earlier) if _worth(later) > _worth(earlier) else (earlier, later)
    is_other_worse = _worth(other)[:2] < _worth(best)[:2]
    return best._replace(
        operation=best.operation or other.operation,
        node=best.node or other.node,
        origin=best.origin or other.origin,
        line=earlier.line,
        times=best.times if is_other_worse else earlier.times + later.times,
    )


def _worth(reading: Reading) -> tuple[bool, bool, int]:
    return reading.is_whole, "padded" not in reading.caveats, len(reading.known_parts)


def _joined_weights(faults: Sequence[Fault]) -> Fault:
    """One fault for those of weights that a file and a model have in different shapes."""
    weights = {str(f.figures["weights"]): f.figures for f in faults if "weights" in f.figures}
    if len(weights) < 2:
        return faults[0]
    pairs = Counter(pair for figures in weights.values() for pair in _differing(figures))
    name, figures = next(iter(weights.items()))
    kind, *others = dict.fromkeys(re.sub(r"\d+", "*", each) for each in weights)
    if len(weights) > _SAME_HEAD:
        name = kind
    file, model = _shapes(figures)
    example = f"{name}: {written(file)} and {written(model)}{', ...' if others else ''}"
    return faults[0]._replace(
        text=f"{len(weights):,} weights differ: {_what(pairs)} ({example})",
        cure=_cure(pairs, len(weights)),
        figures={"count": len(weights), "file": file, "model": model},
    )


def _shapes(figures: Mapping[str, Figure]) -> tuple[Shape, Shape]:
    """The shapes of a weight in the file and in the model."""
    return cast("Shape", figures["file"]), cast("Shape", figures["model"])


def _differing(figures: Mapping[str, Figure]) -> list[tuple[int, int]]:
    """The sizes of a file and a model on the axes on which a weight differs."""
    file, model = _shapes(figures)
    if len(file) != len(model):
        return []
    pairs = [(file[axis], model[axis]) for axis in range(len(file))]
    return [(a, b) for a, b in pairs if a != b and isinstance(a, int) and isinstance(b, int)]


def _what(pairs: Counter[tuple[int, int]]) -> str:
    """What the sizes of all the weights have in common, or else the commonest ones."""
    if not pairs:
        return "they have different numbers of axes"
    [((file, model), _), *_] = pairs.most_common(1)
    if any(a * model != b * file for a, b in pairs):
        return "mostly " + ", ".join(f"{a:,} and {b:,}" for (a, b), _ in pairs.most_common(2))
    if len(pairs) > 1:
        file, model = min(pairs)
        return f"the file is {file:,} wide, the model {model:,}"
    return f"the file has {file:,} on one axis, the model {model:,}"


def _cure(pairs: Counter[tuple[int, int]], count: int) -> str:
    """What to do about it."""
    if len(pairs) == 1 and count <= _SAME_HEAD:
        return "leave these weights out of the state dict, and load it with strict=False"
    return "build the model with the configuration that the file was saved with"
