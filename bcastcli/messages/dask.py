"""The message of dask that NumPy does not have; the others are read by NumPy's."""

from bcastcli.messages.reading import Message

MESSAGES = (
    Message(
        "dask",
        r"cannot broadcast shape {source:shape} to shape {target:shape}",
        source="dask/array/core.py",
        rule="onnx-uni",
        operands=("target", "source"),
        examples=(
            (
                "ValueError: cannot broadcast shape (3,) to shape (2, 4)",
                "dask, onnx-uni, target=2,4, source=3",
            ),
        ),
    ),
)
