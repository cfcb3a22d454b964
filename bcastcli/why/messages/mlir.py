"""Code for messages of MLIR's dialects, which are in `catalogue.txt`."""

from bcastcli.why.messages import fields
from bcastcli.why.messages.reading import Found, Reading


def types(reading: Reading, found: Found) -> Reading:
    """Read the shapes in two types; whether the types of their elements differ too."""
    given = [found.group(name) or "" for name in ("one", "other")]
    elements = {text.rstrip(">").rpartition("x")[2].rpartition("<")[2] for text in given}
    shapes = fields.tensors("".join(given))
    reading = reading.lettered(shapes or None)
    return reading._replace(caveats=("element types",)) if len(elements) > 1 else reading
