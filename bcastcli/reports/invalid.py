"""Reports of lines of input that are not questions."""

from collections.abc import Mapping, Sequence

from bcastcli.render import Report


class InvalidInput(Report):
    """The error that replaces an answer in a stream."""

    def __init__(self, number: int, text: str, message: str, column: int, width: int) -> None:
        """Take the line, its error and the place, and the number of cells in a row."""
        self._record = {"line": number, "input": text, "error": message, "column": column}
        self._text = text
        self._message = message
        self._width = width

    def lines(self) -> Sequence[str]:
        """Return the message."""
        return (f"error: {self._message}",)

    def rows(self) -> Sequence[Sequence[str]]:
        """Return a row as wide as those of the answers."""
        empty = [""] * (self._width - 4)
        return ((self._text, "error", *empty, self._message, ""),)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the line, the message and the place of the character at fault."""
        return (self._record,)
