"""The findings on a model: its nodes with their answers, remarks, and the counts."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from bcastcli.core import conditions
from bcastcli.core.answer import Answer
from bcastcli.core.limits import Limit, impose
from bcastcli.core.shapes import UNKNOWN_RANK, Shape, written
from bcastcli.models.nodes import Model, Node
from bcastcli.operators import nodes
from bcastcli.operators.operators import is_aligned_otherwise
from bcastcli.operators.undecided import Undecided


class Verdict(StrEnum):
    """The verdict on a node."""

    YES = "yes"
    NO = "no"
    DEPENDS = "depends"
    """On sizes that the model leaves open."""
    UNDECIDED = "undecided"
    """The file does not say enough."""
    MALFORMED = "malformed"


class Finding(NamedTuple):
    """A node, and what is known of it."""

    node: Node
    label: str
    """The node's name, with the path of its graph in front, as it can be shown."""
    line: str
    """The question, as `bcastcli op -` reads it."""
    verdict: Verdict
    answer: Answer | None
    """None of a node that cannot be asked."""
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


Ask = Callable[[str, int | None], Answer | str]
"""Returns the answer to a line in an opset, or what is wrong with it."""
Escape = Callable[[str], str]
"""Returns a name from a file with unprintable characters escaped."""


def findings(model: Model, ask: Ask, escape: Escape, limits: Sequence[Limit] = ()) -> list[Finding]:
    """Return what is known of each node of a model."""
    known: dict[tuple[str, int | None], Answer | str] = {}
    found = []
    for node in model.nodes:
        key = nodes.line(node), node.opset
        if key not in known:
            known[key] = _within(limits, ask(*key))
        found.append(_finding(node, key[0], known[key], model.sizes, escape))
    return found


def _within(limits: Sequence[Limit], answer: Answer | str) -> Answer | str:
    # What is not decided has no result to refuse.
    return answer if isinstance(answer, (str, Undecided)) else impose(limits, answer)


def _finding(
    node: Node,
    line: str,
    answer: Answer | str,
    sizes: Sequence[str],
    escape: Escape,
) -> Finding:
    node = node._replace(operator=escape(node.operator))
    path = f"{node.graph}/" if node.graph else ""
    label = escape(f"{path}{node.label}")
    if isinstance(answer, str):
        reason = escape(node.problem) or answer
        remarks = _remarks(node, None, escape)
        return Finding(node, label, line, Verdict.MALFORMED, None, reason, "", remarks)
    verdict, reason, when = Verdict.YES, "", ""
    if answer.reason:
        verdict, reason = Verdict.NO, answer.reason.text
    elif isinstance(answer, Undecided):
        verdict, when = Verdict.UNDECIDED, escape(node.undecidable) or str(answer.when)
    elif answer.ok is None:
        clauses = _of_sizes(answer, sizes)
        verdict = Verdict.DEPENDS if clauses else Verdict.UNDECIDED
        when = conditions.written(clauses) if clauses else str(answer.when)
    remarks = _remarks(node, None if verdict is Verdict.UNDECIDED else answer, escape)
    return Finding(node, label, line, verdict, answer, reason, when, remarks)


def _of_sizes(answer: Answer, sizes: Sequence[str]) -> conditions.Condition:
    """Return the clauses of a condition that name only sizes of the model."""
    return tuple(
        clause for clause in answer.condition if {*conditions.names_in((clause,))} <= {*sizes}
    )


def _remarks(node: Node, answer: Answer | None, escape: Escape) -> tuple[str, ...]:
    remarks = [*node.remarks]
    if answer is not None and answer.all_stretch:
        both = "both" if len(answer.operands) == 2 else "all"
        remarks.append(f"{both} operands stretch")
    if node.options.get("broadcast"):
        remarks.append("the attribute broadcast=1, as before opset 7")
    given, slope = node.inputs if len(node.inputs) == 2 else (None, None)
    if node.asked == "PRelu" and given and slope and is_aligned_otherwise(given, slope):
        remarks.append("OpenVINO aligns a slope of one axis with axis 1: other values")
    remarks += (
        f"the file declares {escape(value)} as {written(declared)}, "
        f"its inputs make it {written(found)}"
        for value, declared, found in node.contradictions
    )
    return tuple(remarks)


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
    total = f"{len(found):,} node{'s' if len(found) != 1 else ''}"
    opset = f"opset {model.opset}, " if model.opset else ""
    if not found:
        return f"{opset}no node broadcasts"
    if count[Verdict.YES] == len(found):
        kinds = Counter(_kind(each) for each in found)
        parts = ", ".join(f"{kinds[kind]:,} {kind}" for kind in _KINDS if kinds[kind])
        return f"{opset}{total}: all broadcast: {parts}"
    said = (
        _counted(count[Verdict.YES], "broadcasts", "broadcast"),
        _counted(count[Verdict.NO], "does not", "do not"),
        _counted(
            count[Verdict.DEPENDS], "depends on sizes of the model", "depend on sizes of the model"
        ),
        _counted(count[Verdict.UNDECIDED], "is not decided", "are not decided"),
        _counted(count[Verdict.MALFORMED], "is invalid", "are invalid"),
    )
    return f"{opset}{total}: {', '.join(filter(None, said))}"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}" if count else ""


_EQUAL, _ONE_ELEMENT, _ONE_STRETCHES, _ALL_STRETCH = _KINDS = (
    "equal shapes",
    "with one element",
    "where one stretches",
    "where all stretch",
)


def _kind(finding: Finding) -> str:
    """Return how a node broadcasts."""
    shapes = [each for each in finding.node.inputs if each is not None]
    if len({*shapes}) <= 1:
        return _EQUAL
    if any(all(size == 1 for size in shape) for shape in shapes):
        return _ONE_ELEMENT
    is_wide = finding.answer is not None and finding.answer.all_stretch
    return _ALL_STRETCH if is_wide else _ONE_STRETCHES


def notes(model: Model, found: Sequence[Finding], command: str) -> Iterator[str]:
    """Yield what there is to say of the whole model; `command` is what reads it."""
    yield from model.remarks
    count = sum(each.verdict is Verdict.UNDECIDED for each in found)
    if not count:
        return
    these = f"{count:,} node{'s are' if count > 1 else ' is'} not decided"
    if any(each.verdict is Verdict.NO for each in found):
        yield f"{these}: what comes after a mismatch has no shape"
    elif model.sizes:
        values = " ".join(f"{name}={number}" for number, name in enumerate(model.sizes, 1))
        yield f"{these}, as inference leaves sizes open; give some: {command} {values}"
    else:
        why = dict.fromkeys(each.when for each in found if each.verdict is Verdict.UNDECIDED)
        first = next(iter(why))
        yield (
            f"{these}: {_UNLESS[model.format]}" if model.format in _UNLESS else f"{these}: {first}"
        )


_UNLESS = {
    "onnx": "inference leaves shapes open",
    "openvino": "the file leaves sizes open; reshape the model, and save it again",
    "pnnx": "the file lacks shapes; run pnnx with an inputshape",
}


# Formats


def table(
    model: Model, found: Sequence[Finding], command: str, *, everything: bool, color: bool
) -> Iterator[str]:
    """Yield the lines of the table: nodes worth a look, or all of them, notes, and the counts."""
    shown = [each for each in found if everything or each.is_worth_a_look]
    if shown:
        rows = [("node", "operator", "inputs", "answer"), *map(_row, shown)]
        inputs = _aligned([_inputs(each) for each in shown])
        texts = ["inputs", *inputs]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        width = max(map(len, texts))
        for (label, operator, _, answer), text, finding in zip(
            rows, texts, (None, *shown), strict=True
        ):
            start = f"{label:<{widths[0]}}  {operator:<{widths[1]}}  {text:<{width}}  {answer}"
            yield _painted(start.rstrip(), finding, color=color)
    for note in notes(model, found, command):
        yield f"note  {note}"
    yield summary(model, found)


_COLORS = {Verdict.NO: "31", Verdict.MALFORMED: "31", Verdict.DEPENDS: "33"}


def _painted(text: str, finding: Finding | None, *, color: bool) -> str:
    code = _COLORS.get(finding.verdict) if finding and color else None
    return f"\x1b[{code}m{text}\x1b[0m" if code else text


def _row(finding: Finding) -> tuple[str, str, str, str]:
    return finding.label, finding.node.operator, "", _said(finding)


def _inputs(finding: Finding) -> list[str]:
    return [_written(shape) for shape in finding.node.inputs]


def _written(shape: Shape | None) -> str:
    return written(UNKNOWN_RANK if shape is None else shape)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the shapes of each row, the first two below each other."""
    width = max((len(row[0]) for row in rows if len(row) > 1), default=0)
    return [
        "  ".join((f"{row[0]:<{width}}", *row[1:])) if len(row) > 1 else "".join(row)
        for row in rows
    ]


def _said(finding: Finding) -> str:
    """Return the answer of a node, and what is worth a look."""
    return "  ".join((answered(finding), *finding.remarks))


def answered(finding: Finding, *, whole: bool = False) -> str:
    """Return the answer of a node as text; with the whole condition, or the model's part of it."""
    if finding.verdict is Verdict.MALFORMED:
        return f"error: {finding.reason}"
    if finding.verdict is Verdict.NO:
        return f"mismatch: {finding.reason}"
    result = finding.answer.result if finding.answer else None
    text = "..." if result is None else written(result)
    if not finding.when:
        return text
    when = finding.answer.when if whole and finding.answer else finding.when
    return f"{text} when {when}"


def plain(found: Sequence[Finding], *, everything: bool) -> Iterator[str]:
    """Yield a line for each node worth a look, or for all."""
    for each in found:
        if everything or each.is_worth_a_look:
            yield f"{answered(each, whole=True)} # {each.label}"


def questions(found: Sequence[Finding]) -> Iterator[str]:
    """Yield the questions, as `bcastcli op -` reads them."""
    for each in found:
        yield f"{each.line} # {each.label}"


TSV_HEADS = ("operator", "operands", "ok", "result", "when", "reason", "label")


def tsv(found: Sequence[Finding]) -> Iterator[str]:
    """Yield a header, and a row for each node."""
    yield "\t".join(TSV_HEADS)
    for each in found:
        result = each.answer.result if each.answer else None
        ok = {Verdict.YES: "true", Verdict.NO: "false", Verdict.MALFORMED: "error"}
        yield "\t".join(
            (
                each.node.operator,
                " ".join(_inputs(each)),
                ok.get(each.verdict, "null"),
                "" if result is None else written(result),
                (each.answer.when if each.answer else "") or "",
                each.reason,
                each.label,
            )
        )


def records(model: Model, found: Sequence[Finding]) -> Iterator[Mapping[str, object]]:
    """Yield a record for each node, and last one for the model."""
    for each in found:
        yield {**_record(each), "label": each.label, **_about(each)}
    count = Counter(each.verdict for each in found)
    yield {
        "model": {
            "format": model.format,
            "opset": model.opset,
            "sizes": [*model.sizes],
            "notes": [*model.remarks],
        },
        "nodes": len(found),
        **{verdict.value: count[verdict] for verdict in Verdict},
    }


def _record(finding: Finding) -> Mapping[str, object]:
    from bcastcli.reports.records import record  # loads json, which takes a while

    if finding.answer is None:
        return {"input": finding.line, "error": finding.reason}
    return record(finding.answer)


def _about(finding: Finding) -> Mapping[str, object]:
    node = finding.node
    return {
        "operator": node.operator,
        "verdict": finding.verdict.value,
        "node": {
            "graph": node.graph,
            "index": node.place,
            "name": node.name,
            "output": node.output,
        },
        "constant": [*node.constant],
        "remarks": [*finding.remarks],
    }
