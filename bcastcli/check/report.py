"""Reports of lines that are not as expected."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bcastcli.core.answer import Answer
from bcastcli.render.github import Annotation
from bcastcli.render.plain import mark
from bcastcli.reports import Report
from bcastcli.reports.answers import AnswerReport

if TYPE_CHECKING:
    from bcastcli.compare.comparison import Comparison


def report_of(answer: "Answer | Comparison") -> Report:
    """The report of an answer or of a comparison."""
    if isinstance(answer, Answer):
        return AnswerReport(answer)
    from bcastcli.compare.report import ComparisonReport  # rarely needed

    return ComparisonReport(answer)


@dataclass(frozen=True)
class Failure(Report):
    """A line that is invalid or not as expected, or a block that is not read."""

    file: str
    line: int
    """Counted from 1."""
    column: int
    """Counted from 1."""
    status: str
    """Its exit status: "invalid", "no" or "depends"; "unread" is none."""
    text: str
    expected: str | None = None
    """The expected answer as typed; None if the line has none."""
    answer: "Answer | Comparison | None" = None
    tags: Mapping[str, object] = field(default_factory=dict)
    """The label and the id of the line."""

    @property
    def message(self) -> str:
        """The text, followed by the label."""
        return self.text + mark(self.tags)

    def lines(self) -> Sequence[str]:
        """The place and the message."""
        return (f"{self.file}:{self.line}:{self.column}: {self.message}",)

    def annotation(self) -> Annotation:
        """The failure as GitHub shows it."""
        level = "notice" if self.status == "unread" else "error"
        return Annotation(self.file, self.message, self.line, self.column, level)

    def records(self) -> Sequence[Mapping[str, object]]:
        """The failure, with the record of its answer."""
        from bcastcli.render.json import SCHEMA  # slow to load

        answer = None
        if self.answer is not None:
            answer = {"schema": SCHEMA, **report_of(self.answer).records()[0]}
        place = {"file": self.file, "line": self.line, "column": self.column}
        texts = {"message": self.text, "expect": self.expected, "answer": answer}
        return ({"command": "check", "status": self.status, **place, **texts, **self.tags},)
