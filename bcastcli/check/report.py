"""Reports of lines that are not as expected, and their number."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

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


class AnyReport:
    """The reports of answers and of comparisons."""

    def __call__(self, answer: "Answer | Comparison") -> Report:
        """Return the report of an answer."""
        if isinstance(answer, Answer):
            return AnswerReport(answer)
        from bcastcli.compare.report import ComparisonReport  # rarely needed

        return ComparisonReport(answer)


class Failure(NamedTuple):
    """A line that is invalid or not as expected, or a file that cannot be read."""

    file: str
    line: int | None
    """Counted from 1; None for the file as a whole."""
    column: int | None
    """Counted from 1."""
    status: str
    """Its exit status: "invalid", "no" or "depends"."""
    message: str
    expected: str | None = None
    """The expected answer as typed; None if the line has none."""
    question: str = ""
    """The question as typed."""
    tags: Mapping[str, object] = {}
    """The label and the id of the line."""


class FailureReport(Report):
    """A failure, for programs with its answer."""

    def __init__(self, failure: Failure, answer: "Answer | Comparison | None" = None) -> None:
        self._failure = failure
        self._answer = answer

    @property
    def _message(self) -> str:
        """The message, followed by the beginning of the label."""
        tags = {name: shortened(str(tag), MAX_SHOWN) for name, tag in self._failure.tags.items()}
        return self._failure.message + mark(tags)

    def lines(self) -> Sequence[str]:
        """Return the place and the message."""
        file, line, column, *_ = self._failure
        return (f"{file}:{line}:{column}: {self._message}",)

    def annotation(self) -> Annotation:
        """Return the failure as GitHub shows it."""
        return Annotation(self._failure.file, self._message, *self._failure[1:3])

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the failure, with the record of its answer."""
        from bcastcli.render.json import SCHEMA  # slow to load

        file, line, column, status, message, expected, _, tags = self._failure
        own = {"command": "check", "status": status, "file": file, "line": line, "column": column}
        record = self._answer and {"schema": SCHEMA, **AnyReport()(self._answer).records()[0]}
        return ({**own, "message": message, "expect": expected, "answer": record, **tags},)


class SummaryReport(Report):
    """How many lines were read, and how many failed."""

    def __init__(self, status: str, questions: int, failed: int, unreadable: int) -> None:
        """Take the status of the whole, and the number of files that cannot be read."""
        self._counts = {"questions": questions, "failed": failed, "unreadable": unreadable}
        self._status = status

    def lines(self) -> Sequence[str]:
        """Return the counts."""
        questions, failed, _ = self._counts.values()
        return (f"{questions:,} question{'s' if questions != 1 else ''}, {failed:,} failed",)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the counts and the overall status."""
        return ({"command": "check", "status": self._status, **self._counts},)
