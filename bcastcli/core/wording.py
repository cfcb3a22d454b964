"""Pieces of the sentences that several rules say."""

from collections.abc import Sequence

from bcastcli.core.alignment import Operand
from bcastcli.core.conditions import within
from bcastcli.core.shapes import Column, Size, bounds, remember, written


def listed(words: Sequence[str]) -> str:
    """Words in a row: `A`, `A and B`, `A, B and C`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def swapping(first: str, second: str) -> str:
    """That two operands go in the other order."""
    return f"swap {first} and {second}"


def axes(count: int) -> str:
    """So many axes: `1 axis`, `2 axes`."""
    return f"{count} {'axis' if count == 1 else 'axes'}"


def have(owners: Sequence[str]) -> str:
    """Who has something: `A has`, `A and B have`."""
    return f"{listed(owners)} {'has' if len(owners) == 1 else 'have'}"


def more_axes(kept: Operand, other: Operand, why: str) -> str:
    """That an operand has more axes than the one that is kept, and why that does not do."""
    return (
        f"{other.name} {written(other.shape)} has {axes(len(other.shape))} and "
        f"{kept.name} {written(kept.shape)} has {len(kept.shape)}, and {why}"
    )


@remember
def clashing(
    column: Column, names: tuple[str, ...], besides: int | None = None
) -> tuple[str, str, int]:
    """Who has which number on an axis; what is said of the others; how many have one.

    A size `besides` clashes with nothing, nor does one that may be that, or that has no bounds.
    """
    having: dict[Size, list[str]] = {}
    for name, size in zip(names, column, strict=True):
        own = (size, size) if isinstance(size, int) else bounds(size)
        if size is not None and own and (besides is None or not within(besides, own)):
            having.setdefault(size, []).append(name)
    parts = [f"{have(owners)} {size}" for size, owners in having.items()]
    count = sum(map(len, having.values()))
    left = len(names) - count
    rest = {0: "", 1: "; the other agrees"}.get(left, "; the others agree")
    if any(isinstance(size, str) for size in column):
        rest = ""  # of sizes that are not known, nobody can say that they agree
    return listed(parts), rest, count
