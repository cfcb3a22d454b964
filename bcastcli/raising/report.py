"""The report of an error at the raise: where it was, the operands, and the answer."""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TextIO

from bcastcli.core.shapes import UNKNOWN, written
from bcastcli.raising.answers import AtTheRaise, at_the_raise
from bcastcli.raising.naming import MAX_COLUMNS, place, shortened
from bcastcli.render import Color, Format, Terminal, shown, terminal
from bcastcli.render.sheet import Line, Part, Sheet
from bcastcli.reports import Report, tables, write
from bcastcli.why.report import FaultReport, ReadingReport, ending

_MAX_LINES = 24


class RaiseReport(Report):
    """The operands of the expression that raised, and the answer."""

    def __init__(self, found: AtTheRaise) -> None:
        self._found = found

    def records(self) -> Sequence[Mapping[str, object]]:
        """The record of `why`, with the place and all arrays."""
        found = self._found
        arrays = [{"name": name, "shape": shape} for name, shape in found.operands.items()]
        own: Mapping[str, object] = {"status": "invalid", "message": found.message}
        if found.fault or found.explanation.answer:
            report = FaultReport(found.fault) if found.fault else ReadingReport(found.explanation)
            [own] = report.records()
        return ({**own, "command": "run", "where": found.where._asdict(), "arrays": arrays},)

    def sheet(self) -> Sheet:
        """The place, the table or else the operands, and last the answer."""
        found, each, answer = self._found, self._found.explanation, self._found.explanation.answer
        which = "" if found.is_last else "the first error: "
        places = (found.where, which), (found.inner, "  in ")
        head: list[Part] = [Line("", place(where, text)) for where, text in places if where]
        in_table = {*(answer.operand_names if answer else ())}
        named = ((shortened(name), shape) for name, shape in found.operands.items())
        rest = [each for each in named if in_table.isdisjoint((each[0], f"{each[0]}.T"))]
        texts = {name: UNKNOWN if shape is None else written(shape) for name, shape in rest}
        width = max(map(len, texts), default=0)
        lines = (Line("", f"{name:{width}}  {shape}") for name, shape in texts.items())
        parts = (*head, *(tables.table(answer) if answer else ()), *lines)
        return Sheet("", "", (*parts, *(ending(each) if each.reason else ())))


def text(error: BaseException, output: str, stream: TextIO | None) -> str:
    """The explanation of an error, for a stream; empty if there is none."""
    found = at_the_raise(error)
    return "" if found is None else written_for(RaiseReport(found), output, stream, _MAX_LINES)


def written_for(report: Report, output: str, stream: TextIO | None, most_lines: int = 0) -> str:
    """A report for a stream, not wider than a page; of more lines than `most_lines` the first."""
    shows = terminal(Color.AUTO, stream) if stream else Terminal(has_box_characters=True)
    width = min(shows.columns or MAX_COLUMNS, MAX_COLUMNS)
    if output == Format.TABLE:
        _load_tables()
    whole = write(report, Format(output), shows._replace(columns=width))
    lines = whole.splitlines(keepends=True)
    if output == Format.TABLE and len(lines) > most_lines > 0:
        lines[most_lines - 2 : -1] = ["...\n"]
    whole = "".join(lines)
    return shown(whole, stream) if stream else whole


def _load_tables() -> None:
    """Load what writes tables, with the Rich beside bcastcli: a program may have none, or a file.

    `bcastcli run` says where it is; else it is where this package is installed.
    """
    folder = os.environ.get("BCASTCLI_LIBRARIES") or str(Path(__file__).parents[2])
    sys.path.insert(0, folder)
    try:
        import_module("bcastcli.render.table")
    finally:
        sys.path.remove(folder)
