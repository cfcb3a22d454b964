"""Reports of comparisons: a row for each rule, whether they agree, and rewrites if all refuse."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bcastcli import reports
from bcastcli.compare.comparison import Comparison, Rewrite, Row, rewrites
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Writes, written
from bcastcli.core.wording import joined_with_and
from bcastcli.render.sheet import Cell, Grid, Line, Part, Sheet, Tone, page_shape
from bcastcli.reports import STATUS, Report
from bcastcli.reports.numpy_code import occupied_axes
from bcastcli.reports.tables import ANSWER_TONE, sentence

if TYPE_CHECKING:
    from bcastcli.picture.figure import PictureOptions


class ComparisonReport(Report):
    """The answers of the rules to one of many questions."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison

    def lines(self) -> Sequence[str]:
        """Whether the rules agree, and the results that they share or that differ."""
        return (verdict(self.comparison),)

    def records(self) -> Sequence[Mapping[str, object]]:
        """The record."""
        return (_record(self.comparison),)

    def sheet(self) -> Sheet:
        """A row for each rule, notes on them, and whether they agree."""
        comparison = self.comparison
        title = f"compare: {'; '.join(f'{n} {page_shape(s)}' for n, s in comparison.operands)}"
        parts = (_rules(comparison), *_sentences(comparison), *_ending(comparison))
        return Sheet(title, f"{title}. {sentence(verdict(comparison, page_shape))}", parts)


class SingleComparisonReport(ComparisonReport):
    """A single comparison, with the details that are slower to find."""

    def __init__(
        self,
        comparison: Comparison,
        *,
        steps: bool = False,
        picture: "PictureOptions | None" = None,
    ) -> None:
        """Take whether there are steps, and the options of the picture."""
        super().__init__(comparison)
        self._steps = steps
        self._picture = picture

    def sheet(self) -> Sheet:
        """The requested steps and picture, and whether the rules agree."""
        sheet = super().sheet()
        if not self._steps and self._picture is None:
            return sheet
        parts = [*_steps(self.comparison)] if self._steps else []
        if self._picture is not None:
            from bcastcli.compare.picture import of_comparison
            from bcastcli.picture.answers import Picture

            parts.append(Picture(of_comparison(self.comparison, self._picture)))
        ending = [part for part in _ending(self.comparison) if isinstance(part, Line)]
        return sheet._replace(parts=(*parts, *ending))

    def records(self) -> Sequence[Mapping[str, object]]:
        """The record, with rewrites under which the rules agree."""
        suggested = rewrites(self.comparison)
        advised = [{**each._asdict(), "operands": _dicts(each.operands)} for each in suggested]
        return ({**_record(self.comparison), "suggestions": advised},)


def _steps(comparison: Comparison) -> Iterator[Part]:
    """Yield the steps of each group of rules that agree, below the rules' names."""
    from bcastcli.picture.steps import steps

    for numbers in comparison.groups:
        rows = [comparison.rows[number] for number in numbers]
        yield Line("", ", ".join(row.name for row in rows), Tone.NOTE)
        first = rows[0].answer
        yield from steps(first)
        yield Line("", reports.verdict(first), ANSWER_TONE[first.ok])


def verdict(comparison: Comparison, shape: Writes = written) -> str:
    """Whether the rules agree, and the results that they share or that differ."""
    if not comparison.is_decided:
        return "not decided: too many unknown sizes"
    if comparison.ok is None:
        when = comparison.when
        return f"depends: agree when {when}" if when else "depends on the unknown sizes"
    return f"{'agree' if comparison.ok else 'differ'}: {_results(comparison, shape)}"


def _results(comparison: Comparison, shape: Writes) -> str:
    """The results; if they differ, with the rules' names."""
    names_by_result: dict[str, str] = {}
    for numbers in comparison.groups:
        rows = [comparison.rows[number] for number in numbers]
        answer = rows[0].answer
        result = text = "mismatch" if answer.reason else reports.verdict(answer, shape)
        still = ""
        while text in names_by_result:
            text = f"{result} on {still}other axes"
            still += "still "
        names_by_result[text] = ", ".join(row.name for row in rows)
    if len(names_by_result) > 1:
        return "; ".join(f"{names} {result}" for result, names in names_by_result.items())
    return "".join(names_by_result)


def _record(comparison: Comparison) -> dict[str, object]:
    return {
        "command": "compare",
        "status": STATUS[comparison.ok],
        "operands": _dicts(comparison.operands),
        "agree": comparison.ok,
        "when": comparison.when,
        "rows": [
            {
                "rule": row.answer.rule.name,
                "options": row.answer.options,
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
        "same_shape_other_values": _dicts(comparison.other_values),
        "left_out": [rule.name for rule in comparison.left_out],
        "notes": _dicts(comparison.notes),
    }


def _dicts(values: Iterable[NamedTuple]) -> list[dict[str, object]]:
    return [each._asdict() for each in values]


def _w_first(answer: Answer) -> dict[str, object]:
    """The shapes as ncnn writes them."""
    if "order" not in answer.options:
        return {}
    shapes = [shape[::-1] for _, shape in answer.operands]
    return {"w_first": {"shapes": shapes, "result": answer.result and answer.result[::-1]}}


def _rules(comparison: Comparison) -> Grid:
    """A row for each rule, or for each name that it was given."""
    axes = [f"{operand.name} axes" for operand in comparison.operands]
    head = tuple(map(Cell, ("rule", "result", *axes, "agrees")))
    rows = []
    for row, standing in zip(comparison.rows, comparison.standings, strict=True):
        cells = _cells(row.answer, standing.agrees)
        rows += [(Cell(name), *cells) for name in row.names]
    return Grid((head,), (tuple(rows),))


def _cells(answer: Answer, agrees: bool | None) -> tuple[Cell, ...]:
    """A result, the axes of each operand, and whether it agrees with the first one."""
    if answer.result is None:
        result, axes = Cell("mismatch", Tone.CLASH), [""] * len(answer.operands)
    else:
        result = Cell(written(answer.result), Tone.PLAIN if answer.ok else Tone.DEPENDS)
        occupied = occupied_axes(answer) or ["?"] * len(answer.operands)
        axes = [",".join(map(str, each)) or "-" for each in occupied]
    return result, *map(Cell, axes), _SIGNS[agrees]


_SIGNS = {True: Cell("=", Tone.EQUAL), False: Cell("!", Tone.CLASH), None: Cell("?", Tone.DEPENDS)}


def _sentences(comparison: Comparison) -> Iterator[Line]:
    """Yield the rules' notes; those of several rules on one line if they are equal."""
    yield from _other_values(comparison)
    rules_by_note: dict[tuple[str, str], list[str]] = {}
    for row in comparison.rows:
        for note in _remarks(comparison, row):
            rules_by_note.setdefault(note, []).append(row.name)
    for (label, text), names in rules_by_note.items():
        yield Line(label, f"{', '.join(names)}: {text}", Tone.NOTE)


def _remarks(comparison: Comparison, row: Row) -> Iterator[tuple[str, str]]:
    """Yield the notes on a row, each with its label."""
    answer = row.answer
    if answer.reason:
        yield "mismatch", answer.reason.text
    elif answer.when:
        yield "when", answer.when
    if answer.rule.second_is_target:
        yield "note", f"{comparison.operands[1].name} is a target shape, not an array"
    if "order" in answer.options:
        shapes = [written(shape[::-1]) for _, shape in comparison.operands]
        yield "note", f"in its order (w first) the shapes are {joined_with_and(shapes)}"


def _other_values(comparison: Comparison) -> Iterator[Line]:
    """Yield how rules line up operands that give the same shape and other values elsewhere."""
    others: dict[tuple[int, ...], bool] = {}
    for (_, other), always in comparison.other_values:
        others.setdefault(other, always)
    for other, always in others.items():
        rules = [comparison.rows[number].name for number in other]
        sometimes = "" if always else " for some sizes"
        text = f"same shape, different values{sometimes}: {', '.join(rules)}"
        yield Line("!", text, Tone.NOTE)


def _ending(comparison: Comparison) -> Iterator[Part]:
    """Yield notes, rewrites under which the rules agree, and last whether they agree."""
    suggested = rewrites(comparison)
    for note in comparison.notes:
        yield Line("note", note.text, Tone.NOTE)
    if suggested:
        rows = tuple([_rewritten(comparison, each) for each in suggested])
        yield Grid((), (rows,), ruled=False)
    tone = Tone.NO if comparison.all_refuse else ANSWER_TONE[comparison.ok]
    yield Line("", verdict(comparison), tone, on_page=verdict(comparison, page_shape))


def _rewritten(comparison: Comparison, rewrite: Rewrite) -> tuple[Cell, ...]:
    gives = f"gives {written(rewrite.result)} like {comparison.rows[rewrite.like].name}"
    return Cell("try"), Cell(rewrite.write), Cell(gives)
