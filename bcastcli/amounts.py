"""How many elements, how many bytes: amounts as people read them."""

from math import floor, log10

_LONGEST = 10**18
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def elements(count: int) -> str:
    """A number of elements, in full unless it is too long to be read.

    >>> elements(1234567), elements(10**30)
    ('1,234,567', 'about 10**30')
    """
    if count < _LONGEST:
        return f"{count:,}"
    return f"about 10**{floor(_log10(count) + 0.5)}"


def in_bytes(count: int) -> str:
    """A number of bytes, in the unit that keeps it short.

    >>> in_bytes(12), in_bytes(6720)
    ('12 B', '6.6 KiB')
    """
    if count >= 1024 ** len(_UNITS):
        return f"{elements(count)} B"
    power = max(count.bit_length() - 1, 0) // 10
    return f"{count / 1024**power:.1f} {_UNITS[power]}" if power else f"{count} B"


def _log10(count: int) -> float:
    """The logarithm of a number that may be larger than any float."""
    shift = max(count.bit_length() - 60, 0)
    return log10(count >> shift) + shift * log10(2)
