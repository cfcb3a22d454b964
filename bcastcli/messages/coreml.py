"""The messages of coremltools."""

from bcastcli.messages.reading import MATMUL, Message

MESSAGES = (
    Message(
        "coreml",
        r"Incompatible dim {axis:int} in shapes {A:shape} vs\. {B:shape}",
        source="coremltools/converters/mil/mil/ops/defs/_utils.py",
        operands=("A", "B"),
        caveats=("padded",),
        examples=(
            (
                "ValueError: Incompatible dim 1 in shapes (2, 3) vs. (1, is14)",
                "coreml, numpy, A=2,3, B=1,is14, axis 1 of result",
            ),
        ),
    ),
    Message(
        "coreml",
        r"are not broadcastable",
        lead=r"Op {node:name} \(matmul\): x {x:shape}, y {y:shape}",
        needs_lead=True,
        source="coremltools/converters/mil/mil/ops/defs/iOS15/linear.py",
        rule=MATMUL,
        operands=("x", "y"),
        operation="matmul",
        examples=(
            (
                "Op x (matmul): x (2, 3), y (4, 5) are not broadcastable",
                "coreml, op MatMul, x=2,3, y=4,5, operation matmul, node x",
            ),
        ),
    ),
)
