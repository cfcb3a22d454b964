"""Reports of lines that are not as expected, and their number."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bcastcli.core.answer import Answer
from bcastcli.notation.pieces import shortened
from bcastcli.render.github import Annotation
from bcastcli.render.plain import mark
from bcastcli.reports import Report
from bcastcli.reports.answers import AnswerReport

if TYPE_CHECKING:
    from bcastcli.compare.comparison import Comparison

MAX_SHOWN = 200
"""The most characters that people see of a label or an expected answer."""
UNREAD = "unread"
"""The status of a block that is not read because the page only shows it, or hides it."""


def report_of(answer: "Answer | Comparison") -> Report:
    """The report of an answer or of a comparison."""
    if isinstance(answer, Answer):
        return AnswerReport(answer)
    from bcastcli.compare.report import ComparisonReport  # rarely needed

    return ComparisonReport(answer)


@dataclass(frozen=True)
class Failure(Report):
    """A line that is invalid or not as expected, a block that is not read, or such a file."""

    file: str
    line: int | None
    """Counted from 1; None for the file as a whole."""
    column: int | None
    """Counted from 1."""
    status: str
    """Its exit status: "invalid", "no" or "depends"; or `UNREAD`."""
    text: str
    expected: str | None = None
    """The expected answer as typed; None if the line has none."""
    answer: "Callable[[], Answer | Comparison] | None" = None
    """Gives the answer."""
    tags: Mapping[str, object] = field(default_factory=dict)
    """The label and the id of the line."""

    @property
    def message(self) -> str:
        """The text, followed by the beginning of the label."""
        tags = {name: shortened(str(tag), MAX_SHOWN) for name, tag in self.tags.items()}
        return self.text + mark(tags)

    def lines(self) -> Sequence[str]:
        """The place and the message."""
        return (f"{self.file}:{self.line}:{self.column}: {self.message}",)

    def annotation(self) -> Annotation:
        """The failure as GitHub shows it."""
        level = "notice" if self.status == UNREAD else "error"
        return Annotation(self.file, self.message, self.line, self.column, level=level)

    def records(self) -> Sequence[Mapping[str, object]]:
        """The failure, with the record of its answer."""
        from bcastcli.render.json import SCHEMA  # slow to load

        answer = None
        if self.answer is not None:
            answer = {"schema": SCHEMA, **report_of(self.answer()).records()[0]}
        place = {"file": self.file, "line": self.line, "column": self.column}
        said = {"message": self.text, "expect": self.expected, "answer": answer}
        return ({"command": "check", "status": self.status, **place, **said, **self.tags},)


class Summary(Report):
    """How much was read, and how much of it failed."""

    def __init__(self, status: str, **counts: int) -> None:
        """Take the status of the whole, and the numbers of questions, of failures and the like."""
        self._status = status
        self._counts = counts

    def lines(self) -> Sequence[str]:
        """The counts."""
        counts = self._counts
        noun = "question" if counts["questions"] == 1 else "questions"
        questions = f"{counts['questions']:,} {noun}"
        unread = f", {counts['unread']:,} not read" if counts["unread"] else ""
        return (f"{questions}, {counts['failed']:,} failed{unread}",)

    def records(self) -> Sequence[Mapping[str, object]]:
        """The status and the counts."""
        return ({"command": "check", "status": self._status, **self._counts},)
