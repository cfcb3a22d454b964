"""Comparisons of rules, in each format."""

from collections.abc import Iterator
from itertools import groupby

from bcastcli.analysis.comparison import Comparison, Rewrite
from bcastcli.analysis.numpy_code import occupied_axes
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import written
from bcastcli.core.wording import listed
from bcastcli.notation.text import NotationError, printable
from bcastcli.render import Form, Format, SheetForm, Style, plain, tsv
from bcastcli.render.sheet import Cell, Grid, Line, Part, Sheet, Tone
from bcastcli.reports.answers import LAST


def writer(output: Format) -> Form[Comparison]:
    """What writes comparisons in a format."""
    if output is Format.PLAIN:
        return Plain()
    if output is Format.TSV:
        return Tsv()
    if output is Format.JSON:
        return Json()
    return SheetForm(output, sheet)


class Plain:
    """One line: whether the rules agree, and on what or in what they do not."""

    HEADER = ""
    NUMBERED = False
    BRIEF = True
    failed = staticmethod(plain.failed)
    numbered = staticmethod(plain.numbered)
    tagged = staticmethod(plain.tagged)

    def render(self, comparison: Comparison, style: Style) -> str:
        """The line."""
        return f"{verdict(comparison)}\n"

    single = render


def verdict(comparison: Comparison) -> str:
    """Whether the rules agree, and on what or in what they do not."""
    if comparison.ok is None:
        when = comparison.when
        return "depends on the unknown sizes" if when is None else f"depends: agree when {when}"
    agree = "agree" if comparison.ok else "differ"
    return f"{agree}: {results(comparison)}"


def results(comparison: Comparison) -> str:
    """The results of the rules that count, and where they differ, whose they are."""
    said: dict[str, str] = {}
    for numbers in comparison.groups:
        rows = [comparison.rows[number] for number in numbers]
        counting = [row for row in rows if row.counts]
        if counting:
            result = what = _result(counting[0].answer)
            still = ""
            while what in said:
                what = f"{result} on {still}other axes"
                still += "still "
            said[what] = ", ".join(row.name for row in counting)
    if len(said) == 1:
        return next(iter(said))
    return "; ".join(f"{names} {result}" for result, names in said.items())


def _result(answer: Answer) -> str:
    return "no broadcast" if answer.reason else plain.verdict(answer, "")


class Tsv:
    """A row for each rule, below a header."""

    COLUMNS = ("operands", "agree", "rule", "counts", "ok", "result", "lies", "agrees", "differs")
    HEADER = "\t".join([*COLUMNS, "when", "reason", "label"]) + "\n"
    NUMBERED = False
    BRIEF = False
    numbered = staticmethod(plain.numbered)
    tagged = staticmethod(tsv.tagged)

    def failed(self, error: NotationError, number: int) -> str:
        """A row that tells what is wrong."""
        empty = [""] * len(self.COLUMNS[1:])
        return tsv.row(printable(error.text), "error", *empty, error.message, tsv.UNLABELLED)

    def render(self, comparison: Comparison, style: Style) -> str:
        """The rows."""
        return "".join(
            tsv.row(
                tsv.operands(comparison.operands),
                tsv.OK[comparison.ok],
                row.name,
                tsv.OK[row.counts],
                tsv.OK[row.answer.ok],
                "" if row.answer.result is None else written(row.answer.result),
                " ".join(map(written, occupied_axes(row.answer) or ())),
                tsv.OK[standing.agrees],
                standing.differs or "",
                row.answer.when or "",
                row.answer.reason.text if row.answer.reason else "",
                tsv.UNLABELLED,
            )
            for row, standing in zip(comparison.rows, comparison.standings, strict=True)
        )

    single = render


class Json:
    """One object on one line."""

    HEADER = ""
    NUMBERED = True
    BRIEF = False

    def __init__(self) -> None:
        from bcastcli.render import json

        self._of_data = json.of_data
        self.failed = json.failed
        self.numbered = json.numbered
        self.tagged = json.tagged

    def render(self, comparison: Comparison, style: Style) -> str:
        """The object without what takes longer to find."""
        return self._of_data(_object(comparison))

    def single(self, comparison: Comparison, style: Style) -> str:
        """The object, with what to write so that the rules agree."""
        suggestions = [_suggested(each) for each in comparison.suggestions]
        return self._of_data({**_object(comparison), "suggestions": suggestions})


def _object(comparison: Comparison) -> dict[str, object]:
    return {
        "command": "compare",
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


def _suggested(rewrite: Rewrite) -> dict[str, object]:
    return {
        "write": rewrite.write,
        "operands": [operand._asdict() for operand in rewrite.operands],
        "axis": rewrite.axis,
        "like": rewrite.like,
        "result": rewrite.result,
    }


def sheet(comparison: Comparison) -> Sheet:
    """A row for each rule, what is to be known of them, and last whether they agree."""
    operands = "; ".join(f"{name} {written(shape)}" for name, shape in comparison.operands)
    title = f"compare: {operands}"
    parts = (_rules(comparison), *_sentences(comparison), *_ending(comparison))
    return Sheet(title, f"{title}. {_agreement(comparison)}.", parts)


def _rules(comparison: Comparison) -> Grid:
    """What each rule says; neighbours that say the same share a row."""
    names = [operand.name for operand in comparison.operands]
    head = ("rule", "result", *(f"{name} on" for name in names), "")
    rows = []
    for cells, numbers in groupby(range(len(comparison.rows)), lambda n: _cells(comparison, n)):
        rows.append((Cell(", ".join(_called(comparison, number) for number in numbers)), *cells))
    return Grid((tuple(map(Cell, head)),), (tuple(rows),))


def _called(comparison: Comparison, number: int) -> str:
    """A row's rule, with its axis and where that comes from."""
    row = comparison.rows[number]
    axis = row.answer.options.get("axis", -1)
    is_default = row.name == row.answer.rule.name and axis != -1
    return f"{row.name} axis {axis} (default)" if is_default else row.name


def _cells(comparison: Comparison, number: int) -> tuple[Cell, ...]:
    """What a row says beside its rule's name."""
    answer = comparison.rows[number].answer
    if answer.result is None:
        result, lies = Cell("no", Tone.CLASH), [Cell("") for _ in comparison.operands]
    else:
        result = Cell(written(answer.result), Tone.PLAIN if answer.ok else Tone.DEPENDS)
        lies = [Cell(text) for text in _lies(answer)]
    remarks = list(_remarks(comparison, number, answer))
    marked = any(remark.startswith("!") for remark in remarks)
    return result, *lies, Cell("; ".join(remarks), Tone.CLASH if marked else Tone.NOTE)


def _lies(answer: Answer) -> Iterator[str]:
    """For each operand the axes on which it lies, with their labels where they have some."""
    axes = occupied_axes(answer)
    for place, _ in enumerate(answer.operands):
        if axes is None or answer.axes is None:
            yield "?"
        else:
            labels = ",".join(answer.axes[axis].label for axis in axes[place])
            numbers = ",".join(map(str, axes[place])) or "-"
            yield f"{numbers} ({labels})" if labels.strip(",") else numbers


def _remarks(comparison: Comparison, number: int, answer: Answer) -> Iterator[str]:
    """What to know of a row."""
    for (one, other), always in comparison.other_values:
        if number in other:
            sometimes = "" if always else "for some sizes "
            yield f"! {sometimes}other axes than {comparison.rows[one[0]].name}"
    first, *others = comparison.operands
    if answer.rule.keeps_first and answer.ok is not False:
        yield f"{first.name} is kept"
    if answer.rule.takes_a_target:
        yield f"{others[0].name} is a target shape here"
    if "order" in answer.options:
        shapes = [written(operand.shape[::-1]) for operand in comparison.operands]
        yield f"w first: {listed(shapes)}"
    if not comparison.rows[number].counts:
        yield "not counted"


def _sentences(comparison: Comparison) -> Iterator[Line]:
    """Why rules refuse, and what a result depends on."""
    said: dict[tuple[str, str], list[str]] = {}
    for row in comparison.rows:
        if row.answer.reason:
            said.setdefault(("no", row.answer.reason.text), []).append(row.name)
        elif row.answer.when:
            said.setdefault(("when", row.answer.when), []).append(row.name)
    for (label, text), names in said.items():
        yield Line(label, f"{', '.join(names)}: {text}", Tone.NOTE)


def _ending(comparison: Comparison) -> Iterator[Part]:
    """Notes, what to write so that the rules agree, and last whether they agree as it is."""
    for note in comparison.notes:
        yield Line("note", note.text, Tone.NOTE)
    if comparison.suggestions:
        rewrites = tuple(_rewritten(comparison, each) for each in comparison.suggestions)
        yield Grid((), (rewrites,), ruled=False)
    yield Line("", _agreement(comparison), LAST[comparison.ok])
    if comparison.other_values:
        always = any(each.always for each in comparison.other_values)
        sometimes = "" if always else "for some sizes "
        text = f"! {sometimes}the same result shape, but not the same values"
        yield Line("", text, Tone.CLASH)


def _rewritten(comparison: Comparison, rewrite: Rewrite) -> tuple[Cell, ...]:
    like = comparison.rows[rewrite.like].name
    return tuple(map(Cell, ("try", rewrite.write, f"gives {written(rewrite.result)} as {like}")))


def _agreement(comparison: Comparison) -> str:
    """Whether the rules agree, in a sentence."""
    if comparison.ok is not None:
        return f"the rules {verdict(comparison)}"
    on = f": the rules agree when {comparison.when}" if comparison.when else " on the unknown sizes"
    return f"it depends{on}"
