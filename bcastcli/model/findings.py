"""The findings on a model: its nodes with their answers, and where it stops."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from bcastcli.core import conditions
from bcastcli.core.answer import Answer
from bcastcli.core.limits import LimitedAnswer, strictly
from bcastcli.core.rule import Reason
from bcastcli.core.shapes import Shape
from bcastcli.model.nodes import Model, Node, Stop, shown
from bcastcli.operators import questions
from bcastcli.operators.questions import Undecided
from bcastcli.operators.table import OperatorError


class Verdict(StrEnum):
    """Whether a node broadcasts."""

    YES = "yes"
    NO = "no"
    DEPENDS = "depends"
    """It depends on sizes that the model leaves open."""
    UNDECIDED = "undecided"
    """The file lacks information."""
    MALFORMED = "malformed"


class Finding(NamedTuple):
    """A node, with its answer and remarks."""

    node: Node
    verdict: Verdict
    answer: Answer | None
    """None for an invalid node."""
    reason: str
    """Why it fails or is invalid; empty for others."""
    when: str
    """The condition on the model's sizes, or the missing information; empty for yes and no."""
    remarks: tuple[str, ...]
    """Remarks, in display order."""
    behind: str = ""
    """The title of the failing or open node that leaves it undecided; empty for others."""

    @property
    def result(self) -> Shape | None:
        """The shape of the node's output, where it is known."""
        return self.answer.result if self.answer else None

    @property
    def fails(self) -> bool:
        """Whether it does not broadcast, or is invalid."""
        return self.verdict in (Verdict.NO, Verdict.MALFORMED)

    @property
    def is_refused(self) -> bool:
        """Whether its rule refuses it; one that only exceeds a limit has a result."""
        reason = self.answer and self.answer.reason
        return bool(reason and reason.kind in ("sizes", "rank", "fit", "names"))

    @property
    def is_worth_a_look(self) -> bool:
        """Whether it fails, depends on sizes or has remarks."""
        return self.fails or self.verdict is Verdict.DEPENDS or bool(self.remarks)

    @property
    def line(self) -> str:
        """The question as `bcastcli op -` reads it; invalid for an invalid node."""
        if self.answer is not None:
            return questions.line(self.answer.question)
        node = self.node
        end = [NOT_A_QUESTION] if node.problem else []
        return " ".join((node.question_name, *map(shown, node.inputs), *end))


NOT_A_QUESTION = "-"
"""The end of an invalid node's line: it is not a shape, so that `op -` refuses the line."""


class Findings(NamedTuple):
    """The findings about a model."""

    model: Model
    nodes: Sequence[Finding]
    """One for each node that broadcasts, in order."""
    stops: Sequence[Stop]
    """The nodes at which it stops, in order and independent of each other."""
    possible_stops: Sequence[Stop] = ()
    """Those in branches and loops that only some input data runs."""
    checked: int = 0
    """How many other nodes were checked."""
    open: Sequence[tuple[int, str]] = ()
    """The other nodes that are undecided: number, and node with its operator."""
    unchecked: Sequence[str] = ()
    """The operator of each unchecked node."""
    not_reached: int = 0
    """How many nodes are behind a stop."""

    @property
    def fails(self) -> bool:
        """Whether it stops, or a node does not broadcast."""
        return bool(self.stops) or any(each.verdict is Verdict.NO for each in self.nodes)

    @property
    def status(self) -> int:
        """The exit status: 2 before 1, 1 before 3."""
        verdicts = {each.verdict for each in self.nodes}
        if self.model.problem or Verdict.MALFORMED in verdicts:
            return 2
        if self.fails or self.model.refused:
            return 1
        is_open = self.possible_stops or self.open or self.unchecked
        return 3 if is_open or verdicts - {Verdict.YES} else 0


def find(model: Model, *, strict: bool = False) -> Findings:
    """Return the findings about a model, by default without --strict."""
    known: dict[object, Answer | OperatorError] = {}

    def finding(node: Node) -> Finding:
        options = tuple(node.options.items())
        key = node.question_name, node.inputs, options, node.opset
        if key not in known:
            known[key] = _answer(node, strict=strict)
        return _finding(node, known[key], model.sizes)

    def unknown(each: Finding, behind: str) -> Finding:
        inputs = (None,) * len(each.node.inputs)
        return finding(each.node._replace(inputs=inputs))._replace(behind=behind)

    found = [_with_names(finding(each)) for each in model.nodes]
    numbers = {each.node.number for each in model.stops}
    refused = (each for each in found if each.is_refused and each.node.number not in numbers)
    stops = [*model.stops, *map(_stopped, refused)]
    doubtful = _doubtful(model, {each.node.number for each in stops})
    behind = _behind(model, {each.node.number: each.node.where for each in stops}, doubtful)
    stops = [each for each in stops if each.node.number not in behind]
    numbers -= behind.keys()
    after = _behind(model, dict(model.open_ends), doubtful)
    for place, each in enumerate(found):
        number = each.node.number
        if number in behind or number in numbers:
            found[place] = unknown(each, behind.get(number, ""))
        elif number in after and each.verdict is Verdict.UNDECIDED:
            found[place] = each._replace(behind=after[number])
        elif number in doubtful and each.verdict is Verdict.NO:
            found[place] = each._replace(verdict=Verdict.UNDECIDED, when=each.reason)
    stops.sort(key=lambda each: each.node.number)
    sure = [each for each in stops if each.node.number not in doubtful]
    return Findings(
        model,
        found,
        sure,
        [each for each in stops if each not in sure],
        sum(number not in behind for number in model.checked),
        [each for each in model.open if each[0] not in behind],
        [operator for number, operator in model.unchecked if number not in behind],
        len(behind),
    )


def _doubtful(model: Model, stops: Collection[int]) -> Collection[int]:
    """Return the nodes that need not run; not those of an If that stops in any branch."""
    doubts = Counter(model.may_not_run)
    for number, branches in model.choices:
        once = doubts[number] + 1
        inside = [range(*branch) for branch in branches]
        if all(any(n in stops and doubts[n] == once for n in branch) for branch in inside):
            doubts.subtract(chain.from_iterable(inside))
    return {number for number, count in doubts.items() if count}


def _behind(model: Model, labels: Mapping[int, str], doubtful: Collection[int]) -> dict[int, str]:
    """Return the nodes behind these, each with the label of the first one that it needs."""
    behind: dict[int, str] = {}
    first: dict[int, int] = {number: number for number in labels}
    for number, each in enumerate(model.needs if labels else ()):
        sources = [first[needed] for needed in each if needed in first]
        if number not in doubtful:  # nor may what stops there
            sources = [source for source in sources if source not in doubtful]
        if sources:
            first[number] = min(sources)
            behind[number] = labels[first[number]]
    return behind


def _with_names(finding: Finding) -> Finding:
    """Return a finding; where the node does not broadcast, the reason names its operands."""
    node = finding.node
    if not (finding.is_refused and any(node.names)):
        return finding
    asked = node.question_name, node.inputs, node.options, node.opset, _operand_names(node)
    named = questions.answer(questions.of_node(*asked))
    text = finding.reason if named.reason is None else named.reason.text
    return finding._replace(answer=named, reason=text)


def _operand_names(node: Node) -> tuple[str, ...]:
    """Return unique names for a node's inputs."""
    once = {name for name, times in Counter(node.names).items() if name and times == 1}
    named = enumerate(node.names)
    return tuple(name if name in once else f"{name or 'input'}[{n}]" for n, name in named)


def _stopped(finding: Finding) -> Stop:
    """The stop at a node that does not broadcast."""
    axes = (finding.answer and finding.answer.axes) or ()
    conflicts = [axis for axis in axes if axis.conflict]
    if not conflicts:
        return Stop(finding.node, finding.reason)
    axis = conflicts[-1]
    at_fault = tuple(place for place, size in enumerate(axis.sizes) if size not in (1, None))
    return Stop(finding.node, finding.reason, axis.number, at_fault)


def _answer(node: Node, *, strict: bool) -> Answer | OperatorError:
    """Return the answer to a node's question, or why the node is invalid."""
    try:
        question = questions.of_node(node.question_name, node.inputs, node.options, node.opset)
    except OperatorError as error:
        return error
    answer = questions.answer(question)
    # An undecided answer lacks a result that could be refused.
    return strictly(answer) if strict and not isinstance(answer, Undecided) else answer


def _finding(node: Node, answer: Answer | OperatorError, sizes: Sequence[str]) -> Finding:
    if isinstance(answer, OperatorError) or node.problem:
        reason = node.problem or str(answer)
        return Finding(node, Verdict.MALFORMED, None, reason, "", node.remarks)
    verdict, reason, when = Verdict.YES, "", ""
    broken = [note.text for note in answer.notes] if node.question_name == "Einsum" else []
    if broken and answer.reason is None:
        verdict, reason = Verdict.NO, "; ".join(broken)
        if not isinstance(answer, Undecided):
            answer = LimitedAnswer(answer, lambda _: Reason("declared", reason))
    elif isinstance(answer, Undecided):
        verdict, when = Verdict.UNDECIDED, answer.missing
    elif answer.reason:
        verdict, reason = Verdict.NO, answer.reason.text
    elif answer.ok is None:
        clauses = tuple(
            each for each in answer.condition if {*conditions.names_in((each,))} <= {*sizes}
        )
        verdict = Verdict.DEPENDS if clauses else Verdict.UNDECIDED
        when = conditions.to_python(clauses) if clauses else str(answer.when)
    remarks = _remarks(node, None if verdict is Verdict.UNDECIDED else answer)
    return Finding(node, verdict, answer, reason, when, tuple(remarks))


_WITH_NOTES = ("Attention", "LayerNormalization", "PRelu", "RMSNormalization")
"""Operators that engines run differently from their definition."""


def _remarks(node: Node, answer: Answer | None) -> Sequence[str]:
    """Return the remarks on a node, and on its answer if there is one."""
    remarks = [*node.remarks]
    if answer and node.question_name in _WITH_NOTES:
        remarks += (note.text for note in answer.question.notes(answer))
    return remarks
