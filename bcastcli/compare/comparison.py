"""Several rules applied to the same arrays: the answer of each, and whether they agree.

Shapes are read outermost first for every rule. Rules agree if all of them refuse, or if they
give the same result and put each operand on the same axes of it, ignoring axes of size 1, since
then all values are the same. A result without elements has no values, and only its shape counts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice
from typing import NamedTuple

from bcastcli.compare import agreement
from bcastcli.core import conditions
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer, notes_on_expressions
from bcastcli.core.conditions import Assignment
from bcastcli.core.question import MAX_SUGGESTIONS, Question
from bcastcli.core.rule import Note, Rule
from bcastcli.core.shapes import Shape
from bcastcli.reports.numpy_code import Difference, Outcome, difference, explicit, outcome
from bcastcli.rules import RULES
from bcastcli.rules.frameworks import remark
from bcastcli.rules.ncnn import Ncnn

# Beyond these limits, a comparison could take longer than a person waits.
MAX_WORK = 200_000
"""The most sizes to try, over all choices of the unknown sizes and all rules."""


Chosen = Mapping[Rule, Sequence[str]]
"""The rules to compare, each with the names typed for it."""


class Row(NamedTuple):
    """One rule's answer."""

    answer: Answer
    names: Sequence[str]
    """The names by which the rule was chosen, such as torch and keras, each with a given axis."""

    @property
    def name(self) -> str:
        """All names on one line."""
        return ", ".join(self.names)


class Agreement(NamedTuple):
    """The relation of a row to the first one."""

    agrees: bool | None
    """None: it depends on the unknown sizes."""
    differs: Difference | None
    """How it differs, at least for some of the unknown sizes."""


class SameShapeOtherValues(NamedTuple):
    """Rules that give results of the same shape with other values."""

    rows: tuple[tuple[int, ...], tuple[int, ...]]
    """The numbers of the rows that give one result, and of those that give the other."""
    always: bool
    """Whether this holds for all values of the unknown sizes, or only for some."""


class Comparison:
    """The answers of rules about the same operands, with shapes outermost first."""

    def __init__(
        self,
        operands: Sequence[Operand],
        chosen: Chosen | None,
        axis: int | None,
    ) -> None:
        """Take the rules with the names typed for them, by default the usual ones, and the axis."""
        self.operands = tuple(operands)
        usual = {rule: [rule.name] for rule in RULES.values() if rule.compared_by_default}
        self.chosen = chosen or usual
        self.rules = [rule for rule in self.chosen if rule.accepts_count(len(operands))]
        self.left_out = [rule for rule in self.chosen if rule not in self.rules]
        """The rules that do not take this number of operands."""
        self.axis = axis if has_axis(self.rules) else None
        """pdpd's axis; None: its default."""
        self.has_ncnn = any(isinstance(rule, Ncnn) for rule in self.rules)

    def of(self, operands: Sequence[Operand]) -> "Comparison":
        """The comparison of the same rules on other operands."""
        return Comparison(operands, self.chosen, self.axis)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rules' answers, in the order of the registry."""
        return tuple([self._row(rule) for rule in self.rules])

    def _row(self, rule: Rule) -> Row:
        names, options = self.chosen[rule], rule.numpy_order_options
        if self.axis is not None and has_axis([rule]):
            options = {"axis": self.axis}
            names = [name if self.axis == -1 else f"{name} axis {self.axis}" for name in names]
        return Row(Question(rule, self.operands, options).answer(), names)

    @cached_property
    def unknown_sizes(self) -> tuple[str, ...]:
        """The unknown sizes, in reading order."""
        return self.rows[0].answer.unknown_sizes

    @cached_property
    def _sizes(self) -> list[int]:
        """The numbers on which an answer may depend.

        An unknown size may be 0, but not for ncnn, which has no empty axes, unless one is typed.
        """
        sizes = {size for shape in self.rows[0].answer.shapes for size in shape}
        least = {1} if self.has_ncnn else {0, 1}
        return sorted(least | {size for size in sizes if isinstance(size, int)})

    @cached_property
    def _assignments(self) -> list[Assignment] | None:
        """All kinds of choices of the unknown sizes; None: there are too many."""
        if not self.unknown_sizes or len(self.rows) == 1 or self.all_refuse:
            return [{}]
        # For one choice the sizes of all rows are tried.
        most = MAX_WORK // (len(self.rows) * sum(self.rows[0].answer.ranks))
        every = conditions.numbered_assignments(self.unknown_sizes, self._sizes)
        choices = list(islice(every, most + 1))
        return choices if len(choices) <= most else None

    @cached_property
    def _outcomes(self) -> list[tuple[Outcome, ...]] | None:
        """The rows' outcomes, for each choice of the unknown sizes; None: too many choices."""
        known = self._assignments
        return None if known is None else list(map(self._outcomes_of, known))

    def _outcomes_of(self, assignment: Assignment) -> tuple[Outcome, ...]:
        """The rows' outcomes for one choice of the unknown sizes."""
        return tuple([outcome(row.answer.with_sizes(assignment)) for row in self.rows])

    @cached_property
    def _agreement(self) -> list[bool]:
        """For each choice of the unknown sizes, whether the rules agree."""
        return [len({*outcomes}) == 1 for outcomes in self._outcomes or ()]

    @cached_property
    def ok(self) -> bool | None:
        """Whether the rules agree; None: it depends on the unknown sizes, or is not decided."""
        verdicts = set(self._agreement)
        return verdicts.pop() if len(verdicts) == 1 else None

    @cached_property
    def all_refuse(self) -> bool:
        """Whether all rules refuse the operands."""
        return all(row.answer.ok is False for row in self.rows)

    @property
    def is_decided(self) -> bool:
        """Whether every choice of the unknown sizes was tried; if not, `ok` is None."""
        return self._outcomes is not None

    @cached_property
    def when(self) -> str | None:
        """The condition under which the rules agree, in Python; None if it is too long."""
        if self.ok is not None or self._assignments is None:
            return None
        return agreement.expression(
            self.unknown_sizes, self._sizes, self._assignments, self._agreement
        )

    @cached_property
    def standings(self) -> tuple[Agreement, ...]:
        """The relation of each row to the first one."""
        return tuple([self._standing(number) for number in range(len(self.rows))])

    def _standing(self, number: int) -> Agreement:
        if self._outcomes is None:
            return Agreement(None, None)
        differences = {difference(each[0], each[number]) for each in self._outcomes}
        occurring = [each for each in Difference if each in differences]
        if not occurring:
            return Agreement(True, None)
        return Agreement(None if None in differences else False, occurring[0])

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """The numbers of the rows, grouped by equal outcomes; each alone if undecided."""
        together: dict[object, list[int]] = {}
        for number in range(len(self.rows)):
            outcomes = [each[number] for each in self._outcomes or ()]
            key = tuple(outcomes) if outcomes else number
            together.setdefault(key, []).append(number)
        return [tuple(numbers) for numbers in together.values()]

    @cached_property
    def other_values(self) -> tuple[SameShapeOtherValues, ...]:
        """The pairs of groups with results of the same shape and other values."""
        pairs = []
        for one, other in combinations(self.groups, 2):
            only_axes = [
                difference(outcomes[one[0]], outcomes[other[0]]) is Difference.AXES
                for outcomes in self._outcomes or ()
            ]
            if any(only_axes):
                pairs.append(SameShapeOtherValues((one, other), all(only_axes)))
        return tuple(pairs)

    @cached_property
    def notes(self) -> Sequence[Note]:
        """Notes, in display order."""
        notes = []
        if self.left_out:
            names = [name for rule in self.left_out for name in self.chosen[rule]]
            notes.append(Note("left_out", f"left out, as they take two shapes: {', '.join(names)}"))
        shapes = [shape for _, shape in self.operands]
        if self.has_ncnn and any(len(shape) in (4, 5) for shape in shapes):
            notes.append(Note("layout", "ncnn has no batch axis: leave it out"))
        words = [name for rule in self.rules for name in self.chosen[rule]]
        remarks = dict.fromkeys(remark(word, shapes) for word in words)
        notes += [Note("framework", text) for text in remarks if text]
        if not self.is_decided:
            text = "there are too many combinations of unknown sizes to try them all"
            notes.append(Note("unknowns", text))
        elif self.ok is None:
            notes += notes_on_expressions(self.unknown_sizes)
        elif not self.unknown_sizes and any(0 in (row.answer.result or ()) for row in self.rows):
            notes.append(Note("empty", "a result without elements has no values to compare"))
        return notes


def has_axis(rules: Iterable[Rule]) -> bool:
    """Whether one of the rules has the option --axis."""
    return any("axis" in rule.options for rule in rules)


class Rewrite(NamedTuple):
    """A way to write the operands so that the rules agree."""

    write: str
    operands: tuple[Operand, ...]
    axis: int | None
    """pdpd's axis."""
    like: int
    """The number of the row with the values that all rules then give."""
    result: Shape


def rewrites(comparison: Comparison) -> tuple[Rewrite, ...]:
    """A few rewrites under which the rules agree, if they do not."""
    if comparison.ok or not comparison.is_decided:
        return ()
    return tuple(islice(_agreeing(comparison), MAX_SUGGESTIONS))


def _agreeing(comparison: Comparison) -> Iterator[Rewrite]:
    """Yield a rewrite for each layout on which all rules agree."""
    tried = set()
    for number, row in enumerate(comparison.rows):
        written, names = explicit(row.answer), row.answer.operand_names
        layout, result = tuple([each.shape for each in written]), row.answer.result
        if not row.answer.ok or result is None or not written:
            continue
        if (layout, result) in tried:
            continue
        tried.add((layout, result))
        pairs = zip(written, names, strict=True)
        write = ", ".join(each.code for each, name in pairs if each.code != name)
        operands = tuple(Operand(name, shape) for name, shape in zip(names, layout, strict=True))
        tries = [(write, operands)] if write else []
        if len(names) == 2:  # some rules keep the first operand
            swap = f"swap {names[0]} and {names[1]}"
            tries.append((f"{swap}, {write}" if write else swap, operands[::-1]))
        for text, operands in tries:
            rewritten = comparison.of(operands)
            if rewritten.ok and rewritten.rows[0].answer.result == result:
                yield Rewrite(text, operands, comparison.axis, number, result)
                break
