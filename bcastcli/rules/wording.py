"""Pieces of the sentences that several rules say."""

from collections.abc import Sequence

from bcastcli.shapes import Column, remember


def listed(words: Sequence[str]) -> str:
    """Words in a row: `A`, `A and B`, `A, B and C`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def plural(count: int, noun: str) -> str:
    """A count with its noun: `1 axis`, `2 axes`."""
    return f"{count} {noun if count == 1 else noun.replace('axis', 'axes')}"


@remember
def clashing(
    column: Column, names: tuple[str, ...], besides: int | None = None
) -> tuple[str, str, int]:
    """Who has which number on an axis; what is said of the others; how many have one.

    A size `besides` clashes with nothing, nor does one that is not known.
    """
    having: dict[int, list[str]] = {}
    for name, size in zip(names, column, strict=True):
        if isinstance(size, int) and size != besides:
            having.setdefault(size, []).append(name)
    parts = [
        f"{listed(owners)} {'has' if len(owners) == 1 else 'have'} {size}"
        for size, owners in having.items()
    ]
    count = sum(map(len, having.values()))
    left = len(names) - count
    rest = {0: "", 1: "; the other agrees"}.get(left, "; the others agree")
    if any(isinstance(size, str) for size in column):
        rest = ""  # of sizes that are not known, nobody can say that they agree
    return listed(parts), rest, count
