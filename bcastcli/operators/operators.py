"""ONNX's operators, applied to the shapes of their inputs.

This module and `matrices` hold the parts that the table cannot express: which operands an operator
derives from its inputs, the further conditions on these, and the suggestions.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Note, Options, whole
from bcastcli.core.shapes import UNKNOWN, written
from bcastcli.core.wording import axes
from bcastcli.operators.matrices import Gemm, MatrixProduct
from bcastcli.operators.operator import Operator, OperatorQuestion, refuse
from bcastcli.operators.rules import Expand, UnidirectionalMany
from bcastcli.operators.table import OperatorError, Version, signatures

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
