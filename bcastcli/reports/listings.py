"""Rows that answer no question, such as the operators there are, in every format."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from textwrap import wrap
from typing import NamedTuple

from bcastcli.render import Format, SheetForm, Style
from bcastcli.render.sheet import Cell, Grid, Line, Sheet, Tone

NOTE = "note"
"""The head of a last column whose texts are too long for a grid."""
_GAP = 3
"""The blanks between two columns of a grid."""
_NARROWEST = 10


class Listing(NamedTuple):
    """Rows below heads, and what programs are told of them."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    data: Mapping[str, object]


def text(listing: Listing, output: Format, style: Style) -> str:
    """The listing in a format."""
    if output is Format.JSON:
        from bcastcli.render import json  # only where it is asked for: it takes a while

        return json.of_data(listing.data)
    if output in (Format.PLAIN, Format.TSV):
        heads = () if output is Format.PLAIN else (listing.heads,)
        return "".join("\t".join(row) + "\n" for row in (*heads, *listing.rows))
    # Only a terminal has an edge.
    shown = style if output is Format.TABLE else style._replace(columns=None)
    return SheetForm(output, partial(_sheet, style=shown)).single(listing, style)


def _sheet(listing: Listing, style: Style) -> Sheet:
    has_notes = listing.heads[-1] == NOTE
    width = len(listing.heads) - has_notes
    rows = [row[:width] for row in (listing.heads, *listing.rows)]
    notes = [
        Line(NOTE, _wrapped(f"{row[0]}: {row[-1]}", len(NOTE) + 2, style.columns), Tone.NOTE)
        for row in listing.rows
        if has_notes and row[-1]
    ]
    said = "; ".join(" ".join(filter(None, row)) for row in rows[1:])
    return Sheet(listing.title, f"{listing.title}: {said}.", (*_parts(rows, style), *notes))


def _parts(rows: Sequence[Sequence[str]], style: Style) -> Iterator[Grid | Line]:
    """A grid; or where the terminal is too narrow for one, each row on two lines or more."""
    widths = [max(map(len, column)) + _GAP for column in zip(*rows, strict=True)]
    ends = [*accumulate(widths)]
    if style.columns is None or ends[-1] - _GAP <= style.columns:
        head, *body = (tuple(map(Cell, row)) for row in rows)
        yield Grid((head,), (tuple(body),))
        return
    fitting = max(1, sum(end - _GAP <= style.columns for end in ends))
    rule = ("─" if style.boxes else "-") * min(ends[fitting - 1] - _GAP, style.columns)
    for number, row in enumerate(rows):
        cells = map(str.ljust, row[:fitting], widths)
        yield Line("", "".join(cells).rstrip())
        rest = "  ".join(filter(None, row[fitting:]))
        if rest:
            yield Line("", f"  {_wrapped(rest, 2, style.columns)}")
        if number == 0:
            yield Line("", rule)


def _wrapped(text: str, indent: int, columns: int | None) -> str:
    """A text whose lines end between words, each after the first one indented."""
    if columns is None:
        return text
    lines = wrap(text, max(columns - indent, _NARROWEST), break_on_hyphens=False)
    return f"\n{' ' * indent}".join(lines)
