"""The examples in the catalogue of messages, and what messages say in one line, as they have it."""

from pathlib import Path
from typing import NamedTuple

from bcastcli.core.shapes import written
from bcastcli.why import messages
from bcastcli.why.messages import Fault, Reading, catalogue

CATALOGUE = Path(messages.__file__).with_name("catalogue.txt").read_text("utf-8")


class Example(NamedTuple):
    """A text with a message, and the summary of what it is read as."""

    text: str
    summary: str


def examples(text: str) -> list[list[Example]]:
    """Return the examples of each message in a catalogue, in its order.

    Raise ValueError, with the number of the line, for a line that goes on no example.
    """
    found: list[list[Example]] = []
    kind = ""
    for number, line in enumerate(text.split("\n"), 1):
        mark, _, rest = line[2:].partition(" ")
        if line.startswith("["):
            kind = line.strip("[]").removeprefix("fault ") if "fault " in line else ""
            has_messages = ": " in line or "fault " in line
        elif line and line[0] not in " #" and number > 1 and has_messages:
            found.append([])
        elif line.startswith("  ") and mark in (">", "~"):
            found[-1].append(Example(rest, kind))
        elif line.startswith("  ") and mark in ("|", "="):
            if not found[-1]:
                raise ValueError(f"line {number}: {mark!r} goes on no example")
            last = found[-1][-1]
            whole = f"{last.text}\n{rest}"
            is_summary = mark == "="
            found[-1][-1] = last._replace(summary=rest) if is_summary else Example(whole, kind)
    return found


EXAMPLES = dict(zip(catalogue().messages, examples(CATALOGUE), strict=True))
"""The examples of each message."""


def in_short(said: Reading | Fault) -> str:
    """Return a reading or a fault in one line, as the examples have it."""
    if isinstance(said, Fault):
        return said.text
    parts = ["/".join(said.framework), said.rule]
    if said.shapes is not None:
        given = zip(said.names, said.shapes, strict=True)
        parts += [f"{name}={written(shape)}" for name, shape in given]
    if said.sizes is not None:
        of = f" of {' and '.join(said.names)}" if said.names and not said.shapes else ""
        parts.append(f"sizes {' '.join(map(str, said.sizes))}{of}")
    if said.axis is not None:
        parts.append(f"axis {said.axis} of {said.axis_of}")
    if said.operation:
        parts.append(f"operation {said.operation}")
    if said.node:
        parts.append(f"node {said.node}")
    return ", ".join([*parts, *said.caveats])
