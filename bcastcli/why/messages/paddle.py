"""Code for PaddlePaddle's messages, which are in `catalogue.txt`."""

import re

from bcastcli.why.messages.reading import Found, Reading

_OPERATOR = re.compile(r"\[ ?operator ?< ?(\w{1,80}) ?> ?error ?\]")


def operator(reading: Reading, found: Found) -> Reading:
    """Read the operator after the hint."""
    after = found.after[:1200]
    operator = _OPERATOR.search(after, max(0, after.find("operator") - 2))
    return reading._replace(operation=operator[1]) if operator else reading


def from_the_right(reading: Reading, found: Found) -> Reading:
    """Count the axis from the end, as the message does."""
    return reading._replace(axis=None if reading.axis is None else -1 - reading.axis)


def words_of_torch(reading: Reading, found: Found) -> Reading:
    """Paddle writes some of PyTorch's words behind the class of its error."""
    is_paddle = found.before.rstrip().endswith(("(InvalidArgument)", "shape mismatch:")) and (
        "(InvalidArgument)" in found.before[-40:]
    )
    return reading._replace(framework=("paddle",)) if is_paddle else reading
