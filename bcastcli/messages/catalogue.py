"""The messages that are known, read from `catalogue.txt`, whose head says how it is written."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bcastcli.messages.reading import Example, KnownFault, Message

_FLAGS = ("needs_lead", "goes_on")
_LISTS = {"operands": " ", "sizes": " ", "owners": ", ", "caveats": ", "}
"""The facts that hold several words, and what stands between these."""
_TEXTS = ("source", "rule", "axis_of", "operation", "lead", "refine", "add_context")


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
            _add(messages[-1], number, *line[2:].partition(" "))
        else:
            messages.append({**section, "pattern": line, "examples": ()})
    made = (KnownFault(**facts) if "kind" in facts else Message(**facts) for facts in messages)
    return Catalogue(tuple(screen), frameworks, tuple(made))


def _add(facts: dict[str, Any], number: int, mark: str, _: str, rest: str) -> None:
    """Add what an indented line says to the facts of its message."""
    examples: tuple[Example, ...] = facts["examples"]
    name = mark.removesuffix(":")
    if mark in (">", "~"):
        example = Example(rest, facts.get("kind", ""), is_printed=mark == ">")
        facts["examples"] = (*examples, example)
    elif mark in ("|", "=") and examples:
        last = examples[-1]
        last = last._replace(summary=rest) if mark == "=" else last.continued(rest)
        facts["examples"] = (*examples[:-1], last)
    elif name in _LISTS:
        facts[name] = tuple(rest.split(_LISTS[name]))
    elif name in _TEXTS:
        facts[name] = rest
    elif name in _FLAGS:
        facts[name] = True
    else:
        raise ValueError(f"catalogue.txt, line {number}: {mark!r} is not a fact of a message")
