"""The widths of text on paper, estimated: at least those of the usual fonts."""

from collections.abc import Callable

NARROW = frozenset("iljtfrI.,:;'!|()[] ")
WIDE = frozenset("mwMW%@→⇉")


def measure(text: str, size: float) -> float:
    """Return the width of a text in a proportional font.

    >>> measure("(4, 1)", 24) < measure("result", 24) < measure("WWWWWW", 24)
    True
    """
    return size * sum(
        0.38 if letter in NARROW else 0.92 if letter in WIDE else 0.7 if letter.isupper() else 0.6
        for letter in text
    )


def fixed(text: str, size: float) -> float:
    """Return the width of a text in a fixed-width font."""
    return 0.605 * size * len(text)


def wrapped(text: str, width: float, measured: Callable[[str], float]) -> list[str]:
    """Return lines of whole words that are no wider than `width`, unless one word alone is.

    >>> wrapped("one line and another", 8, len)
    ['one line', 'and', 'another']
    """
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and measured(joined) > width:
            lines.append(word)
        else:
            lines[-1] = joined
    return lines
