"""Code for Julia's messages, which are in `catalogue.txt`."""

import re

from bcastcli.messages.reading import Found, Reading

_RANGE = re.compile(r"(?:Base\.)?OneTo\((\d{1,18})\)")


def lengths(reading: Reading, found: Found) -> Reading | None:
    """Read the lengths of two axes; leave out equal ones, whose indices differ."""
    one, other = found.group("a"), found.group("b")
    if one and other:
        reading = reading._replace(names=("a", "b"), sizes=(int(one), int(other)))
    if reading.sizes and len({*reading.sizes}) < 2:
        return None
    return reading._replace(is_whole=True)


def ranges(reading: Reading, found: Found) -> Reading | None:
    """Read the sizes of ranges that start at 1."""
    shapes = []
    for name in ("a", "b"):
        text = found.group(name) or ""
        sizes = _RANGE.findall(text)
        if _RANGE.sub("", text).strip("(), \n"):
            return None
        shapes.append(tuple(map(int, sizes)))
    return broadcasts(reading.named("a", "b", shapes=tuple(shapes)), found)


def broadcasts(reading: Reading, found: Found) -> Reading:
    """Note that + and - do not broadcast, but .+ and .- do."""
    return reading._replace(caveats=("Julia's broadcasts",))


def product(reading: Reading, found: Found) -> Reading:
    """Read a matrix, and a second one or a vector."""
    left, right, length = found.shape("A"), found.shape("B"), found.group("length")
    other = (int(length),) if length else right
    if left is None or other is None:
        return reading._replace(is_whole=False)
    return reading.named("A", "B", shapes=(left, other))
