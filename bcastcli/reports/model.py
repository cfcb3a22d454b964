"""The report on a model: its nodes with their answers, where it stops, and the counts.

A model with several sizes has another: a line for each combination, and the first stop.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from bcastcli.analysis.model import Filter, Finding, Findings, Stopped, Verdict
from bcastcli.analysis.model_summary import notes, outcome, summary
from bcastcli.core.shapes import UNKNOWN_RANK, written
from bcastcli.models.nodes import Node
from bcastcli.render.sheet import Cell, Grid, Line, Row, Sheet, Tone
from bcastcli.reports import OK, Report, verdict

if TYPE_CHECKING:
    from bcastcli.render.github import Annotation

_OK = {Verdict.YES: OK[True], Verdict.NO: OK[False], Verdict.MALFORMED: "error"}
_TONES = {Verdict.NO: Tone.CLASH, Verdict.MALFORMED: Tone.CLASH, Verdict.DEPENDS: Tone.DEPENDS}


_STATUS = {Verdict.MALFORMED: "invalid", Verdict.UNDECIDED: "depends"}
"""What a verdict is called where other commands have it too."""
_STATUSES = ("yes", "no", "invalid", "depends")
"""What an exit status means."""


class ModelReport(Report):
    """The nodes of a model that are worth a look, or all of them, and the counts."""

    HEADS = ("operator", "operands", "ok", "result", "when", "reason", "label")

    def __init__(
        self,
        findings: Findings,
        command: str,
        *,
        everything: bool,
        chosen: Filter = Filter(),  # noqa: B008  # it never changes
    ) -> None:
        """Take the nodes to choose, and the command line that reads the model, for a note."""
        self.findings = findings
        self._nodes = [each for each in findings.nodes if chosen.takes(each)]
        everything = everything or bool(chosen.only)
        self._shown = [each for each in self._nodes if everything or each.is_worth_a_look]
        self._command = command
        own = {each.node.number for each in findings.nodes if each.verdict is Verdict.NO}
        self._stops = [
            each
            for each in findings.stops
            if each.stop.node.number not in own and chosen.takes_stop(each)
        ]
        """The stops at nodes that do not broadcast."""

    def lines(self) -> Sequence[str]:
        """Return a line for each node that is shown, and each stop."""
        return [
            *(f"{answered(each, whole=True)} # {each.label}" for each in self._shown),
            *(f"{_told(each)} # {each.label}" for each in self._stops),
        ]

    def questions(self) -> Iterator[str]:
        """Yield the question of each node, as `bcastcli op -` reads it, and stops as comments."""
        for each in self._stops:
            yield f"# stops here: {each.text}: {each.stop.message}"
        for finding in self._nodes:
            yield f"{finding.line} # {finding.label}"

    def annotations(self, file: str) -> "Iterator[Annotation]":
        """Yield an annotation for each node that fails."""
        from bcastcli.render.github import Annotation

        for finding in self._nodes:
            if finding.verdict in (Verdict.NO, Verdict.MALFORMED):
                told = f"{finding.label} ({finding.node.operator}): {finding.reason}"
                yield Annotation(file, told)
        for each in self._stops:
            yield Annotation(file, f"{each.text}: {each.stop.message}")

    def rows(self) -> Sequence[Sequence[str]]:
        """Return a row for each node, and each stop."""
        return [*map(_cells, self._nodes), *map(_cells_of_stop, self._stops)]

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return a record for each node, and at the end one for the model."""
        model, nodes, stops, _ = self.findings
        count = Counter(each.verdict for each in nodes)
        counts = {
            "command": "model",
            "status": _STATUSES[self.findings.status],
            "model": {
                "format": model.format,
                "opset": model.opset,
                "sizes": [*model.sizes],
                "notes": [*model.remarks],
            },
            "nodes": len(nodes),
            **{each.value: count[each] for each in Verdict},
            "stops": [*map(_record_of_stop, stops)],
        }
        chosen = {"sizes": dict(model.chosen)}
        return [{**each, **chosen} for each in (*map(_record, self._nodes), counts)]

    def sheet(self) -> Sheet:
        """Return the nodes that are shown, the notes, and last the counts."""
        head = tuple(map(Cell, ("node", "operator", "inputs", "", "answer")))
        rows = [(each.node.number, _row(each)) for each in self._shown]
        rows += [(each.stop.node.number, _row_of_stop(each)) for each in self._stops]
        ordered = tuple(row for _, row in sorted(rows, key=lambda row: row[0]))
        table = [Grid((head,), (ordered,))] if rows else []
        remarks = notes(self.findings, self._command)
        counts = summary(self.findings)
        lines = [*(Line("note", each, Tone.NOTE) for each in remarks), Line("", counts)]
        return Sheet("Model", counts, (*table, *lines))


def _row(finding: Finding) -> Row:
    said = "  ".join((answered(finding), *finding.remarks))
    return _line(finding.label, finding.node, said, _TONES.get(finding.verdict, Tone.PLAIN))


def _row_of_stop(stopped: Stopped) -> Row:
    return _line(stopped.label, stopped.stop.node, _told(stopped), Tone.CLASH)


def _told(stopped: Stopped) -> str:
    return f"stops here: {stopped.stop.message}"


def _line(label: str, node: Node, said: str, tone: Tone) -> Row:
    """Return the row of a node: its inputs have their names."""
    kinds = [f" ({each})" if each else "" for each in node.constant]
    inputs = [
        f"{name} {shape}{kind}".strip()
        for name, shape, kind in zip_longest(node.names, _inputs(node), kinds, fillvalue="")
        if name or not node.names  # it is not left out
    ]
    first, *others = *inputs, ""
    texts = label, node.operator, first, "  ".join(others).rstrip(), said
    return tuple(Cell(text, tone) for text in texts)


def _cells(finding: Finding) -> Sequence[str]:
    result = finding.result
    return (
        finding.node.operator,
        " ".join(_inputs(finding.node)),
        _OK.get(finding.verdict, OK[None]),
        "" if result is None else written(result),
        (finding.answer.when if finding.answer else "") or "",
        finding.reason,
        finding.label,
    )


def _cells_of_stop(stopped: Stopped) -> Sequence[str]:
    node, told = stopped.stop.node, _told(stopped)
    return (node.operator, " ".join(_inputs(node)), OK[False], "", "", told, stopped.label)


def _inputs(node: Node) -> list[str]:
    return [written(UNKNOWN_RANK if shape is None else shape) for shape in node.inputs]


def answered(finding: Finding, *, whole: bool = False) -> str:
    """Return the answer of a node as text; with the whole condition, or the model's part of it."""
    if finding.verdict is Verdict.MALFORMED:
        return f"error: {finding.reason}"
    if finding.verdict is Verdict.NO:
        return f"mismatch: {finding.reason}"
    if whole and finding.answer is not None:
        return verdict(finding.answer)
    if finding.behind:
        return f"not decided: behind {finding.behind}"
    result = finding.result
    text = "..." if result is None else written(result)
    return f"{text} when {finding.when}" if finding.when else text


def _record(finding: Finding) -> Mapping[str, object]:
    from bcastcli.reports.records import record  # loads json, which takes a while

    asked = {"input": finding.line, "error": finding.reason}
    return {
        **(record(finding.answer) if finding.answer else asked),
        **({"result": finding.result} if finding.node.result else {}),
        "label": finding.label,
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


def _record_of_stop(stopped: Stopped) -> Mapping[str, object]:
    node, message, axis = stopped.stop
    return {
        "node": _place(node),
        "label": stopped.label,
        "operator": node.operator,
        "axis": axis,
        "inputs": _named_inputs(node),
        "message": message,
    }


def _place(node: Node) -> Mapping[str, object]:
    return {
        "graph": node.graph,
        "index": node.position,
        "name": node.name,
        "output": node.output,
    }


def _named_inputs(node: Node) -> list[Mapping[str, object]]:
    rows = zip_longest(node.names, node.inputs, node.constant, fillvalue="")
    return [{"name": name, "shape": shape, "constant": bool(kind)} for name, shape, kind in rows]


class SizesReport(Report):
    """What is found of a model with each combination of sizes."""

    HEADS = ("sizes", *ModelReport.HEADS)

    def __init__(self, reports: Sequence[ModelReport]) -> None:
        self._reports = reports
        self._found = [each.findings for each in reports]

    def lines(self) -> Sequence[str]:
        """Return a line for each combination, and last where the model first stops."""
        return [*(f"{_sizes(each)}  {outcome(each)}" for each in self._found), self._last]

    def rows(self) -> Sequence[Sequence[str]]:
        """Return the rows of each combination, the sizes in front."""
        return [(_sizes(each.findings), *row) for each in self._reports for row in each.rows()]

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the records of each combination."""
        return [record for each in self._reports for record in each.records()]

    def sheet(self) -> Sheet:
        """Return a row for each combination, and last where the model first stops."""
        rows = tuple(
            tuple(Cell(text, Tone.CLASH if each.stops else Tone.PLAIN) for text in texts)
            for each in self._found
            for texts in [(_sizes(each), outcome(each))]
        )
        grid = Grid((tuple(map(Cell, ("sizes", "answer"))),), (rows,))
        return Sheet("Model", self._last, (grid, Line("", self._last)))

    @property
    def _last(self) -> str:
        stopped = (each for each in self._found if each.status == 1)
        first = next(stopped, None)
        if first is None:
            return f"stops at none of {len(self._found)} combinations"
        return f"first stops at {_sizes(first, self._varied())}"

    def _varied(self) -> set[str]:
        """Return the sizes that have several values."""
        chosen = [each.model.chosen for each in self._found]
        return {name for name in chosen[0] if len({each[name] for each in chosen}) > 1}


def _sizes(findings: Findings, names: set[str] | None = None) -> str:
    """Return a combination as it is typed: `batch=4 seq=9`."""
    chosen = findings.model.chosen.items()
    return " ".join(f"{name}={size}" for name, size in chosen if names is None or name in names)
