"""JAX's messages. A traceback has them twice, and quotes the lines that raise them."""

from bcastcli.messages.reading import Found, Reading


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
    shapes, axis = reading.shapes or (), reading.axis
    reading = reading._replace(shapes=None, axis=None, axis_of=None)
    if axis is None or any(not -len(shape) <= axis < len(shape) for shape in shapes):
        return reading
    return reading._replace(sizes=tuple(shape[axis] for shape in shapes), names=("x1", "x2"))


def in_dim(reading: Reading, found: Found) -> Reading | None:
    """Read the axes of the target on which those of the operand are; leave out unknown ones."""
    axes = found.shape("axes") or ()
    numbers = tuple(axis for axis in axes if isinstance(axis, int))
    return reading._replace(axes=numbers) if len(numbers) == len(axes) else None
