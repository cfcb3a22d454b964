"""The manual page, written from the app.

python completions/man.py > bcastcli/help/bcastcli.1
"""

import re
import sys
from collections.abc import Iterator
from textwrap import wrap
from typing import Any, NamedTuple

from bcastcli import __version__
from bcastcli import help as topics
from bcastcli.cli.main import COMMANDS, group
from bcastcli.rules import RULES

_WIDTH = 100
_DATE = re.findall(r"\d{4}-\d\d-\d\d", topics.sections()["changelog"])[0]
"""The day of the newest version."""
_PURPOSE = "find whether shapes broadcast, to what, and if not, why not"
_SYNOPSIS = "[\\fICOMMAND\\fR] [\\fIOPTION\\fR]... \\fISHAPE\\fR..."
_OF_ALL = 8
"""An option that at least so many commands have alike is explained once for them all."""
_ENVIRONMENT = {
    "NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE": "No color, or color in a pipe too; --color wins over"
    " all, and the first over the others.",
    "TERM": "With dumb, nothing is colored unless --color asks for it.",
    "COLUMNS": "The width of help and prose; default: the terminal's width.",
    "PAGER": "What shows a long topic on a terminal, nothing if it is empty; LESS is set to -FRX"
    " for it unless it is set.",
}
_FILES = {
    "share/bash-completion, share/zsh, share/fish": "The completions, in the folders of the three"
    " shells under the prefix of the installation.",
}
_EXAMPLES = {
    "bcastcli -p N,4 3,4": "The answer in one line, with the condition on the size N.",
    "printf '%s\\n' '2,3 3' '2,3 4' | bcastcli": "One question a line.",
    "python train.py 2>&1 | bcastcli why": "The error at the end of a log, explained.",
    "bcastcli onnx-uni -q 64,128 128 || exit": "In a script the status is the answer.",
}
_MORE = (
    "Shapes alone follow NumPy's rule, as PyTorch, JAX and TensorFlow do. bcastcli help COMMAND"
    " explains a command at length, bcastcli rules RULE a rule; bcastcli help topics lists the"
    " topics, among them formats, json, pipes and shapes."
)


_OF_LINES = (
    "Over many lines: 2 if any is invalid, else 1 if any does not broadcast, else 3 if any depends."
    " The format never changes the status."
)


class _Option(NamedTuple):
    """An option of a command, as its help shows it."""

    names: str
    text: str


def page() -> str:
    """Return the manual page in the man macros of roff."""
    return "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    yield f'.TH BCASTCLI 1 {_DATE} "bcastcli {__version__}" "User Commands"'
    yield from (".SH NAME", f"bcastcli \\- {_PURPOSE}", ".SH SYNOPSIS", ".B bcastcli", _SYNOPSIS)
    app = group()
    context = app.make_context("bcastcli", [], resilient_parsing=True)
    yield ".SH DESCRIPTION"
    yield from _filled(_prose(app.help))
    yield from (".PP", *_filled(_MORE))
    commands = {name: app.get_command(context, name) for name in COMMANDS}
    options = {name: _options(name, command) for name, command in commands.items()}
    owners: dict[_Option, list[str]] = {}
    for name, own in options.items():
        for option in own:
            owners.setdefault(option, []).append(name)
    shared = {option: names for option, names in owners.items() if len(names) >= _OF_ALL}
    yield ".SH COMMANDS"
    for name, command in commands.items():
        yield from _item(_usage(name, command), command.short_help)
        special = [option for option in options[name] if option not in shared]
        if special:
            yield ".RS"
            for option in special:
                yield from _item(*option)
            yield ".RE"
    yield ".SH OPTIONS"
    yield from _filled("Each of these belongs to the commands in brackets.")
    for (names, text), named in shared.items():
        yield from _item(names, f"{text} ({_of(named)})")
    yield from (".SH EXIT STATUS", *_filled(app.epilog.removeprefix("Exit status: ")))
    yield from (".PP", *_filled(_OF_LINES))
    for heading, items in (
        ("ENVIRONMENT", _ENVIRONMENT),
        ("FILES", _FILES),
        ("EXAMPLES", _EXAMPLES),
    ):
        yield f".SH {heading}"
        for name, text in items.items():
            yield from _item(name, text)
    yield from (".SH SEE ALSO", ".BR jq (1),", ".BR parallel (1)")


def _options(name: str, command: Any) -> list[_Option]:
    """Return the options of a command, each with its values and its help."""
    context = command.make_context(name, [], resilient_parsing=True)
    found = (one for one in command.get_params(context) if one.param_type_name == "option")
    records = (option.get_help_record(context) for option in found)
    return [_Option(*record) for record in records if record]


def _usage(name: str, command: Any) -> str:
    """Return a command with its arguments, as its usage line names them."""
    context = command.make_context(name, [], resilient_parsing=True)
    pieces = command.collect_usage_pieces(context)
    return " ".join([name, *(piece for piece in pieces if piece != "[OPTIONS]")])


def _of(names: list[str]) -> str:
    """Return the names of commands, all rules as one word."""
    if names == list(COMMANDS):
        return "all"
    others = [name for name in names if name not in RULES]
    rules = ["rule commands"] if set(RULES) <= set(names) else [n for n in names if n in RULES]
    return ", ".join([*rules, *others])


def _prose(text: str) -> str:
    r"""Return the paragraphs of a help in one, but for those that keep their lines after \\b."""
    kept = (each.strip() for each in text.split("\n\n") if not each.strip(" \n").startswith("\b"))
    return " ".join(kept)


def _item(name: str, text: str) -> Iterator[str]:
    """Yield a name, and below it what it means."""
    yield from (".TP", f".B {_text(name)}", *_filled(text))


def _filled(text: str) -> Iterator[str]:
    """Yield a paragraph in lines of moderate length."""
    yield from map(_text, wrap(" ".join(text.split()), _WIDTH, break_on_hyphens=False))


def _text(text: str) -> str:
    """Return a line of text such that roff takes none of it for a command."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    plain = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in plain)
    return f"\\&{plain}" if plain.startswith((".", "\\(aq")) else plain


if __name__ == "__main__":
    sys.stdout.write(page())
