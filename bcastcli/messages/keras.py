"""Keras' messages; what its merging layers write in NumPy's words is read by NumPy's."""

from bcastcli.messages.reading import Message

MESSAGES = (
    Message(
        "keras",
        r"Inputs have incompatible shapes\. Received shapes {A:shape} and {B:shape}",
        source="keras/src/layers/merging/base_merge.py",
        operands=("A", "B"),
        caveats=("batch axis missing",),
        examples=(
            (
                "ValueError: Inputs have incompatible shapes. Received shapes (3,) and (4,)",
                "keras, numpy, A=3, B=4",
            ),
        ),
    ),
    Message(
        "keras",
        r"Cannot broadcast shape, the failure dim has value {one:int}, which cannot be"
        r" broadcasted to {other:int}\. Input shapes are: {A:shape} and {B:shape}",
        source="keras/src/ops/operation_utils.py",
        operands=("A", "B"),
        sizes=("one", "other"),
        examples=(
            (
                (
                    "ValueError: Cannot broadcast shape, the failure dim has value 3, which "
                    "cannot be "
                    "broadcasted to 4. Input shapes are: [None, 3] and [None, 4]."
                ),
                "keras, numpy, A=?,3, B=?,4, sizes 3 4",
            ),
        ),
    ),
)
