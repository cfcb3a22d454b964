"""The command that explains a command or a topic."""

import os
import shutil
import signal
import sys

import typer

from bcastcli import help as topics
from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import Color, UsageError, is_terminal, print_error, terminal, write
from bcastcli.cli.options import Group

SUMMARY = "Read more: the help of a command or a topic; help topics lists the topics"
_HELP = """Show the help of a command, a topic or a section of a topic; topics lists all of these.

\b
Examples:
  bcastcli help topics
  bcastcli help pdpd
  bcastcli help shapes
  bcastcli help changelog"""
_EPILOG = "Exit status: 0, or 2 if there is no command or topic of that name."


def _names() -> list[str]:
    from bcastcli.cli.main import COMMANDS  # it builds this module

    words = [topics.LIST, *COMMANDS, *topics.names(), topics.SCHEMA, *topics.sections()]
    return list(dict.fromkeys(words))


class Asked(Group):
    """The command or the topic."""

    name: str | None = typer.Argument(
        None,
        metavar="[COMMAND|TOPIC]",
        autocompletion=_names,
        help="A command, such as pdpd, or a topic, such as shapes.",
    )


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("help", _explain, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _explain(asked: Asked) -> None:
    """Write the help of a name; without one, the help of the group."""
    from bcastcli.cli.main import group  # it builds this module

    name = asked.name
    context = group().make_context("bcastcli", [], resilient_parsing=True)
    if name is None:
        write(f"{context.get_help()}\n")
        return
    if name == topics.LIST:
        write(_list())
        return
    command = group().get_command(context, name)
    if command is not None:
        with command.make_context(name, [], parent=context, resilient_parsing=True) as own:
            write(f"{command.get_help(own)}\n")
    if name == topics.SCHEMA:
        write(topics.schema())
    elif page := topics.text(name) if name in topics.names() else topics.sections().get(name):
        _show(page if command is None else f"\n{page}")
    elif command is None:
        raise UsageError(f"there is no command or topic {name}; bcastcli help topics lists them")


def _list() -> str:
    """Return the topics and the sections that a word opens, one per line."""
    titles = {name: topics.title(name) for name in topics.names()}
    titles[topics.SCHEMA] = "Schema: the JSON Schema of every object that is written"
    headings = {name: text.partition("\n")[0] for name, text in topics.sections().items()}
    width = max(map(len, (*titles, *headings)))
    lines = []
    for heading, named in (("Topics", titles), ("Sections of topics", headings)):
        listed = (f"  {name:<{width}}  {text.partition(': ')[2]}" for name, text in named.items())
        lines += [f"{heading}, as in bcastcli help {next(iter(named))}:", *listed, ""]
    return "\n".join(lines)


def _show(markdown: str) -> None:
    """Write a topic: as it is, or drawn and paged on a terminal."""
    if not is_terminal(sys.stdout):
        write(markdown)
        return
    from bcastcli.render.topic import drawn  # it takes Rich

    text = drawn(markdown, terminal(Color.AUTO))
    usual = "less" if shutil.which("less") else ""
    pager = os.environ.get("MANPAGER", os.environ.get("PAGER", usual)).strip()
    if not pager or os.environ.get("TERM") == "dumb":
        write(text)
    elif _paged(text, pager) in _NOT_STARTED:
        print_error(f"cannot start the pager: {pager}")
        write(text)


_NOT_STARTED = (126, 127)
"""What a shell ends with where it cannot start a command."""


def _paged(text: str, pager: str) -> int:
    """Return the status of a pager that has shown a text; Ctrl-C is the pager's."""
    import subprocess  # only for pages

    os.environ.setdefault("LESS", "-FRX")  # colors, and no pager for what fits
    running = subprocess.Popen(  # noqa: S602  # the user's own command line
        pager, shell=True, stdin=subprocess.PIPE, encoding="utf-8", errors="backslashreplace"
    )
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        running.communicate(text)
    finally:
        signal.signal(signal.SIGINT, before)
    return running.returncode
