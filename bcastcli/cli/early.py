"""Which command a line begins with, and common questions, read without Typer.

Typer takes longer to load than an answer takes. What is not read here, the option parser reads, and
it alone reports what is wrong with options.
"""

import re
import sys
from collections.abc import Mapping, Sequence

from bcastcli.cli.answering import Request, Writing, asks_for_lines
from bcastcli.cli.console import UsageError, is_terminal
from bcastcli.core.rule import SETTINGS, Rule, Value, parse_setting
from bcastcli.notation.text import may_be_shape
from bcastcli.render import Color, Format
from bcastcli.rules import USUAL, find

TOOLS = (
    *("run", "why", "model", "compare", "check", "op", "help", "deck", "quiz"),
    *("rules", "completions"),
)
"""The commands other than rules, in the order of the help."""

_FLAGS = {
    **dict.fromkeys(("-p", "--plain"), ("format", "plain")),
    **dict.fromkeys(("-q", "--quiet"), ("quiet", "yes")),
    "--json": ("format", "json"),
    "--strict": ("strict", "yes"),
}
"""The option that each flag sets, and its value."""
_WITH_VALUE = {"-f": "format", "--format": "format", "--color": "color"}
_WITH_VALUE |= {f"--{name}": name for name in SETTINGS}
"""The options of rules that take a value, by the names that are typed."""
HELP = ("-h", "--help")
_OF_ALL_RULES = {"format", "color", "quiet", "strict"}


def command_of(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The command of a line, and what else stands there; the usual rule by default.

    The name is that of no command where none is meant, and empty where there is nothing to read.
    """
    if not arguments:
        return ("" if sys.stdin is None or is_terminal(sys.stdin) else USUAL), []
    before = ""
    for place, word in enumerate(arguments):
        is_value = before in _WITH_VALUE or re.fullmatch("-[pq]+f", before)
        if word[:1] != "-" and not is_value:
            if word in TOOLS or (find(word) and not may_be_shape(word)):
                return word, [*arguments[:place], *arguments[place + 1 :]]
            break
        before = word
    first, *others = arguments
    if first in HELP or (first[:1] != "-" and not _is_shape(first, others)):
        return first, others
    return USUAL, list(arguments)


def _is_shape(word: str, others: Sequence[str]) -> bool:
    """Whether the first argument, which is not a command, is a shape."""
    if may_be_shape(word):
        return True
    # A word is a shape if it names a size of another shape, as on any line: n batch,n.
    return word in re.findall(r"\w+", " ".join(others))


def read(name: str, arguments: Sequence[str]) -> Request | None:
    """What a command line asks a rule; None if the option parser is to read it."""
    rule = find(name)
    apart = _apart(arguments)
    if rule is None or apart is None:
        return None
    shapes, given = apart
    try:
        reads_lines = asks_for_lines(rule, shapes)
        output = Format(given.get("format", Format.PLAIN if reads_lines else Format.TABLE))
        color = Color(given.get("color", Color.AUTO))
        options = _own(rule, given)
    except (ValueError, UsageError):  # the option parser says what is wrong
        return None
    if output is Format.SVG:  # a picture
        return None
    writing = Writing(output, color, "quiet" in given)
    return Request(rule, name, options, "strict" in given, shapes, reads_lines, writing)


def _apart(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]] | None:
    """The words of a command line, and the last value of each option; None for another option."""
    words: list[str] = []
    options: dict[str, str] = {}
    left = list(reversed(arguments))
    while left:
        word = left.pop()
        name, equals, value = word.partition("=")
        if word == "--":
            words += reversed(left)
            break
        if word[:1] != "-" or word == "-" or word[1].isdigit():
            words.append(word)
        elif word in _FLAGS:
            option, value = _FLAGS[word]
            options[option] = value
        elif name in _WITH_VALUE and name[:2] == "--" and equals:
            options[_WITH_VALUE[name]] = value
        elif word in _WITH_VALUE and left:
            options[_WITH_VALUE[word]] = left.pop()
        elif word[:2] in _FLAGS and word[2:3].isalpha():  # -pq is -p -q
            left += [f"-{word[2:]}", word[:2]]
        else:
            return None
    return words, options


def _own(rule: Rule, given: Mapping[str, str]) -> dict[str, Value]:
    """The value of each of a rule's own options; ValueError for a wrong one."""
    options = {name: own.default for name, own in rule.options.items()}
    for name in given.keys() - _OF_ALL_RULES:
        if name not in options:
            raise ValueError(name)
        options[name] = parse_setting(name, given[name])
    return options
