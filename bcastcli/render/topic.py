"""A Markdown page drawn for a terminal."""

from io import StringIO

from rich.console import Console
from rich.markdown import Markdown

from bcastcli.render import Style

_MAX_WIDTH = 100


def drawn(markdown: str, style: Style) -> str:
    """Return the page as lines of text, no wider than the terminal."""
    console = Console(
        file=StringIO(),
        color_system="standard" if style.color else None,
        force_terminal=style.color,
        no_color=not style.color,
        width=min(style.columns or _MAX_WIDTH, _MAX_WIDTH),
        legacy_windows=False,
    )
    with console.capture() as capture:
        console.print(Markdown(markdown, hyperlinks=False))
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())
