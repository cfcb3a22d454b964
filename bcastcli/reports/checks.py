"""Reports of lines that are not as expected, and of how many they are."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.answer import Answer
from bcastcli.render.github import Annotation
from bcastcli.reports import Report


class Failure(NamedTuple):
    """A line that is not as expected, or is no question."""

    file: str
    line: int
    """Counted from 1."""
    column: int
    """Counted from 1."""
    status: str
    """What it makes of the exit status: "invalid", "no" or "depends"."""
    message: str
    expected: str | None
    """The text of what was expected; None where nothing was said."""
    answer: Answer | None
    """None for a line that is no question."""


class FailureReport(Report):
    """A failure."""

    def __init__(self, failure: Failure) -> None:
        self._failure = failure

    def lines(self) -> Sequence[str]:
        """Return the place and the message."""
        file, line, column, _, message, *_ = self._failure
        return (f"{file}:{line}:{column}: {message}",)

    def annotation(self, mark: str) -> Annotation:
        """Return the failure as GitHub shows it; `mark` is the line's label, behind its #."""
        file, line, column, _, message, *_ = self._failure
        return Annotation(file, message + mark, line, column)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the failure, with the record of its answer."""
        from bcastcli.render.json import SCHEMA  # it takes a while to load
        from bcastcli.reports.records import record

        file, line, column, status, message, expected, answer = self._failure
        own = {"command": "check", "status": status, "file": file, "line": line, "column": column}
        said = None if answer is None else {"schema": SCHEMA, **record(answer)}
        return ({**own, "message": message, "expect": expected, "answer": said},)


class SummaryReport(Report):
    """How many lines were read, and how many failed."""

    def __init__(self, status: str, questions: int, failed: int, unreadable: int) -> None:
        """Take the status of the whole, and the number of files that cannot be read."""
        self._record = {
            "command": "check",
            "status": status,
            "questions": questions,
            "failed": failed,
            "unreadable": unreadable,
        }

    def lines(self) -> Sequence[str]:
        """Return the counts."""
        questions = self._record["questions"]
        noun = "question" if questions == 1 else "questions"
        return (f"{questions:,} {noun}, {self._record['failed']:,} failed",)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the counts, and the status of the whole."""
        return (self._record,)
