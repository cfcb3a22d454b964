"""Octave's and MATLAB's messages. Shapes have at least two axes; the operator decides."""

from bcastcli.messages import fields
from bcastcli.messages.reading import MATMUL, Found, Reading

_OTHERS = ("=", "\\", "/")
"""An assignment and divisions by matrices, which do not broadcast."""


def operands(reading: Reading, found: Found) -> Reading | None:
    """Read `2x3`, and derive the rule from the operator."""
    shapes = [fields.shape(found.group(name) or "?", "x") for name in ("op1", "op2")]
    known = tuple(shape for shape in shapes if shape is not None)
    operator = reading.operation or ""
    if operator in _OTHERS or len(known) < 2:
        return None
    reading = reading.named("op1", "op2", shapes=known)
    is_product = operator in ("*", "*=")
    return reading._replace(rule=MATMUL) if is_product else reading


def of_matlab(reading: Reading, found: Found) -> Reading | None:
    """Leave out JAMA, a library of Java that writes the same words and broadcasts nothing."""
    return None if found.before.rstrip().endswith("Exception:") else reading
