"""The findings on a model: its nodes with their answers, and where it stops."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from bcastcli.core.answer import Answer
from bcastcli.core.conditions import names_in, to_python
from bcastcli.core.limits import LimitedAnswer
from bcastcli.core.rule import Reason
from bcastcli.model import nodes
from bcastcli.model.nodes import Model, Node
from bcastcli.operators.questions import Undecided


class Verdict(StrEnum):
    """Whether a node broadcasts."""

    YES = "yes"
    NO = "no"
    DEPENDS = "depends"
    """It depends on sizes that the model leaves open."""
    UNDECIDED = "undecided"
    """The file lacks information."""


class Finding(NamedTuple):
    """A node, with its answer and remarks."""

    node: Node
    verdict: Verdict
    answer: Answer
    why: str
    """Why it does not broadcast, on what it depends, or what is missing; empty for yes."""
    remarks: tuple[str, ...]
    """Remarks, in display order."""

    @property
    def behind(self) -> str:
        """The failing or open node that leaves it undecided; empty for others."""
        return self.node.behind if self.verdict is Verdict.UNDECIDED else ""


class Findings(NamedTuple):
    """The findings about a model."""

    model: Model
    nodes: Sequence[Finding]
    """One for each node that broadcasts, in order."""

    @property
    def fails(self) -> bool:
        """Whether it stops, or a node does not broadcast."""
        return bool(self.model.stops) or any(each.verdict is Verdict.NO for each in self.nodes)

    @property
    def ok(self) -> bool | None:
        """Whether it runs, as far as shapes go; None if not all are known."""
        model = self.model
        if self.fails or model.refused:
            return False
        is_open = model.possible_stops or model.open or model.unchecked
        is_known = all(each.verdict is Verdict.YES for each in self.nodes)
        return True if is_known and not is_open else None


def find(model: Model) -> Findings:
    """The findings about a model."""
    return Findings(model, [_finding(each, model.sizes) for each in model.nodes])


_WITH_NOTES = ("LayerNormalization", "PRelu", "RMSNormalization")
"""Operators that engines run differently from their definition."""


def _finding(node: Node, sizes: Sequence[str]) -> Finding:
    answer = nodes.answer(node)
    if node.question_name == "Einsum" and answer.notes:  # on why engines refuse it
        reason = Reason("declared", answer.notes[0].text)
        answer = LimitedAnswer(answer, lambda _: reason)
    verdict, why = _verdict(node, answer, sizes)
    remarks: tuple[str, ...] = ()
    if verdict is not Verdict.UNDECIDED and node.question_name in _WITH_NOTES:
        remarks = tuple(note.text for note in answer.question.notes(answer))
    return Finding(node, verdict, answer, why, remarks)


def _verdict(node: Node, answer: Answer, sizes: Sequence[str]) -> tuple[Verdict, str]:
    """Whether a node broadcasts, and why it fails or on what it depends."""
    if isinstance(answer, Undecided):
        return Verdict.UNDECIDED, answer.missing
    if answer.reason:
        return Verdict.UNDECIDED if node.may_not_run else Verdict.NO, answer.reason.text
    if answer.ok:
        return Verdict.YES, ""
    clauses = [each for each in answer.condition if {*names_in((each,))} <= {*sizes}]
    if clauses:
        return Verdict.DEPENDS, to_python(tuple(clauses))
    return Verdict.UNDECIDED, str(answer.when)
