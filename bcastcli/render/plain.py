"""A line for each report: what shells read."""

from collections.abc import Mapping

from bcastcli.render import Report, Terminal
from bcastcli.render.user_text import escaped


def write(report: Report, terminal: Terminal) -> str:
    """Return the report's lines; what is not printable is escaped."""
    return "".join(["\t".join(map(escaped, cells)) + "\n" for cells in report.cells()])


def with_tags(text: str, tags: Mapping[str, object]) -> str:
    """Return a report's text with its label behind the last line."""
    label = escaped(str(tags.get("label", "")))
    last = text.rstrip("\n")
    return f"{last} # {label}{text[len(last) :]}" if label else text
