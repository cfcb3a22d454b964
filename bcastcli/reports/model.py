"""The findings on a model: its nodes with their answers, remarks, and the counts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from bcastcli.core import conditions
from bcastcli.core.answer import Answer
from bcastcli.core.limits import Limit, impose
from bcastcli.core.rule import Reason
from bcastcli.core.shapes import UNKNOWN_RANK, written
from bcastcli.models.nodes import Contradiction, Model, Node, contradict
from bcastcli.operators import questions
from bcastcli.operators.questions import Undecided
from bcastcli.operators.table import OperatorError
from bcastcli.render import Report
from bcastcli.render.sheet import Cell, Grid, Line, Row, Sheet, Tone
from bcastcli.reports.verdicts import OK, verdict


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


def findings(model: Model, limits: Sequence[Limit] = ()) -> list[Finding]:
    """Return the finding on each node of a model, in order."""
    known: dict[object, Answer | OperatorError] = {}

    def find(node: Node) -> Finding:
        options = tuple(node.options.items())
        key = node.question_name, node.inputs, options, node.opset, bool(node.undecidable)
        if key not in known:
            known[key] = _answer(node, limits)
        return _finding(node, known[key], model.sizes)

    found = list(map(find, model.nodes))
    behind = _behind(model, found)
    return [
        find(each.node._replace(inputs=(None,) * len(each.node.inputs)))
        if each.node.number in behind
        else each
        for each in found
    ]


def _behind(model: Model, found: Sequence[Finding]) -> set[int]:
    """Return the nodes that need the output of one that does not broadcast, by their numbers."""
    stopped = {
        each.node.number
        for each in found
        if each.answer and each.answer.reason and each.answer.reason.kind in _OF_RULES
    }
    behind: set[int] = set()
    for number, needs in enumerate(model.needs) if stopped else ():
        if not (stopped.isdisjoint(needs) and behind.isdisjoint(needs)):
            behind.add(number)
    return behind


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
    label = f"{node.graph}/{node.label}" if node.graph else node.label
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


def _remarks(node: Node, answer: Answer | None) -> tuple[str, ...]:
    """Return the remarks on a node, and on its answer if there is one."""
    remarks = [*node.remarks]
    if answer is not None and answer.growth_shapes:
        both = "both" if len(answer.operands) == 2 else "all"
        remarks.append(f"{both} operands stretch")
    if node.options.get("broadcast"):
        remarks.append("the attribute broadcast=1, as before opset 7")
    if answer is not None and node.question_name == "PRelu":
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


def status(found: Sequence[Finding]) -> int:
    """Return the exit status: 2 before 1, 1 before 3."""
    verdicts = {each.verdict for each in found}
    if Verdict.MALFORMED in verdicts:
        return 2
    if Verdict.NO in verdicts:
        return 1
    return 3 if verdicts - {Verdict.YES} else 0


def summary(model: Model, found: Sequence[Finding]) -> str:
    """Return the counts in one line."""
    count = Counter(each.verdict for each in found)
    opset = f"opset {model.opset}, " if model.opset else ""
    if not found:
        return f"{opset}no broadcasting nodes"
    is_one = len(found) == 1
    if count[Verdict.YES] == len(found):
        kinds = Counter(map(_kind, found))
        if is_one:
            return f"{opset}1 node: it broadcasts, {next(iter(kinds))}"
        parts = ", ".join(f"{kinds[kind]:,} {kind}" for kind in _KINDS if kinds[kind])
        return f"{opset}{len(found):,} nodes: all broadcast: {parts}"
    said = []
    for each, (one, many) in _COUNTED.items():
        if number := count[each]:
            said.append(f"{'it' if is_one else f'{number:,}'} {one if number == 1 else many}")
    return f"{opset}{len(found):,} node{'' if is_one else 's'}: {', '.join(said)}"


_COUNTED = {
    Verdict.YES: ("broadcasts", "broadcast"),
    Verdict.NO: ("does not broadcast", "do not"),
    Verdict.DEPENDS: (
        "depends on sizes left open by the model",
        "depend on sizes left open by the model",
    ),
    Verdict.UNDECIDED: ("is undecided", "are undecided"),
    Verdict.MALFORMED: ("is invalid", "are invalid"),
}
_EQUAL, _ONE_ELEMENT, _NONE_STRETCHES, _ONE_STRETCHES, _ALL_STRETCH = _KINDS = (
    "with equal shapes",
    "with a one-element operand",
    "where no operand stretches",
    "where one operand stretches",
    "where all operands stretch",
)


def _kind(finding: Finding) -> str:
    """Return how a node broadcasts."""
    answer = finding.answer
    shapes = [each.shape for each in answer.question.inputs] if answer else []
    if len({*shapes}) <= 1:
        return _EQUAL
    if any(all(size == 1 for size in shape) for shape in shapes):
        return _ONE_ELEMENT
    if answer and answer.axes and not any(axis.stretched for axis in answer.axes):
        return _NONE_STRETCHES
    return _ALL_STRETCH if answer and answer.growth_shapes else _ONE_STRETCHES


def notes(model: Model, found: Sequence[Finding], command: str) -> Iterator[str]:
    """Yield the notes on the whole model; `command` is the command line that reads it."""
    yield from model.remarks
    undecided = [each for each in found if each.verdict is Verdict.UNDECIDED]
    if not undecided:
        return
    count = len(undecided)
    these = f"{count:,} node{'s are' if count > 1 else ' is'} undecided"
    if any(each.verdict is Verdict.NO for each in found):
        yield f"{these}: shapes are unknown after a mismatch"
    elif model.sizes:
        values = " ".join(f"{name}={number}" for number, name in enumerate(model.sizes, 1))
        yield f"{these}: inference left some sizes open; set them: {command} {values}"
    else:
        yield f"{these}: {_UNLESS.get(model.format) or undecided[0].when}"


_UNLESS = {
    "onnx": "inference leaves shapes open",
    "openvino": "the file leaves sizes open; reshape the model, and save it again",
    "pnnx": "the file lacks shapes; run pnnx with an inputshape",
}


# The report


_OK = {Verdict.YES: OK[True], Verdict.NO: OK[False], Verdict.MALFORMED: "error"}
_TONES = {Verdict.NO: Tone.CLASH, Verdict.MALFORMED: Tone.CLASH, Verdict.DEPENDS: Tone.DEPENDS}


class ModelReport(Report):
    """The nodes of a model that are worth a look, or all of them, and the counts."""

    HEADS = ("operator", "operands", "ok", "result", "when", "reason", "label")

    def __init__(
        self, model: Model, found: Sequence[Finding], command: str, *, everything: bool
    ) -> None:
        """Also take the command line that reads the model, for the note on open sizes."""
        self._model = model
        self._found = found
        self._shown = [each for each in found if everything or each.is_worth_a_look]
        self._command = command

    def lines(self) -> Sequence[str]:
        """Return a line for each node that is shown."""
        return [f"{answered(each, whole=True)} # {each.label}" for each in self._shown]

    def questions(self) -> Iterator[str]:
        """Yield the question of each node, as `bcastcli op -` reads it."""
        for each in self._found:
            yield f"{each.line} # {each.label}"

    def rows(self) -> Sequence[Sequence[str]]:
        """Return a row for each node."""
        return list(map(_cells, self._found))

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return a record for each node, and at the end one for the model."""
        model = self._model
        count = Counter(each.verdict for each in self._found)
        counts = {
            "model": {
                "format": model.format,
                "opset": model.opset,
                "sizes": [*model.sizes],
                "notes": [*model.remarks],
            },
            "nodes": len(self._found),
            **{each.value: count[each] for each in Verdict},
        }
        return [*map(_record, self._found), counts]

    def sheet(self) -> Sheet:
        """Return the nodes that are shown, the notes, and last the counts."""
        head = tuple(map(Cell, ("node", "operator", "inputs", "", "answer")))
        rows = tuple(map(_row, self._shown))
        table = [Grid((head,), (rows,))] if rows else []
        remarks = notes(self._model, self._found, self._command)
        counts = summary(self._model, self._found)
        lines = [*(Line("note", each, Tone.NOTE) for each in remarks), Line("", counts)]
        return Sheet("Model", counts, (*table, *lines))


def _row(finding: Finding) -> Row:
    first, *others = *_inputs(finding), ""
    said = "  ".join((answered(finding), *finding.remarks))
    texts = finding.label, finding.node.operator, first, "  ".join(others).rstrip(), said
    return tuple(Cell(text, _TONES.get(finding.verdict, Tone.PLAIN)) for text in texts)


def _cells(finding: Finding) -> Sequence[str]:
    result = finding.answer.result if finding.answer else None
    return (
        finding.node.operator,
        " ".join(_inputs(finding)),
        _OK.get(finding.verdict, OK[None]),
        "" if result is None else written(result),
        (finding.answer.when if finding.answer else "") or "",
        finding.reason,
        finding.label,
    )


def _inputs(finding: Finding) -> list[str]:
    return [written(UNKNOWN_RANK if shape is None else shape) for shape in finding.node.inputs]


def answered(finding: Finding, *, whole: bool = False) -> str:
    """Return the answer of a node as text; with the whole condition, or the model's part of it."""
    if finding.verdict is Verdict.MALFORMED:
        return f"error: {finding.reason}"
    if finding.verdict is Verdict.NO:
        return f"mismatch: {finding.reason}"
    if whole and finding.answer is not None:
        return verdict(finding.answer)
    result = finding.answer.result if finding.answer else None
    text = "..." if result is None else written(result)
    return f"{text} when {finding.when}" if finding.when else text


def _record(finding: Finding) -> Mapping[str, object]:
    from bcastcli.reports.records import record  # loads json, which takes a while

    node = finding.node
    asked = {"input": finding.line, "error": finding.reason}
    return {
        **(record(finding.answer) if finding.answer else asked),
        "label": finding.label,
        "operator": node.operator,
        "verdict": finding.verdict.value,
        "node": {
            "graph": node.graph,
            "index": node.position,
            "name": node.name,
            "output": node.output,
        },
        "constant": [*node.constant],
        "remarks": [*finding.remarks],
    }
