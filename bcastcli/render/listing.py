"""Rows that answer no question, such as the operators there are, in every format."""

from collections.abc import Mapping
from typing import NamedTuple

from bcastcli.render import Format, SheetForm, Style
from bcastcli.render.sheets import Cell, Grid, Line, Sheet, Tone

NOTE = "note"
"""The head of a last column whose texts are too long for a grid."""


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
    return SheetForm(output, _sheet).single(listing, style)


def _sheet(listing: Listing) -> Sheet:
    has_notes = listing.heads[-1] == NOTE
    width = len(listing.heads) - has_notes
    head, *rows = (tuple(map(Cell, row[:width])) for row in (listing.heads, *listing.rows))
    notes = [
        Line(NOTE, f"{row[0]}: {row[-1]}", Tone.NOTE)
        for row in listing.rows
        if has_notes and row[-1]
    ]
    return Sheet(listing.title, f"{listing.title}.", (Grid((head,), (tuple(rows),)), *notes))
