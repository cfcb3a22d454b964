"""Plain listings, such as that of the operators."""

from collections.abc import Mapping, Sequence

from bcastcli.render.sheet import Cell, Grid, Line, Sheet, Tone
from bcastcli.reports import Report

NOTE = "note"
"""The heading of a last column with texts too long for a grid."""


class Listing(Report):
    """Rows below headings, and their record."""

    def __init__(
        self,
        title: str,
        heads: tuple[str, ...],
        rows: Sequence[tuple[str, ...]],
        record: Mapping[str, object],
    ) -> None:
        self.heads = heads
        self._title = title
        self._rows = rows
        self._record = record

    def cells(self) -> Sequence[Sequence[str]]:
        """Return the rows."""
        return self._rows

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the record."""
        return (self._record,)

    def sheet(self) -> Sheet:
        """Return the rows as a grid, and below it the notes."""
        has_notes = self.heads[-1] == NOTE
        width = len(self.heads) - has_notes
        head, *body = (tuple(map(Cell, row[:width])) for row in (self.heads, *self._rows))
        noted = [row for row in self._rows if has_notes and row[-1]]
        notes = [Line(NOTE, f"{row[0]}: {row[-1]}", Tone.NOTE) for row in noted]
        texts = "; ".join(" ".join(filter(None, row[:width])) for row in self._rows)
        grid = Grid((head,), (tuple(body),))
        return Sheet(self._title, f"{self._title}: {texts}.", (grid, *notes))
