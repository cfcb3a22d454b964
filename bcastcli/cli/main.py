"""The command line: answers it, reports invalid usage, returns the exit status.

Common questions are read here, without Typer, which takes longer to load than an answer takes. What
is not read here, the option parser reads, and it alone reports what is wrong with options.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from bcastcli import __version__
from bcastcli.cli import answering
from bcastcli.cli.console import UsageError, print_error, print_notation_error, silence, write
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule, Value, parse_setting
from bcastcli.notation.text import MAX_DIGITS, NotationError, may_be_shape
from bcastcli.render import Color, Format
from bcastcli.reports import Report
from bcastcli.reports.answers import SingleAnswerReport
from bcastcli.rules import USUAL, find

_FLAGS = {
    **dict.fromkeys(("-p", "--plain"), ("format", "plain")),
    **dict.fromkeys(("-q", "--quiet"), ("quiet", "yes")),
    "--json": ("format", "json"),
    "--strict": ("strict", "yes"),
}
"""The option that each flag sets, and its value."""
_OF_ALL_RULES = {"format", "color", "quiet", "strict"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one command line (by default the process's own), and return the exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    # Sizes may have as many digits as the notation allows, whatever the environment sets.
    sys.set_int_max_str_digits(MAX_DIGITS)
    try:
        status = _status(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except NotationError as error:
        print_notation_error(error)
    except UsageError as error:
        print_error(error.message, error.below)
    except OSError as error:  # from standard output: all other input and output has its own errors
        silence(sys.stdout)
        print_error(f"cannot write: {error.strerror}")
    else:
        return status
    return answering.MALFORMED


def _status(arguments: list[str]) -> int:
    if arguments[:1] in (["-V"], ["--version"]):
        write(f"bcastcli {__version__}\n")
        return answering.YES
    request = read(arguments)
    if request is not None:
        return answering.answer(request)
    from bcastcli.cli.parser import run  # it imports Typer, which takes longer than an answer

    return run(arguments)


def read(arguments: Sequence[str]) -> answering.Request | None:
    """What a command line asks a rule; None if the option parser is to read it."""
    apart = _apart(arguments)
    if apart is None:
        return None
    words, given = apart
    name = _name(words)
    rule = find(name)
    if rule is None:
        return None
    shapes = words[1:] if words[:1] == [name] else words
    try:
        reads_lines = answering.asks_for_lines(rule, shapes)
        writing = _writing(given, Format.PLAIN if reads_lines else Format.TABLE)
        options = _own(rule, given)
        report = _report(writing.output, reads_lines=reads_lines)
    except (ValueError, UsageError, ModuleNotFoundError):  # the option parser says what is wrong
        return None
    return answering.Request(
        rule, name, options, "strict" in given, shapes, reads_lines, writing, report
    )


def _apart(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]] | None:
    """The words of a command line, and the last value of each option; None for another option."""
    words: list[str] = []
    options: dict[str, str] = {}
    left = list(reversed(arguments))
    while left:
        word = left.pop()
        name, equals, value = word.partition("=")
        if word == "--" and words:
            words += reversed(left)
            break
        if word[:1] != "-" or word == "-" or word[1].isdigit():
            words.append(word)
        elif word in _FLAGS:
            option, value = _FLAGS[word]
            options[option] = value
        elif name in answering.WITH_VALUE and name[:2] == "--" and equals:
            options[answering.WITH_VALUE[name]] = value
        elif word in answering.WITH_VALUE and left:
            options[answering.WITH_VALUE[word]] = left.pop()
        elif word[:2] in _FLAGS and word[2:3].isalpha():  # -pq is -p -q
            left += [f"-{word[2:]}", word[:2]]
        else:
            return None
    return words, options


def _name(words: Sequence[str]) -> str:
    """The name of the rule, the usual one by default; empty if it is not certain."""
    if not words or words[0] == "-":
        return USUAL
    first, *others = words
    if first[:1] == "-":  # a shape, unless the name of a rule follows
        return USUAL if all(map(may_be_shape, others)) else ""
    return USUAL if may_be_shape(first) else first


def _writing(given: Mapping[str, str], usual: Format) -> answering.Writing:
    """How to write answers; ValueError for an unknown value."""
    output = Format(given.get("format", usual))
    return answering.Writing(output, Color(given.get("color", Color.AUTO)), "quiet" in given)


def _report(output: Format, *, reads_lines: bool) -> Callable[[Answer], Report]:
    """The report of an answer in a format; ValueError for pictures of lines."""
    if output is not Format.SVG:
        return SingleAnswerReport
    from bcastcli.picture.answers import DEFAULT_PICTURE, PicturedReport  # for pictures alone

    if reads_lines:
        raise ValueError(output)
    return partial(PicturedReport, picture=DEFAULT_PICTURE)


def _own(rule: Rule, given: Mapping[str, str]) -> dict[str, Value]:
    """The value of each of a rule's own options; ValueError for a wrong one."""
    options = {name: own.default for name, own in rule.options.items()}
    for name in given.keys() - _OF_ALL_RULES:
        if name not in options:
            raise ValueError(name)
        options[name] = parse_setting(name, given[name])
    return options
