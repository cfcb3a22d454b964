"""Amounts as people read them: elements, their types, and bytes."""

from enum import StrEnum
from math import floor, log10
from typing import Self

_MAX_WRITTEN_IN_FULL = 10**18
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


class Dtype(StrEnum):
    """The types of elements, by the names that frameworks share, with their other names.

    These are as frameworks and compilers have them: an int has 32 bits, as in C, PyTorch and
    TensorFlow, and a byte has no sign, as in NumPy's uint8 and PyTorch's.
    """

    others: tuple[str, ...]

    BOOL = "bool", "boolean"
    INT8 = "int8", "char", "i8", "s8"
    INT16 = "int16", "short", "i16", "s16"
    INT32 = "int32", "int", "i32", "s32"
    INT64 = "int64", "long", "i64", "s64"
    UINT8 = "uint8", "byte", "uchar", "u8"
    UINT16 = "uint16", "ushort", "u16"
    UINT32 = "uint32", "uint", "u32"
    UINT64 = "uint64", "ulong", "u64"
    FLOAT16 = "float16", "half", "fp16", "f16"
    BFLOAT16 = "bfloat16", "bf16"
    FLOAT32 = "float32", "float", "single", "fp32", "f32"
    FLOAT64 = "float64", "double", "fp64", "f64"
    COMPLEX64 = "complex64", "cfloat", "c64"
    COMPLEX128 = "complex128", "cdouble", "c128"

    def __new__(cls, name: str, *others: str) -> Self:
        dtype = str.__new__(cls, name)
        dtype._value_ = name
        dtype.others = others
        return dtype

    @classmethod
    def _missing_(cls, value: object) -> "Dtype | None":
        name = str(value).lower()
        return next((each for each in cls if name in (each.value, *each.others)), None)

    @property
    def size(self) -> int:
        """Bytes that an element takes."""
        bits = self.lstrip("abcdefghijklmnopqrstuvwxyz")
        return int(bits) // 8 if bits else 1


def elements(count: int) -> str:
    """A number of elements, in full unless it is too long to read.

    >>> elements(1234567), elements(10**30)
    ('1,234,567', 'about 10**30')
    """
    if count < _MAX_WRITTEN_IN_FULL:
        return f"{count:,}"
    return f"about 10**{floor(_log10(count) + 0.5)}"


def in_bytes(count: int) -> str:
    """A number of bytes, in the unit that keeps it short.

    >>> in_bytes(12), in_bytes(6720), in_bytes(1048575)
    ('12 B', '6.6 KiB', '1.0 MiB')
    """
    if count >= 1024 ** len(_UNITS):
        return f"{elements(count)} B"
    power = max(count.bit_length() - 1, 0) // 10
    if power and round(count / 1024**power, 1) == 1024 and power + 1 < len(_UNITS):
        power += 1
    return f"{count / 1024**power:.1f} {_UNITS[power]}" if power else f"{count} B"


def _log10(count: int) -> float:
    """The logarithm of a number that may be larger than any float."""
    shift = max(count.bit_length() - 60, 0)
    return log10(count >> shift) + shift * log10(2)
