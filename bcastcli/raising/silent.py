"""The report of the lines where shapes silently grew: `bcastcli run --strict`."""

import ast
from collections import Counter
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
from bcastcli.raising.rewriting import lines_of, sources
from bcastcli.raising.watching import OWNER, Grown, Site, place_of
from bcastcli.render import shown
from bcastcli.render.sheet import Line, Part, Sheet, Tone
from bcastcli.reports import Report, tables
from bcastcli.reports.records import record, with_advice
from bcastcli.rules import RULES, USUAL

_METHODS: dict[type, str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
_KINDS = (ast.BinOp, ast.Compare, ast.Call, ast.AugAssign)
_parsed = cache(ast.parse)


class GrownReport(Report):
    """A line where shapes grew, with the table and the suggestions of its question."""

    def __init__(self, site: Site, grown: Grown) -> None:
        self._grown, self._times = grown, watching.times[site]
        line = lines_of(site.file)[site.line - 1].strip()
        self._where = Where(site.file, site.line, site.function, line)
        nodes = (each for each in ast.walk(_parsed(sources[site.file])) if isinstance(each, _KINDS))
        [self._operation] = [each for each in nodes if place_of(each) == site.place]
        parts = _operands(self._operation, grown.places)
        names = [shortened(ast.unparse(each)) for each in parts]
        self._operands = [*map(Operand, names, grown.shapes)]

    def _answer(self, operands: Sequence[Operand]) -> Answer:
        return Question(RULES[USUAL], operands, framework=self._grown.framework).answer()

    def _tries(self) -> list[Suggestion]:
        """What to write instead of one operand, where the others all have one other shape."""
        counts = Counter(each.shape for each in self._operands)
        one_of_each = {each.shape: each for each in self._operands}
        answer = self._answer([*one_of_each.values()])
        pairs = zip(self._grown.places, self._operands, strict=True)
        # The owner of a method may be a distribution, and the target of += keeps its shape.
        kept = (OWNER, 0) if isinstance(self._operation, ast.AugAssign) else (OWNER,)
        own = {each.name for at, each in pairs if counts[each.shape] == 1 and at not in kept}
        lines = advise(answer).lines if answer.is_square and len(counts) == 2 else ()
        return [line for line in lines if {each.name for each in line.changed} <= own]

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
        first, second = self._operands
        for each in (first, second, Operand("result", self._grown.result)):
            yield Line("", f"{each.name}  {written(each.shape)}")
        yield Line("note", "pandas aligns the labels of both with each other's columns")
        function = getattr(self._operation, "func", None)
        operator = type(getattr(self._operation, "op", None))
        method = _METHODS.get(operator, getattr(function, "attr", ""))
        if method and second.shape == first.shape[:1]:
            write = f"{first.name}.{method}({second.name}, axis=0)"
            yield Line("try", f"{write}  gives {written(first.shape)}")


def text(output: str, stream: TextIO | None) -> str:
    """What a program under `--strict` ends with: its lines, their number, files left alone."""
    first: dict[tuple[str, int], Site] = {}
    for site in watching.grown:
        first.setdefault((site.file, site.line), site)
    reports = [GrownReport(site, watching.grown[site]) for site in first.values()]
    texts = [written_for(report, output, stream) for report in reports]
    if output == "json":
        return "".join(texts)
    texts = ["\n".join(texts)]
    if reports:
        lines = "1 line" if len(reports) == 1 else f"{len(reports):,} lines"
        texts.append(f"{lines} where shapes silently grew\n")
    for file, reason in left.items():
        line = f"bcastcli: {shown_file(file)} was not watched: {reason}\n"
        texts.append(shown(line, stream) if stream else line)
    return "".join(texts)


def _operands(operation: ast.AST, places: Sequence[int]) -> list[ast.AST]:
    """The operands of an operation, as the program has them."""
    nodes = ast.iter_child_nodes(operation)
    parts = [each.value if isinstance(each, ast.keyword) else each for each in nodes]
    parts = [each for each in parts if isinstance(each, ast.expr)]
    if isinstance(operation, ast.Call):
        parts = [*parts[1:], getattr(parts[0], "value", parts[0])]  # last, as OWNER is -1
    return [parts[place] for place in places]
