"""The option parser, Typer's: finds the command of a line, and says what is wrong with the line.

Each command is built when it is needed, since building all of them takes longer than answering.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

from bcastcli.cli.answering import YES
from bcastcli.cli.console import UsageError, hint, write
from bcastcli.cli.early import HELP, TOOLS
from bcastcli.cli.options import MARK
from bcastcli.cli.page import listed, paragraphs, styled
from bcastcli.rules import RULES, find

_OWN = ("op", "rules", "help", "completions")
_FOLDERS = {"run": "raising"}
"""The folders of features that are not named after their command."""
_HERE = Path(__file__).parents[1]


def _module(name: str) -> str:
    """The name of the module of a command."""
    place = f"cli.commands.{name}" if name in _OWN else f"{_FOLDERS.get(name, name)}.command"
    return f"bcastcli.{place}"


def _installed(names: Iterable[str]) -> list[str]:
    """The commands that are here; a feature may be missing.

    >>> _installed(["op", "why", "run", "astrology"])
    ['op', 'why', 'run']
    """
    return [
        name
        for name in names
        if name in _OWN or (_HERE / _FOLDERS.get(name, name) / "__init__.py").is_file()
    ]


def _summary(name: str) -> str:
    """A command in one line, without building it: a feature has it in its folder."""
    summary: str = import_module(_module(name).removesuffix(".command")).SUMMARY
    return summary


_TOOLS = _installed(TOOLS)
"""The commands other than rules: those of `cli`, and of each installed feature."""
COMMANDS = (*RULES, *_TOOLS)
_TEXT = """Do these shapes broadcast, and to what shape? If not, why not?
  bcastcli 8,1,6,1 7,1,5"""
_RULES = "Rules (bcastcli rules explains them; bcastcli torch 3,4 3 works too):"


def run(name: str, arguments: list[str]) -> int:
    """Run a command and return the exit status; UsageError for a line that cannot be read."""
    if not name:
        raise UsageError("a shape is missing", f"{help_of_all()}\n")
    if name in HELP:
        write(f"{help_of_all()}\n")
        return YES
    command = built(name)
    if command is None:
        from bcastcli.cli.words import unknown_command  # rarely needed

        sentence, meant = unknown_command([name, *arguments], COMMANDS)
        raise UsageError(sentence, hint(meant))
    try:
        # Unlike Typer's own runner, this leaves Ctrl-C alone.
        with command.make_context(name, list(arguments)) as context:
            return int(command.invoke(context) or YES)
    except typer.Exit as ended:  # of --help, of which Typer writes no error
        write("")
        return ended.exit_code
    except typer.TyperException as error:
        raise UsageError(_sentence(error, name, arguments)) from None


def _sentence(error: Any, command: str, arguments: Sequence[str]) -> str:
    """Typer's error about the arguments of a command, as one sentence in our style."""
    from bcastcli.cli.words import gone, unknown_option  # rarely needed

    if instead := gone(command, arguments):
        return instead
    if hasattr(error, "possibilities"):  # there is no such option
        # Of -xyz Typer reports only -x.
        typed = error.option_name
        option = next((word for word in arguments if word[:2] == typed), typed)
        known = [name for parameter in built(command).params for name in parameter.opts]
        return unknown_option(command, option, known)
    # Typer quotes an argument with its mark.
    message: str = error.format_message().removesuffix(".").replace(repr(MARK)[:-1], "'")
    message = message.replace("Got unexpected extra argument(s)", "unexpected argument")
    message = re.sub(
        r"(value for|option) '(-[\w-]+)'( / '-\w')?", r"\1 \2", message, flags=re.IGNORECASE
    )
    return message[:1].lower() + message[1:]


@cache
def built(name: str) -> Any:
    """The command for its own name or a framework's; None if there is none."""
    rule = find(name)
    if name in _TOOLS:
        app = import_module(_module(name)).build()
    elif rule:
        from bcastcli.cli.commands.rules import build_rule  # not for the other commands

        app = build_rule(rule.name, name)
    else:
        return None
    return get_command(app)


def help_of_all() -> str:
    """The page of `bcastcli -h`, which lists the commands; at most 23 lines of 80 columns."""
    lines = ["Usage: bcastcli [RULE] SHAPE... | bcastcli COMMAND ...", *paragraphs(_TEXT), ""]
    lines += ["Commands:", *listed([(name, _summary(name)) for name in _TOOLS]), ""]
    users = [f"{name} ({rule.summary.partition(':')[0]})" for name, rule in RULES.items()]
    lines += [_RULES, *paragraphs(", ".join(users))]
    return styled(lines)
