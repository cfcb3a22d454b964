"""Code for messages of JAX, MLX and PaddlePaddle: a few lines each."""

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


def unbatched(reading: Reading, found: Found) -> Reading | None:
    """Leave out operands with batch axes: lax.dot has none, whatever their sizes."""
    return reading if all(len(shape) < 3 for shape in reading.shapes or ()) else None


def einsum(reading: Reading, found: Found) -> Reading:
    """Read the size of the input's axis, and the one before it."""
    shape, axis = found.shape("shape"), int(found.group("number") or 0)
    if shape is None or not -len(shape) <= axis < len(shape):
        return reading._replace(is_whole=False)
    sizes = shape[axis], int(found.group("size") or 0)
    return reading._replace(
        sizes=sizes, names=(f"input {found.group('input')}", "an earlier input")
    )


def words_of_torch(reading: Reading, found: Found) -> Reading:
    """Paddle writes some of PyTorch's words behind the class of its error."""
    is_paddle = "(InvalidArgument)" in found.before[-40:]
    return reading._replace(framework=("paddle",)) if is_paddle else reading
