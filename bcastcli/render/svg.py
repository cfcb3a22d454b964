"""A sheet as a slide: one SVG file that loads no external files."""

from bcastcli.render import Terminal
from bcastcli.render.lines import READABLE, wrap_prose
from bcastcli.render.pages import ascii_page, for_page
from bcastcli.render.picture import svg
from bcastcli.render.picture.themes import THEMES
from bcastcli.render.sheet import Sheet
from bcastcli.render.slide import drawn


def show(sheet: Sheet, terminal: Terminal) -> str:
    """Return the sheet as a file."""
    sheet = for_page(wrap_prose(sheet, READABLE))
    sheet = sheet._replace(title=terminal.title or sheet.title)
    theme = THEMES[terminal.theme or "light"]
    return ascii_page(svg.document(drawn(sheet), theme, sheet.title, sheet.description))
