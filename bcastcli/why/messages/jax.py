"""JAX's messages. A traceback has them twice, and quotes the lines that raise them."""

from bcastcli.why.messages.reading import Found, Reading


def cause(reading: Reading, found: Found) -> Reading:
    """Tell whether the shapes are the padded ones of the message that follows."""
    return reading._replace(precedes_better_message=reading.operation == "broadcast_shapes")


def requested(reading: Reading, found: Found) -> Reading:
    """Tell operands from a target."""
    shapes = found.shapes("shapes") or found.shapes("padded")
    if shapes is not None:
        padded = ("padded",) if found.group("padded") else ()
        return reading.lettered(shapes)._replace(caveats=padded)
    target, source = found.shape("target"), found.shape("source")
    if target is None or source is None:
        return reading._replace(is_whole=False)
    reading = reading.named("target", "source", shapes=(target, source))
    return reading._replace(rule="onnx-uni", is_whole=True)


def zipped(reading: Reading, found: Found) -> Reading | None:
    """Take it for broadcasting only below a frame of it."""
    return reading if "broadcast_to" in found.before else None


def unbatched(reading: Reading, found: Found) -> Reading | None:
    """Leave out operands with batch axes: lax.dot has none, whatever their sizes."""
    return reading if all(len(shape) < 3 for shape in reading.shapes or ()) else None


def vectors(reading: Reading, found: Found) -> Reading:
    """Read the sizes of the axis that vecdot sums over."""
    ends = [shape[reading.axis or 0 :] for shape in reading.shapes or ()]
    sizes = tuple(end[0] for end in ends if end)
    told = sizes if len(sizes) == len(ends) > 1 else None
    return reading.named("x1", "x2", shapes=None)._replace(sizes=told, axis=None, axis_of=None)


def in_dim(reading: Reading, found: Found) -> Reading | None:
    """Read the axes of the target on which those of the operand are; leave out unknown ones."""
    axes = found.shape("axes") or ()
    numbers = tuple(axis for axis in axes if isinstance(axis, int))
    return reading._replace(axes=numbers) if len(numbers) == len(axes) else None
