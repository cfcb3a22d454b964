"""Lines of numbers, decided on the columns of sizes that meet.

Reading a line and asking the rule in full takes several times as long as a loop over
`numpy.broadcast_shapes`. Most lines hold only numbers. These are cut at their spaces and commas,
the sizes that meet are brought together as texts, and the rule gives each column's size. The sizes
of columns are remembered, since they recur in lines that do not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import zip_longest
from operator import add
from typing import NamedTuple

from bcastcli.core.alignment import Layout, Operand, automatic_names
from bcastcli.core.answer import reason_of_sizes
from bcastcli.core.question import Question
from bcastcli.core.rule import Meeting, Options, Rule
from bcastcli.core.shapes import MAX_CACHED, Column, Verdict
from bcastcli.reports import mismatch

_MAX_PLANS = 1 << 10
_MAX_COLUMNS = 1 << 13
_MAX_NUMBERS = 1 << 13
"""How many combinations of ranks, columns and sizes are remembered."""
_OBJECT = '{"shapes":'
_FITS = "1"
"""In place of a size that fits where the result has no axis."""

Texts = list[str]
"""The sizes of a shape as typed."""
TextColumn = tuple[str | None, ...]
"""The sizes that meet on an axis, as typed; None if an operand lacks it."""


class Way(NamedTuple):
    """One way to align operands of given ranks."""

    name: str
    missing: Sequence[list[None]]
    """For each operand as many None as it lacks axes before its first; empty if none lacks any."""
    size: Callable[[TextColumn], str | None]
    """Gives the result's size for a column."""

    def columns(self, shapes: Sequence[Texts]) -> Iterator[TextColumn]:
        """The columns of shapes."""
        laid = map(add, self.missing, shapes) if self.missing else shapes
        return zip_longest(*laid)


class Plan(NamedTuple):
    """How a rule answers operands of given ranks."""

    names: tuple[str, ...]
    """The operands' names; none if the line is asked in full."""
    layout: Layout
    labels: Sequence[str]
    """The names of the axes in sentences."""
    ways: Sequence[Way]
    """In the order in which they are tried; none if these ranks never broadcast."""


_IN_FULL = Plan((), Layout(0, ()), (), ())
"""The plan for lines that are asked in full."""


class Columns:
    """The answers of a rule to lines of numbers."""

    def __init__(self, rule: Rule, options: Options, framework: str = "") -> None:
        """Take the rule, its options, and the framework that was named in its place."""
        self._rule = rule
        self._options = options
        self._framework = "" if framework.lower() == rule.name else framework.lower()
        self._plan = lru_cache(_MAX_PLANS)(self._plan_of)
        self._size_by = lru_cache(_size_by)
        self.verdicts: set[bool | None] = set()
        """The verdicts so far."""

    def answers(self, lines: Iterable[str]) -> list[str | None]:
        """The answer to each line, on a line; None if a line is not only numbers."""
        found: list[str | None] = []
        plan_of, verdicts = self._plan, self.verdicts
        for line in lines:
            shapes = texts_of(line)
            plan = plan_of(tuple(map(len, shapes)))
            for way in plan.ways:
                sizes = list(map(way.size, way.columns(shapes)))
                if None not in sizes:
                    verdicts.add(True)
                    found.append(",".join(sizes[: plan.layout.rank]))  # type: ignore[arg-type]
                    break
            else:
                found.append(self._mismatch(plan, shapes))
        return found

    def _mismatch(self, plan: Plan, shapes: Sequence[Texts]) -> str | None:
        """The answer to shapes that do not broadcast; None if they are not only numbers."""
        layout = plan.layout
        if not plan.ways:
            question = self._question(plan, shapes)
            if question is None or layout.refusal is None:
                return None
            self.verdicts.add(False)
            return mismatch(layout.refusal.explain(question.operands))
        way = plan.ways[layout.shown_on_mismatch]
        columns = list(way.columns(shapes))
        clashing = [axis for axis, column in enumerate(columns) if way.size(column) is None]
        numbers = [numbers_in(columns[axis]) for axis in clashing]
        if None in numbers:
            return None
        meeting = Meeting(
            plan.names,
            layout.rank,
            way.name,
            lambda axis: numbers_in(columns[axis]) or (),
            plan.labels.__getitem__,
            partial(self._question, plan, shapes),  # type: ignore[arg-type]  # only numbers
        )
        self.verdicts.add(False)
        return mismatch(reason_of_sizes(self._rule, meeting, clashing).text)

    def question(self, line: str) -> Question | None:
        """The question on a line; None if it is not only numbers."""
        shapes = texts_of(line)
        return self._question(self._plan(tuple(map(len, shapes))), shapes)

    def _question(self, plan: Plan, shapes: Sequence[Texts]) -> Question | None:
        numbers = list(map(numbers_in, shapes))
        if not plan.names or None in numbers:
            return None
        operands = tuple(map(Operand, plan.names, numbers))  # type: ignore[arg-type]
        return Question(self._rule, operands, self._options, framework=self._framework)

    def _plan_of(self, ranks: tuple[int, ...]) -> Plan:
        """The plan for operands of some ranks."""
        rule, options = self._rule, self._options
        if len(ranks) > MAX_CACHED or not rule.accepts_count(len(ranks)):
            return _IN_FULL
        names = automatic_names([()] * len(ranks), rule.default_names)
        operands = [Operand(name, (1,) * rank) for name, rank in zip(names, ranks, strict=True)]
        if rule.lacks(operands, options):
            return _IN_FULL
        layout = rule.align(ranks, options)
        ways = []
        for each in () if layout.refusal else layout.alignments:
            missing = [[None] * first for first in each.places if isinstance(first, int)]
            if len(missing) < len(ranks):  # the axes of a shape are not neighbours
                return _IN_FULL
            ways.append(
                Way(each.name, missing if any(missing) else (), self._size_by(each.combine))
            )
        labels = [
            rule.axis_label(axis, layout.rank, options, self._framework)
            for axis in range(layout.rank)
        ]
        return Plan(tuple(names), layout, labels, ways)


def texts_of(line: str) -> list[Texts]:
    """The shapes on a line of numbers, which may be JSON; anything else gives other texts."""
    if line[:1] not in ("{", "["):
        return [word.split(",") for word in line.split(" ")]
    if line.startswith(_OBJECT) and line.endswith("}"):
        line = line[len(_OBJECT) : -1].lstrip(" ")
    if not (line.startswith("[[") and line.endswith("]]")):
        return []
    return [shape.split(",") for shape in line[2:-2].replace(", ", ",").split("],[")]


def _size_by(combine: Callable[[Column], Verdict]) -> Callable[[TextColumn], str | None]:
    """The function that gives a column's size; None if its sizes clash, or are not all numbers."""
    decide = getattr(combine, "__wrapped__", combine)  # without the cache of its own, if it has one

    def size(column: TextColumn) -> str | None:
        numbers = numbers_in(column)
        if numbers is None:
            return None
        verdict = decide(numbers)
        if () in verdict.condition:
            return None
        return _FITS if verdict.result is None else str(verdict.result)

    return lru_cache(_MAX_COLUMNS)(size)


def numbers_in(texts: Sequence[str | None]) -> tuple[int | None, ...] | None:
    """The numbers that texts are; None if any is not written as answers write it."""
    numbers = tuple([None if text is None else _number(text) for text in texts])
    return None if -1 in numbers else numbers


@lru_cache(_MAX_NUMBERS)
def _number(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and (text == "0" or text[0] != "0")
    return int(text) if is_number else -1
