"""Reports of answers, and of what takes their place where a line is no question.

What only the sheet or only the record needs is imported there: lines need neither.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bcastcli.core.answer import Answer
from bcastcli.core.shapes import written
from bcastcli.reports import OK, TAGS, Report, as_line, verdict

if TYPE_CHECKING:
    from bcastcli.render.sheet import Part, Sheet
    from bcastcli.reports.rows import PictureOptions
    from bcastcli.reports.steps import StepOptions


class AnswerReport(Report):
    """An answer to one of many questions."""

    HEADS = ("operands", "ok", "result", "when", "reason", *TAGS)

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def lines(self) -> Sequence[str]:
        """Return the result, or why there is none."""
        return (verdict(self.answer),)

    def rows(self) -> Sequence[Sequence[str]]:
        """Return a row; its last cells are kept for tags."""
        answer = self.answer
        result = "" if answer.result is None else written(answer.result)
        reason = answer.reason.text if answer.reason else ""
        asked = as_line(answer.question.inputs, answer.question.default_names)
        return ((asked, OK[answer.ok], result, answer.when or "", reason, *[""] * len(TAGS)),)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the record."""
        from bcastcli.reports.records import record

        return (record(self.answer),)

    def sheet(self) -> "Sheet":
        """Return the operands aligned by axis, a sign below each axis, notes, and the answer."""
        from bcastcli.reports.tables import ending, sheet, table

        return sheet(self.answer, [*table(self.answer), *ending(self.answer)])


class SingleAnswerReport(AnswerReport):
    """An answer to a single question, with details that take longer to find."""

    def __init__(
        self,
        answer: Answer,
        *,
        steps: "StepOptions | None" = None,
        picture: "PictureOptions | None" = None,
        framework: str = "",
        remark: str = "",
    ) -> None:
        """Take what is shown of the steps and the picture, and a framework's syntax and remark."""
        super().__init__(answer)
        self._framework = framework
        self._remark = remark
        self._steps = steps
        self._picture = picture

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the record, with what to write instead."""
        from bcastcli.reports.records import record, with_advice, with_steps

        answer = self.answer
        own = record(answer) if self._steps is None else with_steps(answer, self._steps.dtype)
        if answer.ok and not answer.is_square:
            return (with_advice(own, answer.notes, ()),)
        from bcastcli.analysis.advice import advise

        lines, note = advise(answer, self._framework)
        return (with_advice(own, [*answer.notes, *([note] if note else [])], lines),)

    def sheet(self) -> "Sheet":
        """Return the steps, the picture or else the table, and below it notes and the answer."""
        from bcastcli.render.sheet import Grid, Line, label_width
        from bcastcli.reports.tables import ending, sheet, table

        answer = self.answer
        if self._steps is None and self._picture is None:
            below = ending(answer, (), self._framework, self._remark)
            return sheet(answer, [*table(answer), *below])
        from bcastcli.reports.frames import ends
        from bcastcli.reports.steps import steps

        parts: list[Part] = []
        shown_kinds = []
        if self._steps is not None:
            parts += steps(answer, self._steps)
            shown_kinds = ["axis", "trim", *(["layout"] if answer.axes is None else [])]
        if self._picture:
            from bcastcli.reports.figure import of_answer

            parts.append(of_answer(answer, self._picture, with_shapes=self._steps is None))
        below = ending(answer, shown_kinds, self._framework, self._remark)
        if self._picture and not self._picture.notes:
            kept = Line if answer.ok else (Line, Grid)  # what keeps a square small is a note
            below = (
                part
                for part in below
                if isinstance(part, kept) and not (isinstance(part, Line) and part.label)
            )
        asked = self._steps or self._picture
        if asked is None or ends(answer, asked.until):
            return sheet(answer, [*parts, *below])
        own = sheet(answer, parts)
        widest = label_width(sheet(answer, [*steps(answer)])) if self._steps else 0
        return own._replace(description=f"{own.title}.", hidden=tuple(below), labels=widest)


class InvalidInput(Report):
    """The error that replaces an answer in a stream."""

    def __init__(
        self, text: str, message: str, column: int, number: int | None = None, width: int = 0
    ) -> None:
        """Take the text, its error and the place; the line if it is one, and the cells of a row."""
        line = {} if number is None else {"line": number}
        said = {"input": text, "error": message, "column": column}
        self._record = {"status": "invalid", **line, **said}
        self._text = text
        self._message = message
        self._width = width

    def lines(self) -> Sequence[str]:
        """Return the message."""
        return (f"error: {self._message}",)

    def rows(self) -> Sequence[Sequence[str]]:
        """Return a row as wide as those of the answers."""
        empty = [""] * (self._width - 3 - len(TAGS))
        return ((self._text, "error", *empty, self._message, *[""] * len(TAGS)),)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the line, the message and the place of the character at fault."""
        return (self._record,)
