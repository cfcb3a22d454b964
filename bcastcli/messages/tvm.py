"""TVM's message."""

from bcastcli.messages.reading import Message

MESSAGES = (
    Message(
        "tvm",
        r"Incompatible broadcast dims: {one:int} and {other:int}(?: in: {A:shape} and {B:shape})?",
        source="include/tvm/topi/detail/broadcast.h",
        operands=("A", "B"),
        sizes=("one", "other"),
        examples=(
            (
                (
                    "Check failed: (false) is false: Incompatible broadcast dims: 3 and 4 in: (2, "
                    "3) "
                    "and (4,)"
                ),
                "tvm, numpy, A=2,3, B=4, sizes 3 4",
            ),
        ),
    ),
)
