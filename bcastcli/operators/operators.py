"""ONNX's operators, applied to the shapes of their inputs.

These are the parts that the table cannot express: which operands an operator derives from its
inputs, the further conditions on these, and the suggestions.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from bcastcli.core import conditions
from bcastcli.core.alignment import Contraction, Operand, name_unknowns
from bcastcli.core.answer import Answer
from bcastcli.core.question import Constraint
from bcastcli.core.rule import Alternative, Note, Options, whole
from bcastcli.core.shapes import UNKNOWN, Column, Shape, written
from bcastcli.core.wording import axes, other_ranks
from bcastcli.operators.operator import Operator, OperatorQuestion, equate, refuse
from bcastcli.operators.rules import Expand, MatMul, UnidirectionalMany
from bcastcli.operators.table import OperatorError, Version, signatures
from bcastcli.rules import rewriting

OPENVINO_ALIGNS_WITH_AXIS_1 = "OpenVINO aligns a 1-D slope with axis 1"


class PRelu(Operator):
    """PRelu: X and its slope."""

    own_names = ("X", "slope")

    def notes(self, answer: Answer) -> Iterator[Note]:
        given, slope = (operand.shape for operand in answer.question.inputs)
        # OpenVINO does so even where the slope also fits the last axis.
        if len(given) > 2 and slope == given[1:2] and slope[0] not in (1, UNKNOWN):
            other = f"ONNX Runtime with axis {len(given) - 1}: same shape, different values"
            ends = other if answer.ok else "and accepts this"
            yield Note("engine", f"{OPENVINO_ALIGNS_WITH_AXIS_1}, {ends}")


class ExpandTo(Operator):
    """Expand: an array and a target shape."""

    own_rule = Expand()


class Normalization(Operator):
    """LayerNormalization and RMSNormalization: X, its scale, and for the former B."""

    is_elementwise = False
    options: ClassVar = {"axis": -1}
    own_rule = UnidirectionalMany()

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.default_names = ("X", *version.inputs)
        self.min_operands, self.max_operands = 2, len(self.default_names)

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        options = {**self.options, **options}
        given, axis = inputs[0], whole(options["axis"])
        rank = len(given.shape)
        if -rank <= axis < rank:
            return OperatorQuestion(self, inputs, {"axis": axis % rank})
        shown = f"{given.name} {written(given.shape)}, which has {axes(rank)}"
        never = refuse("fit", f"axis {axis} is out of range for {shown}")
        return OperatorQuestion(self, inputs, options, constraints=[never])

    def notes(self, answer: Answer) -> Iterator[Note]:
        given, scale, *_ = answer.operands
        axis = whole(answer.question.options["axis"])
        if answer.ok is False:
            return
        if 0 in given.shape[axis:]:
            refused = f"ONNX Runtime refuses this: {given.name} is empty from axis {axis} on"
            yield Note("engine", refused)
        normalized = len(given.shape) - axis
        if len(scale.shape) > normalized and self.name == "RMSNormalization":
            text = f"on CUDA, ONNX Runtime gives wrong values if {scale.name} has more axes than "
            yield Note("engine", f"{text}are normalized ({normalized})")


class Gemm(Operator):
    """Gemm: A and B make a matrix of shape (M,N), to which C is added."""

    is_elementwise = False
    own_names = ("A", "B", "C")
    own_rule = UnidirectionalMany()
    options: ClassVar = {"trans_a": False, "trans_b": False}

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.min_operands = 2 if version.since_opset >= 11 else 3

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        options = {**self.options, **options}
        left, right, *added = inputs
        # The axes of the result, M of A and N of B; K is the remaining axis of either.
        m, n = int(bool(options["trans_a"])), int(not options["trans_b"])
        factors = [
            Operand(f"{name}.T", shape[::-1]) if is_flipped else Operand(name, shape)
            for (name, shape), is_flipped in ((left, m == 1), (right, n == 0))
        ]
        name = "@".join(each.name for each in factors)
        typed: Shape = (UNKNOWN, UNKNOWN)
        sizes = name_unknowns(name, typed)
        wrong = [each for each in (left, right) if len(each.shape) != 2]
        needs = "but a matrix has 2"
        constraints = [refuse("rank", f"{other_ranks([each])}, {needs}") for each in wrong]
        contraction = None
        if not wrong:
            constraints = [equate(left, right, (1 - m, 1 - n))]
            typed = left.shape[m], right.shape[n]
            sizes = name_unknowns(*left)[m], name_unknowns(*right)[n]
            contraction = _contraction(factors, constraints[0])
        operands = (Operand(name, typed), *added)
        shapes = (sizes, *(name_unknowns(*each) for each in added))
        return OperatorQuestion(
            self, inputs, options, operands, shapes, constraints, contraction=contraction
        )

    def alternatives(self, question: OperatorQuestion) -> Iterator[Alternative]:
        for name in ("trans_b", "trans_a"):
            options = {**question.options, name: not question.options[name]}
            write = f"{name}=1" if options[name] else f"without {name}"
            first = Alternative(self.question(question.inputs, options), "rule", setting=write)
            yield from rewriting.after(first, self.further)
        yield from super().alternatives(question)


class MatrixProduct(Operator):
    """MatMul and its variants: two stacks of matrices."""

    is_elementwise = False
    own_rule = MatMul()

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        options = {**self.options, **options}
        left, right = inputs
        ranks = len(left.shape), len(right.shape)
        if 0 in ranks:
            return super().question(inputs, options)
        constraint = equate(left, right, (ranks[0] - 1, max(ranks[1] - 2, 0)))
        shapes = _on_result(name_unknowns(*left), name_unknowns(*right))
        contraction = _contraction(inputs, constraint)
        return OperatorQuestion(
            self, inputs, options, inputs, shapes, [constraint], contraction=contraction
        )


def _on_result(left: Shape, right: Shape) -> tuple[Column, Column]:
    """The sizes of two factors on the axes of their product, each without the axis K."""
    # Where both are matrices, each lacks one of the result's last two axes.
    gap = (None,) if len(left) > 1 and len(right) > 1 else ()
    columns = right[-1:] if len(right) > 1 else ()
    return (*left[:-1], *gap), (*right[:-2], *gap, *columns)


def _contraction(factors: Sequence[Operand], constraint: Constraint) -> Contraction:
    """The axis K of a product, whose sizes a constraint equates."""
    names = tuple(each.name for each in factors)
    left, right = (each.shape for each in factors)
    rows = _on_result(left, right)
    rank = max(map(len, rows))
    aligned = tuple((None,) * (rank - len(row)) + row for row in rows)
    labels = (*("M",) * (len(left) > 1), *("N",) * (len(right) > 1))
    # K is between M and N, or if one of them is missing, after M or before N.
    place = rank - (len(right) > 1)
    summed = left[-1], right[max(len(right) - 2, 0)]
    # Whether the sizes differ; None: it depends.
    conflict = {conditions.NEVER: True, conditions.ALWAYS: False}.get(constraint.condition)
    return Contraction(names, aligned, summed, place, labels, conflict)


_OPERATORS: Mapping[str, type[Operator]] = {
    "Expand": ExpandTo,
    "Gemm": Gemm,
    "PRelu": PRelu,
    **dict.fromkeys(("LayerNormalization", "RMSNormalization"), Normalization),
    **dict.fromkeys(("MatMul", "MatMulInteger", "QLinearMatMul"), MatrixProduct),
}


def operator(version: Version, opset: int | None) -> Operator:
    """The operator of a version; raise OperatorError if ONNX Runtime does not run it."""
    if version.rule.startswith("onnx-legacy"):
        lacks = f"ONNX Runtime does not support {version.op} in opset {opset}"
        raise OperatorError(f"{lacks}, only from opset 7 on", "opset")
    if version.op in signatures():
        from bcastcli.operators import results  # rarely asked for

        return results.Computed(version, opset)
    return _OPERATORS.get(version.op, Operator)(version, opset)
