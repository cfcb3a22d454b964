"""A question: a rule, with operands and options."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bcastcli.core import conditions
from bcastcli.core.alignment import Change, Contraction, Operand, name_unknowns
from bcastcli.core.answer import Answer
from bcastcli.core.conditions import Assignment, Condition
from bcastcli.core.rule import Alternative, Note, Options, Reason, Rule, Value
from bcastcli.core.shapes import Shape

NO_OPTIONS: Options = {}
MAX_SUGGESTIONS = 3
SURE = ("insert", "drop", "permute")
"""The kinds of changes that are suggested even if the answer is not no."""


class Constraint(NamedTuple):
    """A condition of an operator, in addition to those of its rule on the aligned axes."""

    condition: Condition
    where: str
    """The axes that it is about, as a sentence names them."""
    reason: Reason
    """Why the answer is no if the condition cannot hold."""


class Suggestion(NamedTuple):
    """A suggestion: another question that is answered with yes."""

    kind: str
    """As in `Alternative`."""
    changes: tuple[Change, ...]
    setting: str
    """A setting to write: `--axis 1`."""
    changed: tuple[Operand, ...]
    """The inputs that have other shapes than in the question."""
    answer: Answer
    write: str = ""
    """Its code in a framework's syntax; `advice` fills in this and the fields below."""
    names_shapes: bool = False
    """Whether `write` names the shapes of the operands, rather than code."""
    where: str = ""
    """The axes that the operand is then on, if it might be on others: `B on axes 0 and 3`."""
    makes_sure: bool = False
    """Whether it turns an answer that depends into an unconditional yes."""


class Question:
    """A rule applied to operands: a value that can be compared, varied and answered.

    >>> from bcastcli.rules import RULES
    >>> operands = (Operand("A", (2, 3)), Operand("B", (3,)))
    >>> Question(RULES["numpy"], operands).answer().result
    (2, 3)
    """

    is_derived = False
    """Whether the operands were made from other inputs."""
    impossible: Reason | None = None
    """The reason for a no, whatever the rule decides; None if the rule decides."""
    contraction: Contraction | None = None
    """The axis over which a matrix product sums, where there is one."""

    def __init__(
        self,
        rule: Rule,
        operands: Sequence[Operand],
        options: Options = NO_OPTIONS,
        constraints: Sequence[Constraint] = (),
        framework: str = "",
    ) -> None:
        self.rule = rule
        self.framework = framework
        """The framework that was named in place of the rule; empty for the rule itself."""
        self.name = rule.name
        """The name of the rule or of the operator."""
        self.operands = self.inputs = tuple(operands)
        """The operands; and the inputs as typed, from which an operator may make others."""
        self.default_names = rule.default_names
        """Names for inputs that were typed without one; any further ones are A, B, C and so on."""
        self.operand_names = tuple([name for name, _ in operands])
        self.ranks = tuple([len(shape) for _, shape in operands])
        self.shapes = tuple([name_unknowns(name, shape) for name, shape in operands])
        """The operands' shapes, each unnamed size by its placeholder, such as `A.shape[1]`."""
        self.options = options
        self.constraints = tuple(constraints)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Question) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<Question {self.record()}>"

    def _key(self) -> tuple[object, ...]:
        return self.name, self.inputs, frozenset(self.options.items()), self.constraints

    # What is known

    @property
    def unknown_sizes(self) -> tuple[str, ...]:
        """The unknown sizes, in reading order."""
        return self._unknown_in(self.shapes)

    def _unknown_in(self, shapes: Sequence[Sequence[object]]) -> tuple[str, ...]:
        sizes = [size for shape in shapes for size in shape if isinstance(size, str)]
        for constraint in self.constraints:
            sizes += conditions.names_in(constraint.condition)
        return tuple(dict.fromkeys(sizes))

    @property
    def resolved_options(self) -> dict[str, Value]:
        """The options with their defaults resolved."""
        return self.rule.resolve(self.ranks, self.options)

    @property
    def words(self) -> str:
        """The framework that changes are written for; empty: NumPy."""
        return self.framework or self.rule.words

    def axis_label(self, axis: int, rank: int) -> str:
        """The name of an axis in sentences: its number from both ends of the result."""
        return self.rule.axis_label(axis, rank, self.options, self.framework)

    def record(self) -> dict[str, object]:
        """The question as data for JSON, complete enough to ask it again."""
        shapes = [shape for _, shape in self.inputs]
        return {"rule": self.rule.name, "shapes": shapes, "options": self.resolved_options}

    def details(self) -> Mapping[str, object]:
        """JSON fields in addition to those of every answer."""
        return {}

    # What follows

    def answer(self) -> Answer:
        """The rule's answer."""
        return Answer(self)

    def notes(self, answer: Answer) -> Sequence[Note]:
        """Notes in addition to those of the rule."""
        return ()

    def alternatives(self) -> Iterator[Alternative]:
        """Questions to ask instead, the likeliest first."""
        return self.rule.alternatives(self)

    def suggestions(self, answer: Answer) -> tuple[Suggestion, ...]:
        """The alternatives that broadcast, under the same limits as this answer.

        The result has the shape of an operand. An alternative with another shape is a last resort.
        """
        if answer.ok is None and _may_fit(answer):
            return ()  # then a change might move what fits
        found: dict[object, Suggestion] = {}
        spare: dict[object, Suggestion] = {}
        inputs = set(self.inputs)
        for each in self.alternatives():
            if len(found) == MAX_SUGGESTIONS:
                break
            if answer.ok is not False and (each.setting or each.kind not in SURE):
                continue
            outcome = answer.answer_to(each.question)
            changed = tuple([new for new in outcome.question.inputs if new not in inputs])
            shapes = [shape for _, shape in (*inputs, *changed)]
            keeps_one = self.is_derived or outcome.result in shapes
            # With more than two operands, others may already have stretched.
            meets = any({*change.shape} - {1} for change in each.changes) and len(inputs) > 2
            if outcome.ok and (keeps_one or each.is_last_resort or meets):
                key = outcome.question.name, outcome.question.inputs, *outcome.options.items()
                fits = found if keeps_one and not each.is_last_resort else spare
                suggestion = Suggestion(each.kind, each.changes, each.setting, changed, outcome)
                fits.setdefault(key, suggestion)
        chosen = list(found.values())
        if not chosen:
            chosen = [each for each in spare.values() if each.kind != "pairs"]
        if not chosen:
            chosen = list(spare.values())
        return tuple(chosen[:MAX_SUGGESTIONS])

    def with_operands(self, operands: Sequence[Operand]) -> "Question":
        """The same question about other operands."""
        return Question(self.rule, operands, self.options, self.constraints, self.framework)

    def with_shapes(self, shapes: Sequence[Shape]) -> "Question":
        """The same question about other shapes."""
        return self.with_operands(list(map(Operand, self.operand_names, shapes)))

    def with_sizes(self, assignment: Assignment) -> "Question":
        """The same question with numbers for the unknown sizes."""
        return self.with_shapes(
            [
                tuple([assignment[size] if isinstance(size, str) else size for size in shape])
                for shape in self.shapes
            ]
        )

    def with_options(self, **options: Value) -> "Question":
        """The same question with these options alone."""
        return Question(self.rule, self.operands, options, self.constraints)

    def under(self, rule: Rule) -> "Question":
        """The question about the same operands under another rule, without options."""
        return Question(rule, self.operands, NO_OPTIONS, self.constraints)


def _may_fit(answer: Answer) -> bool:
    """Whether the operands broadcast for some sizes of 2 or more, where no two names are equal."""
    ways: list[Assignment] = [{}]
    for clause in answer.condition:
        longer = []
        for way in ways:
            for name, size in clause:
                is_free = name not in way and size not in way.values()
                if isinstance(size, int) and size > 1 and (is_free or way.get(name) == size):
                    longer.append({**way, name: size})
        ways = longer
    return bool(ways)
