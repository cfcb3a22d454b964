"""A process that infers the shapes of an ONNX model; nothing else imports onnx.

onnx's inference is C++, and a damaged model may end its process: the command lives on. `__main__`
sets the limits, `model` puts in what the user gives and takes out what is to be inferred, `rounds`
alternates inference and folding, `folding` works out small constants, `loops` finds what a loop
carries, and `listing` writes the nodes.
"""

from typing import NamedTuple


class Limits(NamedTuple):
    """The limits of the process."""

    seconds: int
    """Of processor time."""
    mebibytes: int


SMALL_FILE = 1 << 20
"""Bytes, without the weights."""
MAX_COMBINATIONS = 64
"""Of sizes that are given several values."""
NO_ONNX, NO_MEMORY = 3, 4
"""The exit statuses if onnx is not installed, and if memory runs out."""


def limits(size: int) -> Limits:
    """Return the limits for a model of this many bytes without its weights."""
    return Limits(10, 300) if size < SMALL_FILE else Limits(60, 2048)
