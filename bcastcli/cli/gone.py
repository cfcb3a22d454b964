"""Names that an earlier version had: for one minor release, typing one prints its substitute."""

import re

from bcastcli.cli.words import listed

GONE = listed("gone")
"""The substitutes for options and values, each after its command if only one had it."""


def gone(command: str, option: str = "", value: str = "", possible: str = "") -> str | None:
    """Return one sentence on the substitute for a name that is gone; None for any other name.

    `possible` lists the values that the option takes here, in quotes.
    """
    option = "" if option == "SHELL" else option  # a value of no option
    name = f"{option} {value.lower().lstrip('=')}".strip()
    for each in (f"{command} {name}", name):
        instead = GONE.get(each)
        formats = re.findall(r"-f (\w+)", instead or "")
        if instead and all(f"'{word}'" in possible for word in formats):
            return f"{each} is gone: {instead}"
    return None
