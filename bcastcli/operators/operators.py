"""ONNX's operators, asked about the shapes of their inputs.

What is here is what their table cannot say: which operands an operator makes of its inputs, what
must hold of these besides, and what to write instead.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import prod
from typing import ClassVar, cast

from bcastcli.core import conditions
from bcastcli.core.alignment import Contraction, Operand, placed
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Constraint, Note, Options, Reason, Rule
from bcastcli.core.shapes import UNKNOWN, Column, Shape, written
from bcastcli.core.wording import axes
from bcastcli.operators.legacy import OnnxLegacy, OnnxLegacyPRelu
from bcastcli.operators.rules import Expand, Followers, MatMul
from bcastcli.operators.table import OperatorError, Version, history
from bcastcli.rules import RULES, rewriting
from bcastcli.rules.rewriting import Rewritten

LISTED_ONLY = ("Attention", "Einsum")


class Operator:
    """An operator in one opset: the inputs that it takes, and the question that they make."""

    options: ClassVar[Mapping[str, int]] = {}
    """The options that it takes, with their defaults."""
    aligns: ClassVar[bool] = True
    """Whether each element of the result is made of the elements aligned with it, and no others."""
    counts_back: ClassVar[bool] = False
    """Whether an axis may be counted from the last one."""

    def __init__(self, version: Version, opset: int | None) -> None:
        self.version = version
        self.opset = opset
        self.name = version.op
        self.default_names = () if version.is_variadic else version.inputs
        self.min_operands = 1 if version.is_variadic else len(self.default_names)
        self.max_operands = None if version.is_variadic else len(self.default_names)
        self.rule: Rule = RULES[version.rule] if version.rule in RULES else OnnxLegacy()

    @property
    def listed_names(self) -> Sequence[str]:
        """The names of inputs that are listed where their number is wrong."""
        return self.default_names

    def question(self, inputs: Sequence[Operand], options: Options) -> "OperatorQuestion":
        """Return the question that inputs make; their number must be one that it takes."""
        return OperatorQuestion(self, inputs, {**self.options, **options})

    def notes(self, answer: Answer) -> Sequence[Note]:
        """Return what to know besides the notes of the rule."""
        return ()

    def alternatives(self, question: "OperatorQuestion") -> Iterator[Alternative]:
        """Yield what may be asked of it instead, with the words for it."""
        for write, asked in self.rule.alternatives(question):
            # Only as far as it keeps to the rule and to the operands' order.
            if asked.rule is self.rule and asked.operand_names == question.operand_names:
                inputs = self.inputs_of(question, asked.operands)
                yield write, self.question(inputs, asked.options)

    def inputs_of(
        self, question: "OperatorQuestion", operands: Sequence[Operand]
    ) -> Sequence[Operand]:
        """Return the inputs that make other operands than those of a question."""
        return operands

    def then(
        self, write: str, inputs: Sequence[Operand], options: Options
    ) -> Iterator[Alternative]:
        """Yield an alternative, and what may be done besides where it is not enough."""
        question = self.question(inputs, options)
        yield write, question
        if not question.impossible and question.answer().ok is False:
            for more, other in Operator.alternatives(self, question):
                yield f"{write}, {more}", other


class OperatorQuestion(Question):
    """Inputs put to an operator, which makes operands of them and asks its rule."""

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
        self.is_derived = shapes is not None
        self._inputs = tuple(inputs)
        self._shapes = shapes
        self.contraction = contraction

    def of(self, operator: Operator, inputs: Sequence[Operand]) -> "OperatorQuestion":
        """Return the same question about the inputs of which these operands were made."""
        return OperatorQuestion(
            operator,
            inputs,
            self.options,
            operands=self.operands,
            shapes=self.shapes,
            constraints=self.constraints,
            contraction=self.contraction,
        )

    @property
    def name(self) -> str:
        return self.operator.name

    @property
    def inputs(self) -> tuple[Operand, ...]:
        return self._inputs

    @property
    def default_names(self) -> tuple[str, ...]:
        return self.operator.default_names

    @property
    def shapes(self) -> tuple[Shape, ...]:
        # To align shapes, it does not matter that one may lack an axis between others.
        return super().shapes if self._shapes is None else cast("tuple[Shape, ...]", self._shapes)

    @property
    def unknown_sizes(self) -> tuple[str, ...]:
        return self._unknown_in((*(placed(*each) for each in self.inputs), *self.shapes))

    @property
    def resolved_options(self) -> dict[str, int | str]:
        resolved = super().resolved_options
        return {name: resolved.get(name, value) for name, value in self.options.items()}

    @property
    def impossible(self) -> Reason | None:
        reasons = (each.reason for each in self.constraints if each.condition == conditions.NEVER)
        return next(reasons, None)

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
            "inputs": [each._asdict() for each in self.inputs],
        }

    def notes(self, answer: Answer) -> Sequence[Note]:
        return self.operator.notes(answer)

    def alternatives(self) -> Iterator[Alternative]:
        if rewriting.legible(self.inputs):
            yield from self.operator.alternatives(self)
            yield from self._in_newer_opsets()

    def _in_newer_opsets(self) -> Iterator[Alternative]:
        """Yield the same question where the operator broadcasts by another rule."""
        for version in history(self.operator.name):
            if version.since_opset > self.operator.version.since_opset:
                newer = operator(version, version.since_opset)
                lost = self.options.keys() - newer.options.keys()
                if all(self.options[name] == self.operator.options[name] for name in lost):
                    kept = {name: self.options[name] for name in newer.options}
                    yield f"--opset {version.since_opset}", newer.question(self.inputs, kept)


class Legacy(Operator):
    """An operator of two inputs, asked with the attribute broadcast=1."""

    options: ClassVar = {"axis": -1}


class Mean(Operator):
    """Mean, which has a note of its own."""

    def notes(self, answer: Answer) -> Sequence[Note]:
        if not answer.ok or answer.operands[0].shape == answer.result:
            return ()
        first = answer.operands[0].name
        text = f"ONNX's reference evaluator fails unless {first} has the result's shape"
        return (Note("engine", text),)


def is_aligned_otherwise(given: Shape, slope: Shape) -> bool:
    """Return whether a slope of one axis fits axis 1, with which OpenVINO aligns it.

    It aligns it so wherever that fits, also where the slope fits the last axis.
    """
    return (
        len(given) > 2 and len(slope) == 1 and slope[0] not in (1, UNKNOWN) and slope[0] == given[1]
    )


class PRelu(Operator):
    """PRelu: X and its slope."""

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.default_names = ("X", "slope")
        self.min_operands = self.max_operands = 2
        if version.rule == OnnxLegacyPRelu.name:
            self.rule = OnnxLegacyPRelu()

    def notes(self, answer: Answer) -> Sequence[Note]:
        given, slope = (operand.shape for operand in answer.question.inputs)
        if answer.ok is False or not is_aligned_otherwise(given, slope):
            return ()
        text = (
            f"OpenVINO aligns a slope of one axis with axis 1, ONNX Runtime with axis "
            f"{len(given) - 1}: the same shape, other values"
        )
        return (Note("engine", text),)


class ExpandTo(Operator):
    """Expand: an array and the shape that it is given."""

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.rule = Expand()


class Gemm(Operator):
    """Gemm: A and B make a matrix of shape (M,N), to which C goes."""

    aligns = False
    options: ClassVar = {"trans_a": False, "trans_b": False}

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.default_names = ("A", "B", "C")
        self.min_operands = 2 if version.since_opset >= 11 else 3
        self.max_operands = 3
        if version.rule == Followers.name:
            self.rule = Followers()

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        options = {**self.options, **options}
        left, right, *added = inputs
        flipped = (bool(options["trans_a"]), bool(options["trans_b"]))
        name = "@".join(
            f"{each.name}.T" if flip else each.name
            for each, flip in zip((left, right), flipped, strict=True)
        )
        constraints = [_constrain_matrix(each) for each in (left, right) if len(each.shape) != 2]
        typed: Shape = (UNKNOWN, UNKNOWN)
        sizes = placed(name, typed)
        contraction = None
        if not constraints:
            # The axes of the result, M of A and N of B; K is what is left of either.
            places = (int(flipped[0]), int(not flipped[1]))
            constraint = _constrain_equal((left, 1 - places[0]), (right, 1 - places[1]))
            constraints = [constraint]
            typed = left.shape[places[0]], right.shape[places[1]]
            sizes = placed(*left)[places[0]], placed(*right)[places[1]]
            summed = left.shape[1 - places[0]], right.shape[1 - places[1]]
            rows = ((typed[0], None), (None, typed[1]))
            contraction = Contraction(
                tuple(name.split("@")), rows, summed, 1, ("M", "N"), _differ(constraint)
            )
        operands = (Operand(name, typed), *added)
        shapes = (sizes, *(placed(*each) for each in added))
        return OperatorQuestion(
            self,
            inputs,
            options,
            operands=operands,
            shapes=shapes,
            constraints=constraints,
            contraction=contraction,
        )

    def alternatives(self, question: OperatorQuestion) -> Iterator[Alternative]:
        ways = (
            self._of_matrices(question),
            self._flipped(question),
            super().alternatives(question),
        )
        yield from chain(*(ways if question.impossible else reversed(ways)))

    def inputs_of(
        self, question: OperatorQuestion, operands: Sequence[Operand]
    ) -> Sequence[Operand]:
        return (*question.inputs[:2], *operands[1:])

    def _flipped(self, question: OperatorQuestion) -> Iterator[Alternative]:
        """With B transposed, with A, with both; what was so already, then is not."""
        for names in (("trans_b",), ("trans_a",), ("trans_a", "trans_b")):
            options = {**question.options, **{name: not question.options[name] for name in names}}
            flags = {name: f"--{name.replace('_', '-')}" for name in names}
            added = [flag for name, flag in flags.items() if options[name]]
            dropped = [flag for name, flag in flags.items() if not options[name]]
            write = " ".join((*added, *(("without", *dropped) if dropped else ())))
            yield from self.then(write, question.inputs, options)

    def _of_matrices(self, question: OperatorQuestion) -> Iterator[Alternative]:
        """With matrices of what is none."""
        made = {
            number: each
            for number, operand in enumerate(question.inputs[:2])
            for each in _as_matrix(operand, is_left=number == 0)
        }
        if made:
            inputs = [
                Operand(operand.name, made[number].shape) if number in made else operand
                for number, operand in enumerate(question.inputs)
            ]
            write = ", ".join(each.write for each in made.values())
            yield from self.then(write, inputs, question.options)

    def notes(self, answer: Answer) -> Sequence[Note]:
        left, *others = answer.question.inputs
        if len(left.shape) != 1 or isinstance(self.rule, OnnxLegacy):
            return ()
        row = Operand(left.name, (1, *left.shape))
        lenient = self.question((row, *others), answer.question.options).answer()
        if not lenient.ok or lenient.result is None:
            return ()
        text = (
            f"ONNX Runtime takes {left.name} as {written(row.shape)} in a model that does not "
            f"declare {left.name}'s shape: it accepts this and returns {written(lenient.result)}"
        )
        return (Note("engine", text),)


class MatrixProduct(Operator):
    """MatMul and its like: two stacks of matrices."""

    aligns = False

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.rule = MatMul()

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        options = {**self.options, **options}
        left, right = inputs
        ranks = len(left.shape), len(right.shape)
        if 0 in ranks:
            return super().question(inputs, options)
        constraint = _constrain_equal((left, ranks[0] - 1), (right, max(ranks[1] - 2, 0)))
        (*rows, _), whole = placed(*left), placed(*right)
        columns = whole[-1:] if len(whole) > 1 else ()
        # Where both are matrices, each lacks one of the result's last two axes.
        gap = (None,) if 1 not in ranks else ()
        shapes = ((*rows, *gap), (*whole[:-2], *gap, *columns))
        labels = (*("M",) * (ranks[0] > 1), *("N",) * (ranks[1] > 1))
        summed = left.shape[-1], right.shape[max(ranks[1] - 2, 0)]
        rank = max(map(len, shapes))
        on_axes = (
            tuple(left.shape[:-1]) + gap,
            tuple(right.shape[:-2]) + gap + tuple(right.shape[-1:] if columns else ()),
        )
        aligned = tuple((None,) * (rank - len(row)) + row for row in on_axes)
        # K stands between M and N, or where one of them is missing after M or before N.
        place = rank - (ranks[1] > 1)
        contraction = Contraction(
            (left.name, right.name), aligned, summed, place, labels, _differ(constraint)
        )
        return OperatorQuestion(
            self,
            inputs,
            options,
            shapes=shapes,
            constraints=[constraint],
            contraction=contraction,
        )

    def notes(self, answer: Answer) -> Sequence[Note]:
        left, right = (operand.shape for operand in answer.question.inputs)
        if 0 not in left + right or len(left) == len(right) == 2:
            return ()
        text = "ONNX Runtime goes its own ways where an axis is empty, other than in two matrices"
        return (Note("engine", text),)


class Normalization(Operator):
    """LayerNormalization and RMSNormalization: X, its scale, and for the former B."""

    aligns = False
    options: ClassVar = {"axis": -1}
    counts_back = True

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.default_names = ("X", *version.inputs)
        self.min_operands, self.max_operands = 2, len(self.default_names)
        self.rule = Followers()

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        options = {**self.options, **options}
        given, axis = inputs[0], int(options["axis"])
        rank = len(given.shape)
        if -rank <= axis < rank:
            return OperatorQuestion(self, inputs, {"axis": axis % rank})
        text = f"axis {axis} is none of {given.name} {written(given.shape)}, which has {axes(rank)}"
        constraint = Constraint(conditions.NEVER, "", Reason("fit", text))
        return OperatorQuestion(self, inputs, options, constraints=[constraint])

    def alternatives(self, question: OperatorQuestion) -> Iterator[Alternative]:
        if not question.impossible:
            yield from super().alternatives(question)
            return
        given, scale, *_ = question.inputs
        for axis in (len(given.shape) - len(scale.shape), -1):
            if -len(given.shape) <= axis < len(given.shape):
                yield from self.then(f"--axis {axis}", question.inputs, {"axis": axis})

    def notes(self, answer: Answer) -> Sequence[Note]:
        given = answer.operands[0]
        axis = int(answer.question.options["axis"])
        if answer.ok is False or 0 not in given.shape[axis:]:
            return ()
        text = f"ONNX Runtime refuses this: {given.name} is empty from axis {axis} on"
        return (Note("engine", text),)


def _as_matrix(operand: Operand, *, is_left: bool) -> Iterator[Rewritten]:
    """A vector as a row on the left and as a column on the right; a stack as rows below rows."""
    name, shape = operand
    if len(shape) == 1:
        row, column = (f"{name}[None, :]", (1, *shape)), (f"{name}[:, None]", (*shape, 1))
        yield Rewritten(*(row if is_left else column))
    elif len(shape) > 2:
        *rows, last = shape
        numbers = [size for size in rows if isinstance(size, int)]
        if len(numbers) == len(rows) and last != UNKNOWN:
            yield rewriting.in_shape(operand, (prod(numbers), last))


def _constrain_matrix(operand: Operand) -> Constraint:
    """Return the constraint that an operand of another rank has two axes: it never holds."""
    name, shape = operand
    text = f"{name} {written(shape)} has {axes(len(shape))}, and a matrix has 2"
    return Constraint(conditions.NEVER, "", Reason("rank", text))


def _constrain_equal(*ends: tuple[Operand, int]) -> Constraint:
    """Return the constraint that the sizes on two axes, each of an operand, are equal."""
    (left, left_axis), (right, right_axis) = ends
    sizes = placed(*left)[left_axis], placed(*right)[right_axis]
    shown = left.shape[left_axis], right.shape[right_axis]
    where = [f"axis {axis} ({axis - len(operand.shape)})" for operand, axis in ends]
    text = (
        f"{left.name} {written(left.shape)} has {shown[0]} on {where[0]} and "
        f"{right.name} {written(right.shape)} has {shown[1]} on {where[1]}, and these must be equal"
    )
    return Constraint(
        conditions.require(sizes),
        f"{left.name}'s {where[0]} and {right.name}'s {where[1]}",
        Reason("sizes", text),
    )


def _differ(constraint: Constraint) -> bool | None:
    """Return whether sizes that must be equal differ; None: it depends."""
    return {conditions.NEVER: True, conditions.ALWAYS: False}.get(constraint.condition)


_OPERATORS: Mapping[str, type[Operator]] = {
    "Expand": ExpandTo,
    "Gemm": Gemm,
    "LayerNormalization": Normalization,
    "MatMul": MatrixProduct,
    "MatMulInteger": MatrixProduct,
    "Mean": Mean,
    "PRelu": PRelu,
    "QLinearMatMul": MatrixProduct,
    "RMSNormalization": Normalization,
}


def operator(version: Version, opset: int | None) -> Operator:
    """Return the operator of a version; raise OperatorError if it is listed only."""
    if version.op in LISTED_ONLY:
        message = f"bcastcli cannot compute shapes for {version.op}"
        raise OperatorError(f"{message} (bcastcli op {version.op} shows what is known)")
    usual = Legacy if version.rule == OnnxLegacy.name else Operator
    return _OPERATORS.get(version.op, usual)(version, opset)
