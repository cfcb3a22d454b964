"""A process that infers the shapes of an ONNX model; nothing else imports onnx.

onnx's inference is C++, and a damaged model may crash its process; the command survives. `__main__`
sets the limits, `model` adds the user's values and removes the shapes to infer, `rounds` alternates
inference and folding, `folding` works out small constants, `loops` finds the values that a loop
carries, and `listing` writes the nodes.
"""

MAX_COMBINATIONS = 64
"""Of sizes that are given several values."""
