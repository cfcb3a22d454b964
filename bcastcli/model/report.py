"""The report on a model: its nodes with their answers, where it stops, and the counts.

A model with several sizes has another: a line for each combination, and the first that fails.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bcastcli.model.findings import (
    Finding,
    Findings,
    Verdict,
    notes,
    outcome,
    sizes,
    summary,
    sweep,
    unchecked,
)
from bcastcli.model.nodes import Node, Stop, shown
from bcastcli.operators.questions import line
from bcastcli.render.sheet import Cell, Grid, Line, Sheet, Tone
from bcastcli.reports import STATUS, Report, verdict

if TYPE_CHECKING:
    from bcastcli.render.github import Annotation

MOST_REASONS = 3
"""Failing nodes that are explained below the table; -p explains all."""
_TONES = {Verdict.NO: Tone.CLASH, Verdict.DEPENDS: Tone.DEPENDS}


class _Row(NamedTuple):
    """A node as it is shown."""

    node: Node
    answer: str
    reason: str
    tone: Tone = Tone.CLASH


class ModelReport(Report):
    """The nodes of a model that are worth a look, or all of them, and the counts."""

    def __init__(self, findings: Findings, *, everything: bool) -> None:
        self.findings = findings
        self._everything = everything
        shown = {each.node.number for each in findings.nodes if each.verdict is Verdict.NO}
        self._stops = [each for each in findings.model.stops if each.node.number not in shown]
        """The stops at nodes that do not broadcast."""

    def _chosen(self) -> list[Finding]:
        """The nodes to show: all, those that fail, or those that are worth a look."""
        if self._everything:
            return [*self.findings.nodes]
        if self.findings.fails:
            return [each for each in self.findings.nodes if each.verdict is Verdict.NO]
        return [
            each for each in self.findings.nodes if each.remarks or each.verdict is Verdict.DEPENDS
        ]

    def lines(self) -> Sequence[str]:
        """A line for each node that is shown, and each stop, and last the counts."""
        return [
            *(f"{verdict(each.answer)} # {each.node.title}" for each in self._chosen()),
            *(f"fails here: {each.message} # {each.node.title}" for each in self._stops),
            summary(self.findings),
        ]

    def questions(self) -> Iterator[str]:
        """The questions as `bcastcli op -` reads them; stops and the like as comments."""
        for note in unchecked(self.findings):
            yield f"# {note}"
        for stop in self._stops:
            yield f"# fails here: {stop.node.where}: {stop.message}"
        for each in self.findings.nodes:
            yield f"{line(each.answer.question)} # {each.node.title}"

    def annotations(self, file: str) -> "Iterator[Annotation]":
        """An annotation for each node that fails."""
        from bcastcli.render.github import Annotation

        chosen = sizes(self.findings)
        at = f"{chosen}: " if chosen else ""
        refused = [each for each in self.findings.nodes if each.verdict is Verdict.NO]
        failing = [(each.node, each.why) for each in refused]
        failing += [(each.node, each.message) for each in self._stops]
        for node, reason in failing:
            yield Annotation(file, f"{at}{node.where}: {reason}")

    def records(self) -> Sequence[Mapping[str, object]]:
        """A record for each node, and at the end one for the model."""
        findings, model = self.findings, self.findings.model
        count = Counter(each.verdict for each in findings.nodes)
        counts = {
            "command": "model",
            "status": STATUS[findings.ok],
            "model": {
                "format": "onnx",
                "opset": model.opset,
                "sizes": [*model.sizes],
                "notes": [*model.refused, *notes(findings)],
            },
            "nodes": len(findings.nodes),
            **{each.value: count[each] for each in Verdict},
            "checked": len(model.checked),
            "open": [*model.open],
            "unchecked": [*dict.fromkeys(model.unchecked)],
            "stops": [*map(_record_of_stop, model.stops)],
        }
        chosen = {"sizes": dict(model.chosen)}
        return [{**each, **chosen} for each in (*map(_record, findings.nodes), counts)]

    def sheet(self) -> Sheet:
        """The nodes that are shown, the notes, and last the counts."""
        findings, chosen = self.findings, self._chosen()
        rows = [
            _Row(each.node, _short(each), each.why, _TONES.get(each.verdict, Tone.PLAIN))
            for each in chosen
        ]
        rows += [_Row(each.node, "fails here", each.message) for each in self._stops]
        rows.sort(key=lambda each: each.node.number)
        if findings.model.stops and not self._everything:  # the first stop is what counts
            first = findings.model.stops[0].node.number
            rows = [each for each in rows if each.node.number == first]
        failing = [each for each in rows if each.tone is Tone.CLASH][:MOST_REASONS]
        parts = [*_table(rows, everything=self._everything)]
        parts += [Line("no", f"{each.node.where}: {each.reason}", Tone.CLASH) for each in failing]
        remarks = dict.fromkeys(text for each in chosen for text in each.remarks)
        parts += [Line("note", each, Tone.NOTE) for each in (*remarks, *notes(findings))]
        counts = summary(findings)
        return Sheet("Model", counts, (*parts, Line("", counts)))


def _short(finding: Finding) -> str:
    """The answer of a node without the reason, which stands below the table."""
    if finding.verdict is Verdict.NO:
        return "mismatch"
    result = finding.answer.result
    if finding.verdict is Verdict.DEPENDS:
        return f"{shown(result)} when {finding.why}"
    return "undecided" if result is None else shown(result)


def _record(finding: Finding) -> Mapping[str, object]:
    from bcastcli.reports.records import record  # loads json, which takes a while

    is_open = finding.verdict is Verdict.UNDECIDED
    return {
        **record(finding.answer),
        "label": finding.node.title,
        "operator": finding.node.operator,
        "command": "model",
        "status": "depends" if is_open else finding.verdict.value,
        "verdict": finding.verdict.value,
        "behind": finding.behind or None,
        "node": _place(finding.node),
        "inputs": _named_inputs(finding.node),
        "constant": [*finding.node.constant],
        "remarks": [*finding.remarks],
    }


def _record_of_stop(stop: Stop) -> Mapping[str, object]:
    node = stop.node
    return {
        "node": _place(node),
        "label": node.title,
        "operator": node.operator,
        "axis": stop.axis,
        "inputs": _named_inputs(node),
        "message": stop.message,
        "fixed": [*stop.fixed],
    }


def _place(node: Node) -> Mapping[str, object]:
    return {"graph": node.graph, "index": node.position, "name": node.name, "output": node.output}


def _named_inputs(node: Node) -> list[Mapping[str, object]]:
    rows = zip(node.names, node.inputs, node.constant, strict=True)
    return [{"name": name, "shape": shape, "constant": fixed} for name, shape, fixed in rows]


class SizesReport(Report):
    """The findings about a model with each combination of sizes."""

    def __init__(self, reports: Sequence[ModelReport]) -> None:
        self._reports = reports
        self._findings = [each.findings for each in reports]

    def lines(self) -> Sequence[str]:
        """A line for each combination, and last which fails first."""
        lines = [f"{sizes(each)}  {outcome(each)}" for each in self._findings]
        return [*lines, sweep(self._findings)]

    def records(self) -> Sequence[Mapping[str, object]]:
        """The records of each combination."""
        return [record for each in self._reports for record in each.records()]

    def sheet(self) -> Sheet:
        """A line for each combination, why it stops where it does, and which fails first."""
        tones = [Tone.CLASH if each.fails else Tone.PLAIN for each in self._findings]
        texts = [f"{sizes(each)}  {outcome(each, whole=False)}" for each in self._findings]
        parts = [Line("", text, tone) for text, tone in zip(texts, tones, strict=True)]
        stops = {stop.node.where: stop for each in self._findings for stop in each.model.stops[:1]}
        for where, stop in stops.items():
            parts.append(Line("no", f"{where}: {stop.message}", Tone.CLASH))
            parts += [Line("note", each, Tone.NOTE) for each in stop.fixed]
        last = sweep(self._findings)
        return Sheet("Model", last, (*parts, Line("", last)))


def _cells(texts: Sequence[str], tone: Tone) -> tuple[Cell, ...]:
    return tuple(Cell(text, tone) for text in texts)


# Rows of 80 columns, in which names may be cut, but never sizes

WIDTH, GAP = 80, 3
MOST_ROWS = 20
_HEAD = ("node", "operator", "inputs", "answer")
_ROOMS = ((WIDTH, WIDTH), (40, 40), (24, 24), (16, 12), (24, 0), (12, 0))
"""Characters of a node's name, and of each operand's: the first that fit; 0 leaves a name out."""


def _table(rows: Sequence[_Row], *, everything: bool) -> Iterator[Grid | Line]:
    """A table of the first nodes, or of all, and how many are left out."""
    kept = rows if everything else rows[:MOST_ROWS]
    if not kept:
        return
    cells: list[tuple[str, ...]] = []
    for title, operand in _ROOMS:
        cells = [
            (cut(node.title, title), node.operator, _operands(node, operand), answer)
            for node, answer, *_ in kept
        ]
        widths = [max(map(len, column)) for column in zip(_HEAD, *cells, strict=True)]
        if sum(widths) + 3 * GAP <= WIDTH:
            break
    body = tuple(_cells(texts, row.tone) for row, texts in zip(kept, cells, strict=True))
    yield Grid((_cells(_HEAD, Tone.PLAIN),), (body,))
    if len(kept) < len(rows):
        yield Line("", f"and {len(rows) - len(kept):,} more; --all shows them")


def _operands(node: Node, room: int) -> str:
    """The shapes of a node's inputs, with their names where there is room."""
    given = zip(node.names, map(shown, node.inputs), strict=True)
    return "  ".join(f"{cut(name, room)} {shape}".strip() for name, shape in given if name)


def cut(name: str, room: int) -> str:
    """A name without its middle, where it is longer than there is room.

    >>> cut("layers.11.self_attn", 13), cut("mask", 13), cut("mask", 0)
    ('laye…elf_attn', 'mask', '')
    """
    if len(name) <= room:
        return name
    end = room * 2 // 3  # where layers have their numbers
    return f"{name[: room - end - 1]}…{name[-end:]}" if room else ""
