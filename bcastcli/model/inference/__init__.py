"""A process that infers the shapes of an ONNX model; nothing else imports onnx.

onnx's inference is C++, and a damaged model may crash its process; the command survives. `__main__`
sets the limits, `reading` adds the user's values and removes the shapes to infer, `walk` goes
through the nodes, `single` infers one of them and knows graphs within, `known` says which operators
are compared, and `asking` what a node asks.
"""

MAX_COMBINATIONS = 64
"""Of sizes that are given several values."""
