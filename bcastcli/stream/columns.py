"""Lines of numbers, decided on the columns of sizes that meet.

Reading a line and asking the rule in full takes several times as long as a loop over
`numpy.broadcast_shapes`. Most lines hold only numbers. These are cut at their spaces and commas,
the sizes that meet are brought together as texts, and the rule decides each column. Columns are
remembered, since they recur in lines that do not.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from operator import add
from typing import NamedTuple, TypeAlias

from bcastcli.core.alignment import Layout, Operand, automatic_names
from bcastcli.core.answer import reason_of_sizes
from bcastcli.core.question import Question
from bcastcli.core.rule import Meeting, Options, Rule
from bcastcli.core.shapes import CLASH, Column, Verdict
from bcastcli.reports import mismatch

_MAX_COLUMNS = 1 << 14
"""How many columns of each rule are remembered."""
MAX_LENGTH = 200
"""The most characters of a line that is decided on its columns."""
_OBJECT = '{"shapes":'

Texts: TypeAlias = list[str]
"""The sizes of a shape as typed."""
TextColumn: TypeAlias = tuple[str | None, ...]
"""The sizes that meet on an axis, as typed; None if an operand lacks it."""


class Way(NamedTuple):
    """One way to align operands of given ranks."""

    missing: Sequence[list[None]]
    """For each operand as many None as it lacks axes before its first."""
    size: Callable[[TextColumn], str | None]
    """Gives the result's size for a column; None if its sizes clash or are not all numbers."""

    def columns(self, shapes: Sequence[Texts]) -> Iterator[TextColumn]:
        """The columns of shapes."""
        return zip_longest(*map(add, self.missing, shapes))


class Plan(NamedTuple):
    """How a rule answers operands of given ranks."""

    names: tuple[str, ...]
    layout: Layout
    ways: Sequence[Way]
    """In the order in which they are tried; none if these ranks never broadcast."""


class Columns:
    """What a rule decides on lines of numbers."""

    def __init__(self, rule: Rule, options: Options, framework: str = "") -> None:
        """Take the rule, its options, and the framework that was named in its place."""
        self._rule = rule
        self._options = options
        self._framework = "" if framework.lower() == rule.name else framework.lower()
        self._plan = lru_cache(self._planned)
        self._sizes = lru_cache(_sizes)

    def answer(self, line: str) -> tuple[bool, str] | None:
        """Whether the shapes of a line broadcast, and the answer; None if it is asked in full."""
        shapes = texts_of(line)
        plan = self._plan(tuple(map(len, shapes)))
        if plan is None:
            return None
        if plan.layout.refusal:
            if None in map(numbers_in, shapes):
                return None
            operands = self._question(plan, shapes).operands
            return False, mismatch(self._rule.refuse(operands, self._options))
        for way in plan.ways:
            sizes = list(map(way.size, way.columns(shapes)))
            if None not in sizes:
                return True, ",".join(sizes[: plan.layout.rank])  # type: ignore[arg-type]
        return self._mismatch(plan, shapes)

    def _question(self, plan: Plan, shapes: list[Texts]) -> Question:
        known = [tuple(map(int, shape)) for shape in shapes]
        operands = tuple(map(Operand, plan.names, known))
        return Question(self._rule, operands, self._options, framework=self._framework)

    def _mismatch(self, plan: Plan, shapes: list[Texts]) -> tuple[bool, str] | None:
        """The answer where sizes clash; None if they are not all numbers."""
        rule, rank, shown = self._rule, plan.layout.rank, plan.layout.shown_on_mismatch
        way = plan.ways[shown]
        met = list(way.columns(shapes))
        clashing = [axis for axis, column in enumerate(met) if way.size(column) is None]
        if None in [numbers_in(met[axis]) for axis in clashing]:
            return None
        meeting = Meeting(
            plan.names,
            rank,
            plan.layout.alignments[shown].name,
            lambda axis: numbers_in(met[axis]) or (),
            lambda axis: rule.axis_label(axis, rank, self._options, self._framework),
            lambda: self._question(plan, shapes),
        )
        return False, mismatch(reason_of_sizes(rule, meeting, clashing).text)

    def _planned(self, ranks: tuple[int, ...]) -> Plan | None:
        """The plan for operands of some ranks; None if these are asked in full."""
        rule, options = self._rule, self._options
        if not rule.accepts_count(len(ranks)):
            return None
        names = automatic_names([()] * len(ranks), rule.default_names)
        operands = list(map(Operand, names, [(1,) * rank for rank in ranks]))
        if rule.lacks(operands, options):
            return None
        layout = rule.align(ranks, options)
        ways = []
        for each in () if layout.refusal else layout.alignments:
            missing = [[None] * first for first in each.places if isinstance(first, int)]
            if len(missing) < len(ranks):  # the axes of a shape are not neighbours
                return None
            ways.append(Way(missing, self._sizes(each.combine)))
        return Plan(tuple(names), layout, ways)


def texts_of(line: str) -> list[Texts]:
    """The shapes on a line of numbers, which may be JSON; anything else gives other texts."""
    if len(line) > MAX_LENGTH:
        return []
    if line[:1] not in ("{", "["):
        return [word.split(",") for word in line.split(" ")]
    if line.startswith(_OBJECT) and line.endswith("}"):
        line = line[len(_OBJECT) : -1].lstrip(" ")
    if not (line.startswith("[[") and line.endswith("]]")):
        return []
    return [shape.split(",") for shape in line[2:-2].replace(", ", ",").split("],[")]


def numbers_in(texts: Sequence[str | None]) -> Column | None:
    """The numbers that texts are; None if any is not written as answers write it."""
    numbers: list[int | None] = []
    for text in texts:
        if text is not None and not (text.isascii() and text.isdigit() and str(int(text)) == text):
            return None
        numbers.append(None if text is None else int(text))
    return tuple(numbers)


def _sizes(combine: Callable[[Column], Verdict]) -> Callable[[TextColumn], str | None]:
    """Gives the result's size for each column; None if its sizes clash or are not all numbers."""

    @lru_cache(_MAX_COLUMNS)
    def size(column: TextColumn) -> str | None:
        numbers = numbers_in(column)
        verdict = CLASH if numbers is None else combine(numbers)
        return None if verdict == CLASH else str(verdict.result)

    return size
