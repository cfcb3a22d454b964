"""Proposals for unknown commands, by meaning first, and for values that an option does not take."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from os.path import exists, isdir, isfile
from pathlib import Path

from bcastcli.cli.trial import works
from bcastcli.notation.hints import file_hint, reads_as_file
from bcastcli.rules import RULES, TO_A_TARGET, find, names, nearest
from bcastcli.rules.frameworks import WITHOUT_A_RULE

_MUST_BE: Mapping[str, Callable[[str], object]] = {
    "file": isfile,
    "folder": isdir,
    "missing": lambda word: not (word and exists(word)),  # noqa: PTH110  # Path's raises errors
    "rule": find,
    "stem": lambda word: isfile(f"{word}.py") and not exists(word),  # noqa: PTH110, PTH113
}
"""What the text of a group of this name must be, in a listed command line."""
_MAX_LINE = 200
"""The longest command line that is compared with those listed."""
# Functions that give one array the shape of a target: onnx-uni with the target as A.
_OF_A_TARGET = ("broadcast_to", "expand", "expand_as")


@cache
def listed(section: str) -> Mapping[str, str]:
    """Return a section of the file of words."""
    text = Path(__file__).with_suffix(".txt").read_text("utf-8")
    rows = text.partition(f"[{section}]\n")[2].partition("\n\n")[0].splitlines()
    return dict(row.split(": ", 1) for row in rows)


def meant(word: str, *sections: str) -> str:
    """Return the name under which a section of the file lists a word; empty if it is not listed.

    >>> meant("github", "topics", "commands"), meant("-n", "options"), meant("xyzzy", "topics")
    ('check', '--count', '')
    """
    rows = (row for section in sections for row in listed(section).items())
    return next((name for name, words in rows if word in words.split()), "")


def not_taken(option: str, value: str, possible: str) -> str | None:
    """Return one sentence on the substitute for a value; None if it is unknown.

    `possible` is the list of the values that it takes, in quotes.
    """
    near = meant(value.lower(), "values")
    if near and f"'{near}'" in possible:
        return f"{option} does not take {value}; did you mean {option} {near}?"
    return None


def instead_of(arguments: Sequence[str]) -> str:
    """Return one sentence on what to type instead of a command line; empty if it is not listed.

    >>> instead_of(["run", "pytest", "-x"])
    'pytest is a module: bcastcli run -m pytest -x'
    >>> instead_of(["deck", "old.svg", "-o", "new.html"])
    ''
    >>> instead_of(["model", "net.onnx", "--name", "conv:0"])
    ''
    """
    line, own = shlex.join(arguments), f"{arguments[0]} "
    for pattern, sentence in listed("lines").items() if len(line) <= _MAX_LINE else ():
        found = pattern.startswith(own) and re.fullmatch(pattern, line)
        if found and all(_MUST_BE[name](word) for name, word in found.groupdict().items()):
            return found.expand(sentence)
    return ""


def suggestion(arguments: Sequence[str], commands: Sequence[str]) -> str:
    """Return one sentence on what to type instead of arguments without a command."""
    word, *rest = arguments
    name = word.lower()
    known = {**listed("several"), **WITHOUT_A_RULE}
    if name in known:
        return known[name]
    if reads_as_file(word):
        return file_hint(word)
    line = _by_meaning(word, rest) or _by_spelling(name, rest, commands)
    if line is None:
        return f"there is no command {word}; the rules are {', '.join(RULES)}; -h lists all"
    if works(line):
        return f"there is no command {word}; did you mean: {shlex.join(['bcastcli', *line])}"
    found = " ".join(line[: len(line) - len(rest)])
    return f"there is no command {word}; did you mean bcastcli {found}?"


def _by_meaning(word: str, rest: Sequence[str]) -> list[str] | None:
    """Return the command line of that meaning; None if the word is not known."""
    from bcastcli import help as topics  # rarely needed, as the table is
    from bcastcli.operators.table import operators

    named = {operator.lower(): operator for operator in operators()}
    name = word.lower()
    if not rest and name in topics.words():
        return ["help", name]
    if word in _OF_A_TARGET:  # Expand, of ONNX, is another
        return [TO_A_TARGET, *(rest[::-1] if len(rest) == 2 else rest)]
    operator = named.get(name) or meant(name, "operators")
    if operator:
        return ["op", operator, *rest]
    if command := meant(name, "commands"):
        return [*command.split(), *rest]
    topic = meant(name, "topics")
    return ["help", topic] if topic else None


def _by_spelling(name: str, rest: Sequence[str], commands: Sequence[str]) -> list[str] | None:
    """Return the command line with the nearest name; None if all names are too different."""
    return next(([near, *rest] for near in nearest(name, {*commands, *names()})), None)
