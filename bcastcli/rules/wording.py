"""Pieces of the sentences that several rules say."""

from collections.abc import Sequence

from bcastcli.answers import Axis, Operand


def listed(words: Sequence[str]) -> str:
    """Words in a row: `A`, `A and B`, `A, B and C`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def plural(count: int, noun: str) -> str:
    """A count with its noun: `1 axis`, `2 axes`."""
    return f"{count} {noun if count == 1 else noun.replace('axis', 'axes')}"


def clashing(
    operands: Sequence[Operand], axis: Axis, besides: int | None = None
) -> tuple[str, str, int]:
    """Who has which number on an axis; what that leaves of the others; how many have one.

    A size `besides` clashes with nothing, nor does one that is not known.
    """
    having: dict[int, list[str]] = {}
    for operand, size in zip(operands, axis.sizes, strict=True):
        if isinstance(size, int) and size != besides:
            having.setdefault(size, []).append(operand.name)
    parts = [
        f"{listed(names)} {'has' if len(names) == 1 else 'have'} {size}"
        for size, names in having.items()
    ]
    count = sum(map(len, having.values()))
    left = len(operands) - count
    rest = {0: "", 1: "; the other agrees"}.get(left, "; the others agree")
    return listed(parts), rest, count
