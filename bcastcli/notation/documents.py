"""Examples as the documents of the rules write them, as lines of shapes.

ONNX: `shape(A) = (4, 5), shape(B) = (5,), ==> shape(result) = (4, 5)`. OpenVINO, on one line or
several: `A: Shape(2, 3)`, `B: Shape(,) -> scalar`, `Result: Shape(2, 3)`. ncnn: a row of its table,
`|[2,3]|[3]|[2,3]|`.
"""

import re

from bcastcli.notation.pieces import compiled

_EXAMPLE = r"\bshape\(\w+\)\s*=|\b\w+:\s*Shape\(|==>|\bResult:|(?m:^)[^|\n]*\|.*\|\s*\Z"
_RESULT = r"(?:==>|\bResult:)(.*)\Z"
_ROW = r"[^|]*\|[^\[\]|]*\|?\s*(\[[^|]*)\|([^|]*)\|([^|]*)\|[| ]*\Z"
_NAME = r"\bshape\((\w+)\)\s*=\s*|\b(\w+):\s*(?=Shape\()"
_AXIS = r"\b(?:with\s+)?axis\s*=\s*(-?\d+)(?:\s*\(default\)\s+or\s+axis\s*=\s*-?\d+)?"
_REMARK = r"(?<=\))\s*->\s*scalar\b|,?\s*\bi\.e\.[^=]*\Z|(?m:^\s*[-*]\s)|`|,\s*\Z"
_REFUSED = "broadcast won't happen"


def is_example(text: str) -> bool:
    """Whether a text is an example of a document."""
    return ("(" in text or "|" in text) and compiled(_EXAMPLE).search(text) is not None


def as_typed(text: str) -> str:
    """An example as a line of shapes, each shape in its place; any other text as it is.

    >>> as_typed("A: Shape(2, 3, 4) B: Shape(3) with axis = 1 Result: Shape(2, 3, 4)").split()
    ['A=Shape(2,', '3,', '4)', 'B=Shape(3)', 'axis=1']
    """
    if not is_example(text):
        return text
    typed = re.sub(_RESULT, "", text, flags=re.DOTALL)
    row = compiled(_ROW).match(text)
    if row:
        first, second = row[1], row[2].partition(" / ")[0]
        return f"{first.rjust(row.end(1))} {second}"
    for pattern, write in ((_NAME, _named), (_AXIS, _axis), (_REMARK, _blank)):
        typed = compiled(pattern).sub(write, typed)
    return typed.replace("\n", " ").rstrip()


def result_of(text: str) -> tuple[str, int] | None:
    """The result that an example states, as an expected answer, and its place; None without one.

    >>> result_of("A: Shape(3) B: Shape(2) Result: broadcast won't happen due to dimensions")
    ('mismatch', 32)
    """
    if not is_example(text):
        return None
    row = compiled(_ROW).match(text)
    if row:
        return row[3].strip(), row.start(3)
    found = re.search(_RESULT, text, re.DOTALL)
    if found is None:
        return None
    stated = re.sub(rf"{_NAME}|{_REMARK}", "", found[1]).strip()
    return "mismatch" if stated.startswith(_REFUSED) else stated, found.start(1) + 1


def _named(found: re.Match[str]) -> str:
    return f"{found[1] or found[2]}=".rjust(len(found[0]))


def _axis(found: re.Match[str]) -> str:
    return f"axis={found[1]}".ljust(len(found[0]))


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
