"""The report of an error at the raise: where it was, the operands, and the answer."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from bcastcli.core.shapes import UNKNOWN, written
from bcastcli.raising.answers import AtTheRaise, Where, at_the_raise, shortened
from bcastcli.render import Format, Terminal
from bcastcli.render.sheet import Line, Part, Sheet
from bcastcli.render.streams import Color, shown, terminal
from bcastcli.reports import Report, tables, write
from bcastcli.why.report import FaultReport, ReadingReport, ending

_MAX_LINES, _MAX_COLUMNS = 24, 80
_CELL = re.compile(r"<ipython-input-|[\\/]ipykernel_\d+[\\/]")


class RaiseReport(Report):
    """The operands of the expression that raised, and the answer."""

    def __init__(self, found: AtTheRaise) -> None:
        self._found = found

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the record of `why`, with the place and all arrays."""
        found = self._found
        arrays = [{"name": name, "shape": shape} for name, shape in found.operands.items()]
        own: Mapping[str, object] = {"status": "invalid", "message": found.message}
        if found.fault or found.explanation.answer:
            report = FaultReport(found.fault) if found.fault else ReadingReport(found.explanation)
            [own] = report.records()
        return ({**own, "command": "run", "where": found.where._asdict(), "arrays": arrays},)

    def sheet(self) -> Sheet:
        """Return the place, the table or else the operands, and last the answer."""
        found, each = self._found, self._found.explanation
        answer = each.answer
        which = "" if found.is_last else "the first error: "
        places = (found.where, which), (found.inner, "  in ")
        head: list[Part] = [Line("", _place(where, text)) for where, text in places if where]
        in_table = {*(answer.operand_names if answer else ())}
        named = ((shortened(name), shape) for name, shape in found.operands.items())
        rest = [each for each in named if in_table.isdisjoint((each[0], f"{each[0]}.T"))]
        texts = {name: UNKNOWN if shape is None else written(shape) for name, shape in rest}
        width = max(map(len, ["", *texts]))
        lines = (Line("", f"{name:{width}}  {shape}") for name, shape in texts.items())
        parts = (*head, *(tables.table(answer) if answer else ()), *lines)
        return Sheet("", "", (*parts, *(ending(each) if each.reason else ())))


def _place(where: Where, before: str) -> str:
    """Return a place in one line."""
    file = where.file.rpartition("-packages" + os.sep)[2].removeprefix(f"{Path.cwd()}{os.sep}")
    file = "the cell" if _CELL.search(file) else file
    function = f", in {where.function}" if where.function else ""
    text = f"{before}{file}, line {where.line}{function}{': ' * bool(where.source)}{where.source}"
    return text if len(text) <= _MAX_COLUMNS else f"{text[: _MAX_COLUMNS - 5]}..."


def text(error: BaseException, output: str, stream: TextIO | None) -> str:
    """Return the explanation of an error, for a stream; empty if there is none."""
    found = at_the_raise(error)
    if found is None:
        return ""
    shows = terminal(Color.AUTO, stream) if stream else Terminal(has_box_characters=True)
    width = min(shows.columns or _MAX_COLUMNS, _MAX_COLUMNS)
    whole = write(RaiseReport(found), Format(output), shows._replace(columns=width))
    lines = whole.splitlines(keepends=True)
    if output == Format.TABLE and len(lines) > _MAX_LINES:
        lines[_MAX_LINES - 2 : -1] = ["...\n"]
    whole = "".join(lines)
    return shown(whole, stream) if stream else whole
