"""The shapes in the lines around a message without any: candidates for its operands.

`why.beside` decides whether they are: each size in the message must be theirs. Here their number
must be that of the operands, and they must be where little else can be meant: in the line of the
operation that the message names, or printed right above it, as the line `next` asks for.
"""

import re

from bcastcli.core.shapes import Shape
from bcastcli.why.messages import fields
from bcastcli.why.messages.reading import MATMUL, MAX_CONTEXT, Beside, Reading
from bcastcli.why.messages.torch import fakes

_FAR = 1500
"""The most characters between a message and the call that compilation shows above it."""
_LONGEST = 200
"""The most characters in a line of shapes."""
_ABOVE, _BELOW, _BESIDE = "the lines above", "the lines below", "the same line"
_TRACEBACK = "Traceback (most recent call last)"
_OUTPUT = "Captured stdout call"
"""The heading of captured output in pytest's report."""
_TYPES = re.compile(
    r'"?[^:\n]{0,400}(?::[^:\n]{0,99}){0,4}?: '
    r"(?P<given>\([^()\n]{1,600}\)) -> (?P<made>[^\n]{1,120})"
)
_AXES = re.compile(r"(?:dims = \[|broadcast_dimensions = array<i64: )([\d, ]{1,60})[\]>]")
_SHAPE = re.compile(
    r"(?:(?:torch\.Size|TensorShape)\(|(?<![\w.)\]]))([(\[][\d, None?-]{0,99}[)\]])\)?"
)
_PRODUCT = re.compile(r"[\w)\]] ?@ ?\w|matmul|bmm|einsum|attention\(")
_LABEL = re.compile(r"[\w.' :=,;|-]{0,60}")


def beside(reading: Reading, before: str, after: str) -> Beside | None:
    """Return the shapes that stand around a message without any, given the text on both sides."""
    if reading.operation == "einsum" or not reading.is_whole:
        return None
    return (
        _of_operation(reading, before[-MAX_CONTEXT:], after)
        or _of_call(reading, before)
        or _of_prints(reading, before, after)
    )


def _of_operation(reading: Reading, before: str, after: str) -> Beside | None:
    """Return the shapes of the operation that a message names, as MLIR shows it."""
    if not reading.operation or "tensor<" not in before + after:
        return None
    word = re.compile(rf"\w\.{re.escape(reading.operation)}(?=[\" ])")
    for text, far in ((after, _BELOW), (before, _ABOVE)):
        for each in [*word.finditer(text)][:: 1 if far == _BELOW else -1]:
            found = _TYPES.match(text, each.end())
            if not found:
                continue
            between = text[: each.start()] if far == _BELOW else text[found.end() :]
            where = far if "\n" in between else _BESIDE
            # The shift of a multiplication in TOSA.
            shapes = fields.tensors(found["given"].replace(", tensor<1xi8>", ""))
            if reading.rule != "explicit":
                return Beside(where, shapes) if len(shapes) > 1 else None
            axes = _AXES.search(found[0])
            own = tuple(map(int, re.findall(r"\d+", axes[1]))) if axes else ()
            shapes = fields.tensors(f"{found['given']} {found['made']}")
            return Beside(where, shapes, own) if own else None
    return None


def _of_call(reading: Reading, before: str) -> Beside | None:
    """Return the shapes of the operands of a call that PyTorch compiles."""
    start = before.rfind("call_", max(0, len(before) - _FAR))
    if "torch" not in reading.framework or start < 0:
        return None
    shapes = fakes(before[start:])
    if len(shapes) != 2 or _may_be_product(reading, before[start:]):
        return None
    return Beside(_ABOVE if "\n" in before[start:] else _BESIDE, shapes)


def _of_prints(reading: Reading, before: str, after: str) -> Beside | None:
    """Return the shapes of two operands that are printed right above a message or its traceback."""
    is_product = reading.rule == MATMUL and reading.axis is None
    if not (reading.rule == "numpy" or is_product) or reading.names[:1] == ("the output",):
        return None
    if len(reading.names) != 2 or len(reading.sizes or ()) != 2:
        return None
    start = before.rfind(_TRACEBACK)
    start = len(before) if start < 0 else start
    if _may_be_product(reading, before[start:]):
        return None
    lines = before[:start].rsplit("\n", 5)[-5:-1]
    if lines and not re.search(r"\w", lines[-1]):  # a rule of dashes
        lines.pop()
    shapes = _last_two(lines[-3:])
    if shapes:
        return Beside(_ABOVE, shapes)
    heading = after.find(_OUTPUT)
    shapes = _last_two(after[heading:].split("\n")[1:4][::-1]) if heading >= 0 else ()
    return Beside(_BELOW, shapes) if shapes else None


def _may_be_product(reading: Reading, shown: str) -> bool:
    """Return whether a line of source may multiply matrices, and the axes be their batch axes."""
    return "perhaps batch axes" in reading.caveats and _PRODUCT.search(shown) is not None


def _last_two(lines: list[str]) -> tuple[Shape, ...]:
    """Return the two shapes in the last of some lines, or the one in each of the last two."""
    found = [_printed(line) for line in lines]
    if found and len(found[-1]) == 2:
        return found[-1]
    counts = [len(each) for each in found]
    return (*found[-2], *found[-1]) if counts[-2:] == [1, 1] and counts[:-2] in ([], [0]) else ()


def _printed(line: str) -> tuple[Shape, ...]:
    """Return the shapes in a line of only shapes, with optional labels."""
    if len(line) > _LONGEST:
        return ()
    *labels, rest = _SHAPE.split(line)[::2]
    shapes = [fields.shape(each) for each in _SHAPE.findall(line)]
    known = tuple(shape for shape in shapes if shape is not None)
    is_plain = not rest.strip(" ,;.") and all(map(_LABEL.fullmatch, labels))
    return known if is_plain and len(known) == len(shapes) else ()
