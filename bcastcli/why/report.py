"""Reports of error messages: where they come from, the answer, and what to do."""

import re
from collections.abc import Iterator, Mapping, Sequence

from bcastcli import reports
from bcastcli.core.alignment import letters
from bcastcli.core.rule import Reason
from bcastcli.render.sheet import Grid, Line, Part, Sheet, Tone
from bcastcli.reports import STATUS, Report, tables
from bcastcli.why.explained import Explanation
from bcastcli.why.messages import Fault, Reading, catalogue
from bcastcli.why.messages.reading import MATMUL, Origin

_WIDTH = 80
"""The columns of a line that is shortened."""
_MOST_NOTES = 2
"""The most lines between the table and the verdict: a note and what to write instead."""


class FaultReport(Report):
    """A known fault that is not about broadcasting."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def lines(self) -> Sequence[str]:
        """Its sentence."""
        return (f"mismatch: {self._fault.text}",)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Its kind, its figures, its sentence, and what to do."""
        fault = self._fault
        known = {"recognised": fault.kind, "kind": fault.kind, "figures": dict(fault.figures)}
        record = {"command": "why", "status": STATUS[False], "line": fault.line, **known}
        place = None if fault.origin is None else _place(fault.origin)
        texts = {"message": fault.message, "text": fault.text, "cure": fault.cure or None}
        return ({**record, **texts, "origin": place},)

    def sheet(self) -> Sheet:
        """Where it is, what to do, and last its sentence."""
        fault = self._fault
        head = origin(fault.origin) if fault.origin else shortened(fault.message)
        cure = [Line("try", fault.cure, Tone.NOTE)] if fault.cure else []
        [text] = self.lines()
        return Sheet("", "", (Line("", head), *cure, Line("", text, Tone.NO)))


class ReadingReport(Report):
    """A reading of a message, with the answer of its rule."""

    def __init__(self, each: Explanation) -> None:
        self._each = each

    def lines(self) -> Sequence[str]:
        """The answer in one line."""
        return (verdict(self._each),)

    def records(self) -> Sequence[Mapping[str, object]]:
        """The record of the answer and the message."""
        from bcastcli.reports import records  # loads json, which takes a while

        each, reading, answer = self._each, self._each.reading, self._each.answer
        writers = reading.framework
        has_two = reading.rule == MATMUL or len(reading.sizes or ()) == 2
        names = reading.names or letters(2 * has_two)
        shapes = reading.shapes or [None] * len(names)
        operands = [{"name": each[0], "shape": each[1]} for each in zip(names, shapes, strict=True)]
        if answer:
            result = records.record(answer)
        else:
            kind = "rank" if "rank" in reading.caveats else "sizes"
            reason = None if each.reason is None else Reason(kind, each.reason)
            result = {**records.verdict(each.ok, reason), "axes": None}
        of_the_reading = {
            "command": "why",
            "status": STATUS[each.ok],
            "line": reading.line,
            "count": reading.times,
            "message": reading.message,
            "framework": writers[0] if len(writers) == 1 else writers or None,
            "operation": reading.operation,
            "node": reading.node,
            "sizes": reading.sizes,
            "axis": reading.axis,
            "axis_of": reading.axis_of,
            "origin": None if reading.origin is None else _place(reading.origin),
            "told": reading.known_parts,
            "caveats": reading.caveats,
        }
        first = {"rule": reading.rule, "operands": operands}
        record = records.with_advice({**first, **result, **first}, each.notes, each.lines)
        return ({**record, **of_the_reading},)

    def sheet(self) -> Sheet:
        """Where it is, the table, a note, what to write instead, and last the answer."""
        each = self._each
        parts: list[Part] = [Line("", _head(each.reading))]
        parts += tables.table(each.answer) if each.answer else ()
        parts += ending(each, _MOST_NOTES)
        return Sheet("", "", tuple(parts))


def _place(origin: Origin) -> Mapping[str, object]:
    return {"file": origin.file, "line": origin.line or None, "source": origin.source or None}


def origin(origin: Origin) -> str:
    """The user's line from which a message comes, as long as a line of a terminal."""
    line = f", line {origin.line}" if origin.line else ""
    rest = f"{line}{': ' * bool(origin.source)}{origin.source}"
    name = re.split(r"[/\\]", origin.file)[-1]
    file = origin.file if len(origin.file + rest) <= _WIDTH else name
    return shortened(file + rest)


def shortened(text: str, width: int = _WIDTH) -> str:
    """A text as long as a line of a terminal."""
    return text if len(text) <= width else f"{text[: width - 3]}..."


def verdict(each: Explanation) -> str:
    """The answer in one line."""
    if each.answer:
        return reports.verdict(each.answer)
    if each.ok is None:
        return "cannot tell: the message is truncated, or its sizes are symbolic"
    if each.ok:
        return "the sizes that the message shows do broadcast"
    return f"mismatch: {each.reason}"


def _head(reading: Reading) -> str:
    """The user's line, or else the framework and its message; and how often it is there."""
    names = " or ".join(catalogue().frameworks[name] for name in reading.framework)
    text = f"{names}: {reading.message}" if reading.origin is None else origin(reading.origin)
    times = f" ({reading.times} times)" if reading.times > 1 else ""
    return shortened(text, _WIDTH - len(times)) + times


def ending(each: Explanation, most: int | None = None) -> Iterator[Grid | Line]:
    """Notes, what to write instead, and the answer; at most so many before the answer."""
    lines = each.lines
    notes = each.notes
    if most is not None:
        notes = notes[: most - bool(lines)]
        lines = lines[: most - len(notes)]
    for note in notes:
        yield Line("note", note.text, Tone.NOTE)
    if lines:
        yield tables.advised(lines)
    yield Line("", verdict(each), tables.ANSWER_TONE[each.ok])
