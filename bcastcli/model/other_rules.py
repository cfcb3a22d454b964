"""The nodes of a model under other rules, each compared with its operator's own rule."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bcastcli.compare.batch import BATCH, asks_ncnn
from bcastcli.compare.comparison import Comparison
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Rule, whole
from bcastcli.core.shapes import UNKNOWN_RANK, Shape, Size
from bcastcli.model.findings import Finding, Findings
from bcastcli.operators.operator import OperatorQuestion
from bcastcli.operators.operators import ListedOnly
from bcastcli.rules import RULES
from bcastcli.rules.frameworks import RULE_OF, adds_leading_axes


class Compared(NamedTuple):
    """A node under its own rule and another one."""

    finding: Finding
    comparison: Comparison
    engine: tuple[str, ...]
    """How the framework that named the rule treats the operator differently."""
    shapes: tuple[Shape, ...]
    """The shapes of the node's inputs; the compared operands may have more leading axes."""

    @property
    def standing(self) -> str:
        """The outcome: `agree`, `differ`, `depends` on unknown sizes, or `undecided`."""
        if self.engine or self.comparison.ok is False:
            return "differ"
        if self.comparison.ok:
            return "agree"
        return "depends" if self.comparison.is_decided else "undecided"

    @property
    def with_leading_axes(self) -> bool:
        """Whether operands got the leading axes that they lack."""
        return [len(shape) for _, shape in self.comparison.operands] != [*map(len, self.shapes)]

    @property
    def notes(self) -> Iterator[str]:
        """The notes on the other rule's answer, except on ncnn's batch axis."""
        yield from self.engine
        for note in self.comparison.notes:
            if note.kind != "layout":
                yield note.text
        other = self.comparison.rows[-1].answer
        if self.comparison.blobs:  # notes are on what ncnn has
            rule, options = RULES[other.rule.name], other.question.options
            other = Question(rule, self.comparison.blobs, options).answer()
        for note in other.notes:
            first = note.text.partition(" ")[0].lower()
            if note.kind == "engine" and RULE_OF.get(first, other.rule.name) == other.rule.name:
                yield note.text


class Under(NamedTuple):
    """The nodes of a model under another rule."""

    word: str
    """The rule as it was typed."""
    nodes: Sequence[Compared]
    not_asked: Mapping[str, Sequence[Finding]]
    """The other nodes, by the reason why they are skipped."""

    @property
    def numbers(self) -> dict[str, int]:
        """How many nodes agree, differ and so on."""
        count = Counter(each.standing for each in self.nodes)
        unknown = len(self.not_asked.get(_UNKNOWN_SHAPES, ()))
        count["undecided"] += unknown
        count["not_compared"] = sum(map(len, self.not_asked.values())) - unknown
        return {each: count[each] for each in _STANDINGS}


_STANDINGS = ("agree", "differ", "depends", "undecided", "not_compared")
_UNKNOWN_SHAPES = "unknown shapes"


def compare(
    found: Findings, nodes: Sequence[Finding], other: Rule, word: str, *, keeps_batch: bool
) -> Under:
    """Return the nodes compared under their own rules and another one, typed as `word`."""
    is_onnx, chosen = found.model.format == "onnx", found.model.chosen
    known: dict[object, Comparison] = {}
    compared: list[Compared] = []
    not_asked: dict[str, list[Finding]] = {}
    for finding in nodes:
        answer = finding.answer
        why = _why_not(answer, other, word)
        if why or answer is None:
            not_asked.setdefault(why, []).append(finding)
            continue
        question = answer.question
        operands, own = question.inputs, question.rule
        shapes = tuple(shape for _, shape in operands)
        pads = is_onnx and adds_leading_axes(word) and len(set(map(len, shapes))) > 1
        if pads and own.missing_axes == "leading":
            operands = _in_full_rank(operands)
        if asks_ncnn([other]):
            operands = _with_batch(operands, chosen)
        axis = question.options.get("axis")
        key = own, operands, axis
        if key not in known:
            rules = {own: own.name, other: word}
            at = None if axis is None else whole(axis)
            known[key] = Comparison(operands, rules, at, keeps_batch=keeps_batch)
        compared.append(Compared(finding, known[key], tuple(_of_engine(answer, word)), shapes))
    return Under(word, compared, not_asked)


def _why_not(answer: Answer | None, other: Rule, word: str) -> str:
    """Return why a node is skipped; empty if another rule can answer it."""
    if answer is None or not _is_elementwise(answer.question):
        return "not elementwise"
    operands = answer.question.inputs
    if any(each.shape == UNKNOWN_RANK for each in operands):
        return _UNKNOWN_SHAPES
    if not other.accepts_count(len(operands)):
        return f"{word} does not take {len(operands)} operands"
    return ""


def _is_elementwise(question: Question) -> bool:
    """Return whether another rule can answer it: a rule's own question, or an elementwise one."""
    if not isinstance(question, OperatorQuestion):
        return len(question.operands) > 1
    own = question.operator
    is_elementwise = own.is_elementwise and not isinstance(own, ListedOnly)
    return is_elementwise and not own.rule.second_is_target and len(question.inputs) > 1


def _with_batch(operands: Sequence[Operand], chosen: Mapping[str, int]) -> tuple[Operand, ...]:
    """Return operands of three axes, the given batch size replaced by its name."""
    names: dict[Size, Size] = {n: name for name, n in chosen.items() if BATCH.fullmatch(name)}
    if max(len(shape) for _, shape in operands) != _WITH_BATCH:
        return tuple(operands)
    return tuple(
        Operand(name, tuple(names.get(size, size) for size in shape[:-2]) + shape[-2:])
        for name, shape in operands
    )


_WITH_BATCH = 3
"""The rank at which axis 0 is the batch only if its size has a batch's name."""


def _in_full_rank(operands: Sequence[Operand]) -> tuple[Operand, ...]:
    rank = max(len(shape) for _, shape in operands)
    return tuple(Operand(name, (1,) * (rank - len(shape)) + shape) for name, shape in operands)


def _of_engine(answer: Answer, word: str) -> Iterator[str]:
    """Yield the operator's notes that name the framework, which runs it differently."""
    for note in answer.question.notes(answer):
        if note.kind == "engine" and note.text.lower().startswith(f"{word} "):
            yield note.text
