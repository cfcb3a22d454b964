"""A rule, a question put to it, and the answer: the aligned axes with what each one decides.

The answer is one value. Its verdict, result, condition, reason, axes and notes are readings of it,
each computed when it is asked for. A "no" is an answer like any other, never an exception.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from inspect import cleandoc
from typing import ClassVar, NamedTuple

from bcastcli import symbols
from bcastcli.shapes import UNKNOWN, Column, Shape, Size, Verdict, columns

Options = Mapping[str, int | str]


class Operand(NamedTuple):
    """A shape as it was typed, and what the answer calls it."""

    name: str
    shape: Shape


class Placement(NamedTuple):
    """One way for the operands to lie: the axis each one starts on, and what then decides."""

    starts: tuple[int | None, ...]
    decide: Callable[[Column], Verdict]


class Plan(NamedTuple):
    """How a rule lines up operands of given ranks."""

    rank: int
    """The rank of the result."""
    placements: tuple[Placement, ...]
    """The first that fits decides; where none fits, the first is the one to show."""
    refusal: str | None = None
    """Why no sizes can make it broadcast: "rank", "fit" or "limit"."""


class Axis(NamedTuple):
    """One aligned axis of an answer."""

    number: int
    label: str
    """What the rule's own framework calls the axis; empty for most."""
    sizes: tuple[Size | None, ...]
    """As typed, one for each operand; None where it has no such axis."""
    result: Size | None
    stretched: tuple[str, ...]
    """The operands that take another size than their 1."""
    conflict: bool | None
    """None: it depends."""


class Note(NamedTuple):
    """Something to know beside the verdict."""

    kind: str
    text: str


class Reason(NamedTuple):
    """Why the answer is no."""

    kind: str
    """"sizes", "rank", "fit", "names" or "limit"."""
    text: str


class Example(NamedTuple):
    """A question with its answer in format plain, or just "mismatch"."""

    arguments: tuple[str, ...]
    outcome: str


class Rule:
    """A broadcasting rule: how the axes line up, and when the sizes on one may differ.

    A rule's docstring is its statement: a summary, the rule, its source, and worked examples. The
    help of the command line is made of it.
    """

    name: ClassVar[str]
    operands: ClassVar[tuple[str, ...]] = ()
    """The names of operands nobody named; beyond these A, B, C and so on."""
    fewest: ClassVar[int] = 2
    most: ClassVar[int | None] = 2
    options: ClassVar[tuple[str, ...]] = ()
    """What may be asked besides shapes: "axis", "order"."""
    frameworks: ClassVar[tuple[str, ...]] = ()
    """What people may type for this rule's name."""

    @property
    def statement(self) -> str:
        """The rule in words, with its source."""
        return cleandoc(self.__doc__ or "").partition("\n\nExamples:")[0]

    @property
    def summary(self) -> str:
        """The rule in one line."""
        return self.statement.partition("\n")[0]

    @property
    def examples(self) -> tuple[Example, ...]:
        """The rule's worked examples."""
        lines = cleandoc(self.__doc__ or "").partition("\n\nExamples:\n")[2].splitlines()
        pairs = (line.split("->") for line in lines)
        return tuple(Example(tuple(asked.split()), outcome.strip()) for asked, outcome in pairs)

    def lay(self, ranks: Sequence[int], options: Options) -> Plan:
        """How operands of these ranks line up."""
        raise NotImplementedError

    def resolve(self, ranks: Sequence[int], options: Options) -> dict[str, int | str]:
        """The options with defaults replaced by what they come to."""
        return {}

    def trim(self, shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
        """The shapes without sizes that the rule does not count."""
        return shapes

    def label(self, axis: int, rank: int, options: Options) -> str:
        """The framework's own name of an axis."""
        return ""

    def refuse(self, answer: "Answer") -> str:
        """Why operands of these ranks never broadcast, given that the plan refuses them."""
        raise NotImplementedError

    def clash(self, answer: "Answer", axis: Axis) -> Reason:
        """Why the sizes on an axis do not broadcast, given that they do not."""
        raise NotImplementedError

    def notes(self, answer: "Answer") -> Iterator[Note]:
        """What to know beside the verdict, where it applies to this very question."""
        yield from ()


class Answer:
    """What a rule says of operands."""

    def __init__(self, rule: Rule, operands: Sequence[Operand], options: Options) -> None:
        self.rule = rule
        self.operands = tuple(operands)
        self.given = options
        self.ranks = tuple(len(operand.shape) for operand in operands)
        self.plan = rule.lay(self.ranks, options)

    @cached_property
    def options(self) -> dict[str, int | str]:
        """The options with their resolved values."""
        return self.rule.resolve(self.ranks, self.given)

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes, each size without a name called by its place: `A[1]`."""
        return tuple(
            tuple(
                f"{name}[{place}]" if size == UNKNOWN else size for place, size in enumerate(shape)
            )
            for name, shape in self.operands
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The unknown sizes, in reading order."""
        sizes = (size for shape in self.shapes for size in shape if isinstance(size, str))
        return tuple(dict.fromkeys(sizes))

    @cached_property
    def _decided(self) -> list[tuple[Placement, list[Column], list[Verdict]]]:
        """Each placement with its columns and what they decide."""
        counted = self.rule.trim(self.shapes)
        decided = []
        for placement in self.plan.placements:
            aligned = columns(counted, placement.starts)
            decided.append((placement, aligned, [placement.decide(column) for column in aligned]))
        return decided

    @cached_property
    def _conditions(self) -> list[symbols.Condition]:
        """What each placement needs."""
        return [
            tuple(clause for verdict in verdicts for clause in verdict.condition)
            for _, _, verdicts in self._decided
        ]

    @cached_property
    def _live(self) -> list[int]:
        """The placements that no axis rules out on its own."""
        if self.plan.refusal:
            return []
        return [i for i, needed in enumerate(self._conditions) if () not in needed]

    @cached_property
    def _solution(self) -> symbols.Solution:
        if not self._live:
            return symbols.Solution(False, symbols.NEVER, True, {})
        needed = symbols.either([self._conditions[i] for i in self._live])
        if not needed:
            return symbols.Solution(True, symbols.ALWAYS, True, {})
        return symbols.solve(needed, self.names)

    @property
    def exact(self) -> bool:
        """False: too many unknown sizes to tell whether the condition always or never holds."""
        return self._solution.exact

    @property
    def ok(self) -> bool | None:
        """Whether the operands broadcast; None: it depends on the unknown sizes."""
        if not self._solution.possible:
            return False
        return None if self._solution.condition else True

    @property
    def when(self) -> str | None:
        """Where it depends: on what, as a Python expression."""
        return symbols.written(self._solution.condition) if self.ok is None else None

    @cached_property
    def _shown(self) -> int | None:
        """The placement in force; None where unknown sizes decide between different ones."""
        if not self._live:
            return 0
        open_ones = []
        for i in self._live:
            open_ones.append(i)
            if not self._conditions[i]:
                break
        starts = {self.plan.placements[i].starts for i in open_ones}
        return open_ones[-1] if len(starts) == 1 else None

    @cached_property
    def result(self) -> Shape | None:
        """The shape that the operands broadcast to; None where they do not."""
        if self.ok is False:
            return None
        return self._sizes[: self.plan.rank]

    @cached_property
    def _sizes(self) -> tuple[Size, ...]:
        """The result's size on each axis, as far as it is the same in every case."""
        shown = self._live[0] if self._shown is None and self._live else self._shown or 0
        placement, aligned, verdicts = self._decided[shown]
        return tuple(
            self._size(column, verdict, placement.decide)
            for column, verdict in zip(aligned, verdicts, strict=True)
        )

    def _size(self, column: Column, verdict: Verdict, decide: Callable[[Column], Verdict]) -> Size:
        """A result's size: a number or a name if it equals that in every case, else unknown."""
        size = UNKNOWN if verdict.result is None else verdict.result
        names = column if size == UNKNOWN else (size,)
        tied = [name for name in names if name in self._solution.worlds]
        if not tied:
            return UNKNOWN if _is_place(size) else size
        worlds = self._solution.worlds[str(tied[0])]
        values = [
            decide(_chosen(column, world)).result if size == UNKNOWN else world[str(size)]
            for world in worlds
        ]
        first = values[0]
        if isinstance(first, int) and first >= 0 and len(set(values)) == 1:
            return first
        for name in worlds[0]:
            if not _is_place(name) and [world[name] for world in worlds] == values:
                return name
        return UNKNOWN

    @cached_property
    def axes(self) -> tuple[Axis, ...] | None:
        """The aligned axes; None where unknown sizes decide how the operands lie."""
        if self._shown is None:
            return None
        _, aligned, verdicts = self._decided[self._shown]
        return tuple(
            self._axis(number, column, verdict, size)
            for number, (column, verdict, size) in enumerate(
                zip(aligned, verdicts, self._sizes, strict=True)
            )
        )

    def _axis(self, number: int, column: Column, verdict: Verdict, size: Size) -> Axis:
        refused = self.plan.refusal is not None and verdict.result is None
        clashes = refused or () in verdict.condition
        overhangs = number >= self.plan.rank
        conflict = None if verdict.condition and not clashes else clashes
        stretched = (
            operand.name
            for operand, own in zip(self.operands, column, strict=True)
            if own in (1, None) and not clashes and not overhangs and size != 1
        )
        return Axis(
            number,
            self.rule.label(number, self.plan.rank, self.options),
            tuple(UNKNOWN if _is_place(own) else own for own in column),
            None if clashes or overhangs else size,
            tuple(stretched),
            conflict,
        )

    @cached_property
    def reason(self) -> Reason | None:
        """Why not; None where the answer is not no."""
        if self.ok is not False:
            return None
        if self.plan.refusal:
            return Reason(self.plan.refusal, self.rule.refuse(self))
        conflicts = [axis for axis in self.axes or () if axis.conflict]
        if conflicts and not self._live:
            return self.rule.clash(self, conflicts[-1])
        return self._contradiction()

    def _contradiction(self) -> Reason:
        """No axis is to blame: what the axes need of the unknown sizes cannot hold at once."""
        [live] = self._live
        _, _, verdicts = self._decided[live]
        needs = [verdict.condition for verdict in verdicts]
        parts = [
            f"{symbols.written(needs[i])} on {self.spell(i)}"
            for i in symbols.contradiction(needs, self.names)
        ]
        cannot = "cannot both hold" if len(parts) == 2 else "cannot all hold"
        return Reason("names", f"{', '.join(parts[:-1])} and {parts[-1]} {cannot}")

    def spell(self, axis: int) -> str:
        """An axis by its number from both ends, as sentences name it."""
        label = self.rule.label(axis, self.plan.rank, self.options)
        if label:
            return f"axis {label} ({axis}, {axis - self.plan.rank})"
        return f"axis {axis} ({axis - self.plan.rank})" if axis < self.plan.rank else f"axis {axis}"

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What to know beside the verdict."""
        notes = tuple(self.rule.notes(self))
        if self.exact:
            return notes
        text = (
            "more unknown sizes depend on each other than are worked through: "
            "the condition is true as it stands, but it may hold always or never"
        )
        return (*notes, Note("unknowns", text))


def _chosen(column: Column, world: symbols.World) -> Column:
    """The column with the names replaced by the numbers chosen for them."""
    return tuple(world.get(own, own) if isinstance(own, str) else own for own in column)


def _is_place(size: Size | None) -> bool:
    """Whether a size is the place of one that nobody named, such as `A[1]`."""
    return isinstance(size, str) and size.endswith("]")
