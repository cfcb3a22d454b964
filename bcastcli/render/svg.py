"""A sheet as a slide: one SVG file that loads no external files."""

from bcastcli.render import Style
from bcastcli.render.pages import in_any_encoding
from bcastcli.render.picture import svg
from bcastcli.render.picture.themes import THEMES
from bcastcli.render.sheet import Sheet
from bcastcli.render.slide import drawn


def show(sheet: Sheet, style: Style) -> str:
    """Return the sheet as a file."""
    theme = THEMES[style.theme or "light"]
    return in_any_encoding(svg.document(drawn(sheet), theme, sheet.title, sheet.description))
