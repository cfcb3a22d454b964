"""The findings on a model: its nodes with their answers, where it stops, and both in sentences."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from bcastcli.core.answer import Answer
from bcastcli.core.conditions import names_in, to_python
from bcastcli.core.limits import LimitedAnswer
from bcastcli.core.rule import Reason
from bcastcli.core.wording import joined_with_and
from bcastcli.model import nodes
from bcastcli.model.nodes import Model, Node, shown
from bcastcli.operators.questions import Undecided

_MOST_NAMES = 5


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


def summary(findings: Findings) -> str:
    """Where a model stops, or else how many of its nodes broadcast and were checked."""
    model = findings.model
    text = "; ".join([*model.refused, outcome(findings, whole=False)])
    return f"opset {model.opset}: {text}"


def outcome(findings: Findings, *, whole: bool = True) -> str:
    """The result for a model with the given sizes in one line, by default with the reason."""
    for first in findings.model.stops[:1]:
        if whole:
            return f"stops at {first.node.where}: {first.message}"
        text, count = f"stops at {first.node.where}", len(findings.model.not_reached)
        were = f"{_nodes(count, 'later')} {_of(count, 'was', 'were')} not reached"
        return f"{text}; {were}" if count else text
    for first in findings.model.possible_stops[:1]:
        return f"may stop at {first.node.where}{f': {first.message}' if whole else ''}"
    return "; ".join([_broadcasting(findings), *_others(findings), *unchecked(findings)])


def _broadcasting(findings: Findings) -> str:
    """How many nodes broadcast."""
    count = len(findings.nodes)
    if not count:
        return "no broadcasting nodes"
    number_of = Counter(each.verdict for each in findings.nodes)
    counts = [(number_of[each], words) for each, words in _COUNTED.items() if number_of[each]]
    if len(counts) == 1:
        kind = "" if Verdict.YES in number_of else "broadcasting"
        return f"{_nodes(count, kind)} {_of(count, *counts[0][1])}"
    texts = [f"{number:,} {_of(number, *words)}" for number, words in counts]
    return f"of {_nodes(count, 'broadcasting')}, {joined_with_and(texts)}"


_COUNTED = {
    Verdict.YES: ("broadcasts", "broadcast"),
    Verdict.NO: ("fails", "fail"),
    Verdict.DEPENDS: ("depends on unknown sizes", "depend on unknown sizes"),
    Verdict.UNDECIDED: ("is undecided", "are undecided"),
}


def _others(findings: Findings) -> Iterator[str]:
    """How many nodes that do not broadcast were checked, and how many are undecided."""
    checked, left = len(findings.model.checked), len(findings.model.open)
    if checked:
        yield f"{_nodes(checked, 'other')} {_of(checked, 'was', 'were')} checked"
    if left:
        yield f"{_nodes(left, 'other')} {_of(left, 'is', 'are')} undecided"


def unchecked(findings: Findings) -> Iterator[str]:
    """The number of unchecked operators, with their names, if there are any."""
    names = [*dict.fromkeys(findings.model.unchecked)]
    if names:
        some = ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")
        operators = _of(len(names), "operator is", "operators are")
        yield f"{len(names):,} {operators} not checked: {some}"


def notes(findings: Findings) -> Iterator[str]:
    """The notes on the whole model."""
    model = findings.model
    for first in model.stops[:1]:
        yield from first.fixed
    if findings.fails:
        return
    for each in model.possible_stops:
        runs = "only runs if its branch or loop is taken"
        yield f"{each.node.where} would fail, but {runs}: {each.message}"
    possible = {each.node.number for each in model.possible_stops}
    left = [
        each
        for each in findings.nodes
        if each.node.number not in possible and each.verdict in (Verdict.UNDECIDED, Verdict.DEPENDS)
    ]
    number_behind = Counter(each.behind for each in left)
    count = number_behind.pop("", 0) + len(model.open)
    for label, number in number_behind.items():
        are = _of(number, "is", "are")
        yield f"{_nodes(number)} {are} undecided: the output shape of {label} is unknown"
    give = _to_give(model)
    if count and give:
        yield f"{_nodes(count)} {_of(count, 'depends', 'depend')} on unknown sizes: {give}"
    elif model.open:
        label, *more = model.open
        others = f" and {_nodes(len(more), 'other')}" if more else ""
        are = _of(len(model.open), "is undecided: its", "are undecided: their")
        yield f"{label}{others} {are} sizes depend on data"


def _to_give(model: Model) -> str:
    """Which sizes and shapes to give; empty if all are known."""
    parts = [f"sizes for {', '.join(model.sizes)}"] if model.sizes else []
    parts += [f"a shape for {name} ({shown(shape)})" for name, shape in model.open_inputs.items()]
    return f"give {' and '.join(parts)}" if parts else ""


def _nodes(count: int, kind: str = "") -> str:
    """A number of nodes: `1 other node`.

    >>> _nodes(1), _nodes(1200, "later")
    ('1 node', '1,200 later nodes')
    """
    return " ".join(filter(None, (f"{count:,}", kind, _of(count, "node", "nodes"))))


def _of(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def sweep(combinations: Sequence[Findings]) -> str:
    """Where a model first fails, of several combinations of sizes."""
    first = next((each for each in combinations if each.fails), None)
    if first is None:
        return f"no failure in {len(combinations)} combinations"
    return f"first failure: {sizes(first)}"


def sizes(findings: Findings) -> str:
    """A combination as it is typed: `batch=4 seq=9`."""
    return " ".join(f"{name}={size}" for name, size in findings.model.chosen.items())
