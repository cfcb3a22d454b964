"""The known messages, read from `catalogue.txt`, whose head explains its format."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from operator import methodcaller
from pathlib import Path
from typing import Any, NamedTuple

from bcastcli.why.messages.faults import KnownFault
from bcastcli.why.messages.reading import Message

_EXAMPLES = {"  >", "  ~", "  |", "  ="}
"""What lines of examples start with: two thirds of all lines, which only the tests read."""
_FACTS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("operands", "sizes", "calls"), str.split),
    **dict.fromkeys(("owners", "caveats"), methodcaller("split", ", ")),
    **dict.fromkeys(("source", "rule", "axis_of", "operation", "reason", "lead", "refine"), str),
    **dict.fromkeys(("by", "says", "try", "name", "let", "facts"), str),
    "needs_lead": bool,
}
"""The function that reads each fact: built-in ones, since there are hundreds of facts."""
_LISTS = {"try": "cures", "name": "names"} | {each: each for each in ("says", "let", "facts", "by")}
"""Facts, of which each has a line of its own, and the fields that they fill."""
_SHORTEST = len("expand(")
"""The fewest characters that mean themselves at the start of a pattern."""

# The start of a pattern: characters that mean themselves and are not optional.
_LITERAL = re.compile(r"(?:(?:[^\\([{.^$|*+?]+|\\[^a-zA-Z0-9])(?![*?]))*")
_ESCAPE = re.compile(r"\\(?=.)")


class Catalogue(NamedTuple):
    """All known messages."""

    screen: tuple[str, ...]
    """Substrings of which every text with a message has one, in lower case."""
    notes: dict[str, str]
    """The note on each caveat."""
    frameworks: dict[str, str]
    """The short name of each framework, and its usual name."""
    rules: dict[str, dict[str, str]]
    """For each framework whose messages leave the rule to the operator, the operators' rules."""
    messages: tuple[Message, ...]


@cache
def catalogue() -> Catalogue:
    """The content of `catalogue.txt`."""
    return parsed(Path(__file__).with_name("catalogue.txt").read_text("utf-8"))


def parsed(text: str) -> Catalogue:
    """The messages of a text that is written as the head of `catalogue.txt` describes.

    Raises ValueError, with the number of the line, where it is not.
    """
    loose: defaultdict[str, list[str]] = defaultdict(list)
    frameworks: dict[str, str] = {}
    messages: list[dict[str, Any]] = []
    section: dict[str, Any] = {}
    read = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line[:3] not in _EXAMPLES]
    for number, line in read:
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            part, _, title = line.strip("[]").partition(": ")
            fault = part.removeprefix("fault ")
            if fault != part:
                section = {"framework": "", "kind": fault}
            elif title:
                frameworks[part] = title
                section = {"framework": part}
        elif not section:
            loose[part].append(line)
        elif line.startswith("  ") and messages:
            facts = messages[-1]
            mark, _, rest = line[2:].partition(" ")
            name = mark.removesuffix(":")
            if name not in _FACTS:
                raise _malformed(number, f"{mark!r} is not a fact of a message")
            value = _FACTS[name](rest)
            own = _LISTS.get(name, name)
            facts[own] = [*facts.get(own, ()), value] if name in _LISTS else value
        else:
            messages.append({**section, "pattern": line, "words": _words(line, number)})
    made = (KnownFault(**facts) if "kind" in facts else Message(**facts) for facts in messages)
    screen = tuple("  ".join(loose.pop("screen", ())).split("  "))
    notes = dict(line.split(": ", 1) for line in loose.pop("notes", ()))
    rules = {part.removeprefix("operators "): _rules(lines) for part, lines in loose.items()}
    return Catalogue(screen, notes, frameworks, rules, tuple(made))


def _malformed(number: int, what: str) -> ValueError:
    """The error for a line."""
    return ValueError(f"catalogue.txt, line {number}: {what}")


def _words(pattern: str, number: int) -> str:
    """The words that the pattern on a line starts with."""
    begins = _LITERAL.match(pattern)
    words = _ESCAPE.sub("", begins[0] if begins else "").rstrip().lower()
    if len(words) < _SHORTEST:
        raise _malformed(number, f"{words!r} is too short to find")
    return words


def _rules(lines: Sequence[str]) -> dict[str, str]:
    """The rule of each operator, given lines of a rule and those that follow it."""
    rows = [line.partition(": ") for line in lines]
    return {operator: rule for rule, _, operators in rows for operator in operators.split()}
