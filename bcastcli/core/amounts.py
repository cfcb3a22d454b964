"""Amounts as people read them: elements, their types, and bytes."""

from enum import StrEnum
from math import floor, log10

_MAX_WRITTEN_IN_FULL = 10**18
_OTHER_NAMES = {
    "boolean": "bool",
    **dict.fromkeys(("byte", "uchar", "u8"), "uint8"),
    **dict.fromkeys(("char", "i8", "s8"), "int8"),
    **dict.fromkeys(("short", "i16", "s16"), "int16"),
    **dict.fromkeys(("int", "i32", "s32"), "int32"),
    **dict.fromkeys(("long", "i64", "s64"), "int64"),
    **dict.fromkeys(("ushort", "u16"), "uint16"),
    **dict.fromkeys(("uint", "u32"), "uint32"),
    **dict.fromkeys(("ulong", "u64"), "uint64"),
    **dict.fromkeys(("half", "fp16", "f16"), "float16"),
    **dict.fromkeys(("bf16",), "bfloat16"),
    **dict.fromkeys(("float", "single", "fp32", "f32"), "float32"),
    **dict.fromkeys(("double", "fp64", "f64"), "float64"),
    **dict.fromkeys(("cfloat", "c64"), "complex64"),
    **dict.fromkeys(("cdouble", "c128"), "complex128"),
}
"""Other names of the types, as frameworks and compilers have them: an int has 32 bits, as in C,
PyTorch and TensorFlow, and a byte is unsigned, as in NumPy's uint8 and PyTorch's."""
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

    @classmethod
    def _missing_(cls, value: object) -> "Dtype | None":
        name = _OTHER_NAMES.get(str(value).lower(), str(value).lower())
        return cls(name) if name != value else None

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
