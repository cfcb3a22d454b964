"""A rule, a question put to it, and the answer: the aligned axes with what each one decides.

The answer is one value. Its verdict, result, condition, reason, axes and notes are readings of it,
each computed when it is asked for. A "no" is an answer like any other, never an exception.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from bcastcli.core import conditions
from bcastcli.core.shapes import (
    CLASH,
    UNKNOWN,
    Column,
    Shape,
    Size,
    Verdict,
    bounds,
    columns,
    interval,
    is_expression,
    is_unnamed,
    present,
    remember,
)

MAX_SUGGESTIONS = 3
MAX_PADDED = 8
"""So many operands are padded with the axes that they miss, which is the fastest for few."""

Options = Mapping[str, int | str]
Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801  # reads as the decorator that it is
    """A property computed when first asked for; functools' own takes a lock each time in 3.11."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, instance: object, owner: type) -> Value:
        value = instance.__dict__[self.name] = self.compute(instance)
        return value


class Operand(NamedTuple):
    """A shape as it was typed, and what the answer calls it."""

    name: str
    shape: Shape


class Alignment(NamedTuple):
    """One way for the operands to lie: the axis each one starts on, and what then decides."""

    offsets: tuple[int, ...]
    combine: Callable[[Column], Verdict]
    skips_missing: bool = False
    """Whether it decides the same without the axes that are missing."""


class Layout(NamedTuple):
    """How a rule lines up operands of given ranks."""

    rank: int
    """The rank of the result."""
    alignments: tuple[Alignment, ...]
    """The first that fits decides; where none fits, the first is the one to show."""
    refusal: str | None = None
    """Why no sizes can make it broadcast: "rank", "fit" or "limit"."""
    past: int | None = None
    """The number of the first axis past the result's end, if there is a gap before it."""


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
    """Something to know beside the verdict: an engine's own way, what was trimmed, and so on."""

    kind: str
    text: str


ALL_STRETCH = Note("stretch", "every operand stretches: none of them has the result's shape")
MAY_ALL_STRETCH = ALL_STRETCH._replace(
    text=f"{ALL_STRETCH.text}, unless an unknown size makes it so"
)


class Reason(NamedTuple):
    """Why the answer is no.

    Its kind is "sizes", "rank", "fit", "names", "limit", or, if that is asked for, "strict".
    """

    kind: str
    text: str


class Constraint(NamedTuple):
    """Something besides the aligned axes that must hold for the answer to be yes."""

    condition: conditions.Condition
    where: str
    """What it is about, as a sentence names it: `A's last axis and B's first`."""
    reason: Reason
    """Why not, where it cannot hold."""


class Alternative(NamedTuple):
    """Another question, which may be asked instead of one that was answered with no."""

    write: str
    """How it differs, as people would write it: `B[:, None]`, `--axis 1`."""
    rule: "Rule"
    operands: tuple[Operand, ...]
    options: Options


class Suggestion(NamedTuple):
    """What to write instead, and the answer that it gets."""

    write: str
    changed: tuple[Operand, ...]
    """The operands that have other shapes than in the question."""
    answer: "Answer"


class Rule:
    """A broadcasting rule: how the axes line up, and when the sizes on one may differ.

    A rule's docstring is its statement: a summary, the rule, its source, and worked examples. The
    help of the command line is made of it.
    """

    name: ClassVar[str]
    operands: ClassVar[tuple[str, ...]] = ()
    """The names of operands nobody named; beyond these A, B, C and so on."""
    min_operands: ClassVar[int] = 2
    max_operands: ClassVar[int | None] = 2
    options: ClassVar[tuple[str, ...]] = ()
    """What may be asked besides shapes: "axis", "order"."""
    frameworks: ClassVar[tuple[str, ...]] = ()
    """What people may type for this rule's name."""
    keeps_first: ClassVar[bool] = False
    """Whether the result is the first operand's shape, always."""
    lowest: ClassVar[int] = 0
    """The least size that an unknown one may have."""
    takes_a_target: ClassVar[bool] = False
    """Whether the second operand is a shape to broadcast to, and no array."""
    axis_by_axis: ClassVar[bool] = False
    """Whether the last axes are aligned and each decides alone: the result's size there, and why
    sizes clash, are the same whatever the sizes on the other axes."""

    @property
    def statement(self) -> str:
        """The rule in words, with its source."""
        return cleandoc(self.__doc__ or "").partition("\n\nExamples:")[0]

    @property
    def summary(self) -> str:
        """The rule in one line."""
        return self.statement.partition("\n")[0]

    @property
    def source(self) -> str:
        """The document that the rule comes from."""
        paragraphs = self.statement.split("\n\n")
        [source] = [each for each in paragraphs if each.startswith("Source: ")]
        return " ".join(source.removeprefix("Source: ").removesuffix(".").split())

    def takes(self, count: int) -> bool:
        """Whether it may be asked about so many operands."""
        return self.min_operands <= count and (
            self.max_operands is None or count <= self.max_operands
        )

    @property
    def in_order_of_numpy(self) -> Options:
        """The options with which shapes are typed outermost first, as everywhere but in ncnn."""
        return {"order": "numpy"} if "order" in self.options else {}

    @property
    def examples(self) -> list[tuple[list[str], str]]:
        """The rule's worked examples: arguments, and the answer in format plain, or "mismatch"."""
        lines = cleandoc(self.__doc__ or "").partition("\n\nExamples:\n")[2].splitlines()
        pairs = (line.split("->") for line in lines)
        return [(asked.split(), outcome.strip()) for asked, outcome in pairs]

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
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

    def innermost_first(self, options: Options) -> bool:
        """Whether shapes are typed innermost first, the opposite of NumPy's order."""
        return False

    def describe_alignment(self, answer: "Answer") -> str:
        """How the operands lie, where there is more to it than the aligned axes show."""
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

    def alternatives(self, answer: "Answer") -> Iterator[Alternative]:
        """What may be asked instead where the answer is no, the likeliest first.

        They are only proposed: which of them are answered with yes is seen by asking.
        """
        yield from ()


class Answer:
    """What a rule says of operands."""

    def __init__(
        self,
        rule: Rule,
        operands: Sequence[Operand],
        options: Options,
        limits: Sequence["Limit"] = (),
        constraints: Sequence[Constraint] = (),
    ) -> None:
        self.rule = rule
        self.operands = tuple(operands)
        self.given = options
        self.limits = tuple(limits)
        self.constraints = tuple(constraints)
        self.ranks = tuple(len(operand.shape) for operand in operands)
        self.layout = rule.align(self.ranks, options)

    @lazy
    def options(self) -> dict[str, int | str]:
        """The options with their resolved values."""
        return self.rule.resolve(self.ranks, self.given)

    @lazy
    def operand_names(self) -> tuple[str, ...]:
        """The operands' names."""
        return tuple([operand.name for operand in self.operands])

    @property
    def asked_name(self) -> str:
        """Who is asked: a rule's name, or an operator's."""
        return self.rule.name

    @property
    def innermost_first(self) -> bool:
        """Whether its shapes are typed innermost first, the opposite of NumPy's order."""
        return self.rule.innermost_first(self.given)

    @property
    def inputs(self) -> tuple[Operand, ...]:
        """The operands as they were typed."""
        return self.operands

    @property
    def default_names(self) -> tuple[str, ...]:
        """The names of inputs that nobody named; beyond these A, B, C and so on."""
        return self.rule.operands

    @property
    def about(self) -> Mapping[str, object]:
        """What JSON says beyond what it says of every answer."""
        return {}

    @lazy
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes, each size without a name called by its place: `A[1]`."""
        return tuple([placed(name, shape) for name, shape in self.operands])

    @lazy
    def unknown_sizes(self) -> tuple[str, ...]:
        """The unknown sizes, in reading order."""
        sizes = (size for shape in self.shapes for size in shape if isinstance(size, str))
        needed = (
            name
            for constraint in self.constraints
            for name in conditions.names_in(constraint.condition)
        )
        return tuple(dict.fromkeys((*sizes, *needed)))

    @lazy
    def domains(self) -> dict[str, conditions.Bounds]:
        """The bounds of the unknown sizes that have some, by their places."""
        if not self.unknown_sizes:
            return {}
        found = {}
        for name, shape in (*self.inputs, *self.operands):
            for place, size in enumerate(shape):
                own = bounds(size)
                if own is not None:
                    low, high = own
                    found[f"{name}[{place}]"] = max(low, self.rule.lowest), high
        return found

    @lazy
    def _aligned(self) -> list["_Aligned"]:
        """The operands, laid in each of the ways that the rule tries."""
        counted = self.shapes if self.layout.refusal else self.rule.trim(self.shapes)
        aligned = [_align(alignment, counted) for alignment in self.layout.alignments]
        return list(map(self._within_bounds, aligned)) if self.domains else aligned

    def _within_bounds(self, aligned: "_Aligned") -> "_Aligned":
        """The same, with a clash on each axis where no sizes within their bounds will do."""
        verdicts = [
            verdict if self._solved(verdict.condition).satisfiable else CLASH
            for verdict in aligned.verdicts
        ]
        clauses = tuple(clause for verdict in verdicts for clause in verdict.condition)
        return aligned._replace(verdicts=verdicts, condition=clauses)

    def _solved(self, condition: conditions.Condition) -> conditions.Solution:
        return conditions.solve(condition, self.unknown_sizes, self.domains)

    def _always(self, condition: conditions.Condition) -> bool:
        """Whether a condition holds for all sizes within their bounds."""
        return not condition or (bool(self.domains) and not self._solved(condition).condition)

    @lazy
    def _feasible(self) -> list["_Aligned"]:
        """The ways to lie that no axis rules out on its own."""
        if self.layout.refusal:
            return []
        return [aligned for aligned in self._aligned if () not in aligned.condition]

    @lazy
    def _solution(self) -> conditions.Solution:
        if not self._feasible:
            return _IMPOSSIBLE
        return self._solved(self._needed) if self._needed else _CERTAIN

    @lazy
    def _needed(self) -> conditions.Condition:
        """What must hold of the unknown sizes, not worked through."""
        needed = conditions.either([aligned.condition for aligned in self._feasible])
        for constraint in self.constraints:
            needed += constraint.condition
        return needed

    @property
    def is_exact(self) -> bool:
        """False: too many unknown sizes to tell whether the condition always or never holds."""
        return self._solution.is_exact

    @lazy
    def ok(self) -> bool | None:
        """Whether the operands broadcast; None: it depends on the unknown sizes."""
        if not self._solution.satisfiable or self._objection:
            return False
        return None if self._solution.condition else True

    @lazy
    def _objection(self) -> Reason | None:
        """Why a result that the rule allows is not wanted."""
        reasons = (limit(self) for limit in self.limits)
        return next((reason for reason in reasons if reason), None)

    @property
    def condition(self) -> conditions.Condition:
        """What must hold of the unknown sizes: clauses, all of which are needed."""
        return self._solution.condition

    @property
    def when(self) -> str | None:
        """Where it depends: on what, as a Python expression."""
        return conditions.written(self._solution.condition) if self.ok is None else None

    @lazy
    def _shown(self) -> "_Aligned | None":
        """How the operands lie; None where unknown sizes decide between different ways."""
        if not self._feasible:
            return self._aligned[0]
        # Those up to the first that always fits: what comes after it is never tried.
        tried = []
        for aligned in self._feasible:
            tried.append(aligned)
            if self._always(aligned.condition):
                break
        return aligned if len({each.alignment.offsets for each in tried}) == 1 else None

    @lazy
    def result(self) -> Shape | None:
        """The shape that the operands broadcast to; None where they do not."""
        return None if self.ok is False else self.allowed

    @lazy
    def allowed(self) -> Shape | None:
        """The result that the rule allows, whatever else is demanded of it."""
        return self._sizes[: self.layout.rank] if self._solution.satisfiable else None

    @lazy
    def _sizes(self) -> tuple[Size, ...]:
        """The result's size on each axis, as far as it is the same in every case."""
        aligned = self._shown or self._feasible[0]
        if not self.unknown_sizes:
            return tuple([UNKNOWN if v.result is None else v.result for v in aligned.verdicts])
        # The same sizes on many axes are worked out once: it may take a while.
        found: dict[object, Size] = {}
        sizes = []
        for column, verdict in zip(aligned.meeting, aligned.verdicts, strict=True):
            alike = verdict.result, frozenset(column)
            if alike not in found:
                found[alike] = self._size(column, verdict, aligned.alignment.combine)
            sizes.append(found[alike])
        return tuple(sizes)

    def _size(self, column: Column, verdict: Verdict, decide: Callable[[Column], Verdict]) -> Size:
        """A result's size: a number or a name if it equals that in every case, else unknown."""
        size = UNKNOWN if verdict.result is None else verdict.result
        names = column if size == UNKNOWN else (size,)
        tied = [name for name in names if name in self._solution.assignments]
        if not tied:
            own = [self.domains[name] for name in names if name in self.domains]
            if own:
                return interval(*own[0])
            return UNKNOWN if _is_place(size) else size
        assignments = self._solution.assignments[str(tied[0])]
        values = [
            decide(_chosen(column, assignment)).result if size == UNKNOWN else assignment[str(size)]
            for assignment in assignments
        ]
        first = values[0]
        if isinstance(first, int) and first >= 0 and len(set(values)) == 1:
            return first
        for name in assignments[0]:
            if not _is_place(name) and [assignment[name] for assignment in assignments] == values:
                return name
        if self.domains.keys().isdisjoint(assignments[0]):
            return UNKNOWN
        numbers = conditions.numbers_in(
            clause
            for clause in self._needed
            if not assignments[0].keys().isdisjoint(conditions.names_in((clause,)))
        )
        taken = [value for value in values if isinstance(value, int)]
        low, high = conditions.hull(assignments, taken, numbers, self.domains, self.rule.lowest)
        return UNKNOWN if high is None and low <= self.rule.lowest else interval(low, high)

    @property
    def decided(self) -> list[Size | None]:
        """For sizes that are known, the result's on each aligned axis; None where they clash."""
        aligned = self._shown or self._aligned[0]
        return [verdict.result for verdict in aligned.verdicts]

    @lazy
    def axes(self) -> tuple[Axis, ...] | None:
        """The aligned axes; None where unknown sizes decide how the operands lie."""
        aligned = self._shown
        if aligned is None:
            return None
        return tuple([self._axis(aligned, number) for number in range(len(aligned.meeting))])

    def _axis(self, aligned: "_Aligned", number: int) -> Axis:
        rank = self.layout.rank
        label = self.rule.label(number, rank, self.options)
        refused = self.layout.refusal is not None
        column, verdict, size = (
            aligned.column(number),
            aligned.verdicts[number],
            self._sizes[number],
        )
        if self.layout.past is not None and number >= rank:
            number += self.layout.past - rank
        axis = _axis_of(column, self.operand_names, verdict, size, number, rank, label, refused)
        if self.domains.keys().isdisjoint(column):
            return axis
        typed = tuple(
            interval(*self.domains[own]) if own in self.domains else shown
            for own, shown in zip(column, axis.sizes, strict=True)
        )
        depends = axis.conflict is None and not self._always(verdict.condition)
        return axis._replace(sizes=typed, conflict=None if depends else bool(axis.conflict))

    @lazy
    def reason(self) -> Reason | None:
        """Why not; None where the answer is not no."""
        if self.ok is not False:
            return None
        if self._objection and self._solution.satisfiable:
            return self._objection
        if self.layout.refusal:
            return Reason(self.layout.refusal, self.rule.refuse(self))
        if self._feasible:
            impossible = (
                constraint.reason
                for constraint in self.constraints
                if not self._can_hold(constraint)
            )
            return next(impossible, None) or self._why_unsatisfiable()
        aligned = self._aligned[0]
        last = max(i for i, verdict in enumerate(aligned.verdicts) if () in verdict.condition)
        return self.rule.clash(self, self._axis(aligned, last))

    def _can_hold(self, constraint: Constraint) -> bool:
        return self._solved(constraint.condition).satisfiable

    def _why_unsatisfiable(self) -> Reason:
        """No axis is to blame: what the axes need of the unknown sizes cannot hold at once."""
        aligned, *others = self._feasible
        needed = [(verdict.condition, self.spell(i)) for i, verdict in enumerate(aligned.verdicts)]
        if others:
            # Each way to lie needs something else of the same axes.
            fits = conditions.either([each.condition for each in self._feasible])
            needed = [(self._solved(fits).condition, "the aligned axes")]
        needed += ((constraint.condition, constraint.where) for constraint in self.constraints)
        parts = [
            f"{conditions.written(needed[i][0])} on {needed[i][1]}"
            for i in conditions.unsatisfiable_core(
                [condition for condition, _ in needed], self.unknown_sizes, self.domains
            )
        ]
        if len(parts) == 1:
            return Reason("names", "the unknown sizes would have to lie beyond their bounds")
        cannot = "cannot both hold" if len(parts) == 2 else "cannot all hold"
        return Reason("names", f"{', '.join(parts[:-1])} and {parts[-1]} {cannot}")

    @lazy
    def all_stretch(self) -> bool:
        """Whether every operand stretches, so that none has the result's shape."""
        if self.allowed is None or not self.axes or len(self.operands) == 1:
            return False
        stretched = {name for axis in self.axes for name in axis.stretched}
        return len(stretched) == len(self.operands)

    def spell(self, axis: int) -> str:
        """An axis by its number from both ends, as sentences name it."""
        label = self.rule.label(axis, self.layout.rank, self.options)
        if label:
            return f"axis {label} ({axis}, {axis - self.layout.rank})"
        return (
            f"axis {axis} ({axis - self.layout.rank})"
            if axis < self.layout.rank
            else f"axis {axis}"
        )

    @lazy
    def notes(self) -> tuple[Note, ...]:
        """What to know beside the verdict."""
        # A limit changes nothing of what the rule and the engines do.
        undemanded = Answer(self.rule, self.operands, self.given) if self.limits else self
        notes = tuple(self.rule.notes(undemanded))
        if self.all_stretch and (self.reason is None or self.reason.kind != "strict"):
            notes = (*notes, MAY_ALL_STRETCH if self.unknown_sizes else ALL_STRETCH)
        if self.ok is None:
            notes += notes_on_expressions(conditions.names_in(self._solution.condition))
        if self.is_exact:
            return notes
        text = (
            "more unknown sizes depend on each other than are worked through: "
            "the condition is true as it stands, but it may hold always or never"
        )
        return (*notes, Note("unknowns", text))

    def with_sizes(self, assignment: conditions.Assignment) -> "Answer":
        """What the rule says of the operands with numbers for their unknown sizes."""
        if not assignment:
            return self
        operands = [
            Operand(
                name, tuple([assignment[size] if isinstance(size, str) else size for size in shape])
            )
            for name, shape in zip(self.operand_names, self.shapes, strict=True)
        ]
        return Answer(self.rule, operands, self.given)

    @property
    def question(self) -> Mapping[str, object]:
        """All that it takes to ask this again, as JSON has it."""
        return {
            "rule": self.rule.name,
            "shapes": [shape for _, shape in self.inputs],
            "options": self.options,
        }

    def alternatives(self) -> Iterator[tuple[str, "Answer"]]:
        """What may be asked instead: how it is written, and the answer; the likeliest first."""
        for write, rule, operands, options in self.rule.alternatives(self):
            yield write, Answer(rule, operands, options, self.limits, self.constraints)

    @lazy
    def suggestions(self) -> tuple[Suggestion, ...]:
        """What to write instead, where the answer is no: a few that work, the likeliest first."""
        if self.ok is not False:
            return ()
        found: dict[object, Suggestion] = {}
        given = set(self.inputs)
        for write, answer in self.alternatives():
            if answer.ok:
                asked = (answer.asked_name, answer.inputs, *answer.options.items())
                changed = tuple(each for each in answer.inputs if each not in given)
                found.setdefault(asked, Suggestion(write, changed, answer))
            if len(found) == MAX_SUGGESTIONS:
                break
        return tuple(found.values())


Limit = Callable[[Answer], Reason | None]
"""Whether a result that the rule allows is not wanted all the same, and why."""


class _Aligned(NamedTuple):
    """Operands laid in one way: the aligned axes, and what they decide."""

    alignment: Alignment
    shapes: tuple[Shape, ...]
    meeting: list[Column]
    """The columns; of many operands perhaps without those that miss the axis."""
    verdicts: list[Verdict]
    condition: conditions.Condition

    def column(self, axis: int) -> Column:
        """The sizes on an axis, one entry for each operand."""
        if len(self.meeting[axis]) == len(self.shapes):
            return self.meeting[axis]
        aligned = zip(self.shapes, self.alignment.offsets, strict=True)
        return tuple([_size_on(axis - start, shape) for shape, start in aligned])


def _size_on(axis: int, shape: Shape) -> Size | None:
    return shape[axis] if 0 <= axis < len(shape) else None


def _align(alignment: Alignment, shapes: tuple[Shape, ...]) -> _Aligned:
    # With many operands, the axes that are missing may be many more than all sizes.
    is_sparse = alignment.skips_missing and len(shapes) > MAX_PADDED
    aligned = (present if is_sparse else columns)(shapes, alignment.offsets)
    verdicts = list(map(alignment.combine, aligned))
    condition = [
        clause for verdict in verdicts if verdict.condition for clause in verdict.condition
    ]
    return _Aligned(alignment, shapes, aligned, verdicts, tuple(condition))


@remember
def _axis_of(
    column: Column,
    names: tuple[str, ...],
    verdict: Verdict,
    size: Size,
    number: int,
    rank: int,
    label: str,
    refused: bool,
) -> Axis:
    """The axis of an answer that a column and its verdict make."""
    clashes = () in verdict.condition or (refused and verdict.result is None)
    counts = number < rank and not clashes
    stretched = (
        name
        for name, own in zip(names, column, strict=True)
        if counts and size != 1 and own in (1, None)
    )
    return Axis(
        number,
        label,
        tuple([UNKNOWN if _is_place(own) else own for own in column]),
        size if counts else None,
        tuple(stretched),
        None if verdict.condition and not clashes else clashes,
    )


_CERTAIN = conditions.Solution(True, conditions.ALWAYS, True, {})
_IMPOSSIBLE = conditions.Solution(False, conditions.NEVER, True, {})


def notes_on_expressions(sizes: Iterable[str]) -> tuple[Note, ...]:
    """Return a note where sizes on which an answer depends are calculated from others."""
    calculated = [size for size in sizes if is_expression(size)]
    if not calculated:
        return ()
    counts = "each counts" if len(calculated) > 1 else "counts"
    text = (
        f"{', '.join(calculated)} {counts} as an unknown size of its own: the condition is true, "
        "but may always or never hold for what can be calculated"
    )
    return (Note("unknowns", text),)


def placed(name: str, shape: Shape) -> Shape:
    """The shape with its unnamed sizes called by their places."""
    if str not in map(type, shape):
        return shape
    return tuple(
        [f"{name}[{place}]" if is_unnamed(size) else size for place, size in enumerate(shape)]
    )


def _chosen(column: Column, assignment: conditions.Assignment) -> Column:
    """The column with the names replaced by the numbers chosen for them."""
    return tuple(assignment.get(own, own) if isinstance(own, str) else own for own in column)


def _is_place(size: Size | None) -> bool:
    """Whether a size is the place of one that nobody named, such as `A[1]`."""
    return isinstance(size, str) and size.endswith("]")
