"""Sizes that frameworks write as sums, products and quotients: `past+1`, `2*N`, `(H-1)//2`."""

import re
from keyword import iskeyword

MAX_LENGTH = 200
"""Characters of an expression; a longer one is none."""

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_TERM = rf"(?:(?:0|[1-9][0-9]{{0,17}})(?![A-Za-z0-9_])|{_WORD})"
_FLAT = rf"{_TERM}(?:(?:[-+*]|//(?!0)){_TERM})*"


def expression(text: str) -> str | None:
    """Return an expression over names in normal form, without spaces; None if it is none.

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
