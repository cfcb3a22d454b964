"""Ways to choose unknown sizes: which there are, and what tells some of them from the others."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from bcastcli import symbols
from bcastcli.symbols import World

# Beyond these, putting a condition together could take longer than a person waits.
MOST_ATOMS, MOST_IN_A_CLAUSE = 16, 4


def worlds(names: Sequence[str], sizes: Sequence[int]) -> Iterator[World]:
    """Every kind of choice of the names.

    Only equalities matter to any rule, so it is enough to try the sizes that make a difference and,
    for "some other size", one more than are in use. An unknown size is at least 1, as it is under
    ncnn, unless a 0 is among the sizes.
    """
    others = [size for size in range(2, 2 + len(names) + len(sizes)) if size not in sizes]
    world: World = {}

    def choose(place: int, used: int) -> Iterator[World]:
        if place == len(names):
            yield dict(world)
            return
        for number, size in enumerate((*sizes, *others[: used + 1])):
            world[names[place]] = size
            yield from choose(place + 1, max(used, number - len(sizes) + 1))

    return choose(0, 0)


def expression(
    names: Sequence[str], sizes: Sequence[int], inside: list[World], outside: list[World]
) -> str | None:
    """What is true inside and false outside, as a Python expression; None if no short one is."""
    found = _expression(names, sizes, inside, outside)
    if found is not None:
        return found
    opposite = _expression(names, sizes, outside, inside)
    return None if opposite is None else _negated(opposite)


def _expression(
    names: Sequence[str], sizes: Sequence[int], inside: list[World], outside: list[World]
) -> str | None:
    """The same without a `not`: all short clauses that hold inside, unless they do outside too."""
    atoms: list[symbols.Atom] = [
        *combinations(names, 2),
        *((name, size) for name in names for size in sizes),
    ]
    if len(atoms) > MOST_ATOMS:
        return None
    clauses: list[symbols.Clause] = []
    for count in range(1, MOST_IN_A_CLAUSE + 1):
        for clause in combinations(atoms, count):
            implied = any(set(known).issubset(clause) for known in clauses)
            if not implied and all(symbols.holds(clause, world) for world in inside):
                clauses.append(clause)
    if any(all(symbols.holds(clause, world) for clause in clauses) for world in outside):
        return None
    return symbols.written(symbols.solve(tuple(clauses), names).condition)


def _negated(expression: str) -> str:
    if " and " in expression or " or " in expression:
        return f"not ({expression})"
    return expression.replace(" == ", " != ").replace(" in ", " not in ")
