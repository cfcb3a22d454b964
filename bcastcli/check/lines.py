"""Lines of questions with the expected answers, `8,1 7 -> 8,7`, and reports of those that fail."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from bcastcli.check.pages import Block, blocks
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import reads_as_word
from bcastcli.notation import documents
from bcastcli.notation import text as notation
from bcastcli.notation.pieces import shortened
from bcastcli.notation.questions import is_json, split_label
from bcastcli.notation.text import NotationError
from bcastcli.operators import lines as operators
from bcastcli.operators import questions
from bcastcli.render.github import Annotation
from bcastcli.render.plain import mark
from bcastcli.reports import Report
from bcastcli.reports.answers import AnswerReport
from bcastcli.rules import RULES, USUAL
from bcastcli.stream.batch import asks_nothing, lines_of, refuse_overlong

if TYPE_CHECKING:
    from bcastcli.compare.comparison import Comparison

ARROW = "->"
_COMPARES = re.compile(r"\s*compare\s|(?:.*\s)?(?:--)?rules[=\s]")
_OPERATOR = re.compile(r"^\s*op\s")
_ARROW_IN_LABEL = re.compile(rf"[\s#]*{ARROW}")
_IN_LABEL = "write the expected answer before the label"
_EXPECTED = "expected QUESTION -> SHAPE, mismatch or depends; for a comparison, agree or differ"


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


class Checked:
    """The questions in files, and the counts that a record of them has."""

    def __init__(self) -> None:
        self.questions = 0
        """How many were read so far."""
        self.failed = 0
        """How many of these failed."""
        self.unread = 0
        """How many blocks of pages were not read."""

    def ask(self, question: str) -> "Answer | Comparison":
        """The answer to a question or a comparison; NotationError for other text."""
        bare = _OPERATOR.sub(lambda word: " " * len(word[0]), question)
        if bare != question:
            return questions.ask(bare)
        if not _COMPARES.match(question) or is_json(question):
            return operators.ask(question, RULES[USUAL])
        try:
            from bcastcli.compare.command import ask_line  # rarely needed
        except ModuleNotFoundError as error:
            raise NotationError("compare is not installed", question, (0, 7)) from error
        return ask_line(question)

    def failures(self, file: str, pieces: Iterable[bytes], *, markdown: bool) -> Iterator[Failure]:
        """The lines of a file that fail, in order, and what is not read of a page."""
        lines = list(chain.from_iterable(lines_of(pieces)))
        for block in blocks(lines) if markdown else [Block(1, lines)]:
            if block.unread:
                self.unread += 1
                status = "invalid" if block.fails else "unread"
                yield Failure(file, block.first, block.column, status, block.unread)
            for number, line in enumerate(block.lines, block.first):
                if asks_nothing(line):
                    continue
                self.questions += 1
                failure = self._failure(file, number, line)
                if failure:
                    self.failed += 1
                    yield failure

    def _failure(self, file: str, number: int, line: str) -> Failure | None:
        """How a line fails; None if it passes."""
        tags = split_label(line)[1]
        try:
            refuse_overlong(line)
            question, expected, place = _split(line)
            answer = self.ask(question)
            if _is_met(expected, answer, " " * place):
                return None
        except NotationError as error:
            column, text = error.span[0] + 1, f"error: {error.message}"
            return Failure(file, number, column, "invalid", text, tags=tags)
        status, text = "no", report_of(answer).lines()[0]
        if expected is not None:
            text = f"expected {shortened(expected)}, got {text}"
        elif answer.ok is None:
            status = "depends"
            if isinstance(answer, Answer) and answer.reason is None:
                text = f"depends: {text}"
        return Failure(file, number, place + 1, status, text, expected, answer, tags)


def _split(line: str) -> tuple[str, str | None, int]:
    """The question on a line, the expected answer, if there is one, and the place of that."""
    question = split_label(line)[0]
    if question != line and _ARROW_IN_LABEL.match(line, len(question)):
        raise NotationError(_IN_LABEL, line, (line.rindex(ARROW), len(line)))
    stated = documents.result_of(question)
    if stated:
        return question, *stated
    before, arrow, expected = question.rpartition(ARROW)
    if not arrow or ('"' in expected and is_json(question)):  # inside a string
        return question, None, 0
    if documents.is_example(question) and expected.strip() == "scalar":  # of an operand
        return question, None, 0
    return before.rstrip(), expected.strip(), len(question) - len(expected.lstrip())


def _is_met(expected: str | None, answer: "Answer | Comparison", before: str) -> bool:
    """Whether an answer is as expected, by default a yes; NotationError if that is no answer.

    `before` is as many spaces as the line has characters before the expectation.
    """
    if expected is None:
        return answer.ok is True
    if expected == "depends":
        return answer.ok is None
    if expected in ("agree", "differ"):
        return not isinstance(answer, Answer) and answer.ok is (expected == "agree")
    if expected == "mismatch":
        return isinstance(answer, Answer) and answer.ok is False
    if " when " in expected:
        return " ".join(expected.split()) == report_of(answer).lines()[0]
    is_word = ": " in expected or (reads_as_word(expected) and expected != "scalar")
    shapes = () if is_word else notation.read(before + expected).shapes
    if len(shapes) != 1:
        where = (len(before), len(before + expected))
        raise NotationError(_EXPECTED, before + expected, where)
    return isinstance(answer, Answer) and answer.ok is True and shapes[0] == answer.result
