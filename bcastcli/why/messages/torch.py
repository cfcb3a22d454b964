"""Code for PyTorch's messages, which are in `catalogue.txt`."""

import re
from math import nan, prod

from bcastcli.core.shapes import Shape
from bcastcli.why.messages import fields
from bcastcli.why.messages.reading import Found, Reading

_CALL = re.compile(r"call_\w{1,20} (?:<(?:built-in )?(?:function|method) )?([\w.]{1,80})")
_FAKE = re.compile(r"FakeTensor\([^()]{0,80}size=(\([^()]{0,300}\))")


def vectors(reading: Reading, found: Found) -> Reading | None:
    """Read it as torch.dot's only if both are vectors: PyTorch 0 copied with the same words."""
    shapes = reading.shapes
    return reading if shapes and all(len(shape) == 1 for shape in shapes) else None


def so_far(reading: Reading, found: Found) -> Reading:
    """Take the operands that compilation shows instead of the result of earlier ones."""
    number = found.group("number")
    if number is None:
        return reading
    if reading.shapes:
        reading = reading._replace(names=("expected", f"arg{number}"))
    call = found.last("call_", _CALL, 1500)
    if call is None:
        return reading
    reading = reading._replace(operation=call[1])
    operands = fakes(found.before[found.before.rfind(call[0]) :])
    place = int(number)
    if not place < len(operands) or operands[place] != found.shape("arg"):
        return reading
    return reading.lettered(operands)._replace(caveats=())


def fakes(call: str) -> tuple[Shape, ...]:
    """Return the shapes of all operands in a call that compilation shows; none if one is unread."""
    found = [fields.shape(text) for text in _FAKE.findall(call)]
    known = tuple(shape for shape in found if shape is not None)
    return known if len(known) == call.count("FakeTensor(") else ()


def of_equal_counts(reading: Reading, found: Found) -> Reading | None:
    """Leave out a target with a different number of elements: no axis of size 1 is missing."""
    shapes = reading.shapes or ()
    counts = {prod(_sizes(shape)) for shape in shapes}
    squeezed = {tuple(size for size in shape if size != 1) for shape in shapes}
    return reading if 1 in (len(counts), len(squeezed)) else None


def _sizes(shape: Shape) -> list[float]:
    """Return a shape's sizes; a size that is not a number equals no other."""
    return [size if isinstance(size, int) else nan for size in shape]
