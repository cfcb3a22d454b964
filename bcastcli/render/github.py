"""Lines that GitHub Actions shows next to the code: one for each failure.

Also the escapes of these lines, where a comma or a percent sign would be read as a mark.
"""

from collections.abc import Iterable
from typing import NamedTuple

from bcastcli.render import FOR_RUNNERS, escaped

_IN_TEXT = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = {**_IN_TEXT, ":": "%3A", ",": "%2C"}


class Annotation(NamedTuple):
    """A failure, and its place."""

    file: str
    message: str
    """One line or several."""
    line: int | None = None
    """Counted from 1; None for the file as a whole."""
    column: int | None = None
    """Counted from 1."""
    level: str = "error"


def write(annotations: Iterable[Annotation]) -> str:
    """A line for each annotation."""
    return "".join(f"{_line(each)}\n" for each in annotations)


def _line(annotation: Annotation) -> str:
    file, message, line, column, level = annotation
    places = {"file": file, "line": line, "col": column}
    where = [f"{name}={_marked(str(at), _IN_PROPERTY)}" for name, at in places.items() if at]
    head = f"{level} {','.join(where)}" if where else level
    return f"::{head}::{_marked(message, _IN_TEXT)}".replace(*FOR_RUNNERS)


def _marked(text: str, marks: dict[str, str]) -> str:
    """A text in which these characters are written as marks, and others are printable."""
    return "".join(marks.get(each) or escaped(each) for each in text)
