"""The report of the lines where shapes grew without a word: `bcastcli run --strict`."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TextIO

from bcastcli.advice.lines import advise
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question, Suggestion
from bcastcli.core.shapes import written
from bcastcli.raising import watching
from bcastcli.raising.loading import left
from bcastcli.raising.naming import Where, place, shortened, shown_file
from bcastcli.raising.report import written_for
from bcastcli.raising.rewriting import sources
from bcastcli.raising.trees import place_of
from bcastcli.raising.watching import OF_OWNER, Grown, Site
from bcastcli.render import shown
from bcastcli.render.sheet import Line, Part, Sheet, Tone
from bcastcli.reports import Report, tables
from bcastcli.reports.records import record, with_advice
from bcastcli.rules import RULES, USUAL

_METHODS: dict[type, str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
_WIDEST = 48
"""The longest statement that is shown whole."""
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Expr, ast.Assert)


class GrownReport(Report):
    """A line where shapes grew, with the table and the suggestions of its question."""

    def __init__(self, site: Site, grown: Grown) -> None:
        self._grown, self._times = grown, watching.times[site]
        self._operation, source = _found(site)
        self._where = Where(site.file, site.line, site.function, source)
        names = map(shortened, _names(self._operation, grown.places))
        self._operands = [*map(Operand, names, grown.shapes)]

    def _answer(self, operands: Sequence[Operand]) -> Answer:
        framework = self._grown.framework.removesuffix("lib")  # jaxlib
        return Question(RULES[USUAL], operands, framework=framework).answer()

    def _tries(self) -> list[Suggestion]:
        """What to write instead of one operand, where the others all have one other shape."""
        by_shape: dict[object, list[Operand]] = {}
        for where, operand in zip(self._grown.places, self._operands, strict=True):
            by_shape.setdefault(operand.shape, []).append(operand)
            if where == OF_OWNER:
                by_shape[operand.shape].append(operand)  # it is no array that one could change
        if len(by_shape) != 2:
            return []
        answer = self._answer([each[0] for each in by_shape.values()])
        lone = {each[0].name for each in by_shape.values() if len(each) == 1}
        lines = advise(answer).lines if answer.is_square else ()
        return [line for line in lines if {each.name for each in line.changed} <= lone]

    def records(self) -> Sequence[Mapping[str, object]]:
        """The record of its question, with the place and the number of times."""
        more = {"command": "run", "where": self._where._asdict(), "times": self._times}
        if self._grown.framework == "pandas":
            own = {"operands": [each._asdict() for each in self._operands]}
            return ({"status": "yes", "result": self._grown.result, **own, **more},)
        answer = self._answer(self._operands)
        return (with_advice({**record(answer), **more}, answer.notes, self._tries()),)

    def sheet(self) -> Sheet:
        """The place, the table, the notes, and the suggestions."""
        often = f"   ({self._times:,} times)" if self._times > 1 else ""
        head = Line("", f"{place(self._where)}{often}")
        if self._grown.framework == "pandas":
            return Sheet("", "", (head, *self._by_labels()))
        answer, tries = self._answer(self._operands), self._tries()
        notes = [Line("note", note.text, Tone.NOTE) for note in answer.notes]
        advice = [tables.advised(tries)] if tries else []
        return Sheet("", "", (head, *tables.table(answer), *notes, *advice))

    def _by_labels(self) -> Iterator[Part]:
        """The shapes of pandas, and what aligned."""
        shown = [*self._operands, Operand("result", self._grown.result)]
        width = max(len(each.name) for each in shown)
        for each in shown:
            yield Line("", f"{each.name:{width}}  {written(each.shape)}")
        first, second = self._operands
        yield Line("note", "pandas aligns the labels of both with each other's columns")
        method = _METHODS.get(type(getattr(self._operation, "op", None)))
        if method and len(second.shape) == 1 and second.shape[0] == first.shape[0]:
            write = f"{first.name}.{method}({second.name}, axis=0)"
            yield Line("try", f"{write}  gives {written(first.shape)}")


def reports() -> list[GrownReport]:
    """A report for each line where shapes grew, in the order of files and lines."""
    first: dict[tuple[str, int], Site] = {}
    for site in watching.grown:
        first.setdefault((site.file, site.line), site)
    return [GrownReport(each, watching.grown[each]) for each in first.values()]


def text(output: str, stream: TextIO | None) -> str:
    """What a program under `--strict` ends with: its lines, their number, files left alone."""
    own = reports()
    texts = [written_for(each, output, stream) for each in own]
    if output == "json":
        return "".join(texts)
    texts = ["\n".join(texts)]
    if own:
        lines = "1 line" if len(own) == 1 else f"{len(own):,} lines"
        texts.append(f"{lines} where shapes grew without a word\n")
    for file, reason in left.items():
        said = f"bcastcli: {shown_file(file)} was not watched: {reason}\n"
        texts.append(shown(said, stream) if stream else said)
    return "".join(texts)


@cache
def _nodes(file: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(sources[file])))


def _found(site: Site) -> tuple[ast.AST, str]:
    """The operation at a site, and the text of its statement, or of itself within a larger one."""
    kinds = (ast.BinOp, ast.Compare, ast.Call, ast.AugAssign)
    placed = [each for each in _nodes(site.file) if hasattr(each, "end_col_offset")]
    here = [each for each in placed if place_of(each) == site.place]
    operation = next(each for each in here if isinstance(each, kinds))
    first, last = site.place[:2], site.place[2:]
    whole: ast.AST = operation
    for each in placed:
        if isinstance(each, _STATEMENTS):
            own = place_of(each)
            if own[:2] <= first and last <= own[2:]:
                whole = each
    text = " ".join(ast.unparse(whole).split())
    return operation, text if len(text) <= _WIDEST else " ".join(ast.unparse(operation).split())


def _names(operation: ast.AST, places: Sequence[int]) -> list[str]:
    """The operands of an operation, as the program writes them."""
    match operation:
        case ast.BinOp(left=one, right=other) | ast.AugAssign(target=one, value=other):
            parts = [one, other]
        case ast.Compare(left=one, comparators=[other]):
            parts = [one, other]
        case ast.Call(func=called, args=given, keywords=named):
            values = [*given, *(each.value for each in named)]
            owner = getattr(called, "value", called)
            parts = [owner if place < 0 else values[place] for place in places]
        case _:
            parts = []
    return [ast.unparse(each) for each in parts]
