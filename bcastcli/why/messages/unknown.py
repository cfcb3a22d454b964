"""The last resort: a line with two shapes and words of a mismatch, but without a known message.

It is read only if it can hardly be anything else: sentences on reshapes, concatenation, layers,
products or indices are left out.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from bcastcli.core.alignment import letters
from bcastcli.core.shapes import Shape
from bcastcli.why.messages import fields
from bcastcli.why.messages.catalogue import catalogue
from bcastcli.why.messages.reading import UNKNOWN_MESSAGE, Reading

MAX_LINE = 300
_CLASH = ("broadcast", "incompatib", "mismatch", "must match", "not match", "n't match")
_SHAPES_CLASH = re.compile(
    r"shapes?\b.{0,120}(?:\bnot|n't) match|(?:\bnot|n't) match.{0,40}\bshape"
)
_OF_IMAGES = re.compile(r"\b(?:masks?|images?|labels?|targets?)\b")
"""Words of other faults, unless the line calls their shapes a mismatch."""
_MLIR = re.compile(r"!?\b[\w.]{0,40}tensor<[^<>]{0,160}>")
_OPERATION = re.compile(
    r"\"(?:torch\.aten|tosa|stablehlo|tfl?)"
    r"\.(?:broadcast_to|add|sub(?:tract)?|mul(?:tiply)?|div(?:ide)?|maximum|minimum|pow)"
    r"(?:\.\w{1,20})?\"\([^()]{0,200}\)[^:]{0,200}: "
    r"(?P<given>\([^()]{1,400}\)) -> (?P<made>.{1,160})"
)
"""An operation as MLIR shows it with an error."""
_OF_SHAPES = re.compile(
    r"\b(?:shape|size|dim|operand|tensor|array|broadcast|matri|axis|axes|lhs|rhs)", re.IGNORECASE
)
_BRACKETED = re.compile(
    r"(?P<before>\b[A-Za-z.]{1,24} ?[:=]? ?)?[(\[](?P<sizes>[^()\[\]]{0,120})[)\]]"
)
_BEHIND = re.compile(r"\b(?:shape|size|dim|operand|tensor)s?[.:= ]*$|[Ss](?:ize|hape)$")
_SIZES = re.compile(r"(?:\d{1,9}|\?|None|-1)(?: ?, ?(?:\d{1,9}|\?|None|-1))*,?")
_JOINED = re.compile(r",? ?(?:and|vs\.?|with|to|!=|->|&)? ?", re.IGNORECASE)


def is_read(line: str) -> bool:
    """Return whether a line is short, and has shapes and words of a mismatch."""
    if len(line) > MAX_LINE or not ("(" in line or "[" in line or "tensor<" in line):
        return False
    lowered = line.lower()
    return "see current operation" in line or any(words in lowered for words in _CLASH)


def reading(line: str) -> Reading | None:
    """Return the reading of such a line under NumPy's rule; None if it is not certain to be one.

    >>> found = reading("FooError: operands [1, 23] and [1, 10] do not broadcast")
    >>> found.shapes
    ((1, 23), (1, 10))
    >>> reading("[1234] [5678] version mismatch")
    """
    if "see current operation" in line and "tensor<" in line:
        return _of_operation(line)
    lowered = line.lower()
    if _SHAPES_CLASH.search(lowered):
        lowered = _OF_IMAGES.sub("", lowered)
    if catalogue().others.search(lowered):
        return None
    plain = _MLIR.sub(_as_printed, line)
    found = [each for each in _BRACKETED.finditer(plain) if _is_shape(each)]
    shapes = [fields.shape(f"({each['sizes']})") for each in found]
    known = tuple(shape for shape in shapes if shape is not None)
    if len(known) != len(found) or not _are_operands(plain, found, known):
        return None
    return _under_numpy(known, line)


def _under_numpy(shapes: tuple[Shape, ...], line: str) -> Reading:
    names = letters(len(shapes))
    return Reading((), "numpy", names, shapes, caveats=(UNKNOWN_MESSAGE,), message=line)


def _of_operation(line: str) -> Reading | None:
    """Return the reading of an elementwise operation that MLIR shows below an error."""
    found = _OPERATION.search(line)
    given = fields.tensors(found["given"]) if found else ()
    if found and "broadcast_to" in found[0]:
        given += fields.tensors(found["made"])
    return _under_numpy(given, line) if len(given) == 2 else None


def _as_printed(tensor: re.Match[str]) -> str:
    """Return the shape of one of MLIR's tensors in brackets, or the text if it has no rank."""
    shapes = fields.tensors(tensor[0])
    return f"({', '.join(map(str, shapes[0]))})" if shapes else tensor[0]


def _is_shape(found: re.Match[str]) -> bool:
    return _SIZES.fullmatch(found["sizes"].strip()) is not None


def _are_operands(line: str, found: Sequence[re.Match[str]], shapes: Sequence[Shape]) -> bool:
    """Return whether shapes in a line are two or more operands, and nothing else."""
    if len(shapes) < 2:
        return False
    gaps = [line[a.end() : b.start()] + (b["before"] or "") for a, b in pairwise(found)]
    is_list = all(_JOINED.fullmatch(gap) for gap in gaps)
    if not is_list and (len(shapes) > 2 or not _OF_SHAPES.search(line)):
        return False
    behind = any(each["before"] and _BEHIND.search(each["before"]) for each in found)
    return behind or any(len(shape) > 1 for shape in shapes)
