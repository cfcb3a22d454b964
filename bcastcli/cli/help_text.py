"""Help that fits the terminal, with headings that stand out."""

import re
from shutil import get_terminal_size
from typing import Any

import typer
from typer.core import TyperCommand

from bcastcli.cli.console import Color, terminal

_MAX_WIDTH, _MIN_WIDTH = 100, 20
_MIN_COLUMN, _COLUMN = 16, 4
"""The first column of a list takes at most a quarter of the width."""
_HEADING = re.compile("^ *(Usage|Examples|Arguments|Options|Rules|Tools|Topics):", re.MULTILINE)


class Helpful:
    """A command whose help is as wide as the terminal and has bold headings on it."""

    def get_help(self, ctx: Any) -> str:
        """Return the help, with bold headings where standard output shows them."""
        text = self.plain_help(ctx)
        if not terminal(Color.AUTO).color:
            return text
        return _HEADING.sub(lambda heading: typer.style(heading[0], bold=True), text)

    def plain_help(self, ctx: Any) -> str:
        """Return the help as lines of text."""
        formatter = ctx.make_formatter()
        formatter.width = max(_MIN_WIDTH, min(get_terminal_size().columns, _MAX_WIDTH))
        write_list = formatter.write_dl

        def write_narrow_list(rows: Any) -> None:
            write_list(rows, col_max=max(formatter.width // _COLUMN, _MIN_COLUMN), col_spacing=2)

        formatter.write_dl = write_narrow_list
        self.format_help(ctx, formatter)  # type: ignore[attr-defined]  # Typer's commands have it
        # A narrow terminal leaves the usage line's end to the next one, but not the space between.
        return re.sub(" +$", "", formatter.getvalue(), flags=re.MULTILINE).rstrip("\n")


class Command(Helpful, TyperCommand):
    """A command with such help, of whose formats the last one that is given counts."""

    def make_parser(self, ctx: Any) -> Any:
        """Return the parser, to which `--json` is another way to write `--format json`."""
        parser = super().make_parser(ctx)
        for name in () if ctx.resilient_parsing else ("json", "plain"):  # TAB asks what is typed
            if short := parser._long_opt.get(f"--{name}"):
                short.dest, short.const = "output", name
        return parser
