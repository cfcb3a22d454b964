"""The messages of CuPy that NumPy does not have; the others are read by NumPy's."""

from bcastcli.messages.reading import Message

MESSAGES = (
    Message(
        "cupy",
        r"operands could not be broadcast together with shape {source:shape}"
        r" and requested shape {target:shape}",
        source="cupy/_manipulation/dims.py, cupy/_core/_routines_manipulation.pyx",
        rule="onnx-uni",
        operands=("target", "source"),
        examples=(
            (
                (
                    "ValueError: operands could not be broadcast together with shape (3,) "
                    "and requested shape (2, 4)"
                ),
                "cupy, onnx-uni, target=2,4, source=3",
            ),
        ),
    ),
)
