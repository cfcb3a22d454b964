"""TensorRT's messages."""

from bcastcli.messages.reading import MATMUL, Found, Message, Reading

_LAYER = r"(?P<operation>I\w{1,60}Layer) {node:name}:"


def _layer(reading: Reading, found: Found) -> Reading:
    """Tell a matrix product from the elementwise layers, and name the node."""
    is_product = reading.operation == "IMatrixMultiplyLayer"
    return reading._replace(rule=MATMUL) if is_product else reading


MESSAGES = (
    Message(
        "tensorrt",
        r"broadcast dimensions must be conformable",
        lead=_LAYER,
        source="a report of 2020 (TensorRT is closed)",
        refine=_layer,
        examples=(
            (
                "IElementWiseLayer Mul_1384: broadcast dimensions must be conformable",
                "tensorrt, numpy, operation IElementWiseLayer, node Mul_1384",
            ),
            (
                "(IMatrixMultiplyLayer mm: broadcast dimensions must be conformable)",
                "tensorrt, op MatMul, operation IMatrixMultiplyLayer, node mm",
            ),
        ),
    ),
    Message(
        "tensorrt",
        r"dimensions not compatible for elementwise",
        lead="{node:name}:",
        source="a report of 2020 (TensorRT is closed)",
        examples=(
            ("Add_3: dimensions not compatible for elementwise", "tensorrt, numpy, node Add_3"),
        ),
    ),
    Message(
        "tensorrt",
        r"CHECK_BROADCAST {one:int} {other:int}",
        source="a report of 2020 (TensorRT is closed)",
        sizes=("one", "other"),
        examples=(
            (
                "Instruction: CHECK_BROADCAST 5 100",
                "tensorrt, numpy, sizes 5 100",
            ),
        ),
    ),
    Message(
        "tensorrt",
        r"elementwise inputs must have same dimensions or follow broadcast rules"
        r"(?: \(input dimensions were {A:shape} and {B:shape}\))?",
        lead="{node:name}:",
        source="a report of 2021 (TensorRT is closed)",
        operands=("A", "B"),
        examples=(
            (
                (
                    "Add_3: elementwise inputs must have same dimensions or follow broadcast rules "
                    "(input dimensions were [2,160,128] and [1,2,128])"
                ),
                "tensorrt, numpy, A=2,160,128, B=1,2,128, node Add_3",
            ),
        ),
    ),
)
