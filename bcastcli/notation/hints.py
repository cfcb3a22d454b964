"""Hints for a text that cannot be read: another way to write the size, or another command."""

import re
from functools import cache
from pathlib import Path

from bcastcli.notation.quotes import compiled

# Compiled when first needed: most questions can be read.
# Patterns that distinguish a pasted line of a log, or an operator's name, from shapes.
_OF_MESSAGES = (
    r"(?i)\b(?:\w*error|broadcast(?!=)\w*|mismatch\w*|incompatible|dimensions?|shapes)\b(?!\")"
)
_WORD = r"(?<![\w.])[A-Za-z]{2,}(?![\w(\[=,])"
_OPERATOR = (
    r"[A-Z][A-Za-z]*[a-z][A-Za-z]*[ \t]+[(\[]*(?:[0-9?]|[A-Z],)|[a-z]+[ \t]+[(\[]*[0-9?A-Z]+,"
)
_FILE_NAME = r"[A-Za-z_~./][\w./~-]{0,250}\.(?!shape)[a-z]\w{0,10}"
_MIN_WORDS, _MAX_LOOKED_AT, _MAX_HINT = 4, 1000, 200
_ROOM_IN_A_SENTENCE = 40


def hint_for(text: str) -> str:
    """Return the hint for a text that is not a size; `{meant}` becomes the likely intention."""
    return _first(text, 0)


def command_for(line: str, span: tuple[int, int]) -> str | None:
    """Return the command for a line that holds more than shapes: an operator, or an error message.

    `span` is the unreadable part: its first character and the one after its last. None: there is
    no such command.
    """
    from shlex import quote  # rarely needed

    text = line.strip()
    if text.startswith("{"):
        return None
    start, end = span
    if compiled(_OPERATOR).match(text) and line[start:end] == text.split(None, 1)[0]:
        return f"bcastcli op {' '.join(map(quote, shortened(text, _MAX_HINT).split()))}"
    is_message = len(compiled(_WORD).findall(text, 0, _MAX_LOOKED_AT)) >= _MIN_WORDS
    if is_message or compiled(_OF_MESSAGES).search(text, 0, _MAX_LOOKED_AT):
        return f"bcastcli why {quote(shortened(text, _MAX_HINT))}"
    return None


def reads_as_file(text: str) -> bool:
    """Return whether a text is more likely the name of a file than a size."""
    return bool(compiled(_FILE_NAME).fullmatch(text))


def file_hint(name: str) -> str:
    """Return the hint for a file name that was typed in place of a shape."""
    return _first(name, 1).format(shortened(name))


def _first(text: str, part: int) -> str:
    """Return the hint of the first pattern that matches a text, in a part of the file of hints."""
    return next(hint for pattern, hint in _parts()[part] if re.fullmatch(pattern, text, re.DOTALL))


@cache
def _parts() -> list[list[list[str]]]:
    """Return the patterns and hints of each part of the file."""
    parts = Path(__file__).with_suffix(".txt").read_text("utf-8").split("\n\n")
    return [[line.split("\t") for line in part.splitlines()[1:]] for part in parts]


def shortened(text: str, room: int = _ROOM_IN_A_SENTENCE) -> str:
    """Return a text, shortened to fit a sentence."""
    return text if len(text) <= room else f"{text[:room]}..."
