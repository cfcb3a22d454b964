"""Write the completion scripts beside this file, from what the app itself offers.

    python completions/generate.py

What a command offers is read from its parameters in `bcastcli.cli.main`: a new command, option or
choice needs nothing here. An argument or option has values where its type is an enumeration, or
where it was given an `autocompletion`.
"""

from pathlib import Path
from typing import Any, NamedTuple

from typer.main import get_command

from bcastcli.cli.completions import FILES, Shell
from bcastcli.cli.main import app

NOTICE = "# Written by completions/generate.py from the app: a change made here is lost."


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
        _command("", group)._replace(arguments=(Argument("command", names, repeats=False),)),
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
    return tuple(item.value for item in parameter.shell_complete(context, ""))


def alike(offered: list[Command]) -> dict[Command, list[str]]:
    """One command of each set with the same options and arguments, and the names of them all."""
    first: dict[Any, Command] = {}
    names: dict[Command, list[str]] = {}
    for command in offered:
        model = first.setdefault(command[2:], command)
        names.setdefault(model, []).append(command.name)
    return names


def quoted(text: str) -> str:
    """A text as one word of bash or zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


# bash

BASH_HEAD = f"""\
# bash completion of bcastcli
{NOTICE}

# What a command offers, in variables of the caller: its options, each with its names and, after =,
# its values, after a comma if it takes a list; and the values of each of its arguments.
_bcastcli_offer() {{
    options=() arguments=()
    case $1 in
"""
BASH_TAIL = """\
    esac
}

# Count an option as given: it is not offered again, and if it takes a value, that is awaited.
_bcastcli_give() {
    local i name=${1%%=*}
    [[ $name != -[!-]* ]] || name=${name:0:2}
    for i in "${!options[@]}"; do
        if [[ " ${options[i]%%=*} " == *" $name "* ]]; then
            [[ ${options[i]} != *=* ]] || awaited=$name values=${options[i]#*=}
            unset "options[i]"
            return
        fi
    done
}

_bcastcli() {
    local IFS=$' \\t\\n' options arguments i word words
    local current=$2 command='' place=0 only_arguments='' awaited='' values='' before='' chosen=''
    COMPREPLY=()
    _bcastcli_offer ''

    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $awaited ]]; then
            # Readline takes --format=json for three words.
            [[ $word == = ]] || awaited=''
        elif [[ $word == -- && ! $only_arguments ]]; then
            only_arguments=yes
        elif [[ $word == -* && ! $only_arguments ]]; then
            _bcastcli_give "$word"
            # Otherwise it has its value: -fjson, or --format=json where = breaks no words.
            [[ $word == "$awaited" ]] || awaited=''
        elif [[ ! $command ]]; then
            command=$word only_arguments=''
            _bcastcli_offer "$command"
        else
            ((place += 1))
        fi
    done

    if [[ ! $awaited && ! $only_arguments ]]; then
        case $current in
            --*=*) before=${current%%=*}= ;;
            -[!-]?*) before=${current:0:2} ;;
        esac
        [[ ! $before ]] || _bcastcli_give "$current"
    fi
    if [[ $awaited ]]; then
        words=$values current=${current#"$before"}
        if [[ $values == ,* ]]; then
            chosen=${current%"${current##*,}"}
            words=${values#,} before+=$chosen current=${current##*,}
        fi
    elif [[ $current == -* && ! $only_arguments ]]; then
        words=${options[*]%%=*}
    else
        words=${arguments[place]-}
    fi
    for word in $words; do
        [[ $word != "$current"* || ,$chosen == *,"$word",* ]] || COMPREPLY+=("$before$word")
    done
}

complete -F _bcastcli bcastcli
"""


def bash(offered: list[Command]) -> str:
    """The script for bash."""
    lines = []
    for command, names in alike(offered).items():
        arguments = [" ".join(argument.values) for argument in command.arguments]
        lines += [
            f"        {' | '.join(name or quoted(name) for name in names)})",
            "            options=(",
            *(f"                {quoted(_bash_option(option))}" for option in command.options),
            "            )",
            f"            arguments=({' '.join(map(quoted, arguments))})",
            "            ;;",
        ]
    return BASH_HEAD + "".join(f"{line}\n" for line in lines) + BASH_TAIL


def _bash_option(option: Option) -> str:
    equals = () if option.values is None else (f"={option.separator}", *option.values)
    return " ".join((*option.names, *equals))


# zsh

ZSH_HEAD = f"""\
#compdef bcastcli
# zsh completion of bcastcli
{NOTICE}

_bcastcli() {{
    local curcontext=$curcontext state
    local -a line
    local -A opt_args
    local -a commands=(
"""
ZSH_TAIL = """\
    esac
}

# Loaded by compinit from a folder of $fpath, the script is the body of the function itself.
if [[ $funcstack[1] == _bcastcli ]]; then
    _bcastcli "$@"
else
    compdef _bcastcli bcastcli
fi
"""


def zsh(offered: list[Command]) -> str:
    """The script for zsh."""
    alone, *named = offered
    lines = [
        *(f"        {quoted(_zsh_command(command))}" for command in named),
        "    )",
        "",
        "    _arguments -C -S \\",
        *(f"        {_zsh_option(option)} \\" for option in alone.options),
        "        '1:command:->command' \\",
        "        '*::argument:->argument' && return",
        "",
        "    if [[ $state == command ]]; then",
        "        _describe command commands",
        "        return",
        "    fi",
        "    case $words[1] in",
    ]
    for command, names in alike(named).items():
        specifications = [
            *map(_zsh_option, command.options),
            *(
                _zsh_argument(place, argument)
                for place, argument in enumerate(command.arguments, start=1)
            ),
        ]
        if not any(argument.repeats for argument in command.arguments):
            # Where no argument is left, zsh would offer options.
            specifications.append("'*: : '")
        lines += [
            f"        {'|'.join(names)})",
            "            _arguments -s -S \\",
            " \\\n".join(f"                {each}" for each in specifications),
            "            ;;",
        ]
    return ZSH_HEAD + "".join(f"{line}\n" for line in lines) + ZSH_TAIL


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


def _zsh_argument(place: int, argument: Argument) -> str:
    which = "*" if argument.repeats else f"{place}"
    return quoted(f"{which}:{argument.name}:{_zsh_values(argument.values)}")


def _zsh_values(values: tuple[str, ...], separator: str = "") -> str:
    """What completes a value, or a list of values; a blank stands for nothing."""
    if separator:
        return f"_sequence -s {separator} compadd - {' '.join(values)}"
    return f"({' '.join(values)})" if values else " "


def _escaped(text: str, special: str) -> str:
    return "".join(f"\\{each}" if each in f"\\{special}" else each for each in text)


# fish

FISH_HEAD = f"""\
# fish completion of bcastcli
{NOTICE}

# The command and its arguments: what stands before the cursor without options and their values.
function __bcastcli_words
    set -l words (commandline -opc)
    set -l awaited no
    for word in $words[2..-1]
        if test $awaited = yes
            set awaited no
        else if contains -- $word """
FISH_TAIL = """
            set awaited yes
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

# Whether the command is one of these.
function __bcastcli_in
    set -l words (__bcastcli_words)
    contains -- "$words[1]" $argv
end

# Whether so many words stand before the cursor, the command among them.
function __bcastcli_after
    test (count (__bcastcli_words)) -eq $argv[1]
end

# Whether an option, by whichever of its names, is not given yet.
function __bcastcli_lacks
    for word in (commandline -opc | string replace -r '^(--[^=]+|-[^-]).*' '$1')
        contains -- $word $argv; and return 1
    end
    return 0
end

# The same for an option that takes a value. Right after its name, that value is what it lacks.
function __bcastcli_lacks_value
    contains -- (commandline -opc)[-1] $argv; or __bcastcli_lacks $argv
end

# The values of a list that are not in it yet, each after those that are.
function __bcastcli_list
    set -l typed (commandline -ct | string replace -r '^--[^=]+=' '')
    set -l before (string replace -r '[^,]*$' '' -- $typed)
    for value in $argv
        contains -- $value (string split , -- $before); or echo $before$value
    end
end

# No file names.
complete -c bcastcli -f
"""


def fish(offered: list[Command]) -> str:
    """The script for fish."""
    _, *named = offered
    owners: dict[Option, list[str]] = {}
    for command in offered:
        for option in command.options:
            owners.setdefault(option, []).append(command.name)
    take_a_value = dict.fromkeys(
        name for option in owners if option.values is not None for name in option.names
    )
    parts = [
        *(
            f"complete -c bcastcli -n '__bcastcli_after 0' -a {command.name}"
            f" -d {_fish(command.help)}\n"
            for command in named
        ),
        *(_fish_option(option, names) for option, names in owners.items()),
        *(
            _fish_argument(command.name, place, argument)
            for command in named
            for place, argument in enumerate(command.arguments, start=1)
            if argument.values
        ),
    ]
    return FISH_HEAD + " ".join(take_a_value) + FISH_TAIL + "".join(parts)


def _fish(text: str) -> str:
    """A text as one word of fish."""
    return "'" + _escaped(text, "'") + "'"


def _fish_option(option: Option, owners: list[str]) -> str:
    names = [
        f"-{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in option.names
    ]
    lacks = "__bcastcli_lacks"
    if option.values is not None:
        names.append("-x")
        lacks = "__bcastcli_lacks_value"
    if option.values:
        values = " ".join(option.values)
        names.append(f"-a {_fish(f'(__bcastcli_list {values})' if option.separator else values)}")
    owned = " ".join(owner or "''" for owner in owners)
    return f"""\
complete -c bcastcli {" ".join(names)} -d {_fish(option.help)} \\
    -n "__bcastcli_in {owned}; and {lacks} {" ".join(option.names)}"
"""


def _fish_argument(command: str, place: int, argument: Argument) -> str:
    return f"""\
complete -c bcastcli -a {_fish(" ".join(argument.values))} \\
    -n '__bcastcli_in {command}; and __bcastcli_after {place}'
"""


WRITERS = {Shell.BASH: bash, Shell.ZSH: zsh, Shell.FISH: fish}


def scripts() -> dict[str, str]:
    """The scripts by the names of their files."""
    offered = commands()
    return {FILES[shell]: write(offered) for shell, write in WRITERS.items()}


def main() -> None:
    """Write the scripts."""
    for name, text in scripts().items():
        Path(__file__).with_name(name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
