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
