"""The report on a model: its nodes with their answers, where it stops, and the counts.

A model with several sizes has another: a line for each combination, and the first that fails.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from bcastcli.core.shapes import written
from bcastcli.model.findings import Finding, Findings, Verdict
from bcastcli.model.nodes import Node, Stop, shown
from bcastcli.model.summary import fixed, notes, outcome, sizes, summary, sweep, unchecked
from bcastcli.render.sheet import Cell, Grid, Line, Sheet, Tone
from bcastcli.reports import Report, verdict

if TYPE_CHECKING:
    from bcastcli.render.github import Annotation

_TONES = {Verdict.NO: Tone.CLASH, Verdict.MALFORMED: Tone.CLASH, Verdict.DEPENDS: Tone.DEPENDS}
MOST_REASONS = 3
"""Invalid nodes that are explained below the table; -p explains all."""
_STATUS = {Verdict.MALFORMED: "invalid", Verdict.UNDECIDED: "depends"}
"""The verdicts with another name in the status that commands share."""
_STATUSES = ("yes", "no", "invalid", "depends")
"""The names of the exit statuses 0 to 3."""


class _Shown(NamedTuple):
    """The cells of a node's row."""

    title: str
    operator: str
    shapes: Sequence[str]
    answer: str
    tone: Tone = Tone.PLAIN
    names: Sequence[str] = ()
    """The names of the operands."""


class ModelReport(Report):
    """The nodes of a model that are worth a look, or all of them, and the counts."""

    def __init__(self, findings: Findings, command: str, *, everything: bool) -> None:
        """Take the command line that reads the model, for a note."""
        self.findings = findings
        self._everything = everything
        self._command = command
        own = {each.node.number for each in findings.nodes if each.verdict is Verdict.NO}
        self._stops = [each for each in findings.model.stops if each.node.number not in own]
        """The stops at nodes that do not broadcast."""

    def _chosen(self) -> list[Finding]:
        """The nodes to show: all, those that fail, or those that are worth a look."""
        if self._everything:
            return [*self.findings.nodes]
        if self.findings.fails:
            return [each for each in self.findings.nodes if each.fails]
        return [each for each in self.findings.nodes if each.is_worth_a_look]

    def lines(self) -> Sequence[str]:
        """A line for each node that is shown, and each stop, and last the counts."""
        return [
            *(f"{answered(each, whole=True)} # {each.node.title}" for each in self._chosen()),
            *(f"{_failure(each)} # {each.node.title}" for each in self._stops),
            summary(self.findings),
        ]

    def questions(self) -> Iterator[str]:
        """Yield the questions as `bcastcli op -` reads them; stops and the like as comments."""
        for note in unchecked(self.findings):
            yield f"# {note}"
        for each in self._stops:
            yield f"# fails here: {each.node.where}: {each.message}"
        for finding in self.findings.nodes:
            yield f"{finding.line} # {finding.node.title}"

    def annotations(self, file: str) -> "Iterator[Annotation]":
        """Yield an annotation for each node that fails."""
        from bcastcli.render.github import Annotation

        at = "".join(f"{each}: " for each in (sizes(self.findings),) if each)
        for finding in self.findings.nodes:
            if finding.fails:
                yield Annotation(file, f"{at}{finding.node.where}: {finding.reason}")
        for stop in self._stops:
            yield Annotation(file, f"{at}{stop.node.where}: {stop.message}")

    def records(self) -> Sequence[Mapping[str, object]]:
        """A record for each node, and at the end one for the model."""
        found = self.findings
        model = found.model
        count = Counter(each.verdict for each in found.nodes)
        counts = {
            "command": "model",
            "status": _STATUSES[found.status],
            "model": {
                "format": "onnx",
                "opset": model.opset,
                "sizes": [*model.sizes],
                "notes": [*notes(found, self._command)],
            },
            "nodes": len(found.nodes),
            **{each.value: count[each] for each in Verdict},
            "checked": model.checked,
            "open": [*model.open],
            "unchecked": [*dict.fromkeys(model.unchecked)],
            "stops": [*map(_record_of_stop, model.stops)],
        }
        chosen = {"sizes": dict(model.chosen)}
        return [{**each, **chosen} for each in (*map(_record, found.nodes), counts)]

    def sheet(self) -> Sheet:
        """The nodes that are shown, the notes, and last the counts."""
        found = self.findings
        shown_nodes = self._chosen()
        rows = [
            (each.node, _answer(each), _TONES.get(each.verdict, Tone.PLAIN), each.reason)
            for each in shown_nodes
        ]
        rows += [(each.node, "fails here", Tone.CLASH, each.message) for each in self._stops]
        rows.sort(key=lambda each: each[0].number)
        more = 0
        if found.model.stops and not self._everything:  # the first stop is what counts
            more = len(rows) - 1
            first = found.model.stops[0].node.number
            rows = [each for each in rows if each[0].number == first]
        table = _table([_row(*each[:3]) for each in rows], everything=self._everything)
        failing = [(node, why) for node, *_, why in rows if why][:MOST_REASONS]
        reasons = [Line("no", shortened(f"{at.where}: {why}"), Tone.CLASH) for at, why in failing]
        remarks = [(each.node.title, text) for each in shown_nodes for text in each.remarks]
        shown_notes = [
            each if self._command in each else shortened(each)  # a command is copied as it is
            for each in (*_remarks(remarks), *notes(found, self._command))
        ]
        if more:
            fail = "other node fails" if more == 1 else "other nodes fail"
            shown_notes.append(f"{more:,} {fail} as well: --all shows them")
        counts = shortened(summary(found))
        lines = [*(Line("note", each, Tone.NOTE) for each in shown_notes), Line("", counts)]
        return Sheet("Model", counts, (*table, *reasons, *lines))


def _answer(finding: Finding) -> str:
    """The answer of a node without the reason, which stands below the table."""
    if finding.verdict is Verdict.UNDECIDED:  # its condition is long, and -p has it
        return "undecided" if finding.result is None else written(finding.result)
    return answered(finding).partition(": ")[0] if finding.reason else answered(finding)


def _failure(stop: Stop) -> str:
    return f"fails here: {stop.message}"


def _row(node: Node, answer: str, tone: Tone) -> _Shown:
    """The row of a node, without the inputs that are left out."""
    pairs = zip_longest(node.names, _inputs(node), fillvalue="")
    named = [each for each in pairs if each[0] or not node.names]
    names, shapes = zip(*named, strict=True) if named else ((), ())
    return _Shown(node.title, node.operator, shapes, shortened(answer), tone, names)


def _inputs(node: Node) -> list[str]:
    return [*map(shown, node.inputs)]


def answered(finding: Finding, *, whole: bool = False) -> str:
    """The answer of a node as text; with the whole condition, or the model's part of it."""
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
    node = stop.node
    return {
        "node": _place(node),
        "label": node.title,
        "operator": node.operator,
        "axis": stop.axis,
        "inputs": _named_inputs(node),
        "message": stop.message,
        "fixed": [*fixed(stop)],
    }


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
        """A line for each combination, and last which fails first."""
        return [*(f"{sizes(each)}  {outcome(each)}" for each in self._found), sweep(self._found)]

    def annotations(self, file: str) -> "Iterator[Annotation]":
        """Yield an annotation for each node that fails with a combination."""
        for each in self._reports:
            yield from each.annotations(file)

    def records(self) -> Sequence[Mapping[str, object]]:
        """The records of each combination."""
        return [record for each in self._reports for record in each.records()]

    def sheet(self) -> Sheet:
        """A row for each combination, why it stops where it does, and which fails first."""
        rows = tuple(
            tuple(Cell(text, Tone.CLASH if each.fails else Tone.PLAIN) for text in texts)
            for each in self._found
            for texts in [(sizes(each), shortened(outcome(each, whole=False)))]
        )
        grid = Grid((tuple(map(Cell, ("sizes", "answer"))),), (rows,))
        stops: dict[str, Stop] = {}
        for stop in (each.model.stops[0] for each in self._found if each.model.stops):
            stops.setdefault(stop.node.where, stop)
        reasons: list[Line] = []
        for where, stop in stops.items():
            reasons.append(Line("no", shortened(f"{where}: {stop.message}"), Tone.CLASH))
            reasons += [Line("note", shortened(each), Tone.NOTE) for each in fixed(stop)]
        last = sweep(self._found)
        return Sheet("Model", last, (grid, *reasons, Line("", last)))


# Rows of 80 columns, in which names may be cut, but never sizes

WIDTH, GAP = 80, 3
MOST_ROWS = 20
_LEAST = 12
"""The fewest characters to which a node's name is cut."""
_FEWEST = 12
"""Characters to which the name of an operand may be cut; with less room it is left out."""
_HEAD = ("node", "operator", "inputs", "answer")
_LONG_ANSWER = 40
"""Characters of an answer that are always shown: names are cut before them."""


def _table(shown: Sequence[_Shown], *, everything: bool) -> Iterator[Grid | Line]:
    """Yield a table of the first nodes, or of all, and how many are left out."""
    kept = shown if everything else shown[:MOST_ROWS]
    if not kept:
        return
    answers = max(len(text) for text in (*(each.answer for each in kept), _HEAD[3]))
    fixed = max(len(text) for text in (*(each.operator for each in kept), _HEAD[1]))
    fixed += 3 * GAP + min(_LONG_ANSWER, answers)
    sizes = max(len("  ".join(each.shapes)) for each in kept)
    room = WIDTH - fixed - sizes
    count = max(len(each.names) for each in kept)
    names = max(sum(len(name) + 1 for name in each.names) for each in kept)
    titles = max(len(each.title) for each in kept)
    if room - min(titles, _LEAST) < min(names, count * _FEWEST):
        names = 0
    title = min(titles, max(_LEAST, room - names, room // 2 if names else room))
    left = WIDTH - fixed - title if names else 0
    body = (
        (each.tone, cut(each.title, title), each.operator, _with_names(each, left), each.answer)
        for each in kept
    )
    cells = tuple(tuple(Cell(text, tone) for text in texts) for tone, *texts in body)
    yield Grid((tuple(map(Cell, _HEAD)),), (cells,))
    if len(kept) < len(shown):
        yield Line("", f"and {len(shown) - len(kept):,} more: --all")


def _with_names(shown: _Shown, room: int) -> str:
    """Return the shapes of a node's inputs, each with as much of its name as there is room for."""
    free = room - len("  ".join(shown.shapes)) - len(shown.names)
    each = free // max(1, len(shown.names))
    pairs = zip_longest(shown.names if each > 0 else (), shown.shapes, fillvalue="")
    return "  ".join(f"{name and cut(name, each)} {shape}".strip() for name, shape in pairs)


def cut(name: str, room: int) -> str:
    """Return a name without its middle, where it is longer than there is room.

    >>> cut("layers.11.self_attn", 13), cut("mask", 13)
    ('laye…elf_attn', 'mask')
    """
    if len(name) <= room:
        return name
    end = room * 2 // 3  # where layers have their numbers
    return f"{name[: room - end - 1]}…{name[-end:]}"


def shortened(text: str) -> str:
    """Return a text with long names, and long equations, cut in the middle; never sizes.

    >>> shortened("x" * 200 + " has 3")[37:43]
    'xx…xxx'
    """
    return _LONG.sub(lambda found: cut(found[0], 2 * _KEPT + 1), text)


_KEPT = 59
"""Half the length of a name that was cut."""
_LONG = re.compile(r"[^\s,]{120,}|(?=\S{120})\S*->\S*")


def _remarks(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield each remark once, behind the name of the first node that has it."""
    titles: dict[str, dict[str, None]] = {}
    for title, text in pairs:  # two rules may have the same one on a node
        titles.setdefault(text, {})[title] = None
    for text, (first, *others) in titles.items():
        more = f" and {len(others):,} more" if others else ""
        yield f"{first}{more}: {text}"
