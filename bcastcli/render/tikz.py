"""A picture for LaTeX: one tikzpicture environment; without a picture, the slide as one."""

from bcastcli.render import Report, Terminal
from bcastcli.render.lines import READABLE, in_lines
from bcastcli.render.picture import paper, tikz
from bcastcli.render.picture.figure import Figure
from bcastcli.render.picture.themes import THEMES
from bcastcli.render.sheet import Sheet
from bcastcli.render.slide import drawn

ROOM = (1200.0, 560.0)


def write(report: Report, terminal: Terminal) -> str:
    """Return the first picture of the report's sheet, or else the whole sheet."""
    return show(report.sheet(), terminal)


def show(sheet: Sheet, terminal: Terminal) -> str:
    """Return the sheet's first picture, or else the whole sheet."""
    figures = [part for part in sheet.parts if isinstance(part, Figure)]
    drawing = paper.drawn(figures[0], *ROOM) if figures else drawn(in_lines(sheet, READABLE))
    return tikz.document(drawing, THEMES[terminal.theme or "light"])
