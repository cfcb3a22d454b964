"""Code for PyTorch's messages, which are in `catalogue.txt`."""

import re
from math import nan, prod

from bcastcli.core.shapes import Shape
from bcastcli.messages import fields
from bcastcli.messages.reading import Found, Reading, earlier

_CALL = re.compile(r"call_\w{1,20} (?:<(?:built-in )?(?:function|method) )?([\w.]{1,80})")
_FAKE = re.compile(r"FakeTensor\([^()]{0,80}size=(\([^()]{0,300}\))")


def matrices(reading: Reading, found: Found) -> Reading:
    """Read `6x4 and 5x6`: the first may have been flattened, the second transposed."""
    sizes = [found.group(name) for name in ("rows", "inner", "other", "columns")]
    known = [int(size) for size in sizes if size is not None]
    if len(known) < 4:
        return reading._replace(is_whole=False)
    shapes = (known[0], known[1]), (known[2], known[3])
    return reading.named("mat1", "mat2", shapes=shapes)


def vector(reading: Reading, found: Found) -> Reading:
    """Read the matrix and the vector of torch.mv."""
    rows, columns, length = (int(found.group(name) or 0) for name in ("rows", "columns", "length"))
    return reading.named("mat", "vec", shapes=((rows, columns), (length,)))


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
    fakes = [
        fields.shape(text) for text in _FAKE.findall(found.before, found.before.rfind(call[0]))
    ]
    operands = tuple(shape for shape in fakes if shape is not None)
    mismatching = found.shape("arg")
    place = int(number)
    if len(operands) != len(fakes) or not place < len(fakes) or operands[place] != mismatching:
        return reading
    return reading.lettered(operands)._replace(caveats=())


def of_equal_counts(reading: Reading, found: Found) -> Reading | None:
    """Leave out a target with a different number of elements: no axis of size 1 is missing."""
    shapes = reading.shapes or ()
    counts = {prod(_sizes(shape)) for shape in shapes}
    squeezed = {tuple(size for size in shape if size != 1) for shape in shapes}
    return reading if 1 in (len(counts), len(squeezed)) else None


def _sizes(shape: Shape) -> list[float]:
    """Return a shape's sizes; a size that is not a number equals no other."""
    return [size if isinstance(size, int) else nan for size in shape]


def subscript(reading: Reading, found: Found) -> Reading:
    """Read which operand of einsum has which size."""
    number = found.group("number")
    return reading._replace(names=(f"operand {number}", earlier(number)))


def moved(reading: Reading, found: Found) -> Reading:
    """Read the operands of einsum with their axes in order."""
    first, *rest = (found.group("pairs") or "").split("\n")
    pairs = " ".join([first, *(line for line in rest if "->" in line)])
    return reading.lettered(fields.shapes(re.sub(r"\[[^\]]*\]->", "", pairs)))


def numbered(reading: Reading, found: Found) -> Reading:
    """Name the tensors as they are numbered."""
    numbers = found.group("number"), found.group("other")
    return reading._replace(names=tuple(f"tensor {number}" for number in numbers))
