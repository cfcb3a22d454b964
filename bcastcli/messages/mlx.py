"""MLX's messages."""

from bcastcli.messages.reading import MATMUL, Message

MESSAGES = (
    Message(
        "mlx",
        r"cannot be broadcast",
        lead=r"\[broadcast_shapes\] Shapes {A:shape} and {B:shape}",
        needs_lead=True,
        source="mlx/utils.cpp",
        operands=("A", "B"),
        examples=(
            (
                "ValueError: [broadcast_shapes] Shapes (2,3) and (4) cannot be broadcast.",
                "mlx, numpy, A=2,3, B=4",
            ),
        ),
    ),
    Message(
        "mlx",
        r"Last dimension of first input with shape {A:shape} must match second to last dimension"
        r" of second input with shape {B:shape}",
        lead=r"\[matmul\]",
        source="mlx/ops.cpp",
        rule=MATMUL,
        operands=("A", "B"),
        operation="matmul",
        examples=(
            (
                (
                    "ValueError: [matmul] Last dimension of first input with shape (2,3) must "
                    "match "
                    "second to last dimension of second input with shape (4,5)."
                ),
                "mlx, op MatMul, A=2,3, B=4,5, operation matmul",
            ),
        ),
    ),
)
