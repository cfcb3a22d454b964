"""A process that infers the shapes of an ONNX model; nothing else imports onnx.

onnx's inference is C++, and a damaged model may end its process: the command lives on. `__main__`
sets the limits, `model` puts in what the user gives and takes out what is to be inferred, `rounds`
infers and folds in turns, `folding` works out small constants, `loops` finds what a loop carries,
and `listing` writes the nodes.
"""

MAX_SECONDS = 60
MAX_MEMORY = 2 << 30
NO_ONNX = 3
"""The exit status where onnx is not installed."""
