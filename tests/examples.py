"""The examples in the catalogue of messages, and what messages say in short, as they have it."""

from pathlib import Path
from typing import NamedTuple

from bcastcli.core.shapes import written
from bcastcli.why import messages
from bcastcli.why.explained import explain
from bcastcli.why.messages import Fault, Reading, catalogue
from bcastcli.why.report import verdict

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
    for number, line in enumerate(text.split("\n"), 1):
        mark, _, rest = line[2:].partition(" ")
        if line.startswith("["):
            has_messages = ": " in line or "fault " in line
        elif line and line[0] not in " #" and number > 1 and has_messages:
            found.append([])
        elif line.startswith("  ") and mark in (">", "~"):
            found[-1].append(Example(rest, ""))
        elif line.startswith("  ") and mark in ("|", "="):
            if not found[-1]:
                raise ValueError(f"line {number}: {mark!r} goes on no example")
            last = found[-1][-1]
            if mark == "|":
                found[-1][-1] = last._replace(text=f"{last.text}\n{rest}")
            else:
                found[-1][-1] = last._replace(summary=f"{last.summary}\n{rest}".strip())
    return found


EXAMPLES = dict(zip(catalogue().messages, examples(CATALOGUE), strict=True))
"""The examples of each message."""


def in_short(said: Reading | Fault) -> str:
    """Return what the examples have: a reading, with the answer if it has no shapes, or a fault."""
    if isinstance(said, Fault):
        return f"{said.text}\ntry: {said.cure}" if said.cure else said.text
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
    summary = ", ".join([*parts, *said.caveats])
    return summary if said.shapes else f"{summary}\n{verdict(explain(said))}"
