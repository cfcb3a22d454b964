"""Shapes in quotes, as tables of CSV and shells leave them, and questions cut into lines."""

import re
from functools import cache

QUOTES = "'\""
ONE_LINE = "a JSON question is one line: jq -c"
compiled = cache(re.compile)
"""Compiles a regular expression once, when it is first needed; most questions do without."""
# Quotes around only blanks are an argument that was never set.
_QUOTED = r"""(,?)(?<![^\s;,])(["'])(\s*[^"'\s][^"']*)\2(?![^\s;,])(,?)"""
_BRACKETS = r"[\[{]+|[\]}]+,?|[\d\[\], \t]*\]\},?|\[.*\],"
_PART_OF_JSON = rf"""[ \t]*(?:{_BRACKETS}|"\w*"[ \t]*:.*)[ \t]*"""


def without_quotes(line: str) -> str:
    """Return a line with blanks in place of the quotes around shapes, and of their commas.

    >>> without_quotes('"2,3",3')
    ' 2,3  3'
    """
    if not any(quote in line for quote in QUOTES):
        return line
    blanked: str = compiled(_QUOTED).sub(
        lambda found: f"{' ' * len(found[1])} {found[3]} {' ' * len(found[4])}", line
    )
    return blanked


def is_part_of_json(line: str) -> bool:
    """Return whether a malformed line may be part of a question in JSON."""
    return bool(compiled(_PART_OF_JSON).fullmatch(line))
