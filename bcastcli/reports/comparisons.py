"""Reports of comparisons: a row for each rule, and whether they agree."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from bcastcli import reports
from bcastcli.analysis.comparison import Comparison, Rewrite
from bcastcli.analysis.numpy_code import occupied_axes
from bcastcli.analysis.refused import all_refuse, differs_by_batch, notes, suggestions
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Writes, written
from bcastcli.core.wording import joined_with_and, python_in_words, with_shapes
from bcastcli.render.picture.figure import Step
from bcastcli.render.sheet import Cell, Grid, Line, Part, Sheet, Tone, page_shape
from bcastcli.reports import OK, STATUS, TAGS, Report, as_line
from bcastcli.reports.tables import ANSWER_TONE

if TYPE_CHECKING:
    from bcastcli.reports.rows import PictureOptions
    from bcastcli.reports.steps import StepOptions

MAX_RULES = 24
"""Characters in a cell of rules, so that the table of most questions fits 80 columns."""
_TIE = "\N{NO-BREAK SPACE}"
UNDECIDED = "not decided: too many unknown sizes"


class ComparisonReport(Report):
    """The answers of the rules to one of many questions."""

    HEADS = (
        *("operands", "agree", "rule", "counts", "ok", "result", "lies", "agrees", "differs"),
        *("when", "reason", *TAGS),
    )

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison

    def lines(self) -> Sequence[str]:
        """Return whether the rules agree, and the results that they share or that differ."""
        return (verdict(self.comparison),)

    def rows(self) -> Sequence[Sequence[str]]:
        """Return a row for each rule; its last cells are kept for tags."""
        comparison = self.comparison
        return [
            (
                as_line(comparison.operands),
                OK[comparison.ok],
                row.name,
                OK[row.counts],
                OK[row.answer.ok],
                "" if row.answer.result is None else written(row.answer.result),
                " ".join(map(written, occupied_axes(row.answer) or ())),
                OK[standing.agrees],
                standing.differs or "",
                row.answer.when or ("" if comparison.is_decided else UNDECIDED),
                row.answer.reason.text if row.answer.reason else "",
                *[""] * len(TAGS),
            )
            for row, standing in zip(comparison.rows, comparison.standings, strict=True)
        ]

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the record."""
        return (_record(self.comparison),)

    def sheet(self) -> Sheet:
        """Return a row for each rule, notes on them, and whether they agree."""
        comparison = self.comparison
        operands = "; ".join(f"{name} {page_shape(shape)}" for name, shape in comparison.operands)
        title = f"compare: {operands}"
        parts = (_rules(comparison), *_sentences(comparison), *_ending(comparison))
        return Sheet(title, f"{title}. {_agreement(comparison, page_shape)}.", parts)


class SingleComparisonReport(ComparisonReport):
    """A single comparison, with details that take longer to find."""

    def __init__(
        self,
        comparison: Comparison,
        *,
        steps: "StepOptions | None" = None,
        picture: "PictureOptions | None" = None,
    ) -> None:
        """Take what is shown of the steps and the picture."""
        super().__init__(comparison)
        self._steps = steps
        self._picture = picture

    def sheet(self) -> Sheet:
        """Return the steps and the picture that are asked for, and whether the rules agree."""
        sheet = super().sheet()
        if self._steps is None and self._picture is None:
            return sheet
        parts: list[Part] = []
        if self._steps is not None:
            parts += _steps(self.comparison, self._steps)
        if self._picture is not None:
            from bcastcli.reports.figure import of_comparison

            parts.append(of_comparison(self.comparison, self._picture))
        ending = tuple(part for part in _ending(self.comparison) if isinstance(part, Line))
        asked = self._steps or self._picture
        if asked and asked.until < Step.RESULT:
            return sheet._replace(parts=tuple(parts), hidden=ending)
        return sheet._replace(parts=(*parts, *ending))

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the record, with what to write so that the rules agree."""
        suggested = suggestions(self.comparison)
        advised = [
            {**each._asdict(), "operands": [operand._asdict() for operand in each.operands]}
            for each in suggested
        ]
        own = _record(self.comparison)
        found = [note._asdict() for note in notes(self.comparison, suggested)]
        return ({**own, "notes": found, "suggestions": advised},)


def _steps(comparison: Comparison, options: "StepOptions") -> Iterator[Part]:
    """Yield the steps of each group of rules that agree, below the rules' names."""
    from bcastcli.reports.frames import ends
    from bcastcli.reports.steps import steps

    for numbers in comparison.groups:
        rows = [comparison.rows[number] for number in numbers]
        yield Line("", ", ".join(row.name for row in rows), Tone.NOTE)
        first = rows[0].answer
        yield from steps(first, options)
        if ends(first, options.until):
            text = f"mismatch: {first.reason.text}" if first.reason else _result(first)
            on_page = "" if first.reason else _result(first, page_shape)
            yield Line("", text, ANSWER_TONE[first.ok], on_page=on_page)


def verdict(comparison: Comparison, shape: Writes = written) -> str:
    """Whether the rules agree, and the results that they share or that differ."""
    if not comparison.is_decided:
        return UNDECIDED
    if comparison.ok is None:
        when = _when(comparison, shape)
        return f"depends: agree when {when}" if when else "depends on the unknown sizes"
    agree = "agree" if comparison.ok else "differ"
    return f"{agree}: {results(comparison, shape)}"


def _when(comparison: Comparison, shape: Writes) -> str:
    """Return when the rules agree: in Python, on pages in words; empty if nothing short says so."""
    when = comparison.when or ""
    return when if shape is written else python_in_words(when)


def results(comparison: Comparison, shape: Writes = written) -> str:
    """The results of the rules that count; if they differ, with the rules' names."""
    said: dict[str, str] = {}
    for numbers in comparison.groups:
        rows = [comparison.rows[number] for number in numbers]
        counting = [row for row in rows if row.counts]
        is_known = comparison.is_enumerated or comparison.standings[numbers[0]].agrees is not None
        if counting and is_known:
            result = what = _result(counting[0].answer, shape)
            still = ""
            while what in said:
                what = f"{result} on {still}other axes"
                still += "still "
            said[what] = ", ".join(row.name for row in counting)
    if len(said) == 1:
        return next(iter(said))
    return "; ".join(f"{names} {result}" for result, names in said.items())


def _result(answer: Answer, shape: Writes = written) -> str:
    return "mismatch" if answer.reason else reports.verdict(answer, shape)


def _record(comparison: Comparison) -> dict[str, object]:
    return {
        "command": "compare",
        "status": STATUS[comparison.ok],
        "operands": [operand._asdict() for operand in comparison.operands],
        "agree": comparison.ok,
        "when": comparison.when,
        "rows": [
            {
                "rule": row.answer.rule.name,
                "options": row.answer.options,
                "counts": row.counts,
                "ok": row.answer.ok,
                "result": row.answer.result,
                "when": row.answer.when,
                "reason": row.answer.reason and row.answer.reason.text,
                "reason_kind": row.answer.reason and row.answer.reason.kind,
                "lies": occupied_axes(row.answer),
                **_w_first(row.answer),
                **standing._asdict(),
            }
            for row, standing in zip(comparison.rows, comparison.standings, strict=True)
        ],
        "same_shape_other_values": [each._asdict() for each in comparison.other_values],
        "left_out": [rule.name for rule in comparison.left_out],
        "notes": [note._asdict() for note in comparison.notes],
    }


def _w_first(answer: Answer) -> dict[str, object]:
    """Under ncnn, the shapes as it writes them."""
    if "order" not in answer.options:
        return {}
    shapes = [shape[::-1] for _, shape in answer.operands]
    return {"w_first": {"shapes": shapes, "result": answer.result and answer.result[::-1]}}


def _rules(comparison: Comparison) -> Grid:
    """Return a row for each rule; neighbours with the same content share one."""
    names = [operand.name for operand in comparison.operands]
    head = ("rule", "result", *(f"{name} axes" for name in names), "agrees")
    rows = []
    for cells, numbers in groupby(range(len(comparison.rows)), lambda n: _cells(comparison, n)):
        text = ", ".join(_named(comparison, number).replace(" ", _TIE) for number in numbers)
        lines = wrap(text, MAX_RULES, break_long_words=False, break_on_hyphens=False)
        rows += [(Cell(line.removesuffix(",").replace(_TIE, " ")), *cells) for line in lines]
    return Grid((tuple(map(Cell, head)),), (tuple(rows),))


def _named(comparison: Comparison, number: int) -> str:
    """Return the name of a row's rule, with its axis; in brackets if it is not counted."""
    row = comparison.rows[number]
    axis = row.answer.options.get("axis", -1)
    is_default = row.name == row.answer.rule.name and axis != -1
    name = f"{row.name} axis {axis} (default)" if is_default else row.name
    return name if row.counts else f"[{name}]"


def _cells(comparison: Comparison, number: int) -> tuple[Cell, ...]:
    """Return the cells after the name of a row's rule."""
    answer = comparison.rows[number].answer
    if answer.result is None:
        result, axes = Cell("mismatch", Tone.CLASH), [""] * len(answer.operands)
    else:
        result = Cell(written(answer.result), Tone.PLAIN if answer.ok else Tone.DEPENDS)
        occupied = occupied_axes(answer)
        axes = ["?"] * len(answer.operands)
        if occupied is not None:
            axes = [",".join(map(str, own)) or "-" for own in occupied]
    sign = _SIGNS[comparison.standings[number].agrees]
    if not comparison.rows[number].counts:
        sign = Cell(sign.text, Tone.GHOST)
    return result, *map(Cell, axes), sign


_SIGNS = {True: Cell("=", Tone.EQUAL), False: Cell("!", Tone.CLASH), None: Cell("?", Tone.DEPENDS)}


def _sentences(comparison: Comparison) -> Iterator[Line]:
    """Yield the rules' notes, those of neighbours on one line if they are equal."""
    said: dict[tuple[str, str], list[str]] = {}
    for number, row in enumerate(comparison.rows):
        for remark in _remarks(comparison, number):
            said.setdefault(remark, []).append(row.name)
    for (label, text), names in said.items():
        said_on_page = with_shapes(text, comparison.operands, page_shape)
        if label == "when":
            said_on_page = python_in_words(text)
        who = ", ".join(names)
        yield Line(label, f"{who}: {text}", Tone.NOTE, on_page=f"{who}: {said_on_page}")


def _remarks(comparison: Comparison, number: int) -> Iterator[tuple[str, str]]:
    """Yield the notes on a row, each sentence after its label."""
    row = comparison.rows[number]
    answer = row.answer
    for (one, other), always in comparison.other_values:
        if number in other:
            sometimes = "" if always else "for some sizes "
            than = comparison.rows[one[0]].name
            moved = _moved(comparison, one[0], number)
            yield "!", f"{sometimes}{moved} than under {than}: the same shape, other values"
    if answer.reason:
        yield "mismatch", answer.reason.text
    elif answer.when:
        yield "when", answer.when
    if answer.rule.second_is_target:
        yield "note", f"{comparison.operands[1].name} is a target shape, not an array"
    if "order" in answer.options:
        shapes = [written(operand.shape[::-1]) for operand in comparison.operands]
        yield "note", f"shapes as ncnn writes them, w first: {joined_with_and(shapes)}"


def _moved(comparison: Comparison, number: int, other: int) -> str:
    """Return which operands are on other axes under one of two rows."""
    axes = [occupied_axes(comparison.rows[each].answer) for each in (number, other)]
    pairs = zip(comparison.operands, *(each or () for each in axes), strict=False)
    names = [operand.name for operand, one, two in pairs if one != two]
    where = "on another axis" if len(names) == 1 else "on other axes"
    return f"{joined_with_and(names)} {where}" if names else "operands on other axes"


def _ending(comparison: Comparison) -> Iterator[Part]:
    """Yield notes, what to write so that the rules agree, and last whether they agree."""
    if not all(row.counts for row in comparison.rows):
        yield Line("[ ]", "for information; not part of the verdict", Tone.NOTE)
    suggested = suggestions(comparison)
    for note in notes(comparison, suggested):
        yield Line("note", note.text, Tone.NOTE)
    if rewrites := tuple(_rewritten(comparison, each) for each in suggested):
        yield Grid((), (rewrites,), ruled=False)
    tone = Tone.NO if all_refuse(comparison) else ANSWER_TONE[comparison.ok]
    on_page = _agreement(comparison, page_shape)
    yield Line("", _agreement(comparison), tone, on_page=on_page)


def _rewritten(comparison: Comparison, rewrite: Rewrite) -> tuple[Cell, ...]:
    said = f"as {comparison.rows[rewrite.like].name}"
    if rewrite.under:
        said = f"under {joined_with_and(rewrite.under)}"
    return tuple(map(Cell, ("try", rewrite.write, f"gives {written(rewrite.result)} {said}")))


def _agreement(comparison: Comparison, shape: Writes = written) -> str:
    """Return whether the rules agree, in a sentence."""
    if not comparison.is_decided:
        return UNDECIDED
    if differs_by_batch(comparison):
        return "ncnn differs only by the batch axis"
    if comparison.ok is None and comparison.when:
        return f"it depends: the rules agree when {_when(comparison, shape)}"
    if comparison.ok is None:
        return "whether they agree depends on the unknown sizes"
    return f"the rules {verdict(comparison, shape)}"
