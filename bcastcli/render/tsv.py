"""Rows for a spreadsheet, with the header for the kind of report."""

from collections.abc import Mapping, Sequence

from bcastcli.render.user_text import escaped

_MARKS = ("=", "+", "-", "@", '"')
"""The beginnings of cells that a spreadsheet would read as a formula or as quoted."""


def write(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells."""
    return "".join(["\t".join(map(_cell, row)) + "\n" for row in rows])


def with_tags(text: str, tags: Mapping[str, object]) -> str:
    """Return a report's rows with its label and its id in the last cells, reserved for them."""
    own = tags.get("id", "")
    if not isinstance(own, str):
        from bcastcli.render.json import encode  # rarely needed

        own = encode(own)
    label = _cell(str(tags.get("label", "")))
    return text.replace("\t\t\t\n", f"\t{label}\t\t{_cell(own)}\n")


def with_line_numbers(texts: Sequence[str], first: int) -> list[str]:
    """Return reports' rows with the numbers of the lines that they answer before the id."""
    return [
        "".join([f"{number}\t".join(row.rsplit("\t", 1)) for row in text.splitlines(True)])
        for number, text in enumerate(texts, first)
    ]


def _cell(text: str) -> str:
    """Return a text as a cell: unprintable characters and backslashes are escaped by a backslash.

    A spreadsheet takes it neither for a formula nor for the start of a quoted text.
    """
    cell = escaped(text.replace("\\", "\\\\"))
    return f"'{cell}" if cell.startswith(_MARKS) else cell
