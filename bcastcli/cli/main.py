"""The command line: finds the command, says what is wrong with a call, and returns the exit status.

Each command is built when it is asked for, since building all of them would take longer than
answering.
"""

import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from bcastcli.cli.commands import EXAMPLE, HELP_NAMES
from bcastcli.cli.commands.asking import EPILOG, MALFORMED, YES
from bcastcli.cli.console import UsageError, complain, complain_of, discard, encoding
from bcastcli.cli.options import MARK, TAKE_A_VALUE, VersionFlag
from bcastcli.core.answer import Rule
from bcastcli.notation import text as notation
from bcastcli.rules import RULES, by_any_name


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one command line (by default the process's own), and return the exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    # Sizes of as many digits as the notation allows, whatever the environment says.
    sys.set_int_max_str_digits(notation.MOST_DIGITS)
    try:
        status = _group().main(
            _marked(arguments), prog_name="bcastcli", complete_var="", standalone_mode=False
        )
        if sys.stdout is not None:
            sys.stdout.flush()
    except notation.NotationError as error:
        complain_of(error)
    except UsageError as error:
        complain(notation.printable(error.message, encoding(sys.stderr)))
    except typer.TyperException as error:
        complain(notation.printable(_in_our_words(error, arguments), encoding(sys.stderr)))
    except OSError as error:  # of standard output: it is all that is written to
        discard(sys.stdout)
        complain(f"cannot write: {error.strerror}")
    else:
        return int(status or YES)
    return MALFORMED


def _in_our_words(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """What Typer says of a command line, as one sentence like ours."""
    # It quotes an argument with its mark.
    message = error.format_message().removesuffix(".").replace(repr(MARK)[:-1], "'")
    if message.startswith("No such option"):
        _, _, option = message.partition(": ")
        option = option.removesuffix(" (Possible options: --help)")
        # Of -13 only -1 is told, which is no option, and a shape.
        option = next((each for each in arguments if each[:2] == option), option)
        where = " before the rule" if arguments[0].startswith("-") else f" of {arguments[0]}"
        return f"no such option{where}: {option}"
    return message[:1].lower() + message[1:]


def _marked(arguments: Sequence[str]) -> list[str]:
    """The arguments with a mark on each shape that looks like an option, such as -1,3."""
    marked: list[str] = []
    for number, argument in enumerate(arguments):
        if argument == "--":
            return marked + list(arguments[number:])
        is_shape = argument[:2] == "-1" and argument[2:3] in ",x×"
        is_value = number > 0 and arguments[number - 1] in TAKE_A_VALUE
        marked.append(MARK + argument if is_shape and not is_value else argument)
    return marked


def _command(module: str, *arguments: Rule) -> Callable[[], typer.Typer]:
    """What builds a command, from the module that is loaded when the command is asked for."""

    def build() -> typer.Typer:
        built: typer.Typer = import_module(f"bcastcli.cli.commands.{module}").build(*arguments)
        return built

    return build


COMMANDS: dict[str, Callable[[], typer.Typer]] = {
    **{name: _command("rule", rule) for name, rule in RULES.items()},
    "compare": _command("compare"),
    "op": _command("op"),
    "rules": _command("rules"),
    "quiz": _command("quiz"),
    "completions": _command("completions"),
}


@cache
def _group() -> Any:
    """Return the group of all commands, built once, as tests answer many command lines."""
    return get_command(app)


@cache
def _built(name: str) -> Any:
    """Return a command, built the first time that it is asked for."""
    return get_command(COMMANDS[name]())


class Commands(TyperGroup):
    """The commands, each built when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return _built(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS:
            raise UsageError(_no_such_command([arg.removeprefix(MARK) for arg in args]))
        return super().resolve_command(ctx, args)


def _no_such_command(arguments: Sequence[str]) -> str:
    """What to type instead of arguments that do not begin with a command."""
    import shlex

    word, *rest = arguments
    known = {name: name for name in COMMANDS}
    known |= {called: rule.name for called, rule in by_any_name().items()}
    name = known.get(word.lower())
    if name:
        is_its_name = name == word.lower()
        meant = (
            f"the command is called {name}" if is_its_name else f"{word} follows the rule {name}"
        )
    elif notation.looks_like_a_shape(word):
        name, rest, meant = "numpy", list(arguments), "a rule goes before the shapes"
    else:
        near = get_close_matches(word.lower(), known) if len(word) > 2 else []
        if not near:
            return f"there is no command {word}; the rules are {', '.join(RULES)}"
        name, meant = known[near[0]], f"there is no command {word}; did you mean"
    return f"{meant}: {shlex.join(['bcastcli', name, *rest])}"


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    context_settings=HELP_NAMES,
    invoke_without_command=True,
)


@app.callback(
    epilog=EPILOG,
    help=f"""Do these shapes broadcast, and to what? One command for each broadcasting rule.

\b
Examples:
  bcastcli numpy {EXAMPLE}
  bcastcli pdpd 2,3,4,5 3,4 --axis 1
  bcastcli numpy N,4 3,4 --json
  bcastcli compare 3,3 3
  bcastcli op Gemm 8,64 64,10 10""",
)
def _ask_for_a_rule(context: typer.Context, version: VersionFlag = False) -> None:
    if context.invoked_subcommand is None:
        rules = ", ".join(RULES)
        raise UsageError(
            f"a rule and shapes are missing: bcastcli numpy {EXAMPLE} "
            f"(rules: {rules}; --help tells more)"
        )
