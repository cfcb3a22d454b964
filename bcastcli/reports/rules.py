"""Reports of rules: a rule's statement, its answered examples, how it differs; and their list."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.render.sheet import Cell, Grid, Paragraph, Part, Sheet
from bcastcli.reports import Report, verdict
from bcastcli.reports.numpy_code import by_numpy


class Found(NamedTuple):
    """A rule that was found by name."""

    rule: Rule
    ask: Callable[[str], Answer]
    """The function that answers a typed line by the rule."""
    words: Sequence[str]
    """The frameworks' words for it."""
    remark: str = ""
    """The note on the framework that was typed."""


class Example(NamedTuple):
    """A worked example as it is typed, and the answer that it gets."""

    question: str
    answer: str
    numpy: str
    """NumPy's answer; empty if it is the same."""


class RuleReport(Report):
    """A rule with its text, examples and differences from numpy."""

    def __init__(self, found: Found) -> None:
        self.found = found

    def examples(self) -> list[Example]:
        """The worked examples, answered."""
        questions = [" ".join(arguments) for arguments, _ in self.found.rule.examples]
        answers = [self.found.ask(re.sub("--(axis|axes) ", r"\1=", each)) for each in questions]
        pairs = zip(questions, answers, strict=True)
        return [Example(own, verdict(answer), by_numpy(answer)) for own, answer in pairs]

    def lines(self) -> Sequence[str]:
        """The rule's name and its summary."""
        return (f"{self.found.rule.name} {self.found.rule.summary}",)

    def records(self) -> Sequence[Mapping[str, object]]:
        """The record of the rule."""
        return (_record(self.found, self.examples()),)

    def sheet(self) -> Sheet:
        """The statement, the examples, and how the rule differs from numpy."""
        rule = self.found.rule
        parts = tuple(_parts(self.found, self.examples()))
        return Sheet(f"The rule {rule.name}", rule.statement, parts)


class RulesReport(Report):
    """The list of the rules."""

    def __init__(self, found: Sequence[Found], without_a_rule: Mapping[str, str]) -> None:
        """Take the rules, and why each framework without one has none."""
        self.reports = list(map(RuleReport, found))
        self._without_a_rule = without_a_rule

    def lines(self) -> Sequence[str]:
        """Each rule's line."""
        return [line for each in self.reports for line in each.lines()]

    def records(self) -> Sequence[Mapping[str, object]]:
        """Each rule's record."""
        return [record for each in self.reports for record in each.records()]

    def sheet(self) -> Sheet:
        """The rules' names and summaries, and which rule each framework follows."""
        found = [each.found for each in self.reports]
        rows = tuple((Cell(each.rule.name), Cell(each.rule.summary)) for each in found)
        names = ", ".join(each.rule.name for each in found)
        words = [(Cell(each.rule.name), Cell(", ".join(each.words))) for each in found]
        followed = [(row,) for row in words if row[1].text]
        others = [((Cell(word), Cell(why)),) for word, why in self._without_a_rule.items()]
        parts = (
            Grid((), (rows,), ruled=False),
            Paragraph(("Which rule do I need? Your framework's:",)),
            Grid((), tuple(followed), ruled=False, prose=True),
            Paragraph(("These follow none of the rules:",)),
            Grid((), tuple(others), ruled=False, prose=True),
        )
        return Sheet("The rules", f"The rules: {names}.", parts)


def _parts(found: Found, examples: Sequence[Example]) -> Iterator[Part]:
    yield from _paragraphs(found.rule.statement)
    if found.remark:
        yield Paragraph((f"{found.remark}.",))
    if found.words:
        yield Paragraph((f"Also known as: {', '.join(found.words)}.",))
    yield Paragraph(("Examples:",))
    bodies = []
    for question, answer, numpy in examples:
        differs = f" (numpy: {numpy})" if numpy else ""
        bodies.append(((Cell(question), Cell(f"{answer}{differs}")),))
    yield Grid((), tuple(bodies), ruled=False, prose=True)


def _paragraphs(text: str) -> Iterator[Paragraph]:
    """The paragraphs of a text that is already wrapped."""
    for paragraph in text.split("\n\n"):
        is_list = paragraph.startswith("1. ")
        items = paragraph.splitlines() if is_list else [" ".join(paragraph.splitlines())]
        yield Paragraph(tuple(items))


def _record(found: Found, examples: Sequence[Example]) -> dict[str, object]:
    rule = found.rule
    return {
        "command": "rules",
        "rule": rule.name,
        "summary": rule.summary,
        "statement": rule.statement,
        "source": rule.source,
        "frameworks": found.words,
        "fewest": rule.min_operands,
        "most": rule.max_operands,
        "options": tuple(rule.options),
        "examples": [{"asked": each.question, "answer": each.answer} for each in examples],
        "differences": [
            {"asked": each.question, "numpy": each.numpy, "rule": each.answer}
            for each in examples
            if each.numpy
        ],
    }
