"""An ONNX operator in one opset, and the question that its inputs make."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import ClassVar, cast

from bcastcli.core import conditions
from bcastcli.core.alignment import Contraction, Operand, name_unknowns
from bcastcli.core.answer import Answer
from bcastcli.core.question import Constraint, Question
from bcastcli.core.rule import Alternative, Note, Options, Rule, Value
from bcastcli.core.shapes import UNKNOWN_RANK, Column, Shape
from bcastcli.operators.legacy import OnnxLegacy
from bcastcli.operators.table import Version, versions_of
from bcastcli.rules import RULES, rewriting


class Operator:
    """An operator in one opset: the inputs that it takes, and the question that they make."""

    options: ClassVar[Mapping[str, int]] = {}
    """The options that it takes, with their defaults."""
    is_elementwise: ClassVar[bool] = True
    """Whether each element of the result depends on the elements aligned with it alone."""
    allows_negative: ClassVar[bool] = False
    """Whether an axis may be counted from the last one."""

    own_rule: ClassVar[Rule | None] = None
    """The rule that it follows, where the table has that of another name."""

    def __init__(self, version: Version, opset: int | None) -> None:
        self.version = version
        self.opset = opset
        self.name = version.op
        self.default_names = () if version.is_variadic else version.inputs
        self.min_operands = 1 if version.is_variadic else len(self.default_names)
        self.max_operands = None if version.is_variadic else len(self.default_names)
        self.rule: Rule = self.own_rule or RULES.get(version.rule) or OnnxLegacy()

    def in_version(self, version: Version) -> "Operator":
        """Return the operator as it is from another opset on."""
        return type(self)(version, version.since_opset)

    @property
    def names_in_errors(self) -> Sequence[str]:
        """The inputs' names in the error for a wrong number of inputs."""
        return self.default_names

    def question(self, inputs: Sequence[Operand], options: Options) -> "OperatorQuestion":
        """Return the question that inputs make; their number must be one that it takes."""
        return OperatorQuestion(self, inputs, {**self.options, **options})

    def notes(self, answer: Answer) -> Sequence[Note]:
        """Return notes in addition to those of the rule."""
        return ()

    def alternatives(self, question: "OperatorQuestion") -> Iterator[Alternative]:
        """Yield questions to ask instead, the likeliest first."""
        for each in self.rule.alternatives(question):
            asked = each.question
            # Only while it keeps to the rule and to the operands' order.
            if asked.rule is self.rule and asked.operand_names == question.operand_names:
                inputs = self.inputs_of(question, asked.operands)
                yield each._replace(question=self.question(inputs, asked.options))

    def inputs_of(
        self, question: "OperatorQuestion", operands: Sequence[Operand]
    ) -> Sequence[Operand]:
        """Return the inputs from which other operands than a question's are derived."""
        return operands

    def further(self, question: Question) -> Iterator[Alternative]:
        """Yield what else to change in a question that is an alternative already."""
        if isinstance(question, OperatorQuestion) and not question.impossible:
            yield from Operator.alternatives(self, question)


class OperatorQuestion(Question):
    """An operator applied to inputs: it derives operands from them and asks its rule."""

    def __init__(
        self,
        operator: Operator,
        inputs: Sequence[Operand],
        options: Options,
        *,
        operands: Sequence[Operand] | None = None,
        shapes: Sequence[Column] | None = None,
        constraints: Sequence[Constraint] = (),
        contraction: Contraction | None = None,
    ) -> None:
        """Take the operands, and their sizes with their places, where they are not the inputs."""
        super().__init__(
            operator.rule, inputs if operands is None else operands, options, constraints
        )
        self.operator = operator
        self.name = operator.name
        self.default_names = operator.default_names
        self.inputs = tuple(inputs)
        if shapes is not None:
            self.is_derived = True
            # To align shapes, it does not matter that one may lack an axis between others.
            self.shapes = cast("tuple[Shape, ...]", tuple(shapes))
        self.contraction = contraction
        never = (each.reason for each in constraints if each.condition == conditions.NEVER)
        self.impossible = next(never, None)

    def for_inputs(self, operator: Operator, inputs: Sequence[Operand]) -> "OperatorQuestion":
        """Return the same question about the inputs of which these operands were made."""
        question = copy(self)
        question.operator = operator
        question.inputs = tuple(inputs)
        return question

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
        return self.operator.notes(answer)

    def alternatives(self) -> Iterator[Alternative]:
        if rewriting.is_readable(self.inputs):
            yield from self.operator.alternatives(self)
            yield from self._in_newer_opsets()

    def _in_newer_opsets(self) -> Iterator[Alternative]:
        """Yield the same question where the operator broadcasts by another rule."""
        for version in versions_of(self.operator.name):
            if version.since_opset > self.operator.version.since_opset:
                newer = self.operator.in_version(version)
                lost = self.options.keys() - newer.options.keys()
                if all(self.options[name] == self.operator.options[name] for name in lost):
                    kept = {name: self.options[name] for name in newer.options}
                    asked = newer.question(self.inputs, kept)
                    yield Alternative(asked, "rule", setting=f"--opset {version.since_opset}")
