"""The findings on a model: its nodes with their answers, and where it stops."""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import NamedTuple

from bcastcli.core import conditions
from bcastcli.core.answer import Answer
from bcastcli.core.limits import Limit, impose
from bcastcli.core.rule import Reason
from bcastcli.core.shapes import UNKNOWN_RANK, Shape, written
from bcastcli.models.nodes import Contradiction, Model, Node, Stop, contradict
from bcastcli.operators import questions
from bcastcli.operators.questions import Undecided
from bcastcli.operators.table import OperatorError


class Verdict(StrEnum):
    """The verdict on a node."""

    YES = "yes"
    NO = "no"
    DEPENDS = "depends"
    """On sizes that the model leaves open."""
    UNDECIDED = "undecided"
    """The file lacks information."""
    MALFORMED = "malformed"


class Finding(NamedTuple):
    """A node, with its answer and remarks."""

    node: Node
    label: str
    """The node's name, with the path of its graph in front, as the file has it."""
    verdict: Verdict
    answer: Answer | None
    """None for a node that asks no question."""
    reason: str
    """Why not, or what is wrong with the node; empty for others."""
    when: str
    """The condition on the model's sizes, or what else is missing; empty for yes and no."""
    remarks: tuple[str, ...]
    """Remarks besides the verdict."""
    behind: str = ""
    """The label of the node whose output it lacks, where that is why it is undecided."""

    @property
    def result(self) -> Shape | None:
        """The shape of the node's output, where it is known."""
        own = self.answer.result if self.answer else None
        return own if own is None or self.node.result is None else self.node.result

    @property
    def is_worth_a_look(self) -> bool:
        """Whether it is more than a plain yes, and more than a lack of knowledge."""
        is_plain = self.verdict in (Verdict.YES, Verdict.UNDECIDED)
        return not is_plain or bool(self.remarks)

    @property
    def line(self) -> str:
        """The question as `bcastcli op -` reads it, or a line that is as malformed as the node."""
        if self.answer is not None:
            return questions.line(self.answer.question)
        node = self.node
        shapes = (written(UNKNOWN_RANK if each is None else each) for each in node.inputs)
        return " ".join((node.question_name, *shapes, *((NOT_A_QUESTION,) if node.problem else ())))


NOT_A_QUESTION = "-"
"""The end of the line of a node that asks no question: it is no shape."""


class Stopped(NamedTuple):
    """A node at which the model stops, and why."""

    stop: Stop
    label: str

    @property
    def text(self) -> str:
        """Where it stops, in words: `/Concat (Concat)`."""
        return f"{self.label} ({self.stop.node.operator})"


STRETCH = "stretch"
"""An operand stretches; other choices are verdicts."""


class Filter(NamedTuple):
    """The nodes to choose; what is empty leaves none out."""

    only: str = ""
    """A verdict, or STRETCH."""
    operators: frozenset[str] = frozenset()
    """In lower case."""
    name: str = ""
    """A pattern for their labels, with `*`, `?` and `[]`."""

    def takes(self, finding: Finding) -> bool:
        """Return whether a node is chosen."""
        if self.only == STRETCH:
            axes = (finding.answer and finding.answer.axes) or ()
            is_found = finding.verdict is Verdict.YES and any(axis.stretched for axis in axes)
        else:
            is_found = self.only in ("", finding.verdict)
        return is_found and self._fits(finding.node.operator, finding.label)

    def takes_stop(self, stopped: Stopped) -> bool:
        """Return whether a node at which the model stops is chosen."""
        is_found = self.only in ("", Verdict.NO)
        return is_found and self._fits(stopped.stop.node.operator, stopped.label)

    def _fits(self, operator: str, label: str) -> bool:
        is_named = not self.name or fnmatchcase(label, self.name)
        return is_named and (not self.operators or operator.lower() in self.operators)


class Findings(NamedTuple):
    """What is found of a model."""

    model: Model
    nodes: Sequence[Finding]
    """One for each node that broadcasts, in order."""
    stops: Sequence[Stopped]
    """The nodes at which it stops, in order; none of them needs the output of another."""
    possible_stops: Sequence[Stopped] = ()
    """Those in branches and loops that run only with some data of an input."""

    @property
    def status(self) -> int:
        """The exit status: 2 before 1, 1 before 3."""
        verdicts = {each.verdict for each in self.nodes}
        if Verdict.MALFORMED in verdicts:
            return 2
        if self.stops or Verdict.NO in verdicts:
            return 1
        return 3 if self.possible_stops or verdicts - {Verdict.YES} else 0


def find(model: Model, limits: Sequence[Limit] = ()) -> Findings:
    """Return what is found of a model, with limits on its results."""
    known: dict[object, Answer | OperatorError] = {}

    def finding(node: Node) -> Finding:
        options = tuple(node.options.items())
        key = node.question_name, node.inputs, options, node.opset, bool(node.undecidable)
        if key not in known:
            known[key] = _answer(node, limits)
        return _finding(node, known[key], model.sizes)

    def unknown(each: Finding, behind: str) -> Finding:
        inputs = (None,) * len(each.node.inputs)
        node = each.node._replace(inputs=inputs, contradictions=(), declared=None)
        return finding(node)._replace(behind=behind)

    found = [_with_names(each) for each in map(finding, model.nodes)]
    stops = [Stopped(stop, _label(stop.node)) for stop in model.stops]
    numbers = {each.stop.node.number for each in stops}
    stops += [
        _stopped(each)
        for each in found
        if each.answer and each.answer.reason and each.answer.reason.kind in _OF_RULES
        if each.node.number not in numbers or each.node.number < 0
    ]
    labels = {each.stop.node.number: each.text for each in stops if each.stop.node.number >= 0}
    behind = _behind(model, labels)
    stops = [each for each in stops if each.stop.node.number not in behind]
    numbers -= behind.keys()
    foreign = {number: f"{label} of {domain}" for number, label, domain in model.foreign}
    after = _behind(model, foreign)
    for place, each in enumerate(found):
        number = each.node.number
        if number in behind or number in numbers:
            found[place] = unknown(each, behind.get(number, ""))
        elif number in after and each.verdict is Verdict.UNDECIDED:
            found[place] = each._replace(behind=after[number])
        elif number in model.may_not_run and each.verdict is Verdict.NO:
            found[place] = each._replace(verdict=Verdict.UNDECIDED, when=each.reason)
    stops.sort(key=lambda each: each.stop.node.number)
    return Findings(
        model,
        found,
        [each for each in stops if each.stop.node.number not in model.may_not_run],
        [each for each in stops if each.stop.node.number in model.may_not_run],
    )


def _behind(model: Model, labels: Mapping[int, str]) -> dict[int, str]:
    """Return the nodes that need the output of one of these, with the label of the first one."""
    behind: dict[int, str] = {}
    first: dict[int, int] = {number: number for number in labels}
    for number, each in enumerate(model.needs if labels else ()):
        sources = [first[needed] for needed in each if needed in first]
        if number not in model.may_not_run:  # nor may what stops there
            sources = [source for source in sources if source not in model.may_not_run]
        if sources:
            first[number] = min(sources)
            behind[number] = labels[first[number]]
    return behind


def _with_names(finding: Finding) -> Finding:
    """Return the finding on a node that does not broadcast with its operands' names."""
    node, answer = finding.node, finding.answer
    if not (answer and answer.reason and answer.reason.kind in _OF_RULES and any(node.names)):
        return finding
    names = _operand_names(node)
    named = questions.answer(
        questions.of_node(node.question_name, node.inputs, node.options, node.opset, names)
    )
    text = finding.reason if named.reason is None else named.reason.text
    return finding._replace(answer=named, reason=text)


def _operand_names(node: Node) -> tuple[str, ...]:
    """Return a node's inputs' names, each once."""
    times = Counter(node.names)
    return tuple(
        name if name and times[name] == 1 else f"{name or 'input'}[{place}]"
        for place, name in enumerate(node.names)
    )


def _stopped(finding: Finding) -> Stopped:
    """Return the stop at a node that does not broadcast."""
    axes = (finding.answer and finding.answer.axes) or ()
    clashing = [axis.number for axis in axes if axis.conflict]
    stop = Stop(finding.node, finding.reason, clashing[-1] if clashing else None)
    return Stopped(stop, finding.label)


def _label(node: Node) -> str:
    """Return a node's label, with the path of its graph in front."""
    return f"{node.graph}/{node.label}" if node.graph else node.label


_OF_RULES = ("sizes", "rank", "fit", "names")
"""The kinds of reasons for which there is no result; what a limit refuses has one."""


def _answer(node: Node, limits: Sequence[Limit]) -> Answer | OperatorError:
    """Return the answer to a node's question, or why it asks none."""
    inputs = (None,) * len(node.inputs) if node.undecidable else node.inputs
    try:
        question = questions.of_node(node.question_name, inputs, node.options, node.opset)
    except OperatorError as error:
        return error
    answer = questions.answer(question)
    # An undecided answer has no result to refuse.
    return answer if isinstance(answer, Undecided) else impose(limits, answer)


def _finding(node: Node, answer: Answer | OperatorError, sizes: Sequence[str]) -> Finding:
    label = _label(node)
    if isinstance(answer, OperatorError) or node.problem:
        reason = node.problem or str(answer)
        return Finding(node, label, Verdict.MALFORMED, None, reason, "", _remarks(node, None))
    verdict, reason, when = Verdict.YES, "", ""
    contradictions = _contradictions(node, answer)
    broken = [text for text, is_promise in contradictions if is_promise]
    if broken and answer.reason is None:
        verdict, reason = Verdict.NO, "; ".join(broken)
        declared = Reason("declared", reason)
        if not isinstance(answer, Undecided):
            answer = impose([lambda _: declared], answer)
    elif isinstance(answer, Undecided):
        verdict, when = Verdict.UNDECIDED, node.undecidable or answer.missing
    elif answer.reason:
        verdict, reason = Verdict.NO, answer.reason.text
    elif answer.ok is None:
        clauses = _of_sizes(answer, sizes)
        verdict = Verdict.DEPENDS if clauses else Verdict.UNDECIDED
        when = conditions.to_python(clauses) if clauses else str(answer.when)
    remarks = _remarks(node, None if verdict is Verdict.UNDECIDED else answer)
    remarks += tuple(text for text, is_promise in contradictions if not is_promise)
    return Finding(node, label, verdict, answer, reason, when, remarks)


def _of_sizes(answer: Answer, sizes: Sequence[str]) -> conditions.Condition:
    """Return the clauses of a condition that name only sizes of the model."""
    return tuple(
        clause for clause in answer.condition if {*conditions.names_in((clause,))} <= {*sizes}
    )


_WITH_NOTES = ("Attention", "LayerNormalization", "PRelu", "RMSNormalization")
"""Operators that engines run otherwise than they are defined."""


def _remarks(node: Node, answer: Answer | None) -> tuple[str, ...]:
    """Return the remarks on a node, and on its answer if there is one."""
    remarks = [*node.remarks]
    if answer is not None and answer.growth_shapes:
        both = "both" if len(answer.operands) == 2 else "all"
        remarks.append(f"{both} operands stretch")
    if node.options.get("broadcast"):
        remarks.append("the attribute broadcast=1, as before opset 7")
    if answer is not None and node.question_name in _WITH_NOTES:
        remarks += (note.text for note in answer.question.notes(answer))
    return tuple(remarks)


def _contradictions(node: Node, answer: Answer) -> list[tuple[str, bool]]:
    """Return the declared shapes that the inputs contradict, and whether engines enforce each."""
    declared, result = node.declared, answer.result
    found = [*node.contradictions]
    if declared is not None and result is not None and contradict(declared, result):
        found.append(Contradiction(node.output, declared, result))
    told = []
    for value, shape, other, is_promise in found:
        text = f"the file declares {value} as {written(shape)}, "
        told.append((f"{text}its inputs make it {written(other)}", is_promise))
    return told


# Counting
