"""The lines of an input that comes in pieces."""

from collections.abc import Iterable, Iterator

MAX_LINE_BYTES = 1 << 20
"""The most bytes of a line; a longer one is invalid, and is not held in memory."""
_START_BYTES = 1 << 10
"""What is kept of an overlong line, to be shown with the error."""


class OverlongLine(str):
    """The start of an overlong line, which equals no other line."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


def lines_of(pieces: Iterable[bytes]) -> Iterator[list[str]]:
    """The lines of the input, without their ends, in lists of those available."""
    held = bytearray()  # an unfinished line, or the beginning of an overlong one
    mark = b"\xef\xbb\xbf"  # some editors write it first
    for piece in with_newlines(pieces):
        whole, newline, rest = piece.rpartition(b"\n")
        beginning, following, more = (whole if newline else rest).partition(b"\n")
        if len(held) <= MAX_LINE_BYTES:
            held += beginning
        if newline:
            yield _split((bytes(held) + following + more).removeprefix(mark))
            mark = b""
            held = bytearray(rest)
    if held:
        yield _split(bytes(held).removeprefix(mark))


def with_newlines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    r"""The pieces with \n for each end of a line: \r\n, or \r alone."""
    cut = False  # between \r and perhaps \n
    for piece in pieces:
        whole = piece.removeprefix(b"\n") if cut else piece
        cut = piece.endswith(b"\r")
        yield whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in whole else whole


def _split(data: bytes) -> list[str]:
    """The whole lines in the data; bytes that are not UTF-8 are escaped."""
    if len(data) <= MAX_LINE_BYTES:
        return data.decode("utf-8", "backslashreplace").split("\n")
    return [_line(each) for each in data.split(b"\n")]


def _line(data: bytes) -> str:
    if len(data) <= MAX_LINE_BYTES:
        return data.decode("utf-8", "backslashreplace")
    return OverlongLine(data[:_START_BYTES].decode("utf-8", "backslashreplace"))
