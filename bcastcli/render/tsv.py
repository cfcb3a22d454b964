"""Rows for a spreadsheet; the header is the one of the report's kind."""

from collections.abc import Mapping

from bcastcli.render import Report, Terminal

_FORMULAS = ("=", "+", "-", "@")


def write(report: Report, terminal: Terminal) -> str:
    """Return the report's rows."""
    return "".join(["\t".join(map(_cell, row)) + "\n" for row in report.rows()])


def tagged(text: str, tags: Mapping[str, object]) -> str:
    """Return a report's rows with its label in their last cell, which is kept for it."""
    return text.replace("\t\n", f"\t{_cell(str(tags.get('label', '')))}\n")


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in _FORMULAS else text
