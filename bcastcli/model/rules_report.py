"""The report on a model under other rules: the nodes for which these give another answer."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from bcastcli.compare.report import ComparisonReport, verdict
from bcastcli.core.shapes import written
from bcastcli.model import screen
from bcastcli.model.other_rules import Compared, Under
from bcastcli.model.screen import Shown
from bcastcli.render.github import Annotation
from bcastcli.render.sheet import Line, Sheet, Tone
from bcastcli.reports import Report

_TONES = {"differ": Tone.CLASH, "agree": Tone.PLAIN}
_AGREES = {"differ": False, "agree": True}


class RulesReport(Report):
    """The nodes of a model for which other rules give another answer than the operators' own."""

    def __init__(
        self,
        compared: Sequence[Under],
        counts: Mapping[str, object],
        notes: Sequence[str],
        *,
        everything: bool,
    ) -> None:
        """Take the record of the model as `counts`, and notes on it."""
        self._compared = compared
        self._counts = counts
        self._own_notes = notes
        self._everything = everything
        nodes = chain.from_iterable(each.nodes for each in compared)
        self._shown = [each for each in nodes if everything or each.standing != "agree"]

    @property
    def status(self) -> int:
        """The exit status, as that of compare."""
        found = Counter[str]()
        for each in self._compared:
            found.update(each.numbers)
        return 1 if found["differ"] else 3 if found["depends"] or found["undecided"] else 0

    def lines(self) -> Sequence[str]:
        """Return a line for each node that is shown, and last how many agree."""
        nodes = [f"{_text(each)} # {each.finding.node.title}" for each in self._shown]
        return [*nodes, self._last]

    @property
    def _last(self) -> str:
        return "; ".join(map(_counted, self._compared))

    def questions(self) -> Iterator[str]:
        """Yield the question of each node that is shown, once."""
        lines = (f"{each.finding.line} # {each.finding.node.title}" for each in self._shown)
        yield from dict.fromkeys(lines)

    def annotations(self, file: str) -> Iterator[Annotation]:
        """Yield an annotation for each node for which another rule gives another answer."""
        for each in self._shown:
            if each.standing == "differ":
                node = each.finding.node
                yield Annotation(file, f"{node.where}: {_text(each)}")

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the record of each comparison, and last that of the model."""
        records = [
            {
                **ComparisonReport(each.comparison).records()[0],
                "agree": _AGREES.get(each.standing),
                "notes": [{"kind": "engine", "text": text} for text in each.notes],
                "label": each.finding.node.title,
            }
            for each in self._shown
        ]
        rules = {each.word: each.numbers for each in self._compared}
        status = {0: "yes", 1: "no", 3: "depends"}[self.status]
        return [*records, {**self._counts, "status": status, "rules": rules}]

    def sheet(self) -> Sheet:
        """Return the nodes that are shown, notes on them, and last how many agree."""
        table = screen.rows([*map(_row, self._shown)], everything=self._everything)
        notes = [Line("note", each, Tone.NOTE) for each in self._notes()]
        return Sheet("Model", self._last, (*table, *notes, Line("", self._last)))

    def _notes(self) -> Iterator[str]:
        yield from self._own_notes
        not_asked: dict[str, None] = {}
        for under in self._compared:
            yield from _on_axes(under)
            for why, found in under.not_asked.items():
                nodes = "node" if len(found) == 1 else "nodes"
                names = ", ".join(sorted({each.node.operator for each in found}))
                not_asked[f"skipped {len(found):,} {nodes} ({why}): {names}"] = None
        yield from not_asked
        yield from screen.remarks(
            (each.finding.node.title, text)
            for each in self._shown
            for text in (*_reason(each), *each.notes)
        )


def _on_axes(under: Under) -> Iterator[str]:
    """Yield notes on the nodes whose shapes were changed before the rule was asked."""
    bare = [each for each in under.nodes if each.comparison.blobs]
    for first in bare[:1]:
        shapes = " ".join(written(shape) for _, shape in first.comparison.blobs or ())
        how = f"{len(bare):,} nodes are compared without it, the first as {shapes}"
        yield f"ncnn has no batch axis: {how if len(bare) > 1 else f'asked as {shapes}'}"
    padded = [each for each in under.nodes if each.with_leading_axes]
    for first in padded[:1]:
        shapes = " ".join(written(shape) for _, shape in first.comparison.operands)
        how = f"{len(padded):,} nodes are compared with them, the first as {shapes}"
        adds = f"{under.word}: its ONNX parser adds leading axes"
        yield f"{adds}: {how if len(padded) > 1 else f'asked as {shapes}'}"


def _text(compared: Compared) -> str:
    """Return whether the rules agree on a node, and the reason if one refuses."""
    return ": ".join((_verdict(compared), *_reason(compared)))


def _verdict(compared: Compared) -> str:
    if compared.engine and compared.comparison.ok:
        return f"differ: {'; '.join(compared.engine)}"
    return verdict(compared.comparison)


def _reason(compared: Compared) -> list[str]:
    """Return why one of the rules refuses, where the other one does not."""
    reasons = [row.answer.reason for row in compared.comparison.rows if row.answer.reason]
    is_one = len(reasons) == 1 and compared.comparison.ok is False
    return [each.text for each in reasons if is_one]


def _row(compared: Compared) -> Shown:
    node = compared.finding.node
    text = "otherwise" if compared.engine else _verdict(compared).partition(": ")[2]
    if compared.standing == "differ" and _reason(compared):
        text = "; ".join(part for part in text.split("; ") if part.endswith("mismatch"))
    shapes = [*map(written, compared.shapes)]
    return Shown(
        node.title, node.operator, shapes, text, _TONES.get(compared.standing, Tone.DEPENDS)
    )


def _counted(under: Under) -> str:
    """Return how many nodes agree under a rule, in words."""
    word = under.word
    *numbers, _ = under.numbers.values()
    total = sum(numbers)
    if not total:
        return f"no nodes to ask under {word}"
    if numbers[0] == total:
        return f"{f'all {total:,} nodes agree' if total > 1 else '1 node agrees'} under {word}"
    one = "agrees", "differs", "depends on unknown sizes", "is undecided"
    many = "agree", "differ", "depend on unknown sizes", "are undecided"
    words = zip(numbers, one, many, strict=True)
    parts = ", ".join(f"{n:,} {own if n == 1 else more}" for n, own, more in words if n)
    return f"{total:,} node{'s' * (total > 1)} under {word}: {parts}"
