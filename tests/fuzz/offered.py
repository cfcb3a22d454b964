"""What the program takes: each command with its options, and the values that are fixed."""

from functools import cache
from typing import Any, NamedTuple

from bcastcli.cli.commands.completions import group
from bcastcli.cli.parser import COMMANDS


class Option(NamedTuple):
    """An option, and what may follow it."""

    names: tuple[str, ...]
    values: tuple[str, ...] | None
    """None: it takes no value. Empty: what it takes cannot be listed."""


class Command(NamedTuple):
    """A command; the one without a name is the app itself, whose argument is a command."""

    name: str
    options: tuple[Option, ...]
    values: tuple[str, ...]
    """The words that its arguments are known to take."""


@cache
def commands() -> tuple[Command, ...]:
    """The app, and each command but `run`, which becomes another program."""
    app = group()
    context = app.make_context("bcastcli", [], resilient_parsing=True)
    named = [(name, app.get_command(context, name)) for name in COMMANDS if name != "run"]
    alone = _command("", app)._replace(values=COMMANDS)
    return (alone, *(_command(name, command) for name, command in named))


def _command(name: str, command: Any) -> Command:
    context = command.make_context(name, [], resilient_parsing=True)
    options: list[Option] = []
    values: list[str] = []
    for parameter in command.get_params(context):
        words = tuple(item.value for item in parameter.shell_complete(context, ""))
        if parameter.param_type_name == "option":
            options.append(Option(tuple(parameter.opts), None if parameter.is_flag else words))
        else:
            values += words
    return Command(name, tuple(options), tuple(values))
