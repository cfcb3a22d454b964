"""The command that explains a command or a topic."""

import os
import sys

import typer

from bcastcli import help as topics
from bcastcli.cli.answering import write_report
from bcastcli.cli.commands import typer_app
from bcastcli.cli.commands.rules import report
from bcastcli.cli.console import Color, UsageError, is_terminal, terminal, write
from bcastcli.cli.options import Group, argument
from bcastcli.cli.page import help_of, listed
from bcastcli.cli.parser import COMMANDS, built, help_of_all
from bcastcli.render import Format
from bcastcli.rules import find

SUMMARY = "Read more: `help topics` lists the pages"
_HELP = """Explain a command, a rule or a topic.

Examples:
  bcastcli help topics
  bcastcli help shapes
  bcastcli help pdpd"""
_MAX_WIDTH = 100
_EPILOG = "Exit status: 0, or 2 if there is no such command or topic."


def _names() -> list[str]:
    return sorted({"topics", *COMMANDS, *topics.names()})


class Topic(Group):
    """The command or the topic."""

    name: str | None = argument("[NAME]", "A command, a rule or a topic.", autocompletion=_names)


def build() -> typer.Typer:
    """The command."""
    return typer_app("help", _explain, Topic, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _explain(topic: Topic) -> None:
    """Write a page, a rule's text or a command's options; without a name, the help of the group."""
    name = topic.name
    if name is None:
        write(f"{help_of_all()}\n")
    elif name in ("topics", "help"):
        write(_list())
    elif name in topics.names():
        page = topics.text(name)
        _show(f"{page}\n`bcastcli {name} -h` lists the options.\n" if name in COMMANDS else page)
    elif name == "rules" or find(name):
        shown = report(None if name == "rules" else name)
        write_report(shown, Format.TABLE, terminal(Color.AUTO))
    elif name in COMMANDS:
        write(f"{help_of(built(name), f'bcastcli {name}')}\n")
    else:
        raise UsageError(f"there is no command or topic {name}; bcastcli help topics lists them")


def _list() -> str:
    """The topics, one per line, each with its title."""
    rows = [(name, topics.title(name)) for name in topics.names()]
    return "\n".join(["Topics; for example: bcastcli help shapes", *listed(rows), ""])


def _show(markdown: str) -> None:
    """Write a topic: as it is, or drawn and paged on a terminal."""
    if not is_terminal(sys.stdout):
        write(markdown)
        return
    from rich.console import Console  # only for pages on a terminal
    from rich.markdown import Markdown

    os.environ.setdefault("LESS", "-FRX")  # colors; no pager for a page that fits
    os.environ.setdefault("LESSCHARSET", "utf-8")  # also where LANG is C
    columns = terminal(Color.AUTO).columns or _MAX_WIDTH
    console = Console(width=min(columns, _MAX_WIDTH))
    with console.pager(styles=console.color_system is not None):
        console.print(Markdown(markdown, hyperlinks=False))
