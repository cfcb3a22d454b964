"""A process that infers the shapes of an ONNX model; nothing else imports onnx.

onnx's inference is C++, and a damaged model may end its process: the command lives on. `__main__`
sets the limits, `model` puts in what the user gives and takes out what is to be inferred, `rounds`
alternates inference and folding, `folding` works out small constants, `loops` finds what a loop
carries, and `listing` writes the nodes.
"""

MAX_COMBINATIONS = 64
"""Of sizes that are given several values."""
