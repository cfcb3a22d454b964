"""Reports of answers, and the error in place of an answer to a malformed line.

Modules that only sheets or records need are imported where they are used: lines need neither.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bcastcli.core.answer import Answer
from bcastcli.reports import Report, advice_on, verdict

if TYPE_CHECKING:
    from bcastcli.render.sheet import Sheet


class AnswerReport(Report):
    """An answer to one of many questions."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def lines(self) -> Sequence[str]:
        """The result, or the reason for a mismatch."""
        return (verdict(self.answer),)

    def records(self) -> Sequence[Mapping[str, object]]:
        """The record."""
        from bcastcli.reports.records import record

        return (record(self.answer),)

    def sheet(self) -> "Sheet":
        """The operands aligned by axis, a sign below each axis, notes, and the answer."""
        from bcastcli.reports.tables import ending, sheet, table

        return sheet(self.answer, [*table(self.answer), *ending(self.answer)])


class SingleAnswerReport(AnswerReport):
    """An answer to a single question, with suggestions."""

    def records(self) -> Sequence[Mapping[str, object]]:
        """The record, with suggestions."""
        from bcastcli.reports.records import record, with_advice

        lines, note = advice_on(self.answer)
        notes = [*self.answer.notes, *([note] if note else [])]
        return (with_advice(record(self.answer), notes, lines),)


class InvalidInput(Report):
    """The error that replaces an answer in a stream."""

    def __init__(self, text: str, message: str, column: int, number: int | None = None) -> None:
        """Take the text, its error and the column; in a stream also the line."""
        line = {} if number is None else {"line": number}
        place = {"input": text, "error": message, "column": column}
        self._record = {"status": "invalid", **line, **place}
        self._message = message

    def lines(self) -> Sequence[str]:
        """The message."""
        return (f"error: {self._message}",)

    def records(self) -> Sequence[Mapping[str, object]]:
        """The line, the message and the place of the character at fault."""
        return (self._record,)
