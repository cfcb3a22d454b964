"""A Markdown page drawn for a terminal."""

from io import StringIO

from rich.console import Console
from rich.markdown import Markdown

from bcastcli.render import Terminal

_MAX_WIDTH = 100


def drawn(markdown: str, terminal: Terminal) -> str:
    """Return the page as lines of text, no wider than the terminal."""
    console = Console(
        file=StringIO(),
        color_system="standard" if terminal.color else None,
        force_terminal=terminal.color,
        no_color=not terminal.color,
        width=min(terminal.columns or _MAX_WIDTH, _MAX_WIDTH),
        legacy_windows=False,
    )
    with console.capture() as capture:
        console.print(Markdown(markdown, hyperlinks=False))
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())
