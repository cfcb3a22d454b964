"""An ONNX operator in one opset, and the question that its inputs make."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, cast

from bcastcli.core import conditions
from bcastcli.core.alignment import Contraction, Layout, Operand, name_unknowns
from bcastcli.core.answer import Answer
from bcastcli.core.question import Constraint, Question
from bcastcli.core.rule import Alternative, Note, Options, Reason, Rule, Value
from bcastcli.core.shapes import UNKNOWN_RANK, Column, Shape, written
from bcastcli.operators.table import Version
from bcastcli.rules import IDENTICAL, RULES, rewriting


class Operator:
    """An operator in one opset: the inputs that it takes, and the question that they make."""

    options: ClassVar[Mapping[str, int]] = {}
    """The options that it takes, with their defaults."""
    is_elementwise: ClassVar[bool] = True
    """Whether each element of the result depends on the elements aligned with it alone."""

    own_names: ClassVar[tuple[str, ...]] = ()
    """The names of all inputs, where the table has only those that broadcast."""
    own_rule: ClassVar[Rule | None] = None
    """The rule that it follows, if that differs from the table's."""

    def __init__(self, version: Version, opset: int | None) -> None:
        self.version = version
        self.opset = opset
        self.name = version.op
        self.default_names = self.own_names or (() if version.is_variadic else version.inputs)
        self.min_operands = len(self.default_names) or 1
        self.max_operands = len(self.default_names) or None
        # Up to opset 6, without the attribute broadcast, shapes had to be identical.
        self.rule: Rule = self.own_rule or RULES.get(version.rule, RULES[IDENTICAL])

    def question(self, inputs: Sequence[Operand], options: Options) -> "OperatorQuestion":
        """The question that inputs make; their number must be one that it takes."""
        return OperatorQuestion(self, inputs, {**self.options, **options})

    def notes(self, answer: Answer) -> Iterable[Note]:
        """Notes in addition to those of the rule."""
        return ()

    def alternatives(self, question: "OperatorQuestion") -> Iterator[Alternative]:
        """Questions to ask instead, the likeliest first."""
        for each in self.rule.alternatives(question):
            changed = each.question
            # Only if it keeps the rule and the order of the operands.
            if changed.rule is self.rule and changed.operand_names == question.operand_names:
                # A first operand that is derived stands for several inputs.
                derived = len(question.inputs) - len(changed.operands)
                inputs = changed.operands
                if derived:
                    inputs = (*question.inputs[: derived + 1], *changed.operands[1:])
                yield each._replace(question=self.question(inputs, changed.options))

    def further(self, question: Question) -> Iterator[Alternative]:
        """Further changes to a question that is already an alternative."""
        if isinstance(question, OperatorQuestion) and not question.impossible:
            yield from Operator.alternatives(self, question)


class OperatorQuestion(Question):
    """An operator applied to inputs: it derives operands from them and asks its rule."""

    def __init__(
        self,
        operator: Operator,
        inputs: Sequence[Operand],
        options: Options,
        operands: Sequence[Operand] | None = None,
        shapes: Sequence[Column] | None = None,
        constraints: Sequence[Constraint] = (),
        *,
        contraction: Contraction | None = None,
    ) -> None:
        """Take the operands, and their sizes with their places, where they are not the inputs."""
        operands = inputs if operands is None else operands
        super().__init__(operator.rule, operands, options, constraints)
        self.contraction = contraction
        self.operator = operator
        self.name = operator.name
        self.default_names = operator.default_names
        self.inputs = tuple(inputs)
        if shapes is not None:
            self.is_derived = True
            # An operand that lacks an axis between others is aligned in the same way.
            self.shapes = cast("tuple[Shape, ...]", tuple(shapes))
        never = (each.reason for each in constraints if each.condition == conditions.NEVER)
        self.impossible = next(never, None)

    @property
    def words(self) -> str:
        return "onnx"

    @property
    def unknown_sizes(self) -> tuple[str, ...]:
        return self._unknown_in((*(name_unknowns(*each) for each in self.inputs), *self.shapes))

    @property
    def resolved_options(self) -> dict[str, Value]:
        resolved = super().resolved_options
        return {name: resolved.get(name, value) for name, value in self.options.items()}

    def record(self) -> dict[str, object]:
        return {
            "op": self.operator.name,
            "opset": self.operator.opset,
            "shapes": [shape for _, shape in self.inputs],
            "options": self.resolved_options,
        }

    def details(self) -> dict[str, object]:
        return {
            "op": self.operator.name,
            "opset": self.operator.opset,
            "since_opset": self.operator.version.since_opset,
            "inputs": [
                {"name": name, "shape": None if shape == UNKNOWN_RANK else shape}
                for name, shape in self.inputs
            ],
        }

    def notes(self, answer: Answer) -> Sequence[Note]:
        return tuple(self.operator.notes(answer))

    def alternatives(self) -> Iterator[Alternative]:
        if rewriting.is_readable(self.inputs):
            yield from self.operator.alternatives(self)


class Unaligned(Answer):
    """An answer without aligned axes: only the members that are set here have values."""

    def __init__(self, question: Question, missing: str = "") -> None:
        """Take what has to be known before the answer is decided, if sizes cannot express it."""
        self.missing = missing
        self.question, self.rule = question, question.rule
        self.operands, self.shapes, self.ranks = question.operands, question.shapes, question.ranks
        self.layout, self.axes, self._decisive = Layout(0, ()), None, None
        self.ok = self.result = self.result_by_rule = self.reason = None
        self.notes = ()
        self._solution = conditions.Solution(True, conditions.ALWAYS, True, {})

    @property
    def when(self) -> str | None:
        return self.missing or super().when


def refuse(kind: str, text: str) -> Constraint:
    """The constraint that never holds, with the reason."""
    return Constraint(conditions.NEVER, "", Reason(kind, text))


def equate(left: Operand, right: Operand, on: tuple[int, int]) -> Constraint:
    """The constraint that the sizes on two axes, one of each operand, are equal."""
    sizes, places, texts = [], [], []
    for each, axis in zip((left, right), on, strict=True):
        where = f"axis {axis} ({axis - len(each.shape)})"
        sizes.append(name_unknowns(*each)[axis])
        places.append(f"{each.name}'s {where}")
        texts.append(f"{each.name} {written(each.shape)} has {each.shape[axis]} on {where}")
    reason = Reason("sizes", f"{' and '.join(texts)}, but these must be equal")
    condition = conditions.any_equal((sizes[0], sizes[1]))
    return Constraint(condition, " and ".join(places), reason)
