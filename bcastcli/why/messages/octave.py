"""Octave's and MATLAB's messages. Shapes have at least two axes; the operator decides."""

from bcastcli.why.messages.reading import MATMUL, Found, Reading

_OTHERS = ("=", "\\", "/")
"""An assignment and divisions by matrices, which do not broadcast."""


def operator(reading: Reading, found: Found) -> Reading | None:
    """Derive the rule from the operator."""
    operator = reading.operation or ""
    if operator in _OTHERS:
        return None
    # Markdown eats the star; equal shapes are refused by a product alone.
    is_product = operator in ("*", "*=") or (not operator and "operator :" in found.shown)
    return reading._replace(rule=MATMUL) if is_product else reading


def of_matlab(reading: Reading, found: Found) -> Reading | None:
    """Leave out JAMA, a library of Java that writes the same words and broadcasts nothing."""
    return None if found.before.rstrip().endswith("Exception:") else reading
