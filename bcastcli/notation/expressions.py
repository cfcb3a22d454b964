"""Text of frameworks: sizes such as `past+1`, `2*N`, `(H-1)//2`, and types of MLIR."""

import re
from keyword import iskeyword

from bcastcli.core.shapes import UNKNOWN, Shape

MAX_LENGTH = 200
"""The most characters of an expression."""

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_TERM = rf"(?:(?:0|[1-9][0-9]{{0,17}})(?![A-Za-z0-9_])|{_WORD})"
_FLAT = rf"{_TERM}(?:(?:[-+*]|//(?!0)){_TERM})*"


def expression(text: str) -> str | None:
    """Return an expression over names in normal form, without spaces; None if it is not one.

    >>> expression("2 * (N+1)"), expression("2*3"), expression("N")
    ('2*(N+1)', None, None)
    """
    if len(text) > MAX_LENGTH or re.search(r"\w\s+\w", text):
        return None
    bare = "".join(text.split())
    names = re.findall(_WORD, bare)
    if not names or not bare.isascii() or not re.search(r"[-+*/]", bare):
        return None
    if any(map(iskeyword, names)) or "scalar" in names or re.search(rf"{_WORD}\(", bare):
        return None
    rest, inner = "", bare
    while rest != inner:
        rest, inner = inner, re.sub(rf"\({_FLAT}\)", "N", inner)
    return bare if re.fullmatch(_FLAT, rest) else None


def mlir_shape(text: str) -> Shape | None:
    """Return the shape that a type of MLIR has; None if the text is not such a type.

    >>> mlir_shape("tensor<?x3xf32>"), mlir_shape("tensor<f32>"), mlir_shape("2,3")
    (('?', 3), (), None)
    """
    found = re.fullmatch(r"(?:tensor|vector|memref)<((?:(?:[0-9]{1,18}|\?)x)*)[a-z]\w*>", text)
    if not found:
        return None
    return tuple([UNKNOWN if size == UNKNOWN else int(size) for size in found[1].split("x")[:-1]])
