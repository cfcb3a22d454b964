"""What stands in a line: shapes in quotes, calculated sizes, types of MLIR, and what is no size."""

import re
from functools import cache
from keyword import iskeyword

from bcastcli.core.shapes import UNKNOWN, Shape

QUOTES = "'\""
compiled = cache(re.compile)
"""Compiles a regular expression once, when it is first needed; most questions do without."""
MAX_LENGTH = 200
"""The most characters of an expression."""

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_TERM = rf"(?:(?:0|[1-9][0-9]{{0,17}})(?![A-Za-z0-9_])|{_WORD})"
_FLAT = rf"{_TERM}(?:(?:[-+*]|//(?!0)){_TERM})*"
_FILE_NAME = r"[A-Za-z_~./][\w./~-]{0,250}\.(?!shape)[a-z]\w{0,10}"
_ROOM_IN_A_SENTENCE = 40


def expression(text: str) -> str | None:
    """An expression over names in normal form, without spaces; None if it is not one.

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
    """The shape that a type of MLIR has; None if the text is not such a type.

    >>> mlir_shape("tensor<?x3xf32>"), mlir_shape("tensor<f32>"), mlir_shape("2,3")
    (('?', 3), (), None)
    """
    found = re.fullmatch(r"(?:tensor|vector|memref)<((?:(?:[0-9]{1,18}|\?)x)*)[a-z]\w*>", text)
    if not found:
        return None
    return tuple([UNKNOWN if size == UNKNOWN else int(size) for size in found[1].split("x")[:-1]])


def reads_as_file(text: str) -> bool:
    """Whether a text is more likely the name of a file than a size."""
    return bool(compiled(_FILE_NAME).fullmatch(text))


def hint_for(text: str) -> str:
    """What is wrong with a text that is not a size, with the likely intention."""
    if reads_as_file(text):
        return "this looks like a file name, not a shape"
    hint = next(hint for pattern, hint in _hints() if re.fullmatch(pattern, text, re.DOTALL))
    meant = shortened(text.replace(".", ",").replace("_", ""))
    return hint.format(text=shortened(text), meant=meant)


@cache
def _hints() -> list[list[str]]:
    """The patterns of texts that are not sizes, each with its hint."""
    from pathlib import Path  # slow to load, and most questions have no hint

    lines = Path(__file__).with_name("hints.txt").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


def shortened(text: str, room: int = _ROOM_IN_A_SENTENCE) -> str:
    """A text, shortened to fit a sentence."""
    return text if len(text) <= room else f"{text[:room]}..."
