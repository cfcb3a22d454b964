"""Reports of lines that are not as expected, and their number."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bcastcli.core.answer import Answer
from bcastcli.notation.hints import shortened
from bcastcli.render.github import Annotation
from bcastcli.render.plain import mark
from bcastcli.reports import Report
from bcastcli.reports.answers import AnswerReport

if TYPE_CHECKING:
    from bcastcli.compare.comparison import Comparison

MAX_SHOWN = 200
"""Characters of a label, or of what was expected, that people are shown."""


class AnyReport:
    """The reports of answers and of comparisons."""

    HEADS = AnswerReport.HEADS

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
    """The text of what was expected; None if nothing was expected."""
    question: str = ""
    """What was asked."""
    tags: Mapping[str, object] = {}
    """The label and the id of the line."""


class FailureReport(Report):
    """A failure; `answer` is what was answered, for programs."""

    def __init__(self, failure: Failure, answer: "Answer | Comparison | None" = None) -> None:
        self._failure = failure
        self._answer = answer

    @property
    def _message(self) -> str:
        """The message, and behind it the label, of which people see the beginning."""
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
        from bcastcli.render.json import SCHEMA  # it takes a while to load

        file, line, column, status, message, expected, _, tags = self._failure
        own = {"command": "check", "status": status, "file": file, "line": line, "column": column}
        said = self._answer and {"schema": SCHEMA, **AnyReport()(self._answer).records()[0]}
        return ({**own, "message": message, "expect": expected, "answer": said, **tags},)


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
        """Return the counts, and the status of the whole."""
        return ({"command": "check", "status": self._status, **self._counts},)
