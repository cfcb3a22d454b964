"""The origin of a message: the user's line above it, and the operands' names in that line."""

import re
from collections.abc import Sequence
from functools import partial

from bcastcli.why.messages import operands
from bcastcli.why.messages.frames import Frame, frames
from bcastcli.why.messages.reading import MATMUL, Origin, Reading

_FRAMEWORKS = {"numpy", "torch", "jax", "tensorflow", "paddle", "cupy", "dask", "mlx"}
"""The frameworks whose messages show operands in the order of the line of source."""
_OWN_PRODUCTS = {"torch", "mlx"}
"""Those whose products write the words of other operations too."""
_TO_A_TARGET = {("target", "source"), ("target", "tensor"), ("indexed", "value")}
_PRODUCTS = {("A", "B"), ("a", "b"), ("X", "Y"), ("lhs", "rhs"), ("mat1", "mat2")}
_ELEMENTWISE = {("A", "B"), ("A", "B", "C"), ("A", "B", "out"), ("a", "b"), ("X", "Y"), ("x", "y")}
_OF_A_PART = re.compile(r"\.at\[|\] *=[^=]")
"""An assignment to a part, of which MLX shows the value first, in the words of an addition."""
_MASKED = re.compile(
    r"scaled_dot_product_attention\("
    r"|(?=[^*]*$)(?=.*mask)\b(?:\w*(?:attn|attention|scores?)\w*|sim|dots|qk)"
    r"(?:\.masked_fill_?\(| \+=? )"
)
"""A line in which a mask meets the scores of attention; one that multiplies may be an image's."""
_REVERSED = ("operand 1", "operand 0")
_OPERATORS = {
    **dict.fromkeys(("add", "addv2"), ("Add", "add")),
    **dict.fromkeys(("sub", "subtract"), ("Sub", "sub", "subtract")),
    **dict.fromkeys(("mul", "multiply"), ("Mult", "mul", "multiply")),
    **dict.fromkeys(("div", "realdiv", "true_divide"), ("Div", "div", "divide", "true_divide")),
    "pow": ("Pow", "pow", "power"),
}
"""For operations that messages name, the operators and functions that lead to them."""


def origin(reading: Reading, before: str) -> Origin | None:
    """Return where a message comes from, given the raw text before its line."""
    found = frames(before)
    script = found[0].file if found and found[0].function == "<module>" else ""
    is_attention = bool(found and _MASKED.search(found[-1].source[: operands.MAX_SOURCE]))
    called: list[str] = []
    while found and found[-1].is_library:
        called.insert(0, found.pop().function)
    if not found:
        return None
    frame = found[-1]
    names = _names(reading, frame, called)
    source = frame.source.rstrip(" \\")
    return Origin(frame.file, frame.line, source, names, script, is_attention)


def _names(reading: Reading, frame: Frame, called: Sequence[str]) -> tuple[str, ...] | None:
    """Return the user's name of each operand of a reading, None if one is not certain."""
    if len(reading.framework) != 1 or not frame.source:
        return None
    [framework] = reading.framework
    found: tuple[str, ...] | None = None
    if framework not in _FRAMEWORKS or (framework == "mlx" and _OF_A_PART.search(frame.source)):
        return None
    if reading.names in _TO_A_TARGET:
        found = None if called else operands.of_assignment(frame)
    elif reading.names == ("output", "result"):
        output = operands.of_output(frame)
        found = (*output, "result") if output else None
    elif "index arrays" in reading.caveats:
        found = operands.of_index(frame)
    elif reading.rule == MATMUL:
        named = operands.of_operator(frame, called, _is_product)
        found = _of_product(reading.names, named) if named else None
    elif reading.rule == "numpy" and reading.names in _ELEMENTWISE:
        found = _of_both(reading, framework, frame, called)
    return found if found and len(found) == len(reading.names) else None


def _of_both(
    reading: Reading, framework: str, frame: Frame, called: Sequence[str]
) -> tuple[str, ...] | None:
    """Return the names of operands that both stretch."""
    operation = (reading.operation or "").lower()
    named = operands.of_operator(frame, called, partial(_is_meant, framework, operation))
    if named is None or framework != "numpy":
        return named.texts if named else None
    # NumPy shows the output of an operation in place as a further operand.
    has_output = reading.names[-1] == "out"
    if named.is_in_place != has_output:
        return None
    return (*named.texts, "out") if has_output else named.texts


def _of_product(names: Sequence[str], named: operands.Named) -> tuple[str, ...] | None:
    """Return the names of the operands of a product in the order of its message."""
    left, right = named.texts
    if names == _REVERSED:
        return right, left
    if names not in _PRODUCTS:
        return None
    # PyTorch exchanges a matrix and a stack of matrices, and transposes them.
    is_kept = names[0] != "mat1" or named.kind == "mm" or right.endswith((".T", ".t()"))
    return named.texts if is_kept else None


def _is_product(kind: str) -> bool:
    return kind in operands.PRODUCTS


def _is_meant(framework: str, operation: str, kind: str) -> bool:
    """Return whether a message of an operation may be about one of this kind."""
    if operation:
        return kind in _OPERATORS.get(operation, (operation,))
    return framework in _OWN_PRODUCTS or not _is_product(kind)
