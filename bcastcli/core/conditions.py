"""Conditions over sizes that are not known: what must hold for an answer to be yes.

An unknown size is a name, one integer wherever it stands. An *atom* says that a name equals another
name or a number, a *clause* that one of its atoms holds, a *condition* that all of its clauses do.
So `()` always holds, and a condition with an empty clause never does.

The lowest size a name may take (0, or 1 under ncnn) changes no answer: a condition mentions no
number below it, and above the numbers mentioned there is always room.
"""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

Atom = tuple[str, int | str]
Clause = tuple[Atom, ...]
Condition = tuple[Clause, ...]
Assignment = dict[str, int]
"""A number for each name; the negative ones stand for numbers that no atom mentions."""

ALWAYS: Condition = ()
NEVER: Condition = ((),)

# Beyond these, working a condition through could take longer than a person waits.
MAX_NAMES = 10
MAX_STEPS = 200_000
# Pairs grow with the square of the names on an axis; past this many they are written as one set.
MAX_PAIRED = 12


class TooManyError(Exception):
    """More unknown sizes depend on each other than are worked through."""


class Crowd(tuple[Atom, ...]):
    """No choice between its atoms: their names take at most one value besides 1.

    It stands for more pairs than are written out, and is not worked through.
    """

    __slots__ = ()


def require(*pairs: tuple[int | str, int | str]) -> Condition:
    """The condition that in one of the pairs both sizes are equal."""
    clause: list[Atom] = []
    for left, right in pairs:
        if left == right:
            return ALWAYS
        if isinstance(left, str):
            clause.append((left, right))
        elif isinstance(right, str):
            clause.append((right, left))
    return (tuple(dict.fromkeys(clause)),)


def at_most_one_besides_1(names: Sequence[str]) -> Condition:
    """The condition that the names take at most one value other than 1."""
    if len(names) > MAX_PAIRED:
        return (Crowd((name, 1) for name in names),)
    return tuple(
        clause
        for i, left in enumerate(names)
        for right in names[i + 1 :]
        for clause in require((left, right), (left, 1), (right, 1))
    )


def either(conditions: Sequence[Condition]) -> Condition:
    """The condition that at least one of the conditions holds."""
    first, *rest = conditions
    for other in rest:
        first = tuple(tuple(dict.fromkeys(left + right)) for left in first for right in other)
    return first


class Solution(NamedTuple):
    """A condition worked through: whether it can hold, in canonical form, and how it can hold."""

    satisfiable: bool
    condition: Condition
    is_exact: bool
    """False: too many names to tell whether the condition always or never holds."""
    assignments: dict[str, list[Assignment]]
    """For each name, every way in which the names tied to it can be chosen."""


def solve(condition: Condition, names: Sequence[str]) -> Solution:
    """Work a condition through; `names` are all its names, in reading order."""
    rank = {name: place for place, name in enumerate(names)}
    clauses = dict.fromkeys(_in_reading_order(clause, rank) for clause in condition)
    place = {clause: i for i, clause in enumerate(clauses)}
    steps = iter(range(MAX_STEPS))
    canonical: list[tuple[int, Clause]] = []
    assignments: dict[str, list[Assignment]] = {}
    is_exact = True
    for part in _components(clauses):
        tied = sorted({name for clause in part for name in _names(clause)}, key=rank.__getitem__)
        simple = [(clause, clause) for clause in part]
        try:
            ways = list(_assignments(part, tied, steps))
        except TooManyError:
            is_exact = False
        else:
            if not ways:
                return Solution(False, NEVER, True, {})
            assignments |= dict.fromkeys(tied, ways)
            with contextlib.suppress(TooManyError):
                simple = _simplify(part, tied, ways, steps)
        canonical += ((place[origin], clause) for origin, clause in simple)
    canonical.sort(key=lambda placed: placed[0])
    return Solution(True, tuple(clause for _, clause in canonical), is_exact, assignments)


def names_in(condition: Condition) -> list[str]:
    """The names in a condition, in the order in which they stand there."""
    return list(dict.fromkeys(name for clause in condition for name in _names(clause)))


def unsatisfiable_core(conditions: Sequence[Condition], names: Sequence[str]) -> list[int]:
    """The numbers of few conditions that cannot hold together, given that all of them cannot."""
    from bisect import bisect_left  # rarely needed

    guilty: list[int] = []

    def impossible(count: int) -> bool:
        chosen = [*range(count), *guilty]
        return not solve(tuple(c for i in chosen for c in conditions[i]), names).satisfiable

    while not impossible(0):
        # The last condition of the shortest run that contradicts those found must be in it.
        last = bisect_left(range(len(conditions)), True, key=impossible) - 1
        if last in guilty:
            break
        guilty.append(last)
    return sorted(guilty)


def _in_reading_order(clause: Clause, rank: dict[str, int]) -> Clause:
    """Names before numbers, both in reading order, so that equal clauses are one tuple."""

    def turned(atom: Atom) -> Atom:
        name, other = atom
        if isinstance(other, str) and rank[other] < rank[name]:
            return other, name
        return atom

    def key(atom: Atom) -> tuple[int, int, int]:
        name, other = atom
        if isinstance(other, str):
            return 0, rank[name], rank[other]
        return 1, rank[name], other

    return type(clause)(sorted(dict.fromkeys(map(turned, clause)), key=key))


def _names(clause: Clause) -> list[str]:
    """The names in a clause."""
    named = [side for atom in clause for side in atom if isinstance(side, str)]
    return list(dict.fromkeys(named))


def _components(clauses: Iterable[Clause]) -> list[list[Clause]]:
    """The clauses, parted so that no two parts share a name."""
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while leader.setdefault(name, name) != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    clauses = list(clauses)
    for clause in clauses:
        for name in _names(clause):
            leader[find(name)] = find(clause[0][0])
    parts: dict[str, list[Clause]] = {}
    for clause in clauses:
        parts.setdefault(find(clause[0][0]) if clause else "", []).append(clause)
    return list(parts.values())


def _assignments(
    clauses: Sequence[Clause], names: Sequence[str], steps: Iterator[int]
) -> Iterator[Assignment]:
    """Every kind of choice of the names that meets all clauses.

    Raises TooManyError when no steps are left.

    Only equalities matter, so it is enough to try the numbers that the clauses mention and, for
    "some other number", one fresh number more than are in use.
    """
    if len(names) > MAX_NAMES or any(isinstance(clause, Crowd) for clause in clauses):
        raise TooManyError
    numbers = sorted({other for clause in clauses for _, other in clause if isinstance(other, int)})
    place = {name: i for i, name in enumerate(names)}
    due: list[list[Clause]] = [[] for _ in names]
    for clause in clauses:
        if not clause:
            return
        due[max(place[name] for name in _names(clause))].append(clause)
    assignment: Assignment = {}

    def choose(i: int, fresh: int) -> Iterator[Assignment]:
        if i == len(names):
            yield dict(assignment)
            return
        for value in (*numbers, *range(-1, -fresh - 2, -1)):
            if next(steps, None) is None:
                raise TooManyError
            assignment[names[i]] = value
            if all(holds(clause, assignment) for clause in due[i]):
                yield from choose(i + 1, max(fresh, -value))

    yield from choose(0, 0)


def holds(clause: Clause, assignment: Assignment) -> bool:
    """Whether one of the clause's atoms is true for an assignment."""
    for name, other in clause:
        if assignment[name] == (assignment[other] if isinstance(other, str) else other):
            return True
    return False


def _simplify(
    clauses: list[Clause], names: Sequence[str], assignments: list[Assignment], steps: Iterator[int]
) -> list[tuple[Clause, Clause]]:
    """The canonical form of clauses tied together, each with the given clause it comes from.

    The values of each name that has only finitely many, as one clause; then what the other clauses
    say beyond that, shortened, and without those that the rest implies.
    """
    facts: list[tuple[Clause, Clause]] = []
    for name in names:
        values = sorted({assignment[name] for assignment in assignments})
        if values and values[0] >= 0:
            about = [clause for clause in clauses if name in _names(clause)]
            alone = [clause for clause in about if _names(clause) == [name]]
            facts.append(((alone or about)[0], tuple((name, value) for value in values)))
    origin = {_shortest(clause, assignments): clause for clause in reversed(clauses)}
    kept = list(reversed(origin))
    known = [fact for _, fact in facts]
    for clause in origin:
        others = known + [other for other in kept if other != clause]
        if all(holds(clause, assignment) for assignment in _assignments(others, names, steps)):
            kept.remove(clause)
    return facts + [(origin[clause], clause) for clause in kept]


def _shortest(clause: Clause, assignments: list[Assignment]) -> Clause:
    """The clause without the atoms that it does not need in any of the assignments."""
    for atom in clause:
        if all(holds((atom,), assignment) for assignment in assignments):
            return (atom,)
    for atom in clause:
        fewer = tuple(other for other in clause if other != atom)
        if all(holds(fewer, assignment) for assignment in assignments):
            return _shortest(fewer, assignments)
    return clause


def written(condition: Condition) -> str:
    """The condition as a Python expression over the names."""
    texts = [_clause_written(clause) for clause in condition]
    if len(texts) > 1:
        texts = [f"({text})" if " or " in text else text for text in texts]
    return " and ".join(texts)


def _clause_written(clause: Clause) -> str:
    if isinstance(clause, Crowd):
        # Without len(), since a size may have that name.
        return f"[*{{{', '.join(name for name, _ in clause)}}} - {{1}}][1:] == []"
    values: dict[str, list[int]] = {}
    texts = []
    for name, other in clause:
        if isinstance(other, int):
            values.setdefault(name, []).append(other)
        else:
            texts.append(f"{name} == {other}")
    for name, numbers in values.items():
        several = len(numbers) > 1
        texts.append(f"{name} in {tuple(numbers)}" if several else f"{name} == {numbers[0]}")
    return " or ".join(texts)
