"""The messages that are known, read from `catalogue.txt`, whose head says how it is written."""

from collections.abc import Callable
from functools import cache
from operator import methodcaller
from pathlib import Path
from typing import Any, NamedTuple

from bcastcli.messages.reading import KnownFault, Message

_EXAMPLES = (">", "~", "|", "=")
"""The marks of the lines of examples, which only the tests read."""
_FACTS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("operands", "sizes"), str.split),
    **dict.fromkeys(("owners", "caveats"), methodcaller("split", ", ")),
    **dict.fromkeys(("source", "rule", "axis_of", "operation"), str),
    **dict.fromkeys(("lead", "refine", "add_context"), str),
    **dict.fromkeys(("needs_lead", "goes_on"), bool),
}
"""The facts, and what reads each: none is a function of ours, as there are hundreds."""


class Catalogue(NamedTuple):
    """All messages that are known."""

    screen: tuple[str, ...]
    """Substrings of which every text with a message has one, in lower case."""
    frameworks: dict[str, str]
    """The short name of each framework, and what people call it."""
    messages: tuple[Message, ...]


@cache
def catalogue() -> Catalogue:
    """Return what `catalogue.txt` holds."""
    return parsed(Path(__file__).with_name("catalogue.txt").read_text("utf-8"))


def parsed(text: str) -> Catalogue:
    """Return the messages of a text that is written as the head of `catalogue.txt` says.

    Raises ValueError, with the number of the line, where it is not.
    """
    screen: list[str] = []
    frameworks: dict[str, str] = {}
    messages: list[dict[str, Any]] = []
    section: dict[str, Any] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            name, _, title = line.strip("[]").partition(": ")
            fault = name.removeprefix("fault ")
            if fault != name:
                section = {"framework": "", "kind": fault, "sentence": title}
            elif title:
                frameworks[name] = title
                section = {"framework": name}
        elif not section:
            screen += line.split("  ")
        elif line.startswith("  ") and messages:
            facts = messages[-1]
            mark, _, rest = line[2:].partition(" ")
            name = mark.removesuffix(":")
            if name in _FACTS:
                facts[name] = _FACTS[name](rest)
            elif mark not in _EXAMPLES:
                raise ValueError(
                    f"catalogue.txt, line {number}: {mark!r} is not a fact of a message"
                )
        else:
            messages.append({**section, "pattern": line})
    made = (KnownFault(**facts) if "kind" in facts else Message(**facts) for facts in messages)
    return Catalogue(tuple(screen), frameworks, tuple(made))
