"""Names that an earlier version had: each is answered for one minor release, where it is typed."""

import re

GONE = {
    "why --run": "use bcastcli run FILE; the output of other programs goes into bcastcli why",
    "-f png": "use -f svg, and convert it with rsvg-convert",
    "-f pdf": "use -f html, and print it from a browser",
    "-f tikz": "use -f svg",
    "quiz -f csv": "use -f gift",
    "quiz -f anki": "use -f gift",
    "quiz --level zeros": "--level mixed has such questions",
    "deck --steps": "each slide shows what to write; --build draws the steps one by one",
    "--dtype": "--steps counts bytes as float32",
    "--values": "cells have numbers wherever these fit; --op SIGN chooses the operator",
    "--no-notes": "notes are left out where a slide has no room",
    "--theme transparent": "use --theme light",
    "--theme print": "use --theme light",
    "help operators": "use bcastcli help op",
    "help rules-compared": "use bcastcli help compare",
    "help completion": "use bcastcli help completions",
    "completions powershell": "there are scripts for bash, zsh and fish",
}
"""What to use instead of an option or a value; where only one command had it, that is in front."""


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
