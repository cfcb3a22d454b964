"""Fill the marked blocks of the completion scripts beside this file, from what the app offers.

    python completions/generate.py

A block stands between a line that ends in `from the app: NAME` and one that ends in `end`. All else
in the scripts is shell code to edit where it stands.

What a command offers is read from its parameters in `bcastcli.cli.main`: a new command, option or
choice needs nothing here but its word in `_WORDS`. An argument or option has values where its type
is an enumeration, or where it was given an `autocompletion`, and is a file where its metavar has
FILE.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from typer.main import get_command

from bcastcli import help as topics
from bcastcli.cli.commands.completions import FILES, Shell
from bcastcli.cli.main import app
from bcastcli.operators.table import operators
from bcastcli.rules import RULES, USUAL
from bcastcli.rules.frameworks import RULE_OF, words_of

_BLOCK = re.compile(
    r"^(?P<begin> *# from the app: (?P<name>\w+)\n).*?^(?P<end> *# end)$", re.MULTILINE | re.DOTALL
)

FILES_OF = "<files>"
"""What stands for the names of files among values."""
FRAMEWORKS = "<frameworks>"
"""What stands after values for the names of frameworks, offered where none of the values fits."""
_WORDS = {
    "table": "for people, the default for one question",
    "plain": "one line, the default for lines",
    "json": "one object on one line",
    "tsv": "a header and rows, for spreadsheets",
    "markdown": "the table for notes",
    "svg": "a picture or a slide",
    "html": "a page without other files",
    "lines": "the questions, for op -",
    "github": "annotations for GitHub Actions",
    "text": "a handout to print",
    "gift": "questions for Moodle",
    "auto": "on a terminal",
    "always": "in a pipe too",
    "never": "no colors",
    "align": "the operands, lined up",
    "compare": "sizes compared axis by axis",
    "stretch": "copies along each stretched axis",
    "result": "the whole picture",
    "no": "does not broadcast",
    "depends": "depends on open sizes",
    "undecided": "the file lacks information",
    "light": "dark on white",
    "dark": "light on black",
    "ncnn": "innermost axis first",
    "numpy": "outermost axis first",
    "drop": "C,H,W alone",
    "keep": "as an axis of its own",
    "bash": "for ~/.bashrc",
    "zsh": "for ~/.zshrc",
    "fish": "for ~/.config/fish/completions",
    "below": "under the questions",
    "only": "the key without the questions",
    "none": "without a key",
    topics.SCHEMA: "the JSON Schema of every object",
    topics.LIST: "the list of all topics",
}
"""What each value means, where nothing else in the app says so."""


def word_of(option: str, value: str, commands: Mapping[str, str]) -> str:
    """Return what a value of an option, or of an argument, means; raise KeyError if nobody says."""
    if option == "--level":
        return f"questions on {value.replace('-', ' ')}" if value != "mixed" else "all kinds"
    if option.startswith("-") and option not in ("--rule", "--rules"):
        return _WORDS[value]
    if value in operators():
        return f"rule {operators()[value][-1].rule}"
    return {**_WORDS, **_titles(), **commands}[value]


@cache
def _titles() -> Mapping[str, str]:
    """Return what the pages of help are about, by their names."""
    pages = {
        **{name: topics.text(name) for name in topics.names()},
        **{name: text.removeprefix("#") for name, text in topics.sections().items()},
    }
    return {name: page.partition("\n")[0].partition(": ")[2] for name, page in pages.items()}


# What there is to offer


class Option(NamedTuple):
    """An option, and what may follow it."""

    names: tuple[str, ...]
    help: str
    values: tuple[str, ...] | None
    """None: it takes no value. Empty: what it takes cannot be listed."""
    separator: str = ""
    """What stands between values where it takes several of them."""


class Argument(NamedTuple):
    """One argument of a command, or any number of them."""

    name: str
    values: tuple[str, ...]
    repeats: bool


class Command(NamedTuple):
    """A command. The one without a name is the app itself, whose argument is a command."""

    name: str
    help: str
    options: tuple[Option, ...]
    arguments: tuple[Argument, ...]


def commands() -> list[Command]:
    """What the app offers: first before a command, then after each."""
    group: Any = get_command(app)
    context = group.make_context("bcastcli", [], resilient_parsing=True)
    named = [(name, group.get_command(context, name)) for name in group.list_commands(context)]
    offered = [_command(name, command) for name, command in named if not command.hidden]
    names = tuple(command.name for command in offered)
    return [
        _command("", group)._replace(
            arguments=(Argument("command", (*names, FRAMEWORKS), repeats=False),)
        ),
        *offered,
    ]


def _command(name: str, command: Any) -> Command:
    context = command.make_context(name, [], resilient_parsing=True)
    parameters = [one for one in command.get_params(context) if not getattr(one, "hidden", False)]
    return Command(
        name,
        command.get_short_help_str(limit=100),
        tuple(_option(one, context) for one in parameters if one.param_type_name == "option"),
        tuple(_argument(one, context) for one in parameters if one.param_type_name == "argument"),
    )


def _option(option: Any, context: Any) -> Option:
    short_first = tuple(sorted(option.opts, key=len))
    values = None if option.is_flag else _values(option, context)
    takes_more = bool(values and option.shell_complete(context, f"{values[0]},"))
    return Option(short_first, option.help, values, "," if takes_more else "")


def _argument(argument: Any, context: Any) -> Argument:
    return Argument(argument.name, _values(argument, context), argument.nargs == -1)


def _values(parameter: Any, context: Any) -> tuple[str, ...]:
    if "FILE" in (parameter.metavar or ""):
        return (FILES_OF,)
    values = tuple(item.value for item in parameter.shell_complete(context, ""))
    return (*values, FRAMEWORKS) if _takes_frameworks(parameter, context) else values


def _takes_frameworks(parameter: Any, context: Any) -> bool:
    word = next(iter(RULE_OF))
    return any(item.value == word for item in parameter.shell_complete(context, word))


def alike(offered: list[Command]) -> dict[Command, list[str]]:
    """One command of each set with the same options and arguments, and the names of them all."""
    first: dict[Any, Command] = {}
    names: dict[Command, list[str]] = {}
    for command in offered:
        model = first.setdefault(command[2:], command)
        names.setdefault(model, []).append(command.name)
    return names


def _pattern(names: list[str]) -> list[str]:
    """The names of rules, with those of frameworks; any other word is a shape of the usual rule."""
    if USUAL in names:
        return ["*"]
    return [word for name in names for word in (name, *words_of(name))]


def _usual_last(offered: list[Command]) -> list[tuple[Command, list[str]]]:
    """The commands as `alike` groups them, last the one that any other word stands for."""
    return sorted(alike(offered).items(), key=lambda each: USUAL in each[1])


def quoted(text: str) -> str:
    """A text as one word of bash or zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


# bash


def bash(offered: list[Command]) -> Iterator[tuple[str, list[str]]]:
    """Yield the block for bash: for each command its options and arguments."""
    lines = []
    for command, names in _usual_last(offered):
        arguments = [
            " ".join(argument.values) + ("..." if argument.values and argument.repeats else "")
            for argument in command.arguments
        ]
        lines += [
            f"        {' | '.join(name or quoted(name) for name in _pattern(names))})",
            "            options=(",
            *(f"                {quoted(_bash_option(option))}" for option in command.options),
            "            )",
            f"            arguments=({' '.join(map(quoted, arguments))})",
            "            ;;",
        ]
    yield "commands", lines
    yield "frameworks", [f"    frameworks={quoted(' '.join(RULE_OF))}"]


def _bash_option(option: Option) -> str:
    equals = () if option.values is None else (f"={option.separator}", *option.values)
    return " ".join((*option.names, *equals))


# zsh


def zsh(offered: list[Command]) -> Iterator[tuple[str, list[str]]]:
    """Yield the blocks for zsh: the commands, the app's own options, and each command's."""
    alone, *named = offered
    yield "commands", [f"        {quoted(_zsh_command(command))}" for command in named]
    yield "options", [f"        {_zsh_option(option)}" for option in alone.options]
    yield "frameworks", [f'    compadd "$@" -- {" ".join(RULE_OF)}']
    lines = []
    for command, names in _usual_last(named):
        specifications = [
            *map(_zsh_option, command.options),
            *(
                _zsh_argument(place, argument)
                for place, argument in enumerate(command.arguments, start=1)
            ),
        ]
        if not any(argument.repeats for argument in command.arguments):
            specifications.append(quoted(f"*: :{_ZSH_NOTHING}"))
        lines += [
            f"        {'|'.join(_pattern(names))})",
            "            _bcastcli_argument \\",
            " \\\n".join(f"                {each}" for each in specifications),
            "            ;;",
        ]
    yield "arguments", lines


def _zsh_command(command: Command) -> str:
    return f"{command.name}:{_escaped(command.help, ':')}"


def _zsh_option(option: Option) -> str:
    text, value = f"[{_escaped(option.help, '[]')}]", ""
    names = list(option.names)
    if option.values is not None:
        # -f json and -fjson, --format json and --format=json
        names = [f"{name}=" if name.startswith("--") else f"{name}+" for name in names]
        value = f":{option.names[-1].lstrip('-')}:{_zsh_values(option.values, option.separator)}"
    if len(names) == 1:
        return quoted(names[0] + text + value)
    return f"'({' '.join(option.names)})'{{{','.join(names)}}}{quoted(text + value)}"


_ZSH_NOTHING = "{ : }"
"""What offers no argument. (A message would keep zsh from completing an option in its place.)"""


def _zsh_argument(place: int, argument: Argument) -> str:
    which = "*" if argument.repeats else f"{place}"
    values = _zsh_values(argument.values) if argument.values else _ZSH_NOTHING
    return quoted(f"{which}:{argument.name}:{values}")


def _zsh_values(values: tuple[str, ...], separator: str = "") -> str:
    """What completes a value, or a list of values; a blank stands for nothing."""
    if values == (FILES_OF,):
        return "_files"
    if values[-1:] == (FRAMEWORKS,):
        return f"_bcastcli_values {' '.join(values[:-1])}"
    if separator:
        return f"_sequence -s {separator} compadd - {' '.join(values)}"
    return f"({' '.join(values)})" if values else " "


def _escaped(text: str, special: str) -> str:
    return "".join(f"\\{each}" if each in f"\\{special}" else each for each in text)


# fish


def fish(offered: list[Command]) -> Iterator[tuple[str, list[str]]]:
    """Yield the blocks for fish: the options that take a value, and what is offered when."""
    _, *named = offered
    owners: dict[Option, list[str]] = {}
    for command in offered:
        for option in command.options:
            owners.setdefault(option, []).append(command.name)
    take_a_value = dict.fromkeys(
        name for option in owners if option.values is not None for name in option.names
    )
    words = {command.name: command.help for command in named}
    places = [
        f"{command.name}:{'*' if argument.repeats else place}"
        for command in named
        for place, argument in enumerate(command.arguments, start=1)
        if argument.values
    ]
    rules = [f"{word}:{name}" for name in RULES for word in words_of(name)]
    yield (
        "values",
        [
            f"set -g __bcastcli_take_a_value {' '.join(take_a_value)}",
            f"set -g __bcastcli_commands {' '.join(command.name for command in named)}",
            f"set -g __bcastcli_frameworks {' '.join(rules)}",
            f"set -g __bcastcli_places {' '.join(map(_fish, places))}",
        ],
    )
    yield (
        "commands",
        [
            *(
                f"complete -c bcastcli -n '__bcastcli_after 0' -a {command.name}"
                f" -d {_fish(command.help)}"
                for command in named
            ),
            *(_fish_option(option, names, words) for option, names in owners.items()),
            *(
                _fish_argument(command.name, place, argument, words)
                for command in named
                for place, argument in enumerate(command.arguments, start=1)
                if argument.values
            ),
        ],
    )


def _fish(text: str) -> str:
    """A text as one word of fish."""
    return "'" + _escaped(text, "'") + "'"


def _fish_option(option: Option, owners: list[str], words: Mapping[str, str]) -> str:
    names = [
        f"-{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in option.names
    ]
    lacks = "__bcastcli_lacks"
    if option.values is not None:
        names.append("-r -F" if option.values == (FILES_OF,) else "-x")
        lacks = "__bcastcli_lacks_value"
    if option.values and option.values != (FILES_OF,):
        described = _described(option.names[-1], option.values, words)
        names.append(
            f"-a {_fish(f'(__bcastcli_list {described})' if option.separator else described)}"
        )
    owned = " ".join(owner or "''" for owner in owners)
    return (
        f"complete -c bcastcli {' '.join(names)} -d {_fish(option.help)} \\\n"
        f'    -n "__bcastcli_in {owned}; and {lacks} {" ".join(option.names)}"'
    )


def _fish_argument(command: str, place: int, argument: Argument, words: Mapping[str, str]) -> str:
    offered = "-F" if argument.values == (FILES_OF,) else None
    offered = offered or f"-a {_fish(_described(argument.name, argument.values, words))}"
    after = "__bcastcli_takes" if argument.repeats else f"__bcastcli_after {place}"
    return f"complete -c bcastcli {offered} \\\n    -n '__bcastcli_in {command}; and {after}'"


def _described(option: str, values: tuple[str, ...], commands: Mapping[str, str]) -> str:
    """The values of an option, each with its word."""
    if values[-1:] == (FRAMEWORKS,):
        described = _described(option, values[:-1], commands)
        return f"{described} (__bcastcli_else {' '.join(values[:-1])})"
    words = ((value, word_of(option, value, commands)) for value in values)
    return " ".join(f'{value}\\t"{word}"' for value, word in words)


BLOCKS = {Shell.BASH: bash, Shell.ZSH: zsh, Shell.FISH: fish}


def scripts() -> dict[str, str]:
    """Return the scripts with their blocks filled, by the names of their files."""
    offered = commands()
    texts = {
        shell: Path(__file__).with_name(name).read_text("utf-8") for shell, name in FILES.items()
    }
    return {FILES[each]: filled(text, dict(BLOCKS[each](offered))) for each, text in texts.items()}


def filled(script: str, blocks: Mapping[str, list[str]]) -> str:
    """Return a script with the lines of each of its blocks; KeyError if one has another name."""
    found = {match["name"] for match in _BLOCK.finditer(script)}
    if found != set(blocks):
        raise KeyError(*(found ^ set(blocks)))

    def block(match: re.Match[str]) -> str:
        lines = "".join(f"{line}\n" for line in blocks[match["name"]])
        return f"{match['begin']}{lines}{match['end']}"

    return _BLOCK.sub(block, script)


def main() -> None:
    """Write the scripts."""
    for name, text in scripts().items():
        Path(__file__).with_name(name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
