"""All readings of a text: equal ones once, truncated ones only without a whole one."""

from typing import Any

from bcastcli.why.messages.reading import Fault, Reading

MAX_READINGS = 20


class Tally:
    """Gathers readings as they come."""

    def __init__(self) -> None:
        self.findings: list[Reading | Fault] = []
        """The readings and faults, in the order of the text."""
        self._places: dict[tuple[Any, ...], int] = {}
        """For the words of each finding its index, to recognize repetitions."""
        self.more = 0
        """How many findings were not kept because there were too many."""

    def add(self, said: Reading | Fault) -> None:
        """Count a reading or a fault."""
        words = said[:2] if isinstance(said, Fault) else said[:-3]
        place = self._places.get(words)
        if place is not None:
            told = self.findings[place]
            if isinstance(told, Reading):
                self.findings[place] = _again(told, said)
            return
        for place, earlier in enumerate(self.findings):
            merged = _merged(earlier, said)
            if merged is not None:
                self.findings[place] = merged
                return
        if len(self.findings) >= MAX_READINGS:
            self.more += 1
        else:
            self._places[words] = len(self.findings)
            self.findings.append(said)


def _again(told: Reading, said: Reading | Fault) -> Reading:
    """Return a reading that occurred again, with the context of either occurrence."""
    origin = told.origin or getattr(said, "origin", None)
    # A cause that a better message has replaced is counted with that one.
    is_cause = getattr(said, "precedes_better_message", False) and not told.precedes_better_message
    return told._replace(times=told.times + (not is_cause), origin=origin)


def _merged(earlier: Reading | Fault, later: Reading | Fault) -> Reading | Fault | None:
    """Return the two merged if they agree on all that both have; else None."""
    if isinstance(earlier, Fault) or isinstance(later, Fault):
        for cut, whole in ((earlier, later), (later, earlier)):
            is_repeated = cut.message in whole.message
            if isinstance(cut, Fault) and not cut.figures and cut[0] == whole[0] and is_repeated:
                return whole
        return None
    if earlier.framework != later.framework:
        return None
    for cause, other in ((earlier, later), (later, earlier)):
        is_worse = cause.precedes_better_message and not other.precedes_better_message
        if is_worse and _padded(cause) == _padded(other):
            return other._replace(line=earlier.line, origin=earlier.origin or later.origin)
    if earlier.rule != later.rule or not _agree(earlier, later):
        return None
    best, other = (later, earlier) if _worth(later) > _worth(earlier) else (earlier, later)
    is_quoted = not other.is_whole and best.is_whole
    return best._replace(
        operation=best.operation or other.operation,
        node=best.node or other.node,
        origin=best.origin or other.origin,
        line=earlier.line,
        times=best.times if is_quoted else earlier.times + later.times,
    )


def _agree(one: Reading, other: Reading) -> bool:
    """Return whether the fields that both have are equal, and only a cut one lacks some."""
    pairs = [(getattr(one, name), getattr(other, name)) for name in ("operation", "node")]
    if any(a is not None and b is not None and a != b for a, b in pairs):
        return False
    return _figures(one) == _figures(other) or not (one.is_whole and other.is_whole)


def _figures(reading: Reading) -> tuple[object, ...]:
    return reading.shapes, reading.sizes, reading.axis


def _worth(reading: Reading) -> tuple[bool, int]:
    return reading.is_whole, len(reading.known_parts)


def _padded(reading: Reading) -> tuple[tuple[int | str, ...], ...]:
    """Return the shapes with leading ones up to the highest rank."""
    shapes = reading.shapes or ()
    rank = max(map(len, shapes), default=0)
    return tuple((1,) * (rank - len(shape)) + shape for shape in shapes)
