"""Several rules applied to the same arrays: the answer of each, and whether they agree.

Shapes are read outermost first for every rule. Rules agree if all of them refuse, or if they
give the same result and put each operand on the same axes of it, ignoring axes of size 1, since
then all values are the same. A result without elements has no values, and only its shape counts.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, compress, islice, product
from typing import NamedTuple

from bcastcli.compare import agreement
from bcastcli.core import conditions
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.conditions import Assignment
from bcastcli.core.question import MAX_SUGGESTIONS, Question
from bcastcli.core.rule import Note, Rule, typed
from bcastcli.core.shapes import UNKNOWN, Shape
from bcastcli.core.unknowns import notes_on_expressions
from bcastcli.core.wording import joined_with_and, swapping
from bcastcli.reports.numpy_code import (
    Difference,
    Outcome,
    as_expressions,
    as_tuple,
    difference,
    explicit_shapes,
    occupied_axes,
    outcome,
)
from bcastcli.rules import RULES
from bcastcli.rules.frameworks import remark
from bcastcli.rules.ncnn import Ncnn

# Beyond these limits, a comparison could take longer than a person waits.
MAX_WORK = 200_000
"""The most sizes to try, over all choices of the unknown sizes and all rules."""
MAX_AXES = 64
"""The most axes on which pdpd is tried."""
MAX_LAYOUTS = 12
"""The most layouts to try in search of one on which the rules agree."""
_SHOWN = ("axis", "axes")
"""The options that a row's name shows."""


class Row(NamedTuple):
    """One rule, with one choice of its options."""

    answer: Answer
    counts: bool
    """Whether it is part of the verdict; the others are shown on demand."""
    word: str
    """The names by which the rule was chosen, such as `torch, keras`, or its own."""

    @property
    def name(self) -> str:
        """The rule's name as typed, with the given axis or axes."""
        given = self.answer.question.options
        asked = [f" {name} {typed(given[name])}" for name in _SHOWN if given.get(name, -1) != -1]
        return self.word + "".join(asked)


class Agreement(NamedTuple):
    """The relation of a row to the first one that counts."""

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


class Rewrite(NamedTuple):
    """A way to write the operands so that the rules agree."""

    write: str
    operands: tuple[Operand, ...]
    axis: int | None
    """pdpd's axis."""
    like: int
    """The number of the row with the values that all rules then give."""
    result: Shape
    under: tuple[str, ...] = ()
    """The rules that then give the result, if all refuse the operands unchanged."""


class Comparison:
    """The answers of rules about the same operands, with shapes outermost first."""

    def __init__(
        self,
        operands: Sequence[Operand],
        chosen: Collection[Rule] | None,
        axis: int | None,
        *,
        shows_all: bool = False,
    ) -> None:
        """`shows_all` adds rows that are not part of the verdict."""
        self.operands = tuple(operands)
        self.shows_all = shows_all
        self.chosen = chosen
        """The rules to compare, under the names typed for them; None: all."""
        self._words: Mapping[Rule, str] = chosen if isinstance(chosen, Mapping) else {}
        counted = [rule for rule in RULES.values() if shows_all or rule.compared_by_default]
        asked = counted if chosen is None else list(chosen)
        self.rules = [rule for rule in asked if rule.accepts_count(len(operands))]
        self.lacks = list(filter(None, map(self._lacks, self.rules if chosen else ())))
        """Notes on the rules that were named, in sentences."""
        self.left_out = [rule for rule in asked if rule not in self.rules]
        """The rules that do not take this number of operands."""
        self.has_axis = has_axis(self.rules)
        self.axis = axis if self.has_axis else None
        """pdpd's axis; None: its default."""
        self.has_ncnn = any(isinstance(rule, Ncnn) for rule in self.rules)

    def of(self, operands: Sequence[Operand], axis: int | None) -> "Comparison":
        """Return the comparison of the same rules on other operands."""
        return Comparison(operands, self.chosen, axis)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rules, each with its options, in the order of the registry."""
        return tuple(row for rule in self.rules for row in self._rows_of(rule))

    def _rows_of(self, rule: Rule) -> Iterator[Row]:
        has_axis = "axis" in rule.options and self.axis is not None
        options = {"axis": self.axis} if has_axis else rule.numpy_order_options
        word, resolved = self._words.get(rule, rule.name), None
        if not self._lacks(rule):
            answer = Question(rule, self.operands, options).answer()
            resolved = answer.options
            yield Row(answer, self.chosen is not None or rule.compared_by_default, word)
        if not self.shows_all or has_axis:
            return
        ranks = [len(operand.shape) for operand in self.operands]
        for name, option in rule.options.items():
            for value in islice(option.ways_to_try(ranks), MAX_AXES):
                further = Question(rule, self.operands, {name: value}).answer()
                if further.options != resolved and further.ok is not False:
                    yield Row(further, False, word)

    def _lacks(self, rule: Rule) -> str:
        return rule.lacks(self.operands, rule.numpy_order_options)

    @cached_property
    def first(self) -> int:
        """The number of the first row that counts."""
        return next(number for number, row in enumerate(self.rows) if row.counts)

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
        if not self.unknown_sizes or all(row.answer.ok is False for row in self.rows):
            return [{}]
        if len(self.unknown_sizes) > conditions.MAX_NAMES:
            return None
        # For one choice the sizes of all rows are tried.
        most = MAX_WORK // (len(self.rows) * sum(self.rows[0].answer.ranks))
        every = conditions.numbered_assignments(self.unknown_sizes, self._sizes)
        found = list(islice(every, most + 1))
        return found if len(found) <= most else None

    @cached_property
    def _outcomes(self) -> list[tuple[Outcome, ...]] | None:
        """The rows' outcomes, for each choice of the unknown sizes; None: too many choices."""
        known = self._assignments
        return None if known is None else list(map(self._outcomes_of, known))

    def _outcomes_of(self, assignment: Assignment) -> tuple[Outcome, ...]:
        """Return the rows' outcomes for one choice of the unknown sizes."""
        found = {each: outcome(each.with_sizes(assignment)) for each in {*self._equivalent_answers}}
        return tuple([found[each] for each in self._equivalent_answers])

    @cached_property
    def _equivalent_answers(self) -> list[Answer]:
        """For each row the first answer that aligns the operands alike: it decides for all."""
        first: dict[object, Answer] = {}
        answers = [row.answer for row in self.rows]
        return [first.setdefault((each.layout, type(each.rule).trim), each) for each in answers]

    @cached_property
    def _agreement(self) -> list[bool]:
        """For each choice of the unknown sizes, whether the rows that count agree."""
        counting = [row.counts for row in self.rows]
        return [len({*compress(outcomes, counting)}) == 1 for outcomes in self._outcomes or ()]

    @cached_property
    def ok(self) -> bool | None:
        """Whether the rules agree; None: it depends on the unknown sizes, or is not decided."""
        if self.is_enumerated:
            verdicts = {*self._agreement}
            return verdicts.pop() if len(verdicts) == 1 else None
        counting = compress(self.standings, (row.counts for row in self.rows))
        agrees = {standing.agrees for standing in counting}
        # Two rules that never agree are enough for a no.
        return False if False in agrees else None if None in agrees else True

    @property
    def is_enumerated(self) -> bool:
        """Whether every choice of the unknown sizes was tried."""
        return self._outcomes is not None

    @property
    def is_decided(self) -> bool:
        """Whether the verdict is known; if not, `ok` is None."""
        return self.is_enumerated or self.ok is not None

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
        """The relation of each row to the first one that counts."""
        if self._outcomes is None:
            return tuple(map(self._standing_by_verdicts, range(len(self.rows))))
        return tuple(
            _standing([difference(each[self.first], each[number]) for each in self._outcomes])
            for number, _ in enumerate(self.rows)
        )

    def _standing_by_verdicts(self, number: int) -> Agreement:
        """Return how a row relates to the first one, if that is clear without choosing sizes."""
        first, answer = self._equivalent_answers[self.first], self._equivalent_answers[number]
        if _symbolic_outcome(first) == _symbolic_outcome(answer):
            return Agreement(True, None)
        if {first.ok, answer.ok} == {True, False}:
            return Agreement(False, Difference.VERDICT)
        return Agreement(None, None)

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """The numbers of the rows, grouped by equal outcomes."""
        together: dict[object, tuple[int, ...]] = {}
        symbolic = map(_symbolic_outcome, self._equivalent_answers)
        outcomes: Iterable[object] = (
            zip(*self._outcomes, strict=True) if self._outcomes else symbolic
        )
        for number, own in enumerate(outcomes):
            together[own] = (*together.get(own, ()), number)
        return list(together.values())

    @cached_property
    def other_values(self) -> tuple[SameShapeOtherValues, ...]:
        """The pairs of groups with results of the same shape and other values."""
        found = []
        for one, other in combinations(self.groups, 2):
            only_axes = [
                difference(outcomes[one[0]], outcomes[other[0]]) is Difference.AXES
                for outcomes in self._outcomes or ()
            ]
            if any(only_axes):
                found.append(SameShapeOtherValues((one, other), all(only_axes)))
        return tuple(found)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Notes, in display order."""
        notes = []
        if self.left_out:
            names = joined_with_and([self._words.get(each, each.name) for each in self.left_out])
            why = ("takes exactly two shapes and was", "take exactly two shapes and were")
            notes.append(Note("left_out", f"{names} {why[len(self.left_out) > 1]} left out"))
        if self.has_ncnn and any(len(shape) in (4, 5) for _, shape in self.operands):
            notes.append(Note("layout", "ncnn has no batch axis: ask without it"))
        words = ", ".join(row.word for row in self.rows).split(", ")
        remarks = dict.fromkeys(remark(each, [s for _, s in self.operands]) for each in words)
        notes += [Note("framework", text) for text in remarks if text]
        if not self.is_decided:
            text = "there are too many combinations of unknown sizes to try them all"
            notes.append(Note("unknowns", text))
        elif self.ok is None:
            notes += notes_on_expressions(self.unknown_sizes)
        elif not self.unknown_sizes and any(0 in (row.answer.result or ()) for row in self.rows):
            notes.append(Note("empty", "a result without elements has no values to compare"))
        return tuple(notes)

    @cached_property
    def suggestions(self) -> tuple[Rewrite, ...]:
        """A few ways to write the operands so that the rules agree, where they may differ."""
        if self.ok or self._outcomes is None:
            return ()
        counting_first = sorted(enumerate(self.rows), key=lambda row: not row[1].counts)
        layouts: dict[object, tuple[int, Answer]] = {}
        for number, (answer, *_) in counting_first:
            if answer.ok:
                layouts.setdefault((explicit_shapes(answer), answer.result), (number, answer))
        few = islice(layouts.values(), MAX_LAYOUTS)
        found = (next(self._rewrites(number, answer), None) for number, answer in few)
        return tuple(islice(filter(None, found), MAX_SUGGESTIONS))

    def _rewrites(self, number: int, answer: Answer) -> Iterator[Rewrite]:
        """Yield rewrites under which all rules give the values of one row, the likeliest first."""
        result = answer.result or ()
        axes = [self.axis] if self.axis in (None, -1, 0) else [self.axis, 0]
        for (write, operands), axis in product(_rewrites_of(answer, result), axes):
            text = write if axis == self.axis else f"{write} --axis {axis}".strip()
            asked = self.of(operands, axis)
            if text and asked.ok and asked.rows[asked.first].answer.result == result:
                yield Rewrite(text, operands, axis, number, result)


_Written = tuple[str, tuple[Operand, ...]]
"""Operands, and the text of those that change."""


def _symbolic_outcome(answer: Answer) -> object:
    """Return values that determine the outcome; the answer itself if they do not."""
    if answer.ok is False:
        return None
    axes = occupied_axes(answer)
    if axes is None or UNKNOWN in (answer.result or ()) or not answer.is_exact:
        return answer
    return answer.when, answer.result, axes


def _standing(differences: Sequence[Difference | None]) -> Agreement:
    agrees = {each is None for each in differences}
    found = [each for each in Difference if each in differences]
    return Agreement(agrees.pop() if len(agrees) == 1 else None, found[0] if found else None)


def _rewrites_of(answer: Answer, result: Shape) -> Iterator[_Written]:
    """Yield rewrites, each a text and operands, that give an answer's values.

    First with explicit shapes; then in the other order, for rules that keep the first operand; then
    with the first one, or all of them, stretched to the result beforehand.
    """
    texts, shapes = as_expressions(answer), explicit_shapes(answer)
    if texts is None or shapes is None:
        return
    names = answer.operand_names

    def written_as(texts: Sequence[str], shapes: Sequence[Shape]) -> _Written:
        changed = [text for text, name in zip(texts, names, strict=True) if text != name]
        return ", ".join(changed), tuple(map(Operand, names, shapes))

    write, operands = written_as(texts, shapes)
    yield write, operands
    if len(names) == 2:
        swapped = swapping(*names)
        yield f"{swapped}, {write}" if write else swapped, operands[::-1]
    if UNKNOWN in result:
        return
    for count in (1, len(names)):
        wide = [
            text if shape == result else f"numpy.broadcast_to({text}, {as_tuple(result)})"
            for text, shape in zip(texts[:count], shapes, strict=False)
        ]
        yield written_as((*wide, *texts[count:]), (*[result] * count, *shapes[count:]))


def has_axis(rules: Iterable[Rule]) -> bool:
    """Return whether one of the rules has the option --axis."""
    return any("axis" in rule.options for rule in rules)
