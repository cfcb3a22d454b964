"""PyTensor's messages, and those of Theano before it."""

from bcastcli.messages.reading import Found, Reading


def inputs(reading: Reading, found: Found) -> Reading:
    """Name the two inputs."""
    if reading.sizes is None:
        return reading._replace(is_whole=True)
    numbers = found.group("first"), found.group("second")
    return reading._replace(names=tuple(f"input[{number}]" for number in numbers))
