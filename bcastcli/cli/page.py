"""The pages of `-h`: usage, text and options, at most 80 columns wide."""

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any

from bcastcli.cli.console import Color, terminal

_WIDTH = 80
"""The columns of a page."""


def help_of(command: Any, path: str) -> str:
    """The page of a command; options without a text are left out."""
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option"]
    usage = " ".join([f"Usage: {path} [OPTION...]", *(argument.metavar for argument in arguments)])
    rows = [(argument.metavar, argument.help) for argument in arguments]
    rows += [(_names(option), option.help) for option in options if option.help]
    lines = [*_wrapped(usage, "", 7), "", *paragraphs(command.help), ""]
    lines += ["Arguments and options:", *listed(rows), "", *paragraphs(command.epilog)]
    return styled(lines)


def _names(option: Any) -> str:
    """An option as it is typed: its names, the short one first, and its value."""
    names = ", ".join(sorted(option.opts, key=len))
    value = option.metavar or ""
    return names + ("" if not value or value[0] == "[" else " ") + value


def paragraphs(text: str) -> Iterator[str]:
    """Indented lines of a text; a paragraph with a line that is indented stays as it is."""
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ""
        if "\n " in paragraph:
            yield from (f"  {line}" for line in paragraph.split("\n"))
        else:
            yield from _wrapped(paragraph, "  ", 2)


def listed(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Lines of names, each with its text beside it."""
    column = max(len(name) for name, _ in rows)
    for name, text in rows:
        yield from _wrapped(text, f"  {name:<{column}}  ", column + 4)


def styled(lines: Iterable[str]) -> str:
    """Lines as a text, with bold headings where standard output shows them."""
    text = "\n".join(lines)
    if not terminal(Color.AUTO).color:
        return text
    return re.sub(r"^\w.*?:", "\033[1m\\g<0>\033[0m", text, flags=re.MULTILINE)


def _wrapped(text: str, first: str, indent: int) -> list[str]:
    """A text in lines, the first after `first`, the others indented."""
    return wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
