"""Rows for a spreadsheet; the header is the one of the report's kind."""

from collections.abc import Mapping

from bcastcli.render import Report, Terminal
from bcastcli.render.user_text import escaped

_MARKS = ("=", "+", "-", "@", '"')
"""How a cell begins that a spreadsheet would read as a formula, or as the start of a quotation."""


def write(report: Report, terminal: Terminal) -> str:
    """Return the report's rows."""
    return "".join(["\t".join(map(_cell, row)) + "\n" for row in report.rows()])


def with_tags(text: str, tags: Mapping[str, object]) -> str:
    """Return a report's rows with its label in their last cell, which is kept for it."""
    return text.replace("\t\n", f"\t{_cell(str(tags.get('label', '')))}\n")


def _cell(text: str) -> str:
    """Return a text as a cell: what is not printable, and a backslash, is escaped by a backslash.

    No spreadsheet takes it for a formula, nor for the start of a quoted text.
    """
    cell = escaped(text.replace("\\", "\\\\"))
    return f"'{cell}" if cell.startswith(_MARKS) else cell
