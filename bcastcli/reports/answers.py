"""Reports of answers, and the error in place of an answer to a malformed line.

Modules that only sheets or records need are imported where they are used: lines need neither.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bcastcli.core.answer import Answer
from bcastcli.reports import Report, verdict

if TYPE_CHECKING:
    from bcastcli.render.sheet import Sheet


class AnswerReport(Report):
    """An answer to one of many questions."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def lines(self) -> Sequence[str]:
        """Return the result, or the reason for a mismatch."""
        return (verdict(self.answer),)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the record."""
        from bcastcli.reports.records import record

        return (record(self.answer),)

    def sheet(self) -> "Sheet":
        """Return the operands aligned by axis, a sign below each axis, notes, and the answer."""
        from bcastcli.reports.tables import ending, sheet, table

        return sheet(self.answer, [*table(self.answer), *ending(self.answer)])


class SingleAnswerReport(AnswerReport):
    """An answer to a single question, with suggestions."""

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the record, with suggestions."""
        from bcastcli.reports.records import record, with_advice

        answer, own = self.answer, record(self.answer)
        if answer.ok and not answer.is_square:
            return (with_advice(own, answer.notes, ()),)
        from bcastcli.advice.lines import advise

        lines, note = advise(answer)
        notes = list(answer.notes)
        if note:
            notes.append(note)
        return (with_advice(own, notes, lines),)


class InvalidInput(Report):
    """The error that replaces an answer in a stream."""

    def __init__(self, text: str, message: str, column: int, number: int | None = None) -> None:
        """Take the text, its error and the column; in a stream also the line."""
        line = {} if number is None else {"line": number}
        error_fields = {"input": text, "error": message, "column": column}
        self._record = {"status": "invalid", **line, **error_fields}
        self._message = message

    def lines(self) -> Sequence[str]:
        """Return the message."""
        return (f"error: {self._message}",)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the line, the message and the place of the character at fault."""
        return (self._record,)
