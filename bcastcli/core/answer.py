"""The answer to a question, derived from the aligned axes.

An answer is one value, and its members are derived from it, in this order: the verdict, the result,
the axes, the reason, the notes and the suggestions. The verdict is computed immediately,
everything else when it is first read. A "no" is an answer like any other, never an exception.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from bcastcli.core import conditions
from bcastcli.core.alignment import Aligned, Alignment, Axis, align, axis_of, is_placeholder
from bcastcli.core.rule import Meeting, Note, Reason, Rule, Value
from bcastcli.core.shapes import (
    UNKNOWN,
    Column,
    Shape,
    Size,
    Verdict,
    axes_of,
    element_count,
    is_expression,
    substituted,
)
from bcastcli.core.wording import growth_note, joined_with_and, others_clashing

if TYPE_CHECKING:
    from bcastcli.core.question import Question, Suggestion

_CERTAIN = conditions.Solution(True, conditions.ALWAYS, True, {})
_IMPOSSIBLE = conditions.Solution(False, conditions.NEVER, True, {})
_TOO_MANY_UNKNOWNS = Note(
    "unknowns",
    "too many unknown sizes depend on each other to simplify this: "
    "the condition is correct, but it may turn out to be always or never true",
)


def reason_of_sizes(rule: Rule, meeting: Meeting, clashing: Sequence[int]) -> Reason:
    """Why sizes clash on some axes: on the rightmost in full, on others by their numbers."""
    *others, last = clashing
    reason = rule.clash(meeting, last)
    if not others or reason.axes != (last,):  # the reason covers more than this axis
        return reason
    more = others_clashing([meeting.label(other) for other in others])
    return Reason(reason.kind, reason.text + more, reason.why, (*others, last))


class Answer:
    """The answer to a question.

    >>> from bcastcli.core.alignment import Operand
    >>> from bcastcli.core.question import Question
    >>> from bcastcli.rules import RULES
    >>> operands = Operand("A", (4, 1)), Operand("B", ("N",))
    >>> answer = Question(RULES["numpy"], operands).answer()
    >>> answer.ok, answer.result, [axis.stretched for axis in answer.axes]
    (True, (4, 'N'), [('B',), ('A',)])
    >>> answer = Question(RULES["none"], operands).answer()
    >>> answer.ok, answer.reason.text
    (False, 'A 4,1 has 2 axes and B N has 1 axis, and nothing stretches')
    """

    def __init__(self, question: "Question") -> None:
        self.question = question
        self.rule = question.rule
        self.operands = question.operands
        self.ranks = question.ranks
        self.shapes = question.shapes
        """The shapes, each unnamed size replaced by a placeholder, such as `A.shape[1]`."""
        self.unknown_sizes = question.unknown_sizes
        """In reading order."""
        self.layout = self.rule.align(self.ranks, question.options)
        self._aligned: list[Aligned] = []
        # The alignments that are still possible after each axis was looked at on its own.
        self._feasible: list[Aligned] = []
        self._try_alignments()
        self._solution = self._solve()
        self.ok: bool | None = self._solution.satisfiable
        """Whether the operands broadcast; None: it depends on the unknown sizes."""
        if self.ok and self._solution.condition:
            self.ok = None
        # The alignment that decides; None if the unknown sizes choose between several.
        self._decisive = self._decide()
        self._sizes = self._sizes_by_rule()
        self.result_by_rule: Shape | None = None
        """The result by the rule alone, ignoring limits; None if there is none."""
        if self._solution.satisfiable:
            self.result_by_rule = self._sizes[: self.layout.rank]
        self.result: Shape | None = self.result_by_rule
        """The shape that the operands broadcast to; None if they do not."""

    # The verdict

    def _try_alignments(self) -> None:
        """Align the operands in each way, up to the first that always fits."""
        layout = self.layout
        counted = self.shapes if layout.refusal else self.rule.trim(self.shapes)
        for each in layout.alignments:
            aligned = align(each, counted)
            self._aligned.append(aligned)
            if not layout.refusal and () not in aligned.condition:
                self._feasible.append(aligned)
                if not aligned.condition:
                    break

    def _solve(self) -> conditions.Solution:
        if not self._feasible:
            return _IMPOSSIBLE
        if not self.unknown_sizes and not self.question.constraints:
            return _CERTAIN
        required = conditions.any_of([each.condition for each in self._feasible])
        for constraint in self.question.constraints:
            required += constraint.condition
        return self._solved(required) if required else _CERTAIN

    def _solved(self, condition: conditions.Condition) -> conditions.Solution:
        return conditions.solve(condition, self.unknown_sizes)

    @property
    def condition(self) -> conditions.Condition:
        """The condition on the unknown sizes: clauses that must all hold."""
        return self._solution.condition

    @property
    def when(self) -> str | None:
        """The condition on the unknown sizes, as a Python expression; None unless it depends."""
        return conditions.to_python(self._solution.condition) if self.ok is None else None

    @property
    def is_exact(self) -> bool:
        """False: too many unknown sizes to tell whether the condition always or never holds."""
        return self._solution.is_exact

    @property
    def operand_names(self) -> tuple[str, ...]:
        """The operands' names."""
        return self.question.operand_names

    @property
    def options(self) -> dict[str, Value]:
        """The options, with their defaults resolved."""
        return self.question.resolved_options

    # The result

    def _decide(self) -> Aligned | None:
        if not self._feasible:
            return self._aligned[self.layout.shown_on_mismatch] if self._aligned else None
        last = self._feasible[-1]
        if len(self._feasible) > 1 and len({each.alignment.places for each in self._feasible}) > 1:
            return None
        return last

    def _sizes_by_rule(self) -> tuple[Size, ...]:
        """The result's size on each axis, where it is the same in every case."""
        if not self._aligned:
            return ()
        aligned = self._decisive or self._feasible[0]
        if not self.unknown_sizes:
            return tuple([UNKNOWN if size is None else size for size, _ in aligned.verdicts])
        # Equal sizes on many axes are computed only once, since that is slow.
        found: dict[object, Size] = {}
        sizes = []
        for column, verdict in zip(aligned.columns, aligned.verdicts, strict=True):
            alike = verdict.result, frozenset(column)
            if alike not in found:
                found[alike] = self._size(column, verdict, aligned.alignment.combine)
            sizes.append(found[alike])
        return tuple(sizes)

    def _size(self, column: Column, verdict: Verdict, combine: Callable[[Column], Verdict]) -> Size:
        """A number or a name if the result's size equals it in every case, or else `?`."""
        size = UNKNOWN if verdict.result is None else verdict.result
        names = column if size == UNKNOWN else (size,)
        tied = [name for name in names if name in self._solution.assignments]
        if not tied:
            return UNKNOWN if is_placeholder(size) else size
        assignments = self._solution.assignments[str(tied[0])]
        values = [
            combine(substituted(column, assignment)).result
            if size == UNKNOWN
            else assignment[str(size)]
            for assignment in assignments
        ]
        first = values[0]
        if isinstance(first, int) and first >= 0 and len(set(values)) == 1:
            return first
        for name in assignments[0]:
            if not is_placeholder(name) and [each[name] for each in assignments] == values:
                return name
        return UNKNOWN

    # The axes

    @cached_property
    def axes(self) -> tuple[Axis, ...] | None:
        """The aligned axes; None if unknown sizes choose an alignment, or none exists."""
        aligned = self._decisive
        if aligned is None:
            return None
        return tuple([self._axis(aligned, number) for number in range(len(aligned.columns))])

    def _axis(self, aligned: Aligned, number: int) -> Axis:
        question, rank = self.question, self.layout.rank
        label = self.rule.label(number, rank, question.options, question.framework)
        refused = self.layout.refusal != ""
        column, verdict = aligned.column(number), aligned.verdicts[number]
        size = self._sizes[number]
        if self.layout.gap_before is not None and number >= rank:
            number += self.layout.gap_before - rank
        names = question.operand_names
        axis = axis_of(column, names, verdict, size, number, rank, label, refused)
        if question.contraction is not None and number in self._of_one_factor:
            return axis._replace(stretched=())
        return axis

    @cached_property
    def _of_one_factor(self) -> range:
        """The last axes of a matrix product, M and N: each from one factor, never stretched."""
        contraction, rank = self.question.contraction, self.layout.rank
        if contraction is None or len(self.question.inputs) > len(contraction.rows):
            return range(0)
        return range(rank - len(contraction.labels), rank)

    def places_of(self, operand: int) -> Sequence[int]:
        """The places among the aligned axes of an operand's own axes."""
        aligned = self._decisive or self._feasible[0]
        return axes_of(len(aligned.shapes[operand]), aligned.alignment.places[operand])

    def order_of(self, operand: int) -> tuple[int, ...]:
        """The numbers of an operand's own axes in the order of the aligned axes."""
        places = self.places_of(operand)
        return tuple(sorted(range(len(places)), key=places.__getitem__))

    @property
    def alignment(self) -> Alignment | None:
        """The alignment of the axes; None if unknown sizes choose between several."""
        return self._decisive.alignment if self._decisive else None

    @property
    def innermost_first(self) -> bool:
        """Whether the axes are innermost first, the reverse of NumPy's order."""
        return self.rule.innermost_first(self.question.options)

    @property
    def all_stretch(self) -> bool:
        """Whether every operand stretches, so that none has the result's shape."""
        aligned = self._decisive
        if aligned is None or self.result_by_rule is None or len(self.operands) == 1:
            return False
        if self.question.is_derived or self.result_by_rule in self.shapes:
            return False
        # Along an axis of size 1 nothing stretches.
        larger = [axis for axis, size in enumerate(self.result_by_rule) if size != 1]
        sizes_of = list(zip(*[aligned.column(axis) for axis in larger], strict=True))
        return bool(larger) and all(1 in sizes or None in sizes for sizes in sizes_of)

    @property
    def growth_shapes(self) -> tuple[list[Shape], Shape] | None:
        """The shapes of the operands and of the result where every operand stretches.

        None if one does not stretch, or is a target shape, which stores nothing.
        """
        if not self.all_stretch or self.rule.second_is_target:
            return None
        return [operand.shape for operand in self.operands], self.result_by_rule or ()

    def axis_label(self, axis: int) -> str:
        """The name of an axis in sentences: its number from both ends."""
        return self.question.axis_label(axis, self.layout.rank)

    # The reason

    @cached_property
    def reason(self) -> Reason | None:
        """Why the answer is no; None if it is not."""
        if self.ok is not False:
            return None
        if self.question.impossible:
            return self.question.impossible
        if self.layout.refusal:
            text = self.rule.refuse(self.operands, self.question.options)
            return Reason(self.layout.refusal, text)
        if not self._feasible:
            clashing = self._aligned[self.layout.shown_on_mismatch].clashing
            return reason_of_sizes(self.rule, self._meeting(), clashing)
        for each in self.question.constraints:
            if not self._solved(each.condition).satisfiable:
                return each.reason
        return self._why_unsatisfiable()

    def why_sizes_clash(self, axis: int) -> str:
        """Why sizes do not match on an axis where they clash: `neither is 1`."""
        return self.rule.clash(self._meeting(), axis).why

    def _meeting(self) -> Meeting:
        aligned = self._aligned[self.layout.shown_on_mismatch]
        names, way = self.question.operand_names, aligned.alignment.name
        column, label = aligned.column, self.axis_label
        return Meeting(names, self.layout.rank, way, column, label, lambda: self.question)

    def _why_unsatisfiable(self) -> Reason:
        """The requirements that contradict each other although no single axis clashes.

        Where several alignments are feasible, some sizes fit: the rule that tries several has no
        other requirements.
        """
        [aligned] = self._feasible
        required = [
            (verdict.condition, self.axis_label(i)) for i, verdict in enumerate(aligned.verdicts)
        ]
        required += ((each.condition, each.where) for each in self.question.constraints)
        return contradiction(required, self.unknown_sizes)

    # The notes

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Notes, in display order."""
        notes = [*self.rule.notes(self)]
        if self.growth_shapes:
            notes.append(Note("stretch", growth_note(*self.growth_shapes)))
        if self.ok is None:
            notes += notes_on_expressions(conditions.names_in(self._solution.condition))
        if not self.is_exact:
            notes.append(_TOO_MANY_UNKNOWNS)
        return (*notes, *self.question.notes(self))

    # The suggestions

    @cached_property
    def suggestions(self) -> tuple["Suggestion", ...]:
        """A few alternative questions that broadcast, the likeliest first.

        Empty if the answer is yes, except for a silent square; if it depends, they make it always
        yes.
        """
        return self.question.suggestions(self) if not self.ok or self.is_square else ()

    @cached_property
    def is_square(self) -> bool:
        """Whether two operands with equally many elements both stretch, as a column and a row do.

        The result has more elements than either, which is often a mistake.
        """
        shapes, _ = self.growth_shapes or ((), ())
        counts = [element_count(shape) for shape in shapes]
        return len(counts) == 2 and counts[0] == counts[1] and counts[0][0] != 0

    def answer_to(self, question: "Question") -> "Answer":
        """The answer to another question under the same limits."""
        return question.answer()

    def with_sizes(self, assignment: conditions.Assignment) -> "Answer":
        """The rule's answer with numbers for the unknown sizes."""
        return self.question.with_sizes(assignment).answer() if assignment else self


def contradiction(
    required: Sequence[tuple[conditions.Condition, str]], names: Sequence[str]
) -> Reason:
    """The reason that conditions on names cannot all hold.

    Each condition comes with the axis that requires it.
    """
    core = conditions.unsatisfiable_core([condition for condition, _ in required], names)
    parts = [f"{conditions.to_python(required[i][0])} on {required[i][1]}" for i in core]
    which = "all" if len(parts) > 2 else "both"
    return Reason("names", f"{joined_with_and(parts)} cannot {which} hold")


def notes_on_expressions(sizes: Iterable[str]) -> tuple[Note, ...]:
    """A note for each size on which an answer depends that is calculated from others."""
    text = (
        "is treated as an independent unknown size: the condition is correct, but it may be "
        "always or never true once the size is calculated"
    )
    return tuple([Note("unknowns", f"{size} {text}") for size in sizes if is_expression(size)])
