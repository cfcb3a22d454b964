"""Reports of lines of input that are not questions."""

from collections.abc import Mapping, Sequence

from bcastcli.render import Report
from bcastcli.reports.verdicts import TAGS


class InvalidInput(Report):
    """The error that replaces an answer in a stream."""

    def __init__(
        self, text: str, message: str, column: int, number: int | None = None, width: int = 0
    ) -> None:
        """Take the text, its error and the place; the line if it is one, and the cells of a row."""
        line = {} if number is None else {"line": number}
        said = {"input": text, "error": message, "column": column}
        self._record = {"status": "invalid", **line, **said}
        self._text = text
        self._message = message
        self._width = width

    def lines(self) -> Sequence[str]:
        """Return the message."""
        return (f"error: {self._message}",)

    def rows(self) -> Sequence[Sequence[str]]:
        """Return a row as wide as those of the answers."""
        empty = [""] * (self._width - 3 - len(TAGS))
        return ((self._text, "error", *empty, self._message, *[""] * len(TAGS)),)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the line, the message and the place of the character at fault."""
        return (self._record,)
