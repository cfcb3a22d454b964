"""ONNX's operators, asked about the shapes of their inputs.

This module and `matrices` hold what the table cannot express: which operands an operator derives
from its inputs, what else must hold for these, and what to write instead.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from bcastcli.core import conditions
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Constraint
from bcastcli.core.rule import Alternative, Note, Options, Reason, whole
from bcastcli.core.shapes import UNKNOWN, Shape, written
from bcastcli.core.wording import axes
from bcastcli.operators.attention import Attention
from bcastcli.operators.legacy import OnnxLegacy, OnnxLegacyPRelu
from bcastcli.operators.matrices import Gemm, MatrixProduct
from bcastcli.operators.operator import Operator, OperatorQuestion
from bcastcli.operators.rules import Expand, UnidirectionalMany
from bcastcli.operators.table import OperatorError, Version
from bcastcli.rules import rewriting

LISTED_ONLY = ("Einsum",)


class Legacy(Operator):
    """An operator of two inputs, asked with the attribute broadcast=1."""

    options: ClassVar = {"axis": -1}

    def in_version(self, version: Version) -> Operator:
        """Return the operator as it is from another opset on: from 7 on, it has no attributes."""
        return _usual(version)(version, version.since_opset)


def _usual(version: Version) -> type[Operator]:
    """Return the class for an operator without a class of its own."""
    return Legacy if version.rule == OnnxLegacy.name else Operator


class ListedOnly(Operator):
    """An operator that is listed, and whose result shapes are not computed."""

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.default_names, self.min_operands, self.max_operands = (), 1, None


class Mean(Operator):
    """Mean, which has its own note."""

    def notes(self, answer: Answer) -> Sequence[Note]:
        if not answer.ok or answer.operands[0].shape == answer.result:
            return ()
        first = answer.operands[0].name
        text = f"ONNX's reference evaluator fails unless {first} has the result's shape"
        return (Note("engine", text),)


OPENVINO_ALIGNS_WITH_AXIS_1 = "OpenVINO aligns a slope of one axis with axis 1"


def _openvino_aligns_with_axis_1(given: Shape, slope: Shape) -> bool:
    """Return whether a slope of one axis fits axis 1, with which OpenVINO aligns it.

    It aligns it so wherever that fits, even where the slope also fits the last axis.
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
        # Up to opset 6 the operator itself aligns it so, and ONNX Runtime does not run it.
        if isinstance(self.rule, OnnxLegacy) or not _openvino_aligns_with_axis_1(given, slope):
            return ()
        text = OPENVINO_ALIGNS_WITH_AXIS_1 + (
            f", ONNX Runtime with axis {len(given) - 1}: the same shape, other values"
            if answer.ok
            else ", and accepts this"
        )
        return (Note("engine", text),)


class ExpandTo(Operator):
    """Expand: an array and a target shape."""

    own_rule = Expand()


class Normalization(Operator):
    """LayerNormalization and RMSNormalization: X, its scale, and for the former B."""

    is_elementwise = False
    options: ClassVar = {"axis": -1}
    allows_negative = True
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
        text = f"axis {axis} is out of range for {shown}"
        constraint = Constraint(conditions.NEVER, "", Reason("fit", text))
        return OperatorQuestion(self, inputs, options, constraints=[constraint])

    def alternatives(self, question: OperatorQuestion) -> Iterator[Alternative]:
        if not question.impossible:
            yield from super().alternatives(question)
            return
        given, scale, *_ = question.inputs
        for axis in (len(given.shape) - len(scale.shape), -1):
            if -len(given.shape) <= axis < len(given.shape):
                asked = self.question(question.inputs, {"axis": axis})
                first = Alternative(asked, "rule", setting=f"--axis {axis}")
                yield from rewriting.after(first, self.further)

    def notes(self, answer: Answer) -> Sequence[Note]:
        given, scale, *_ = answer.operands
        axis = whole(answer.question.options["axis"])
        if answer.ok is False:
            return ()
        texts = []
        if 0 in given.shape[axis:]:
            texts.append(f"ONNX Runtime refuses this: {given.name} is empty from axis {axis} on")
        normalized = len(given.shape) - axis
        if len(scale.shape) < normalized:
            texts.append(
                f"older releases of ONNX Runtime refuse a {scale.name} with fewer axes than the "
                f"{normalized} that are normalized"
            )
        if len(scale.shape) > normalized and self.name == "RMSNormalization":
            texts.append(
                f"on CUDA, ONNX Runtime gives wrong values if {scale.name} has more axes than the "
                f"{normalized} that are normalized"
            )
        return [Note("engine", text) for text in texts]


_OPERATORS: Mapping[str, type[Operator]] = {
    "Attention": Attention,
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
    return _OPERATORS.get(version.op, _usual(version))(version, opset)
