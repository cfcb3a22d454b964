"""The report on a model: its nodes with their answers, where it stops, and the counts.

A model with several sizes has another: a line for each combination, and the first stop.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from operator import attrgetter
from typing import TYPE_CHECKING

from bcastcli.core.shapes import written
from bcastcli.model import screen
from bcastcli.model.findings import Finding, Findings, Verdict
from bcastcli.model.nodes import Node, Stop, shown
from bcastcli.model.screen import Shown, shortened
from bcastcli.model.summary import baked_in, notes, outcome, summary, unchecked
from bcastcli.render.sheet import Cell, Grid, Line, Sheet, Tone
from bcastcli.reports import Report, verdict

if TYPE_CHECKING:
    from bcastcli.render.github import Annotation

_TONES = {Verdict.NO: Tone.CLASH, Verdict.MALFORMED: Tone.CLASH, Verdict.DEPENDS: Tone.DEPENDS}


MOST_REASONS = 3
"""Failing nodes that are explained below the table; -p explains all."""
_STATUS = {Verdict.MALFORMED: "invalid", Verdict.UNDECIDED: "depends"}
"""The verdicts with another name in the status that commands share."""
_STATUSES = ("yes", "no", "invalid", "depends")
"""The names of the exit statuses 0 to 3."""


class ModelReport(Report):
    """The nodes of a model that are worth a look, or all of them, and the counts."""

    def __init__(
        self,
        findings: Findings,
        command: str,
        *,
        everything: bool,
    ) -> None:
        """Take the command line that reads the model, for a note."""
        self.findings = findings
        self.nodes = findings.nodes
        self._everything = everything
        self._command = command
        self._shown = self.nodes
        if not everything:
            shows = attrgetter("fails" if findings.fails else "is_worth_a_look")
            self._shown = [*filter(shows, self.nodes)]
        own = {each.node.number for each in findings.nodes if each.verdict is Verdict.NO}
        self._stops = [each for each in findings.stops if each.node.number not in own]
        """The stops at nodes that do not broadcast."""

    def lines(self) -> Sequence[str]:
        """Return a line for each node that is shown, and each stop, and last the counts."""
        return [
            *(f"{answered(each, whole=True)} # {each.node.title}" for each in self._shown),
            *(f"{_failure(each)} # {each.node.title}" for each in self._stops),
            summary(self.findings),
        ]

    def questions(self) -> Iterator[str]:
        """Yield the questions as `bcastcli op -` reads them; stops and the like as comments."""
        for note in unchecked(self.findings.model):
            yield f"# {note}"
        for each in self._stops:
            yield f"# fails here: {each.node.where}: {each.message}"
        for finding in self.nodes:
            yield f"{finding.line} # {finding.node.title}"

    def annotations(self, file: str) -> "Iterator[Annotation]":
        """Yield an annotation for each node that fails."""
        from bcastcli.render.github import Annotation

        for finding in self.nodes:
            if finding.fails:
                yield Annotation(file, f"{finding.node.where}: {finding.reason}")
        for each in self._stops:
            yield Annotation(file, f"{each.node.where}: {each.message}")

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return a record for each node, and at the end one for the model."""
        model, nodes, stops, *_ = self.findings
        count = Counter(each.verdict for each in nodes)
        counts = {
            "command": "model",
            "status": _STATUSES[self.findings.status],
            "model": {
                "format": model.format,
                "opset": model.opset,
                "sizes": [*model.sizes],
                "notes": [*notes(self.findings, self._command)],
                "error": model.problem or None,
            },
            "nodes": len(nodes),
            **{each.value: count[each] for each in Verdict},
            "unchecked": [*dict.fromkeys(model.unchecked)],
            "stops": [*map(_record_of_stop, stops)],
        }
        chosen = {"sizes": dict(model.chosen)}
        return [{**each, **chosen} for each in (*map(_record, self.nodes), counts)]

    def sheet(self) -> Sheet:
        """Return the nodes that are shown, the notes, and last the counts."""
        nodes = [
            (each.node, _answer(each), _TONES.get(each.verdict, Tone.PLAIN), each.reason)
            for each in self._shown
        ]
        nodes += [(each.node, "fails here", Tone.CLASH, each.message) for each in self._stops]
        nodes.sort(key=lambda each: each[0].number)
        table = screen.rows([_row(*each[:3]) for each in nodes], everything=self._everything)
        failing = [(node, why) for node, *_, why in nodes if why][:MOST_REASONS]
        reasons = (Line("no", shortened(f"{at.where}: {why}"), Tone.CLASH) for at, why in failing)
        remarks = [(each.node.title, text) for each in self._shown for text in each.remarks]
        shown_notes = [
            each if self._command in each else shortened(each)  # a command is copied as it is
            for each in (*screen.remarks(remarks), *notes(self.findings, self._command))
        ]
        counts = shortened(summary(self.findings))
        lines = [*(Line("note", each, Tone.NOTE) for each in shown_notes), Line("", counts)]
        return Sheet("Model", counts, (*table, *reasons, *lines))


def _answer(finding: Finding) -> str:
    """Return the answer of a node without the reason, which stands below the table."""
    if finding.verdict is Verdict.UNDECIDED:  # its condition is long, and -p has it
        return "not decided" if finding.result is None else written(finding.result)
    return answered(finding).partition(": ")[0] if finding.reason else answered(finding)


def _failure(stop: Stop) -> str:
    return f"fails here: {stop.message}"


def _row(node: Node, answer: str, tone: Tone) -> Shown:
    """Return the row of a node, without the inputs that are left out."""
    pairs = zip_longest(node.names, _inputs(node), fillvalue="")
    named = [each for each in pairs if each[0] or not node.names]
    names, shapes = zip(*named, strict=True) if named else ((), ())
    return Shown(node.title, node.operator, shapes, shortened(answer), tone, names)


def _inputs(node: Node) -> list[str]:
    return [*map(shown, node.inputs)]


def answered(finding: Finding, *, whole: bool = False) -> str:
    """Return the answer of a node as text; with the whole condition, or the model's part of it."""
    if finding.verdict is Verdict.MALFORMED:
        return f"error: {finding.reason}"
    if finding.verdict is Verdict.NO:
        return f"mismatch: {finding.reason}"
    answer = finding.answer
    if answer and (whole or (answer.ok is None and answer.reason)):
        return verdict(answer)
    text = "..." if finding.result is None else written(finding.result)
    return f"{text} when {finding.when}" if finding.when else text


def _record(finding: Finding) -> Mapping[str, object]:
    from bcastcli.reports.records import record  # loads json, which takes a while

    asked = {"input": finding.line, "error": finding.reason}
    return {
        **(record(finding.answer) if finding.answer else asked),
        "label": finding.node.title,
        "operator": finding.node.operator,
        "command": "model",
        "status": _STATUS.get(finding.verdict, finding.verdict.value),
        "verdict": finding.verdict.value,
        "behind": finding.behind or None,
        "node": _place(finding.node),
        "inputs": _named_inputs(finding.node),
        "constant": [*map(bool, finding.node.constant)],
        "remarks": [*finding.remarks],
    }


def _record_of_stop(stop: Stop) -> Mapping[str, object]:
    node, message, axis, _ = stop
    named = {"node": _place(node), "label": node.title, "operator": node.operator}
    return {**named, "axis": axis, "inputs": _named_inputs(node), "message": message}


def _place(node: Node) -> Mapping[str, object]:
    whole = {"graph": node.graph, "index": node.position}
    return {**whole, "name": node.name, "output": node.output}


def _named_inputs(node: Node) -> list[Mapping[str, object]]:
    rows = zip_longest(node.names, node.inputs, node.constant, fillvalue="")
    return [{"name": name, "shape": shape, "constant": bool(kind)} for name, shape, kind in rows]


class SizesReport(Report):
    """The findings about a model with each combination of sizes."""

    def __init__(self, reports: Sequence[ModelReport]) -> None:
        self._reports = reports
        self._found = [each.findings for each in reports]

    def lines(self) -> Sequence[str]:
        """Return a line for each combination, and last where the model first stops."""
        return [*(f"{_sizes(each)}  {outcome(each)}" for each in self._found), self._last]

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the records of each combination."""
        return [record for each in self._reports for record in each.records()]

    def sheet(self) -> Sheet:
        """Return a row for each combination, why it stops where it does, and where first."""
        rows = tuple(
            tuple(Cell(text, Tone.CLASH if each.fails else Tone.PLAIN) for text in texts)
            for each in self._found
            for texts in [(_sizes(each), shortened(outcome(each, whole=False)))]
        )
        grid = Grid((tuple(map(Cell, ("sizes", "answer"))),), (rows,))
        stops: dict[str, Stop] = {}
        for stop in (each.stops[0] for each in self._found if each.stops):
            stops.setdefault(stop.node.where, stop)
        reasons: list[Line] = []
        for where, stop in stops.items():
            reasons.append(Line("no", shortened(f"{where}: {stop.message}"), Tone.CLASH))
            reasons += (Line("note", shortened(each), Tone.NOTE) for each in baked_in(stop))
        return Sheet("Model", self._last, (grid, *reasons, Line("", self._last)))

    @property
    def _last(self) -> str:
        first = next((each for each in self._found if each.fails), None)
        if first is None:
            failed = sum(bool(each.model.problem) for each in self._found)
            but = f", and {failed} failed" if failed else ""
            return f"does not stop in any of {len(self._found)} combinations{but}"
        chosen = [each.model.chosen for each in self._found]
        names = first.model.chosen
        varied = {name for name in names if len({each[name] for each in chosen}) > 1}
        return f"first stops at {_sizes(first, varied)}"


def _sizes(findings: Findings, names: set[str] | None = None) -> str:
    """Return a combination as it is typed: `batch=4 seq=9`."""
    chosen = findings.model.chosen.items()
    return " ".join(f"{name}={size}" for name, size in chosen if names is None or name in names)
