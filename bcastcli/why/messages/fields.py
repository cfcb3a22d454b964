"""The sizes and shapes in a message: how they are written, and how they are read.

A message's pattern is a regular expression in which a space stands for any break between words, and
`{name:kind}` for a field. It starts with literal words and has only bounded repeats, so that
reading takes time in proportion to the text.
"""

import re

from bcastcli.core.shapes import UNKNOWN, Shape, Size

MAX_SIZES = 64
"""NumPy has the most axes of all frameworks: this many."""
MAX_DIGITS = 18

_BRACKETS = r"[(\[][^()\[\]{}]{0,500}[)\]]"
_SHAPE = rf"(?:[A-Za-z.]{{1,24}}+\({_BRACKETS}\)|{_BRACKETS})"
_TO = rf"(?:->{_SHAPE})"
_CUT = r"(?!\d|…|\.\.\.|\n\d{1,6}(?:[\n.,)\]]|$))"
"""Refuses a number that a hard wrap may have cut in two."""
_KINDS = {
    "int": rf"-?\d{{1,{MAX_DIGITS}}}{_CUT}",
    "size": r"[^()]{1,40}(?:\([^()]{0,40}\)[^()]{0,40})?",
    "shape": _SHAPE,
    "target": r"[(\[{](?:newaxis|[-\d, ]){0,300}[)\]}]|\d{1,18}",
    "shapes": rf"{_SHAPE}(?:[ \n,]{{0,2}}(?:and )?{_SHAPE}){{0,63}}",
    "remapped": rf"{_SHAPE}{_TO}?(?: ?{_SHAPE}{_TO}?|\n{_SHAPE}{_TO}){{0,63}}",
    "typed": rf"(?:[A-Za-z]\w{{1,23}})?{_BRACKETS}",
    "plain": r"\d{1,18}(?:(?: ?x ?|, ?|\.| )\d{1,18}){0,31}(?!\d)",
    "amount": r"\d{1,9}(?:\.\d{0,9})? ?[KMGTPE]?i?B",
    "times": rf"\d{{1,18}}(?: ?x ?\d{{1,18}}){{1,31}}{_CUT}",
    "braced": r"[({\[][^()\[\]{}]{0,500}[)}\]]",
    "letter": r"\w{1,8}",
    "name": r"(?<![A-Za-z0-9_/.:;%$@#<>|~+=,\[\]-])[A-Za-z0-9_/.:;%$@#<>|~+=,\[\]-]{1,200}",
    "word": r"(?<!\w)[A-Za-z_][\w.]{0,79}",
}
_FIELD = re.compile(r"\{(\w+):(\w+)\}")
_GAP = re.compile(r"(?<=\w) (?=(\w))| ")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_ONE = re.compile(_SHAPE)
_BEGUN = re.compile(r"[ ,]{0,2}[(\[]\d")
_COMPACT = re.compile(r"\([^() ]*\)")
_TIMES = re.compile(r"(?<=\d) ?[xX] ?(?=\d)")
_DOTTED = re.compile(r"\d{1,18}(?:\.\d{1,18}){1,31}")
_INTERVAL = re.compile(r"\d*\.\.\d*")
_EXPRESSION = re.compile(r"(?=.{0,99}[+*/(])(?=.{0,99}[A-Za-z])[\w\s+*/()%,.-]{1,100}")
"""A calculation with names, such as `2*s97`."""

UNKNOWN_WORDS = {"-1", "none", "?", "nan", "unknown", "dynamic", "any", "null"}


def compiled(pattern: str) -> re.Pattern[str]:
    """A message's pattern as a regular expression."""
    gaps = _GAP.sub(lambda gap: "[ \\n]" if gap[1] else "[ \\n]?", pattern)
    fields = _FIELD.sub(lambda field: f"(?P<{field[1]}>{_KINDS[field[2]]})", gaps)
    return re.compile(fields, re.IGNORECASE)


def kinds(pattern: str) -> dict[str, str]:
    """The kind of each field of a pattern.

    >>> kinds("expected {size:int} of {whole:shape}")
    {'size': 'int', 'whole': 'shape'}
    """
    return dict(_FIELD.findall(pattern))


def size(text: str) -> Size | None:
    """A size as it is written in a message; None if it is not one.

    >>> size("12"), size("s97: hint = 3"), size("newaxis"), size("None"), size("10 24")
    (12, 's97', 1, '?', None)
    >>> size("12L")  # a long integer of Python 2
    12
    """
    text = text.strip()
    if text[:-1].isdecimal():
        text = text.removesuffix("L")
    if text.isdecimal() and text.isascii():
        return int(text) if len(text) <= MAX_DIGITS else None
    if text.lower() in UNKNOWN_WORDS or _INTERVAL.fullmatch(text):
        return UNKNOWN
    if text == "newaxis":
        return 1
    name = text.partition(":")[0].strip()
    if _NAME.fullmatch(name):
        return name
    return UNKNOWN if _EXPRESSION.fullmatch(text) else None


def sizes(text: str) -> tuple[Size | None, ...]:
    """One size, or several in brackets; None for each that is not a size.

    >>> sizes("12"), sizes("[2, 4]"), sizes("")
    ((12,), (2, 4), (None,))
    """
    return (shape(text) or (None,)) if _ONE.fullmatch(text) else (size(text),)


def shape(text: str) -> Shape | None:
    """A shape as it is written in a message; None if a size cannot be read.

    >>> shape("(2, 3)"), shape("torch.Size([4])"), shape("()"), shape("(224. 224, 4)")
    ((2, 3), (4,), (), None)
    >>> shape("6x4"), shape("[6 x 4]"), shape("6.4")
    ((6, 4), (6, 4), (6, 4))
    >>> shape("(" + "1," * 64 + ")") == (1,) * 64, shape("(" + "1," * 65 + ")")
    (True, None)
    """
    inner = text[max(text.rfind(mark) for mark in "([{") + 1 :].rstrip(")]} \n")
    inner = inner.replace(".", ",") if _DOTTED.fullmatch(inner) else _TIMES.sub(",", inner)
    parts = [part for part in inner.split(",") if part.strip()]
    sizes = [size(part) for part in parts]
    if len(sizes) > MAX_SIZES or (len(parts) < inner.count(",")):
        return None
    known = tuple(each for each in sizes if each is not None)
    return known if len(known) == len(sizes) else None


def of_one_message(text: str) -> str:
    r"""A list of shapes without shapes printed below the message.

    A line that goes on below begins where the next shape did not fit any more.

    >>> of_one_message("(2,3) (4,)\n(5, 6)\n(7,)"), of_one_message("[2],\n[3]\n[5]")
    ('(2,3) (4,)', '[2], [3]')
    >>> of_one_message("(2,3)\n(4,)"), of_one_message("(2,3) (\n4,)\n(5,)")
    ('(2,3) (4,)', '(2,3) ( 4,) (5,)')
    >>> of_one_message("(2,3) (2,1) (4\n,)"), of_one_message("[2], [3\n]")
    ('', '')
    >>> of_one_message("(2,), (3,)\n(4,)"), of_one_message("[2], [3]\n(4,)")
    ('(2,), (3,)', '[2], [3]')
    """
    first, *rest = text.split("\n")
    kept = first
    for line in rest:
        is_open = kept.endswith((",", "("))
        if not is_open and sum(map(kept.count, "([")) > sum(map(kept.count, ")]")):
            return ""  # a number may be broken
        has_commas = "), (" in kept or "], [" in kept
        is_alike = not has_commas and ", " not in kept and _COMPACT.match(line)
        if not is_open and not is_alike and len(_ONE.findall(kept)) > 1:
            break
        kept += f" {line}"
    return kept


def is_cut(text: str, end: int) -> bool:
    """Whether another shape begins where the last of a list ended, but does not end."""
    return _BEGUN.match(text, end) is not None


def shapes(text: str) -> tuple[Shape, ...] | None:
    """Consecutive shapes; None if one of them cannot be read.

    One alone is what is left of a list that was cut.

    >>> shapes("(2,3) (4,)"), shapes("(2,3)")
    (((2, 3), (4,)), None)
    """
    every = [shape(each) for each in _ONE.findall(text)]
    known = tuple(each for each in every if each is not None)
    return known if len(known) == len(every) > 1 else None
