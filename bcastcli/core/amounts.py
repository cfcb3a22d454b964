"""Amounts as people read them: elements, their types, and bytes."""

from math import floor, log10

_MAX_WRITTEN_IN_FULL = 10**18
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


DTYPES = {
    "bool": "boolean",
    "int8": "char i8 s8",
    "int16": "short i16 s16",
    "int32": "int i32 s32",
    "int64": "long i64 s64",
    "uint8": "byte uchar u8",
    "uint16": "ushort u16",
    "uint32": "uint u32",
    "uint64": "ulong u64",
    "float16": "half fp16 f16",
    "bfloat16": "bf16",
    "float32": "float single fp32 f32",
    "float64": "double fp64 f64",
    "complex64": "cfloat c64",
    "complex128": "cdouble c128",
}
"""The types of elements, by the names that frameworks share, with their other names.

These are as frameworks and compilers have them: an int has 32 bits, as in C, PyTorch and
TensorFlow, and a byte has no sign, as in NumPy's uint8 and PyTorch's.
"""
FLOAT32 = "float32"


def dtype_named(name: str) -> str:
    """Return the type of elements that a name means; raise ValueError if it means none."""
    word = name.lower()
    for dtype, others in DTYPES.items():
        if word in (dtype, *others.split()):
            return dtype
    raise ValueError(f"{name!r} is not one of {', '.join(DTYPES)}")


def bytes_of(dtype: str) -> int:
    """Return the bytes that an element takes.

    >>> bytes_of("bool"), bytes_of("bfloat16")
    (1, 2)
    """
    bits = dtype.lstrip("abcdefghijklmnopqrstuvwxyz")
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
