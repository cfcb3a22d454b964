"""Whether any reshape lines operands up: the proof behind "no reshape helps"."""

from collections.abc import Sequence

from bcastcli.core.shapes import Shape

_MAX_OPERANDS = 4
_MAX_AXES = 32
_MAX_STATES = 5_000

_State = tuple[tuple[Shape, ...], Shape]
"""The sizes that are still to be placed: of each operand in order, and of one in any order."""


def can_line_up(shapes: Sequence[Shape]) -> bool | None:
    """Whether shapes broadcast once ones are inserted or dropped, and the axes of one permuted.

    No operand gets more axes than the longest has. Unknown sizes count as 1. None if the search
    would take too long.

    >>> can_line_up([(32, 10), (32,), (32,)]), can_line_up([(2, 3), (3, 2)])
    (True, True)
    >>> can_line_up([(2, 3), (2, 4)]), can_line_up([(n,) for n in range(2, 9)])
    (False, None)
    """
    rank = max(map(len, shapes))
    sizes = [tuple([size for size in own if isinstance(size, int) and size != 1]) for own in shapes]
    different = list(dict.fromkeys(sizes))
    if len(different) > _MAX_OPERANDS or rank > _MAX_AXES:
        return None
    found: list[bool | None] = []
    for number, free in enumerate(different):
        others = (*different[:number], *different[number + 1 :])
        found.append(_fit(rank, others, free))
    if True in found:
        return True
    return None if None in found else False


def _fit(rank: int, ordered: Sequence[Shape], free: Shape) -> bool | None:
    """Whether so many axes hold the sizes of each operand, one size on an axis.

    From the first axis on, the next size of any operand may be there, for all whose next one it is.
    """
    states: set[_State] = {(tuple(ordered), tuple(sorted(free, key=int)))}
    seen = 0
    for room in range(rank, -1, -1):
        following: set[_State] = set()
        for left, rest in states:
            needed = max(map(len, left), default=0)
            if needed == 0 and len(rest) <= room:
                return True
            if max(needed, len(rest)) <= room:
                following.update(_next(left, rest))
        states = following
        seen += len(states)
        if seen > _MAX_STATES:
            return None
    return False


def _next(left: Sequence[Shape], rest: Shape) -> list[_State]:
    """What is left after the next axis, for each size that may be there."""
    found: list[_State] = []
    for size in {own[0] for own in left if own}:
        after = [own[1:] if own[:1] == (size,) else own for own in left]
        unplaced = list(rest)
        if size in unplaced:
            unplaced.remove(size)
        found.append((tuple(after), tuple(unplaced)))
    return found
