"""The messages of MXNet that NumPy does not have; the others are read by NumPy's."""

from bcastcli.messages.reading import Message

MESSAGES = (
    Message(
        "mxnet",
        r"Array cannot be broadcasted from {source:shape} to {target:shape}",
        source="src/operator/tensor/broadcast_reduce_op.h",
        rule="onnx-uni",
        operands=("target", "source"),
        examples=(
            (
                "Array cannot be broadcasted from [3,4] to [2,4]",
                "mxnet, onnx-uni, target=2,4, source=3,4",
            ),
        ),
    ),
    Message(
        "mxnet",
        r"Operand of shape {source:shape} cannot be broadcasted to {target:shape}",
        source="src/operator/tensor/broadcast_reduce_op.h",
        rule="onnx-uni",
        operands=("target", "source"),
        examples=(
            (
                "mxnet.base.MXNetError: Operand of shape [2,3,4] cannot be broadcasted to [3,4]",
                "mxnet, onnx-uni, target=3,4, source=2,3,4",
            ),
        ),
    ),
)
