"""ONNX Runtime's messages. It prints the smaller size first, whichever operand has it."""

import re

from bcastcli.messages import fields
from bcastcli.messages.onnx import rule_of
from bcastcli.messages.reading import MATMUL, Found, Message, Reading

_RUNNING = re.compile(r"running (\w{1,80}) node\. Name: ?'([^'\n]{0,200})'")


def _node(reading: Reading, found: Found) -> Reading | None:
    """Read the node that was run, and the rule off its operator."""
    node = found.last("running ", _RUNNING, 700)
    if node is None:
        return reading
    rule = rule_of(node[1])
    if rule is None:
        return None
    if reading.rule.startswith("op "):
        rule = reading.rule
    return reading._replace(rule=rule, operation=node[1], node=node[2] or None)


def _side(reading: Reading, found: Found) -> Reading:
    """Tell elementwise operators from the matrix product, which writes no node."""
    left, right = (found.group(name) for name in ("left", "right"))
    shapes = [None if text is None else fields.shape(text) for text in (left, right)]
    if shapes[0] is not None and shapes[1] is not None:
        reading = reading.named("left", "right", shapes=(shapes[0], shapes[1]))
    lead = found.group("who") or ""
    if lead == "Compute":
        reading = reading._replace(rule=MATMUL, operation="MatMul", axis_of="batch")
    elif lead:
        reading = reading._replace(node=lead.removesuffix(":"))
    is_whole = reading.shapes is not None or reading.rule == MATMUL
    return reading._replace(is_whole=is_whole)


MESSAGES = (
    Message(
        "onnxruntime",
        r"axis == 1 \|\| axis == largest was false"
        r"(?:\. Attempting to broadcast an axis by a dimension other than 1\."
        r" {one:int} by {other:int})?",
        source="onnxruntime/core/providers/cpu/math/element_wise_ops.h",
        rule="onnx",
        sizes=("one", "other"),
        caveats=("order unknown",),
        around=_node,
        examples=(
            (
                (
                    "Non-zero status code returned while running Where node. Name:'Where_9' Status "
                    "Message: element_wise_ops.h:361 void onnxruntime::BroadcastIterator::Init("
                    "int64_t, int64_t) axis == 1 || axis == largest was false. Attempting to "
                    "broadcast "
                    "an axis by a dimension other than 1. 2 by 3"
                ),
                "onnxruntime, onnx, sizes 2 3, operation Where, node Where_9",
            ),
            (
                (
                    "running Expand node. Name:'Expand_1' Status Message: axis == 1 || axis == "
                    "largest "
                    "was false. Attempting to broadcast an axis by a dimension other than 1. 4 by 8"
                ),
                "onnxruntime, op Expand, sizes 4 8, operation Expand, node Expand_1",
            ),
        ),
    ),
    Message(
        "onnxruntime",
        r"Attempting to broadcast an axis by a dimension other than 1\. {one:int} by {other:int}",
        source="onnxruntime/core/providers/cpu/math/element_wise_ops.h",
        rule="onnx",
        sizes=("one", "other"),
        caveats=("order unknown",),
        around=_node,
        examples=(
            (
                "Attempting to broadcast an axis by a dimension other than 1. 2 by 3",
                "onnxruntime, onnx, sizes 2 3",
            ),
        ),
    ),
    Message(
        "onnxruntime",
        r"Can broadcast 0 by 0 or 1\. {other:int} is invalid",
        source="onnxruntime/core/providers/cpu/math/element_wise_ops.h",
        rule="onnx",
        sizes=("other",),
        caveats=("order unknown", "against 0"),
        refine=lambda reading, _: reading._replace(sizes=reading.sizes and (0, *reading.sizes)),
        around=_node,
        examples=(
            (
                (
                    "running Add node. Name:'Add_2' Status Message: Can broadcast 0 by 0 or 1. "
                    "2 is invalid."
                ),
                "onnxruntime, onnx, sizes 0 2, operation Add, node Add_2",
            ),
        ),
    ),
    Message(
        "onnxruntime",
        r"operand cannot broadcast on dim {axis:int}"
        r"(?: LeftShape: {left:braced}, RightShape: {right:braced})?",
        lead=r"{who:name} (?:left|right)",
        source="onnxruntime/core/providers/cuda/math/binary_elementwise_ops.cc",
        rule="onnx",
        refine=_side,
        around=_node,
        examples=(
            (
                (
                    "Add_80: right operand cannot broadcast on dim 0 LeftShape: {162,15}, "
                    "RightShape: {152,15}"
                ),
                "onnxruntime, onnx, left=162,15, right=152,15, axis 0 of result, node Add_80",
            ),
            (
                "matmul_helper.h:142 Compute left operand cannot broadcast on dim 0",
                "onnxruntime, op MatMul, axis 0 of batch, operation MatMul",
            ),
        ),
    ),
    Message(
        "onnxruntime",
        r"MatMul dimension mismatch(?:\. Left[\w\n]{0,10} ?\w{0,10} K \({one:int}\) !="
        r" right[\w\n]{0,10} ?\w{0,10} K \({other:int}\))?",
        lead="matmul_helper.h:[0-9]{1,5} Compute",
        source="onnxruntime/core/providers/cpu/math/matmul_helper.h",
        rule=MATMUL,
        sizes=("one", "other"),
        operation="MatMul",
        around=_node,
        examples=(
            (
                (
                    "running MatMul node. Name:'MatMul_3' Status Message: matmul_helper.h:59 "
                    "MatMul dimension mismatch. Left vector K (3) != right vector K (4)"
                ),
                "onnxruntime, op MatMul, sizes 3 4, operation MatMul, node MatMul_3",
            ),
            (
                "matmul_helper.h:44 ComputeMatMul dimension mismatch",
                "onnxruntime, op MatMul, operation MatMul",
            ),
        ),
    ),
    Message(
        "onnxruntime",
        r"GEMM: Dimension mismatch, W: {W:braced} K: {K:int} N: ?{N:int}",
        source="onnxruntime/core/providers/cpu/math/gemm_helper.h",
        rule="op Gemm",
        operation="Gemm",
        around=_node,
        examples=(
            (
                "GEMM: Dimension mismatch, W: {4,5} K: 3 N:5",
                "onnxruntime, op Gemm, operation Gemm",
            ),
        ),
    ),
    Message(
        "onnxruntime",
        r"Gemm: Invalid bias shape for broadcast",
        source="onnxruntime/core/providers/cpu/math/gemm_helper.h",
        rule="op Gemm",
        operation="Gemm",
        around=_node,
        examples=(
            (
                (
                    "running Gemm node. Name:'fc1' Status Message: Gemm: Invalid bias shape for "
                    "broadcast"
                ),
                "onnxruntime, op Gemm, operation Gemm, node fc1",
            ),
        ),
    ),
    Message(
        "onnxruntime",
        r"invalid expand shape",
        source="onnxruntime/core/providers/cpu/tensor/expand.cc",
        rule="op Expand",
        operation="Expand",
        around=_node,
        examples=(
            (
                "running Expand node. Name:'Expand_1' Status Message: invalid expand shape",
                "onnxruntime, op Expand, operation Expand, node Expand_1",
            ),
        ),
    ),
    Message(
        "onnxruntime",
        r"Scale and \(optional\) bias must match X\.shape\[axis:\] or be NumPy-broadcastable to it"
        r"(?:\. X\.shape={X:braced} scale\.shape={Scale:braced}"
        r"(?: and bias\.shape=[({\[][^()\[\]{}]{0,500}[)}\]])?,?(?: and)? axis={axis:int})?",
        source="onnxruntime/core/providers/cpu/nn/layer_norm_helper.h",
        rule="op LayerNormalization",
        operands=("X", "Scale"),
        axis_of="X",
        operation="LayerNormalization",
        around=_node,
        examples=(
            (
                (
                    "Scale and (optional) bias must match X.shape[axis:] or be "
                    "NumPy-broadcastable to "
                    "it. X.shape={2,3} scale.shape={4} and bias.shape={} and axis=1"
                ),
                (
                    "onnxruntime, op LayerNormalization, X=2,3, Scale=4, axis 1 of X, "
                    "operation LayerNormalization"
                ),
            ),
        ),
    ),
)
