"""The known messages, read from `catalogue.txt`, whose head explains its format."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
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


# What a pattern starts with: characters that mean themselves, and none that may be missing.
_LITERAL = re.compile(r"(?:(?:[^\\([{.^$|*+?]|\\[^a-zA-Z0-9])(?![*?]))*")
_ESCAPE = re.compile(r"\\(?=.)")


class Catalogue(NamedTuple):
    """All known messages."""

    screen: tuple[str, ...]
    """Substrings of which every text with a message has one, in lower case."""
    frameworks: dict[str, str]
    """The short name of each framework, and its usual name."""
    rules: dict[str, dict[str, str]]
    """For each framework whose messages leave the rule to the operator, the operators' rules."""
    messages: tuple[Message, ...]


@cache
def catalogue() -> Catalogue:
    """Return the content of `catalogue.txt`."""
    return parsed(Path(__file__).with_name("catalogue.txt").read_text("utf-8"))


def parsed(text: str) -> Catalogue:
    """Return the messages of a text that is written as the head of `catalogue.txt` says.

    Raises ValueError, with the number of the line, where it is not.
    """
    loose: defaultdict[str, list[str]] = defaultdict(list)
    frameworks: dict[str, str] = {}
    messages: list[dict[str, Any]] = []
    section: dict[str, Any] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            part, _, title = line.strip("[]").partition(": ")
            fault = part.removeprefix("fault ")
            if fault != part:
                section = {"framework": "", "kind": fault, "sentence": title}
            elif title:
                frameworks[part] = title
                section = {"framework": part}
        elif not section:
            loose[part].append(line)
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
            begins = _LITERAL.match(line)
            words = _ESCAPE.sub("", begins[0] if begins else "").rstrip().lower()
            messages.append({**section, "pattern": line, "words": words})
    made = (KnownFault(**facts) if "kind" in facts else Message(**facts) for facts in messages)
    screen = tuple("  ".join(loose.pop("screen", ())).split("  "))
    rules = {part.removeprefix("operators "): _rules(lines) for part, lines in loose.items()}
    return Catalogue(screen, frameworks, rules, tuple(made))


def _rules(lines: Sequence[str]) -> dict[str, str]:
    """Return the rule of each operator, given lines of a rule and those that follow it."""
    rows = [line.partition(": ") for line in lines]
    return {operator: rule for rule, _, operators in rows for operator in operators.split()}
