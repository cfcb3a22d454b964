"""The option parser, Typer's: finds the command of a line, and says what is wrong with the line.

Each command is built when it is needed, since building all of them takes longer than answering.
"""

import re
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_command

from bcastcli.cli.answering import WITH_VALUE, YES
from bcastcli.cli.commands import HELP_NAMES, without_pydantic
from bcastcli.cli.console import UsageError, is_terminal, write
from bcastcli.cli.options import MARK
from bcastcli.cli.page import listed, paragraphs, styled
from bcastcli.notation import text as notation
from bcastcli.rules import RULES, USUAL, completed, find

_OWN = ("op", "rules", "help", "completions")
_ORDER = ("run", "why", "model", "compare", "check", "op", "help", "deck", "quiz", "rules")
_FOLDERS = {"run": "raising"}
"""The folders of features that are not named after their command."""
_HERE = Path(__file__).parents[1]


def _module(name: str) -> str:
    """The name of the module of a command."""
    place = f"cli.commands.{name}" if name in _OWN else f"{_FOLDERS.get(name, name)}.command"
    return f"bcastcli.{place}"


def _is_installed(name: str) -> bool:
    return name in _OWN or (_HERE / _FOLDERS.get(name, name) / "__init__.py").is_file()


def _summary(name: str) -> str:
    """A command in one line, without building it: a feature has it in its folder."""
    summary: str = import_module(_module(name).removesuffix(".command")).SUMMARY
    return summary


_TOOLS = [name for name in (*_ORDER, "completions") if _is_installed(name)]
"""The commands other than rules: those of `cli`, and of each installed feature."""
COMMANDS = (*RULES, *_TOOLS)
_TEXT = """Do these shapes broadcast, to what, and if not, why not?
  bcastcli 8,1,6,1 7,1,5"""
_RULES = "Rules (bcastcli rules explains them; bcastcli torch 3,4 3 works too):"


def run(arguments: list[str]) -> int:
    """Run a command line and return the exit status; UsageError for one that cannot be read."""
    try:
        # Unlike Typer's own runner, this leaves Ctrl-C alone.
        with group().make_context("bcastcli", list(arguments)) as context:
            return int(group().invoke(context) or YES)
    except typer.Exit as ended:  # of --help, of which Typer writes no error
        write("")
        return ended.exit_code
    except typer.TyperException as error:
        raise UsageError(_sentence(error, arguments)) from None


def _with_command_first(arguments: list[str]) -> list[str]:
    """The arguments with the command first, which is the default one if it is missing."""
    if not arguments:
        return [] if sys.stdin is None or is_terminal(sys.stdin) else [USUAL]
    before = ""
    for place, word in enumerate(arguments):
        is_value = before in WITH_VALUE or re.fullmatch("-[pq]+f", before)
        if word[:1] != "-" and not is_value:
            if word in COMMANDS or (find(word) and not notation.may_be_shape(word)):
                return [word, *arguments[:place], *arguments[place + 1 :]]
            break
        before = word
    if arguments[0] in HELP_NAMES["help_option_names"]:
        return arguments
    if arguments[0][:1] == "-" or _begins_question(arguments):
        return [USUAL, *arguments]
    return arguments


def _begins_question(arguments: Sequence[str]) -> bool:
    """Whether the first argument, which is not a command, is a shape."""
    word, *others = arguments
    if notation.may_be_shape(word) or "..." in word:
        return True
    # A word is a shape if it names a size of another shape, as on any line: n batch,n.
    return word in re.findall(r"\w+", " ".join(others))


def _sentence(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """Typer's error about a command line, as one sentence in our style."""
    from bcastcli.cli.words import gone, unknown_option  # rarely needed

    context: Any = getattr(error, "ctx", None)
    command = context.info_name if context else ""
    if instead := gone(command, arguments):
        return instead
    typed = getattr(error, "option_name", "")
    if typed and hasattr(error, "possibilities"):  # there is no such option
        # For -13 Typer reports only -1, which is a shape.
        option = next((word for word in arguments if word[:2] == typed), typed)
        known = [name for parameter in context.command.params for name in parameter.opts]
        return unknown_option(command, option, known)
    # Typer quotes an argument with its mark.
    message = error.format_message().removesuffix(".").replace(repr(MARK)[:-1], "'")
    message = message.replace("Got unexpected extra argument(s)", "unexpected argument")
    message = re.sub(r"'(--[\w-]+)'( / '-\w')?", r"\1", message)
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


class Completion(NamedTuple):
    """What may follow where TAB was pressed, as Typer writes it for a shell."""

    value: str
    help: str = ""


class Commands(TyperGroup):
    """The commands, each built when it is needed."""

    def get_help(self, ctx: Any) -> str:
        """The page of `-h`."""
        return help_of_all()

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Find the command of a line; where TAB was pressed in it, that may still be missing."""
        without_pydantic(self.get_params(ctx))
        is_to_come = ctx.resilient_parsing and all(word[:1] == "-" for word in args)
        left: list[str] = super().parse_args(ctx, [] if is_to_come else _with_command_first(args))
        return left

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """The commands and options with this prefix, or else the names of frameworks."""
        commands = super().shell_complete(ctx, incomplete)
        return commands or [Completion(name) for name in completed(incomplete)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return built(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if built(args[0]) is None:
            from bcastcli.cli.words import unknown_command  # rarely needed

            raise UsageError(unknown_command(args, list(COMMANDS)))
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    context_settings=HELP_NAMES,
    invoke_without_command=True,
)


@cache
def group() -> Any:
    """The group of all commands, built once, as tests answer many command lines."""
    return get_command(app)


@app.callback()
def _no_command(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        raise UsageError("a shape is missing", f"{help_of_all()}\n")


def help_of_all() -> str:
    """The page of `bcastcli -h`, which lists the commands; at most 23 lines of 80 columns."""
    lines = ["Usage: bcastcli [RULE] SHAPE... | bcastcli COMMAND ...", *paragraphs(_TEXT), ""]
    lines += ["Commands:", *listed([(name, _summary(name)) for name in _TOOLS]), ""]
    users = [f"{name} ({rule.summary.partition(':')[0]})" for name, rule in RULES.items()]
    lines += [_RULES, *paragraphs(", ".join(users))]
    return styled(lines)
