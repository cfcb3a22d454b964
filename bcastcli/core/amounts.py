"""Amounts as people read them: elements, their types, and bytes."""

from enum import StrEnum
from math import floor, log10

_MAX_WRITTEN_IN_FULL = 10**18
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


class Dtype(StrEnum):
    """The types of elements, by the names that frameworks share."""

    BOOL = "bool"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    UINT64 = "uint64"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    COMPLEX64 = "complex64"
    COMPLEX128 = "complex128"

    @property
    def size(self) -> int:
        """Bytes that an element takes."""
        bits = self.lstrip("abcdefghijklmnopqrstuvwxyz")
        return int(bits) // 8 if bits else 1


def elements(count: int) -> str:
    """A number of elements, in full unless it is too long to be read.

    >>> elements(1234567), elements(10**30)
    ('1,234,567', 'about 10**30')
    """
    if count < _MAX_WRITTEN_IN_FULL:
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
