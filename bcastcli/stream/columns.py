"""Lines of numbers, decided on the columns of sizes that meet.

Reading a line and asking the rule in full takes several times as long as a loop over
`numpy.broadcast_shapes`. Most lines hold only numbers. These are cut at their spaces and commas,
the sizes that meet are brought together as texts, and the rule gives each column's size. The sizes
of columns are remembered, since they recur in lines that do not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from operator import add
from typing import NamedTuple, TypeVar

from bcastcli.core.alignment import Layout, Operand, automatic_names
from bcastcli.core.answer import reason_of_sizes
from bcastcli.core.question import Question
from bcastcli.core.rule import Meeting, Options, Rule
from bcastcli.core.shapes import MAX_CACHED, Column, Verdict
from bcastcli.reports import mismatch

_MAX_PLANS = 1 << 10
_MAX_SIZES = 1 << 14
"""How many combinations of ranks, and how many columns and sizes are remembered."""
MAX_LENGTH = 200
"""The most characters of a line that is decided on its columns."""
_OBJECT = '{"shapes":'
_FITS = "1"
"""In place of a size that fits where the result has no axis."""

Texts = list[str]
"""The sizes of a shape as typed."""
TextColumn = tuple[str | None, ...]
"""The sizes that meet on an axis, as typed; None if an operand lacks it."""
Key = TypeVar("Key")
Value = TypeVar("Value")


class Remembered(dict[Key, Value]):
    """What a function gives for each key: a dictionary, whose look-ups cost less than calls."""

    def __init__(self, find: Callable[[Key], Value], most: int = _MAX_SIZES) -> None:
        """Take the function; all is forgotten when there would be more keys than `most`."""
        super().__init__()
        self._find = find
        self._most = most

    def __missing__(self, key: Key) -> Value:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._find(key)
        return value


class Way(NamedTuple):
    """One way to align operands of given ranks."""

    name: str
    missing: Sequence[list[None]]
    """For each operand as many None as it lacks axes before its first; empty if none lacks any."""
    size: Callable[[TextColumn], str | None]
    """Gives the result's size for a column; None if its sizes clash or are not all numbers."""

    def columns(self, shapes: Sequence[Texts]) -> Iterator[TextColumn]:
        """The columns of shapes."""
        return zip_longest(*map(add, self.missing, shapes) if self.missing else shapes)


class Plan(NamedTuple):
    """How a rule answers operands of given ranks."""

    names: tuple[str, ...]
    """The operands' names; none if the line is asked in full."""
    layout: Layout
    ways: Sequence[Way]
    """In the order in which they are tried; none if these ranks never broadcast."""


_IN_FULL = Plan((), Layout(0, ()), ())


class Columns:
    """What a rule decides on lines of numbers."""

    def __init__(self, rule: Rule, options: Options, framework: str = "") -> None:
        """Take the rule, its options, and the framework that was named in its place."""
        self._rule = rule
        self._options = options
        self._framework = "" if framework.lower() == rule.name else framework.lower()
        self._plans = Remembered(self._plan, _MAX_PLANS)
        self._sizes = Remembered(_sizes)

    def results(self, lines: Iterable[str]) -> list[str | None]:
        """The result of each line; None if its shapes do not broadcast, or are not all numbers."""
        return list(map(self.result, lines))

    def result(self, line: str) -> str | None:
        """The result of a line; None if its shapes do not broadcast, or are not all numbers."""
        shapes, plan = self._planned(line)
        for way in plan.ways:
            sizes = list(map(way.size, way.columns(shapes)))
            if None not in sizes:
                return ",".join(sizes[: plan.layout.rank])  # type: ignore[arg-type]
        return None

    def mismatch(self, line: str) -> str | None:
        """The answer to a line without a result whose sizes clash; None for any other."""
        shapes, plan = self._planned(line)
        if not plan.ways:
            return None
        way = plan.ways[plan.layout.shown_on_mismatch]
        columns = list(way.columns(shapes))
        clashing = [axis for axis, column in enumerate(columns) if way.size(column) is None]
        if None in [numbers_in(columns[axis]) for axis in clashing]:
            return None
        rule, rank = self._rule, plan.layout.rank
        meeting = Meeting(
            plan.names,
            rank,
            way.name,
            lambda axis: numbers_in(columns[axis]) or (),
            lambda axis: rule.axis_label(axis, rank, self._options, self._framework),
            lambda: self.question(line),  # type: ignore[arg-type,return-value]  # all are numbers
        )
        return mismatch(reason_of_sizes(rule, meeting, clashing).text)

    def question(self, line: str) -> Question | None:
        """The question on a line; None if its shapes are not all numbers."""
        shapes, plan = self._planned(line)
        numbers = list(map(numbers_in, shapes))
        if not plan.names or None in numbers:
            return None
        operands = tuple(map(Operand, plan.names, numbers))  # type: ignore[arg-type]
        return Question(self._rule, operands, self._options, framework=self._framework)

    def _planned(self, line: str) -> tuple[list[Texts], Plan]:
        shapes = texts_of(line)
        return shapes, self._plans[tuple(map(len, shapes))]

    def _plan(self, ranks: tuple[int, ...]) -> Plan:
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
            size = self._sizes[each.combine].__getitem__
            ways.append(Way(each.name, missing if any(missing) else (), size))
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


def numbers_in(texts: Sequence[str | None]) -> tuple[int | None, ...] | None:
    """The numbers that texts are; None if any is not written as answers write it."""
    numbers = tuple(map(_NUMBERS.__getitem__, texts))
    return None if -1 in numbers else numbers


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    is_number = text.isascii() and text.isdigit() and (text == "0" or text[0] != "0")
    return int(text) if is_number else -1


_NUMBERS = Remembered(_number)


def _sizes(combine: Callable[[Column], Verdict]) -> Remembered[TextColumn, str | None]:
    """The result's size for each column; None if its sizes clash or are not all numbers."""
    decide = getattr(combine, "__wrapped__", combine)  # without the cache of its own, if it has one

    def size(column: TextColumn) -> str | None:
        numbers = numbers_in(column)
        if numbers is None:
            return None
        result, condition = decide(numbers)
        if condition:  # of numbers alone only what never holds
            return None
        return _FITS if result is None else str(result)

    return Remembered(size)
