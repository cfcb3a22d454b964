"""Code for MLX's messages, which are in `catalogue.txt`."""

from bcastcli.why.messages.reading import Found, Reading


def einsum(reading: Reading, found: Found) -> Reading:
    """Read the size of the input's axis, and the one before it."""
    shape, axis = found.shape("shape"), int(found.group("number") or 0)
    if shape is None or not -len(shape) <= axis < len(shape):
        return reading._replace(is_whole=False)
    sizes = shape[axis], int(found.group("size") or 0)
    return reading._replace(
        sizes=sizes, names=(f"input {found.group('input')}", "an earlier input")
    )
