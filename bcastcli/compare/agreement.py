"""Finds a short Python expression that is true for exactly the given choices of unknown sizes."""

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import NamedTuple

from bcastcli.core.conditions import Assignment, Atom, atoms_written, is_satisfied

# People would not read anything longer.
MAX_ATOMS, MAX_IN_A_CLAUSE = 17, 4


class _Literal(NamedTuple):
    """An atom, or its negation."""

    atom: Atom
    equal: bool
    where: int
    """The assignments for which it is true, one bit each."""


def expression(
    names: Sequence[str],
    sizes: Sequence[int],
    assignments: Sequence[Assignment],
    truths: Sequence[bool],
) -> str | None:
    """A short expression that is true only for the assignments marked true; or None.

    It consists of clauses of equalities and their negations, all of which hold.
    """
    atoms: list[Atom] = [*product(names, sizes), *combinations(names, 2)]
    if len(atoms) > MAX_ATOMS:
        return None
    literals = [
        _Literal(atom, equal, _bits(is_satisfied((atom,), each) is equal for each in assignments))
        for equal in (False, True)
        for atom in atoms
    ]
    true, false = _bits(truths), _bits(not truth for truth in truths)
    clauses = _clauses(literals, true, false)
    return _written(clauses) if clauses else None


def _bits(truths: Iterable[bool]) -> int:
    return sum(truth << place for place, truth in enumerate(truths))


def _clauses(
    literals: Sequence[_Literal], true: int, false: int
) -> list[tuple[_Literal, ...]] | None:
    """A few short clauses that all hold for exactly the true assignments."""
    shortest: dict[int, tuple[_Literal, ...]] = {}
    """The first, hence shortest, clause that is false in exactly these of the false assignments."""
    for count in range(1, MAX_IN_A_CLAUSE + 1):
        for clause in combinations(literals, count):
            where = 0
            for literal in clause:
                where |= literal.where
            if not true & ~where:
                shortest.setdefault(false & ~where, clause)
        kept = set()
        left = false
        while left:
            best = max(shortest, key=lambda out: (out & left).bit_count(), default=0)
            if not best & left:
                break
            kept.add(best)
            left &= ~best
        if not left:
            return [clause for out, clause in shortest.items() if out in kept]
    return None


def _written(clauses: Sequence[tuple[_Literal, ...]]) -> str:
    """The expression that all clauses hold."""
    alone = [clause for clause in clauses if len(clause) == 1 and not clause[0].equal]
    texts = atoms_written(tuple(clause[0].atom for clause in alone), negated=True)
    for clause in clauses:
        different = [each.atom for each in clause if not each.equal]
        parts = [text for atom in different for text in atoms_written((atom,), negated=True)]
        parts += atoms_written(tuple(each.atom for each in clause if each.equal))
        text = " or ".join(parts)
        if clause not in alone:
            texts.append(f"({text})" if len(clauses) > 1 and len(parts) > 1 else text)
    return " and ".join(texts)
