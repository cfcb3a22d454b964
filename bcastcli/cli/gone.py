"""Names that an earlier version had: each is answered for one minor release, where it is typed."""

import re

from bcastcli.cli.words import listed

GONE = listed("gone")
"""What to use instead of an option or a value, after the command if only one had it."""


def gone(command: str, option: str = "", value: str = "", possible: str = "") -> str | None:
    """Return one sentence on a name that is gone; None for any other.

    `possible` is the list of the values that the option takes here, in quotes.
    """
    option = {"--format": "-f", "SHELL": ""}.get(option, option)
    name = f"{option} {value.lower().lstrip('=')}".strip()
    for each in (f"{command} {name}", name):
        instead = GONE.get(each)
        formats = re.findall(r"-f (\w+)", instead or "")
        if instead and all(f"'{word}'" in possible for word in formats):
            return f"{each} is gone: {instead}"
    return None
