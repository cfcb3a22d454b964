"""Common mistakes in a size, and what to write instead."""

import re

X_AND_COMMAS = "x separates numbers, ? and single capital letters: use commas"
IN_QUOTES = "quotes are not part of a shape: remove them"
_HINTS = (
    (r".*[ \t\r\n].*", "a comma is missing between two sizes"),
    (r"[0-9]+\.\.[0-9]+", "the bounds of a size must be in ascending order, as in 1..10"),
    (r"[.*…]+", "... and * are not supported: list every axis (? if its size is unknown)"),
    (r"[0-9]+\.0*", "a size is a whole number, without a decimal point"),
    (r"[0-9]+(\.[0-9]+)+", "a size is a whole number: did you mean {meant}?"),
    (r"[0-9]+[eE]\+?[0-9]+", "write the size in digits, without an exponent"),
    (r"[0-9]+(_[0-9]+)+", "a size has only digits: did you mean {meant}?"),
    (r"-.*", "a size cannot be negative; ? or -1 means an unknown size"),
    (r"[A-Za-z0-9_?]*[-+*/%].*", "only +, -, * and // are supported: use a number or a name"),
    (r"[0-9]*(?![0-9])\d.*", "write sizes with the digits 0 to 9"),
    (r"""['"].*""", IN_QUOTES),
    (r".*[，、].*", "separate sizes with an ASCII comma"),
    (r"[0-9]+[x×].*|.*×.*", X_AND_COMMAS),
    (r"[0-9]+[A-Za-z_].*", "a size is a number or a name, not both"),
)
"""Patterns of common mistakes, each with its hint; the first match wins."""


def hint_for(text: str) -> str:
    """Return the hint for a text that is not a size; `{meant}` becomes the likely intention."""
    hints = (hint for pattern, hint in _HINTS if re.fullmatch(pattern, text, re.DOTALL))
    return next(hints, "unexpected character in a shape")
